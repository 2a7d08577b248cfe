/** Why a row is hidden, in two words and in a sentence: by a local rule, or by the user's own decision. */
export const hiddenWords = {
  'zero-value': {
    word: 'Zero value',
    explanation: 'A zero-value token transfer in a transaction that someone else sent.',
  },
  'look-alike': {
    word: 'Look-alike',
    explanation:
      'The sender or recipient looks like an address you know: same first and last digits, different in between.',
  },
  'fan-out': {
    word: 'Sent to many',
    explanation: 'A token without a price, sent to many recipients at once.',
  },
  'lure-text': {
    word: 'Phishing',
    explanation: 'The token’s name or symbol contains a link or a word such as “claim” or “reward”.',
  },
  'remote-media': {
    word: 'Remote media',
    explanation: 'The NFT’s image is on a third-party server, so the app didn’t fetch it.',
  },
  user: { word: 'Hidden by you', explanation: 'You hid this row or its token.' },
} as const;

export type HiddenReason = keyof typeof hiddenWords;
export type SpamRule = Exclude<HiddenReason, 'user'>;

/** The result of the rules, and the user's decision. */
export interface SpamVerdict {
  rules: SpamRule[];
  /** The decision about the row, or else about its token; it overrides the rules. */
  decision: 'show' | 'hide' | null;
  decidedFor: 'row' | 'token' | null;
  /** Null while the row is shown. */
  hiddenReason: HiddenReason | null;
}
