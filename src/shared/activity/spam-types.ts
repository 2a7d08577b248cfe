/** The local rules; each names why a row is hidden. */
export type SpamRule =
  /** A token transfer of nothing whose transaction somebody else sent. */
  | 'zero-value'
  /** The counterparty looks like an address of the book: same first and last four digits, different between. */
  | 'look-alike'
  /** A token without a price sent to many receivers at once. */
  | 'fan-out'
  /** A link or a lure in the name or symbol of a token. */
  | 'lure-text'
  /** Media of an NFT that lie on somebody's server. */
  | 'remote-media';

/** Why a row is hidden: a rule, or the user's own decision. */
export type HiddenReason = SpamRule | 'user';

/** What a row's rules say and what the user has decided. */
export interface SpamVerdict {
  rules: SpamRule[];
  /** The user's decision about the row, or else about its token; it outweighs the rules. */
  decision: 'show' | 'hide' | null;
  decidedFor: 'row' | 'token' | null;
  /** Null while the row is shown. */
  hiddenReason: HiddenReason | null;
}
