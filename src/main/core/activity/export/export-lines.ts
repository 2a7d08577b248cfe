import { spellAddress } from '../../../../shared/address.ts';
import { formatDecimal, knownDecimals } from '../../../../shared/amounts.ts';
import {
  describeMovement,
  nativeTokenOf,
  type DescribedLeg,
  type MovementDescription,
} from '../../../../shared/activity/describe.ts';
import { lookAlikeIn, type LookAlikes } from '../../../../shared/activity/look-alike.ts';
import type { NativeToken } from '../../../../shared/activity/legs.ts';
import type { ActivityRow } from '../../../../shared/activity/types.ts';

/** Names of addresses and chains at the time of the export. */
export interface ExportNames {
  /** The name of a watched address or of an entry in the book; null without one. */
  nameOf(address: string): string | null;
  chainName(chainId: string): string | null;
  nativeToken(chainId: string): NativeToken;
  /** Look-alikes of all watched addresses and of the book. */
  lookAlikes(): LookAlikes;
}

/** One line of the file: a movement of value, or a row that moved nothing or can no longer be decoded. */
interface Line {
  row: ActivityRow;
  /** The stored JSON of the row: all there is when it can no longer be decoded. */
  text: string;
  names: ExportNames;
  /** Null when the row can no longer be decoded. */
  movement: MovementDescription | null;
  /** Name or address that the counterparty resembles; empty for none. */
  looksLike: string;
  leg: DescribedLeg | null;
  /** Index of the leg, from 0, and number of legs. */
  place: number;
  legCount: number;
}

/** Columns that describe one movement. */
const movementColumns = {
  direction: ({ leg }: Line) => leg?.direction ?? '',
  amount: ({ leg }: Line) => {
    const amount = movedText(leg);
    if (amount === '' || amount === '0' || leg?.direction === 'self') return amount === '' ? '' : '0';
    return leg?.direction === 'out' ? `-${amount}` : amount;
  },
  /** What the address sent to itself: nothing of it came or went. */
  amount_to_self: ({ leg }: Line) => (leg?.direction === 'self' ? movedText(leg) : ''),
  amount_unit: ({ leg }: Line) =>
    leg === null || leg.amount === null ? '' : knownDecimals(leg.asset.decimals) === null ? 'base' : 'token',
  token_symbol: ({ leg }: Line) => leg?.asset.symbol ?? '',
  token_kind: ({ leg }: Line) => leg?.asset.kind ?? '',
  token_contract: ({ leg }: Line) => leg?.asset.contract ?? '',
  token_id: ({ leg }: Line) => leg?.asset.tokenId ?? '',
  uncertain: ({ leg }: Line) => (leg?.isUncertain === true ? 'true' : ''),
};

/**
 * The columns of a file, in order. `looks_like`: whom the counterparty resembles without being it. `part` numbers the
 * movements of a transaction: `1/3`. Amounts of the whole transaction (`fee`, `value_then`) are on its first line only,
 * so that columns can be summed; its other fields are on every line. Amounts are exact decimals, in tokens where the
 * decimals are known (`amount_unit` is `token`), otherwise in base units. `uncertain` is `true` where the
 * service does not say for sure that it moved. `unread` names parts that could not be
 * decoded and are in no other column; `unread_text` has them as received.
 */
const columns = {
  time_utc: ({ row }: Line) => isoTime(row.timestampMs),
  chain_id: ({ row }: Line) => row.chainId,
  chain_name: ({ row, names }: Line) => names.chainName(row.chainId) ?? '',
  block_number: ({ row }: Line) => row.blockNumber,
  tx_hash: ({ row }: Line) => row.txHash,
  my_address: ({ row }: Line) => row.address,
  my_label: ({ row, names }: Line) => names.nameOf(row.address) ?? '',
  kind: ({ movement }: Line) => movement?.kind ?? '',
  status: ({ movement }: Line) => movement?.status ?? '',
  method: ({ movement }: Line) => movement?.method?.name ?? '',
  counterparty: ({ movement }: Line) => movement?.counterparty?.address ?? '',
  counterparty_name: ({ movement, names }: Line) => {
    const party = movement?.counterparty ?? null;
    return party === null ? '' : (names.nameOf(party.address) ?? party.name ?? '');
  },
  looks_like: ({ looksLike }: Line) => looksLike,
  part: ({ leg, place, legCount }: Line) => (leg === null ? '' : `${place + 1}/${legCount}`),
  ...movementColumns,
  fee: (line: Line) =>
    paysFee(line) ? amountText(line.movement?.fee.amount ?? null, feeToken(line).decimals) : '',
  fee_symbol: (line: Line) => {
    if (!paysFee(line)) return '';
    const { symbol, decimals } = feeToken(line);
    return knownDecimals(decimals) === null ? 'base units' : (symbol ?? '');
  },
  value_then: ({ row, movement, place }: Line) =>
    movement === null || place > 0 ? '' : (row.marks.valueThen ?? ''),
  value_currency: ({ row, movement, place }: Line) =>
    movement === null || place > 0 || row.marks.valueThen === null ? '' : (row.marks.valueCurrency ?? ''),
  complete: ({ row }: Line) => String(row.completeness === 'complete' && row.unread.length === 0),
  unread: ({ row }: Line) =>
    row.completeness === 'unreadable'
      ? 'the stored row can no longer be read'
      : row.unread.map(({ path, why }) => `${path}: ${why}`).join('; '),
  unread_text: ({ row, text }: Line) =>
    row.completeness === 'unreadable' ? text : row.unread.map((part) => part.text).join('\n'),
  hidden_reason: ({ row }: Line) => row.marks.spam.hiddenReason ?? '',
  integrity_note: ({ row }: Line) => row.marks.integrityNote ?? '',
  reorg: ({ row }: Line) => row.marks.reorg ?? '',
  /** The endpoint that the row came from. */
  source: ({ row: { completeness } }: Line) =>
    ({ complete: 'transaction', partial: 'address-transactions', unreadable: '' })[completeness],
  fetched_at_utc: ({ row }: Line) => fetchTime(row.fetchedAtMs),
};

// A list: finding a column by its name for each cell took as long as writing it.
const allColumns = Object.entries(columns);

export const exportColumns = allColumns.map(([name]) => name);

/** The cells of one row of the timeline: one list per movement. */
export function exportCellsOf(row: ActivityRow, text: string, names: ExportNames): string[][] {
  return linesOf(row, text, names).map((line) => allColumns.map(([, cellOf]) => cellOf(line)));
}

function linesOf(row: ActivityRow, text: string, names: ExportNames): [Line, ...Line[]] {
  const movement =
    row.completeness === 'unreadable' ? null : describeMovement(row, names.nativeToken(row.chainId));
  const [first = null, ...others] = movement?.legs.filter(({ direction }) => direction !== 'none') ?? [];
  // Looking for it searches all movements, so it is done once for all lines.
  const known = movement === null ? undefined : lookAlikeIn(movement, names.lookAlikes())?.known;
  const looksLike = known === undefined ? '' : (names.nameOf(known) ?? spellAddress(known));
  const line = { row, text, names, movement, looksLike, leg: first, place: 0, legCount: 1 + others.length };
  return [line, ...others.map((leg, index) => ({ ...line, leg, place: index + 1 }))];
}

const transactionColumns = allColumns.filter(
  ([name]) => name !== 'part' && name !== 'complete' && !Object.hasOwn(movementColumns, name),
);
const columnsOfMovement = Object.entries(movementColumns);

/** The row as an object, with `movements` in place of several lines. */
export function exportObjectOf(row: ActivityRow, text: string, names: ExportNames): object {
  const lines = linesOf(row, text, names);
  const [first] = lines;
  return {
    ...withoutEmpty(first, transactionColumns),
    complete: columns.complete(first) === 'true',
    movements: first.leg === null ? [] : lines.map((line) => withoutEmpty(line, columnsOfMovement)),
  };
}

function withoutEmpty(line: Line, some: typeof allColumns): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, cellOf] of some) {
    const text = cellOf(line);
    if (text !== '') fields[name] = text;
  }
  return fields;
}

function paysFee({ movement, place }: Line): boolean {
  return movement !== null && place === 0 && movement.fee.isPaidByAddress && movement.fee.amount !== null;
}

function feeToken({ row, names }: Line): NativeToken {
  return nativeTokenOf(row, names.nativeToken(row.chainId));
}

function movedText(leg: DescribedLeg | null): string {
  return leg === null ? '' : amountText(leg.amount, leg.asset.decimals);
}

/** An unknown amount is an empty cell, never a zero. */
function amountText(baseUnits: string | null, decimals: number | null): string {
  if (baseUnits === null) return '';
  return formatDecimal(
    { digits: BigInt(baseUnits), scale: knownDecimals(decimals) ?? 0 },
    { groupSeparator: '' },
  );
}

/** All rows of one page were fetched at the same time. */
let lastFetch = { atMs: 0, utc: isoTime(0) };

function fetchTime(atMs: number): string {
  if (atMs !== lastFetch.atMs) lastFetch = { atMs, utc: isoTime(atMs) };
  return lastFetch.utc;
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
