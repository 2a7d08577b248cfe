import { spellAddress } from '../../../../../shared/address.ts';
import type { CompletenessValue } from '../../../../../shared/activity/filter.ts';
import {
  describeRow,
  nativeTokenOf,
  type DescribedLeg,
  type RowDescription,
} from '../../../../../shared/activity/describe.ts';
import { lookAlikeIn, type LookAlikes } from '../../../../../shared/activity/look-alike.ts';
import type { NativeToken, Party } from '../../../../../shared/activity/legs.ts';
import type {
  ActivityRow,
  AddressColour,
  WatchedAddress,
  WatchedChain,
} from '../../../../../shared/activity/types.ts';
import type { AppState, KnownName } from '../../../state/app.svelte.ts';
import { notation, type Notation } from '../../../ui/text/notation.svelte.ts';
import { shortHash } from '../../../../../shared/text.ts';
import type { GlyphName } from '../../../ui/sign/glyphs.ts';
import type { Tone } from '../../../ui/text/tone.ts';
import { lookAlikeMark, marksOf, type RowMark } from '../words/mark-words.ts';
import {
  amountParts,
  assetWords,
  completenessOf,
  kindWords,
  signedAmount,
  statusWords,
  type AmountParts,
} from '../words/row-words.ts';

/** Everything besides the row that its texts depend on; a new object whenever any of it changes. */
export interface RowContext {
  nameOf(address: string, serviceName: string | null): KnownName | null;
  watched(address: string): WatchedAddress | null;
  chain(address: string, chainId: string): WatchedChain | null;
  chainName(chainId: string): string | null;
  lookAlikes: LookAlikes;
  notation: Notation;
}

/** The context as the app knows it now; to be derived, so that it follows every change. */
export const rowContextOf = (app: AppState): RowContext => ({
  nameOf: (address, serviceName) => app.nameOf(address, serviceName),
  watched: (address) => app.watched(address),
  chain: (address, chainId) => app.chain(address, chainId),
  chainName: (chainId) => app.chainNames.get(chainId) ?? null,
  lookAlikes: app.lookAlikes,
  notation: notation(),
});

export interface ShownAmount extends AmountParts {
  isIn: boolean;
  isUncertain: boolean;
}

export interface ShownParty {
  text: string;
  /** Checksummed. */
  address: string;
  from: KnownName['from'] | null;
  isHash: boolean;
}

/** The texts and shapes of a row's cells. */
export interface ShownRow {
  timestampMs: number;
  chain: string;
  mine: ShownParty;
  colour: AddressColour | null;
  icon: GlyphName;
  kind: string;
  counterparty: ShownParty | null;
  /** What moved for the address; empty when nothing did. */
  amounts: ShownAmount[];
  /** Null when another address paid it. */
  fee: ShownAmount | 'unknown' | null;
  method: { text: string; signature: string | null } | null;
  status: { tone: Tone; word: string };
  marks: RowMark[];
  isHidden: boolean;
  completeness: CompletenessValue;
}

interface Described {
  symbol: string | null;
  decimals: number | null;
  description: RowDescription;
}

const descriptions = new WeakMap<ActivityRow, Described>();

/** `describeRow` from the side of the row's own address, cached by row. */
export function descriptionOf(row: ActivityRow, native: NativeToken): RowDescription {
  const known = descriptions.get(row);
  if (known?.symbol === native.symbol && known.decimals === native.decimals) return known.description;
  const description = row.completeness === 'unreadable' ? nothingKnown : describeRow(row, [], native);
  descriptions.set(row, { ...native, description });
  return description;
}

/** For a row whose transaction can no longer be read. */
const nothingKnown: RowDescription = {
  kind: 'contract-call',
  direction: 'none',
  counterparty: null,
  legs: [],
  fee: { amount: null, payer: null, isPaidByAddress: false },
  status: 'unknown',
  method: null,
  netEffect: [],
  netEffectScope: 'this-address',
};

const known = new WeakMap<ActivityRow, { context: RowContext; shown: ShownRow }>();

/** The cells of a row, cached by row and context. */
export function shownRow(row: ActivityRow, context: RowContext): ShownRow {
  const last = known.get(row);
  if (last?.context === context) return last.shown;
  const shown = showRow(row, context);
  known.set(row, { context, shown });
  return shown;
}

function showRow(row: ActivityRow, context: RowContext): ShownRow {
  const chain = context.chain(row.address, row.chainId);
  const ofChain = { symbol: chain?.nativeSymbol ?? null, decimals: chain?.nativeDecimals ?? null };
  const native = nativeTokenOf(row, ofChain);
  const described = descriptionOf(row, native);
  const { icon, words } = kindWords(described);
  const legs = described.legs.filter((leg) => leg.direction !== 'none');
  const { fee, method, counterparty } = described;
  return {
    timestampMs: row.timestampMs,
    chain: chain?.name ?? context.chainName(row.chainId) ?? row.chainId,
    mine: shownParty({ address: row.address, name: null }, context),
    colour: context.watched(row.address)?.colour ?? null,
    icon,
    kind: row.completeness === 'unreadable' ? 'Unreadable' : words,
    counterparty: counterparty === null ? null : shownParty(counterparty, context),
    amounts: legs.map(shownLeg),
    fee: !fee.isPaidByAddress
      ? null
      : fee.amount === null
        ? 'unknown'
        : shownAmount(fee.amount, native.decimals, native.symbol, false),
    method: method === null ? null : { text: method.name, signature: method.signature ?? method.hash },
    status: statusWords[described.status],
    marks: [...lookAlikeMarks(row, described, context), ...marksOf(row)],
    isHidden: row.marks.spam.hiddenReason !== null,
    completeness: completenessOf(row),
  };
}

/** Left out where it is the reason for hiding the row, which is shown already. */
function lookAlikeMarks(row: ActivityRow, described: RowDescription, context: RowContext): RowMark[] {
  const found = lookAlikeIn(described, context.lookAlikes);
  if (found === null || row.marks.spam.hiddenReason === 'look-alike') return [];
  return [lookAlikeMark(found.address, shownParty({ address: found.known, name: null }, context).text)];
}

function shownParty({ address, name }: Party, context: RowContext): ShownParty {
  const spelled = spellAddress(address);
  const known = context.nameOf(spelled, name);
  const text = known?.text ?? null;
  return {
    text: text ?? shortHash(spelled),
    address: spelled,
    from: known?.from ?? null,
    isHash: text === null,
  };
}

function shownLeg(leg: DescribedLeg): ShownAmount {
  const isIn = leg.direction === 'in';
  const amount = shownAmount(
    signedAmount(leg.amount, leg.direction),
    leg.asset.decimals,
    assetWords(leg.asset),
    isIn,
  );
  return leg.isUncertain
    ? { ...amount, isUncertain: true, explanation: 'The service isn’t certain that this transfer happened.' }
    : amount;
}

function shownAmount(
  value: string | null,
  decimals: number | null,
  symbol: string | null,
  isIn: boolean,
): ShownAmount {
  return { ...amountParts(value, decimals, symbol, isIn), isIn, isUncertain: false };
}

/** An amount as one text with every digit. Incoming ones have no plus, which a spreadsheet would take for a formula. */
export function amountText({ sign, digits, tail, unit }: ShownAmount): string {
  return `${sign === '+' ? '' : sign}${digits}${tail} ${unit}`.trim();
}
