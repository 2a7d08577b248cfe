import { spellAddress } from '../../../../shared/address.ts';
import { formatDecimal, knownDecimals } from '../../../../shared/amounts.ts';
import {
  describeMovement,
  nativeTokenOf,
  type DescribedLeg,
  type MovementDescription,
} from '../../../../shared/activity/describe.ts';
import { lookAlikeIn } from '../../../../shared/activity/look-alike.ts';
import type { NativeToken } from '../../../../shared/activity/legs.ts';
import type { RowTransaction } from '../../../../shared/activity/types.ts';
import type { ScannedRow } from '../../activity-ports.ts';
import type { ExportNames } from './export-names.ts';

/** A row as it is stored, and what could be decoded of its transaction. */
export interface ExportRow {
  row: ScannedRow;
  read: RowTransaction;
  /** The stored JSON: all there is when it can no longer be decoded. */
  text: string;
}

/** One line of the file: a movement of value, or a row that moved nothing or can no longer be decoded. */
interface Line extends ExportRow {
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
    movement === null || place > 0 ? '' : (row.valueThen ?? ''),
  value_currency: ({ row, movement, place }: Line) =>
    movement === null || place > 0 || row.valueThen === null ? '' : (row.valueCurrency ?? ''),
  complete: ({ read }: Line) => String(read.completeness === 'complete' && read.unread.length === 0),
  unread: ({ read }: Line) =>
    read.completeness === 'unreadable'
      ? 'the stored row can no longer be read'
      : read.unread.map(({ path, why }) => `${path}: ${why}`).join('; '),
  unread_text: ({ read, text }: Line) =>
    read.completeness === 'unreadable' ? text : read.unread.map((part) => part.text).join('\n'),
  hidden_reason: ({ row }: Line) => row.hiddenReason ?? '',
  integrity_note: ({ row }: Line) => row.integrityNote ?? '',
  reorg: ({ row }: Line) => row.reorg ?? '',
  /** The endpoint that the row came from. */
  source: ({ read: { completeness } }: Line) =>
    ({ complete: 'transaction', partial: 'address-transactions', unreadable: '' })[completeness],
  fetched_at_utc: ({ row }: Line) => fetchTime(row.fetchedAtMs),
};

// A list: finding a column by its name for each cell took as long as writing it.
const allColumns = Object.entries(columns);

export const exportColumns = allColumns.map(([name]) => name);

/** The cells of one row of the timeline: one list per movement. */
export const exportCellsOf = (row: ExportRow, names: ExportNames): string[][] =>
  linesOf(row, names).map((line) => allColumns.map(([, cellOf]) => cellOf(line)));

function linesOf(exported: ExportRow, names: ExportNames): [Line, ...Line[]] {
  const { read, row } = exported;
  const movement =
    read.completeness === 'unreadable'
      ? null
      : describeMovement({ ...read, address: row.address }, names.nativeToken(row.chainId));
  const [first = null, ...others] = movement?.legs.filter(({ direction }) => direction !== 'none') ?? [];
  // Looking for it searches all movements, so it is done once for all lines.
  const known = movement === null ? undefined : lookAlikeIn(movement, names.lookAlikes())?.known;
  const looksLike = known === undefined ? '' : (names.nameOf(known) ?? spellAddress(known));
  const line = { ...exported, names, movement, looksLike, leg: first, place: 0, legCount: 1 + others.length };
  return [line, ...others.map((leg, index) => ({ ...line, leg, place: index + 1 }))];
}

const transactionColumns = allColumns.filter(
  ([name]) => name !== 'part' && name !== 'complete' && !Object.hasOwn(movementColumns, name),
);
const columnsOfMovement = Object.entries(movementColumns);

/** The row as an object, with `movements` in place of several lines. */
export function exportObjectOf(row: ExportRow, names: ExportNames): object {
  const lines = linesOf(row, names);
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

const paysFee = ({ movement, place }: Line): boolean =>
  movement !== null && place === 0 && movement.fee.isPaidByAddress && movement.fee.amount !== null;

const feeToken = ({ row, read, names }: Line): NativeToken =>
  nativeTokenOf(read, names.nativeToken(row.chainId));

const movedText = (leg: DescribedLeg | null): string =>
  leg === null ? '' : amountText(leg.amount, leg.asset.decimals);

/** An unknown amount is an empty cell, never a zero. */
function amountText(baseUnits: string | null, decimals: number | null): string {
  if (baseUnits === null) return '';
  return formatDecimal(
    { digits: BigInt(baseUnits), scale: knownDecimals(decimals) ?? 0 },
    { groupSeparator: '' },
  );
}

const isoTime = (ms: number): string => new Date(ms).toISOString();

/** All rows of one page were fetched at the same time. */
let lastFetch = { atMs: 0, utc: isoTime(0) };

function fetchTime(atMs: number): string {
  if (atMs !== lastFetch.atMs) lastFetch = { atMs, utc: isoTime(atMs) };
  return lastFetch.utc;
}
