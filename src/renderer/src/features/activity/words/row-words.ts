import { formatAmount } from '../../../../../shared/amounts.ts';
import { completenessNames, type CompletenessValue } from '../../../../../shared/activity/filter.ts';
import type { ActivityRow } from '../../../../../shared/activity/types.ts';
import type { Direction, RowDescription } from '../../../../../shared/activity/describe.ts';
import type { GlyphName } from '../../../ui/sign/glyphs.ts';
import { localNumbers } from '../../../ui/text/format.ts';
import { notation } from '../../../ui/text/notation.svelte.ts';
import type { Tone } from '../../../ui/text/tone.ts';

export interface KindWords {
  icon: GlyphName;
  words: string;
}

/** The shape, the verb, and the end of the words. */
const moves: Readonly<Record<RowDescription['direction'], readonly [GlyphName, string, string?]>> = {
  in: ['in', 'Received'],
  out: ['out', 'Sent'],
  self: ['self', 'Sent', ' to self'],
  both: ['exchange', 'Moved'],
  none: ['exchange', 'Moved'],
};

// The amount names the token.
const things = { transfer: '', 'token-transfer': '', 'nft-transfer': ' NFT' } as const;

/** Names of what a failed transaction tried. */
const tried: Readonly<Record<RowDescription['kind'], string>> = {
  transfer: 'Tried to send',
  'token-transfer': 'Tried to send',
  'nft-transfer': 'Tried to send',
  exchange: 'Tried to swap',
  'contract-call': 'Tried to call',
  'contract-creation': 'Tried to create',
};

/** The kind of a row, in a few words and a shape. */
export function kindWords({
  kind,
  direction,
  status,
}: Pick<RowDescription, 'kind' | 'direction' | 'status'>): KindWords {
  if (status === 'failed')
    return { icon: kind === 'contract-creation' ? 'create' : 'call', words: tried[kind] };
  if (kind === 'exchange') return { icon: 'exchange', words: 'Swapped' };
  if (kind === 'contract-creation') return { icon: 'create', words: 'New contract' };
  if (kind === 'contract-call') return { icon: 'call', words: 'Contract call' };
  const [icon, verb, end = ''] = moves[direction];
  return { icon, words: `${verb}${things[kind]}${end}` };
}

export const statusWords: Readonly<Record<RowDescription['status'], { tone: Tone; word: string }>> = {
  success: { tone: 'pass', word: 'Success' },
  failed: { tone: 'fail', word: 'Failed' },
  unknown: { tone: 'idle', word: 'Unknown' },
};

const completenessExplanations: Readonly<Record<CompletenessValue, string>> = {
  partial: 'Shows only what involves your address. Open the transaction to fetch the rest.',
  complete: 'The complete transaction is stored.',
  unread:
    'Part of this transaction couldn’t be decoded, so more may have moved than is shown. Open the transaction to see the raw data.',
};

export function completenessWords(completeness: CompletenessValue): { word: string; explanation: string } {
  return { word: completenessNames[completeness], explanation: completenessExplanations[completeness] };
}

/** A row with something that could not be read is never complete. */
export function completenessOf(row: {
  completeness: ActivityRow['completeness'];
  unread: readonly unknown[];
}): CompletenessValue {
  return row.completeness === 'unreadable' || row.unread.length > 0 ? 'unread' : row.completeness;
}

/** The base units of a leg, negative for outgoing ones; null when unknown. */
export function signedAmount(amount: string | null, direction: Direction): string | null {
  return amount !== null && direction === 'out' ? `-${amount}` : amount;
}

/** The unit of an amount: the asset's symbol, with the token id for an NFT. */
export function assetWords(asset: {
  symbol: string | null;
  name: string | null;
  tokenId: string | null;
}): string | null {
  const name = asset.symbol ?? asset.name;
  if (asset.tokenId === null) return name;
  const id =
    asset.tokenId.length > 10 ? `${asset.tokenId.slice(0, 4)}…${asset.tokenId.slice(-4)}` : asset.tokenId;
  return `${name ?? 'NFT'} #${id}`;
}

/** An exact amount, split into the parts that are drawn differently. */
export interface AmountParts {
  sign: '' | '+' | '−';
  digits: string;
  /** The fraction from its seventh digit on, and after three digits that are not zero; drawn less prominently. */
  tail: string;
  unit: string;
  explanation: string | null;
}

/** `signed` writes a plus before amounts that are not negative. Without digits where the amount is unknown. */
export function amountParts(
  value: bigint | string | null | undefined,
  decimals: number | null | undefined,
  symbol: string | null | undefined,
  signed: boolean,
): AmountParts {
  const amount = value === null || value === undefined ? null : formatAmount(value, decimals);
  if (amount === null) {
    const unit = `unknown amount${symbol ? ` of ${symbol}` : ''}`;
    return { sign: '', digits: '', tail: '', unit, explanation: null };
  }
  const { text, unit } = amount;
  const digits = localNumbers(text.replace('-', ''));
  const { point } = notation();
  const fraction = digits.includes(point) ? digits.lastIndexOf(point) + 1 : digits.length;
  const cut = Math.max(fraction + 6, digits.search(/[1-9]/) + 3);
  return {
    sign: text.startsWith('-') ? '−' : signed ? '+' : '',
    digits: digits.slice(0, cut),
    tail: digits.slice(cut),
    unit: unit === 'base' ? `base units${symbol ? ` of ${symbol}` : ''}` : (symbol ?? 'unknown token'),
    explanation:
      unit === 'base'
        ? 'The service doesn’t provide this token’s decimals, so the amount is in base units.'
        : null,
  };
}
