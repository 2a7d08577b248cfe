/** The local rules; each is a reason for hiding a row. */
export type SpamRule =
  /** A zero-value token transfer in somebody else's transaction. */
  | 'zero-value'
  /** The counterparty resembles a known address: same first and last four digits, but a different address. */
  | 'look-alike'
  /** A token without a price, sent to many receivers at once. */
  | 'fan-out'
  /** A link or enticing words in the name or symbol of a token. */
  | 'lure-text'
  /** An NFT whose media are on a web server. */
  | 'remote-media';

/** Why a row is hidden: a rule, or the user's own decision. */
export type HiddenReason = SpamRule | 'user';

/** The result of the rules, and the user's decision. */
export interface SpamVerdict {
  rules: SpamRule[];
  /** The decision about the row, or else about its token; it overrides the rules. */
  decision: 'show' | 'hide' | null;
  decidedFor: 'row' | 'token' | null;
  /** Null while the row is shown. */
  hiddenReason: HiddenReason | null;
}
