import { spellAddress } from '../../../../shared/activity/address.ts';
import { formatDecimal, knownDecimals, parseInteger } from '../../../../shared/amounts.ts';
import {
  describeMovement,
  type DescribedLeg,
  type MovementDescription,
} from '../../../../shared/activity/describe.ts';
import { lookAlikeIn, type LookAlikes } from '../../../../shared/activity/look-alike.ts';
import type { NativeToken } from '../../../../shared/activity/legs.ts';
import type { ActivityRow, ReadableRow } from '../../../../shared/activity/types.ts';

/** What names and chains are called at the time of the export. */
export interface ExportNames {
  /** Of a watched address or an entry of the book; null without one. */
  nameOf(address: string): string | null;
  chainName(chainId: string): string | null;
  nativeToken(chainId: string): NativeToken;
  /** Of all watched addresses and of the book. */
  lookAlikes(): LookAlikes;
}

/** What is said of one movement. */
const movementColumns = [
  'direction',
  'amount',
  'amount_unit',
  'token_symbol',
  'token_kind',
  'token_contract',
  'token_id',
] as const;

/** One movement of value, or, of a transaction that moved nothing, the transaction itself. Every value is text as it is written. */
export type ExportLine = Record<(typeof exportColumns)[number], string>;

/**
 * `looks_like` names whom the other side could be taken for: it is another address. `part` counts the movements of one
 * transaction: `1/3`. What belongs to the transaction as a whole (`fee`, `value_then`) is
 * on the first line alone, so that a column can be summed. Amounts are exact decimals, in tokens where the decimals are known
 * (`amount_unit` is `token`), else in base units. `unread` names the parts that could not be read and are in no other
 * column; `unread_text` has them as they came.
 */
export const exportColumns = [
  'time_utc',
  'chain_id',
  'chain_name',
  'block_number',
  'tx_hash',
  'my_address',
  'my_label',
  'kind',
  'status',
  'method',
  'counterparty',
  'counterparty_name',
  'looks_like',
  'part',
  ...movementColumns,
  'fee',
  'fee_symbol',
  'value_then',
  'value_currency',
  'complete',
  'unread',
  'unread_text',
  'hidden_reason',
  'integrity_note',
  'reorg',
  'source',
  'fetched_at_utc',
] as const;

/**
 * What one row of the timeline is in a file; `source` names the endpoint that it came from. `text` is what is stored of it:
 * all that there is of a row that can no longer be read.
 */
export function exportLinesOf(row: ActivityRow, text: string, names: ExportNames): ExportLine[] {
  if (row.completeness === 'unreadable') {
    return [
      { ...storedFields(row, names), unread: 'the stored row can no longer be read', unread_text: text },
    ];
  }
  const described = describeMovement(row, names.nativeToken(row.chainId));
  const legs = described.legs.filter(({ direction }) => direction !== 'none');
  const common = commonFields(row, described, names);
  if (legs.length === 0) return [{ ...common, ...firstLineFields(row, described, names) }];
  return legs.map((leg, index) => ({
    ...common,
    ...(index === 0 ? firstLineFields(row, described, names) : {}),
    ...legFields(leg),
    part: `${index + 1}/${legs.length}`,
  }));
}

const transactionColumns = exportColumns.filter(
  (column) => column !== 'part' && column !== 'complete' && !movementColumns.some((name) => name === column),
);

/** The same row as an object: `movements` in place of several lines. */
export function exportObjectOf(row: ActivityRow, text: string, names: ExportNames): object {
  const lines = exportLinesOf(row, text, names);
  const [first] = lines;
  if (first === undefined) return {};
  return {
    ...withoutEmpty(first, transactionColumns),
    complete: first.complete === 'true',
    movements: first.part === '' ? [] : lines.map((line) => withoutEmpty(line, movementColumns)),
  };
}

function withoutEmpty(
  line: ExportLine,
  columns: readonly (keyof ExportLine)[],
): Partial<Record<keyof ExportLine, string>> {
  const fields: Partial<Record<keyof ExportLine, string>> = {};
  for (const column of columns) if (line[column] !== '') fields[column] = line[column];
  return fields;
}

const empty: ExportLine = Object.freeze(
  // Every column is there, which the type of `fromEntries` does not say.
  Object.fromEntries(exportColumns.map((name) => [name, ''])) as ExportLine,
);

function commonFields(row: ReadableRow, described: MovementDescription, names: ExportNames): ExportLine {
  const { counterparty } = described;
  const lookAlike = lookAlikeIn(described, names.lookAlikes());
  return {
    ...storedFields(row, names),
    kind: described.kind,
    status: described.status,
    method: described.method?.name ?? '',
    counterparty: counterparty?.address ?? '',
    counterparty_name:
      counterparty === null ? '' : (names.nameOf(counterparty.address) ?? counterparty.name ?? ''),
    looks_like: lookAlike === null ? '' : (names.nameOf(lookAlike.known) ?? spellAddress(lookAlike.known)),
    complete: row.completeness === 'complete' && row.unread.length === 0 ? 'true' : 'false',
    unread: row.unread.map(({ path, why }) => `${path}: ${why}`).join('; '),
    unread_text: row.unread.map(({ text }) => text).join('\n'),
    source: row.completeness === 'complete' ? 'transaction' : 'address-transactions',
  };
}

/** What is known of a row without reading what is stored of its transaction. */
function storedFields(row: ActivityRow, names: ExportNames): ExportLine {
  const { marks } = row;
  return {
    ...empty,
    time_utc: isoTime(row.timestampMs),
    chain_id: row.chainId,
    chain_name: names.chainName(row.chainId) ?? '',
    block_number: row.blockNumber,
    tx_hash: row.txHash,
    my_address: row.address,
    my_label: names.nameOf(row.address) ?? '',
    complete: 'false',
    hidden_reason: marks.spam.hiddenReason ?? '',
    integrity_note: marks.integrityNote ?? '',
    reorg: marks.reorg ?? '',
    fetched_at_utc: fetchTime(row.fetchedAtMs),
  };
}

function firstLineFields(
  row: ReadableRow,
  { fee }: MovementDescription,
  names: ExportNames,
): Pick<ExportLine, 'fee' | 'fee_symbol' | 'value_then' | 'value_currency'> {
  const native = names.nativeToken(row.chainId);
  const isMine = fee.isPaidByAddress && fee.amount !== null;
  return {
    fee: isMine ? amountText(fee.amount, native.decimals).amount : '',
    fee_symbol: isMine
      ? knownDecimals(native.decimals) === null
        ? 'base units'
        : (native.symbol ?? '')
      : '',
    value_then: row.marks.valueThen ?? '',
    value_currency: row.marks.valueThen === null ? '' : (row.marks.valueCurrency ?? ''),
  };
}

function legFields(leg: DescribedLeg): Partial<ExportLine> {
  const { asset } = leg;
  const { amount, amount_unit } = amountText(leg.amount, asset.decimals);
  return {
    direction: leg.direction,
    amount: leg.direction === 'out' && amount !== '' && amount !== '0' ? `-${amount}` : amount,
    amount_unit,
    token_symbol: asset.symbol ?? '',
    token_kind: asset.kind,
    token_contract: asset.contract ?? '',
    token_id: asset.tokenId ?? '',
  };
}

/** Nothing for an amount that is not known: never a zero. */
function amountText(
  baseUnits: string | null,
  decimals: number | null,
): { amount: string; amount_unit: string } {
  const digits = baseUnits === null ? null : parseInteger(baseUnits);
  if (digits === null) return { amount: '', amount_unit: '' };
  const scale = knownDecimals(decimals);
  return {
    amount: formatDecimal({ digits, scale: scale ?? 0 }, { groupSeparator: '' }),
    amount_unit: scale === null ? 'base' : 'token',
  };
}

/** Of the rows of one page the time of the fetch is the same. */
let lastFetch = { atMs: 0, utc: isoTime(0) };

function fetchTime(atMs: number): string {
  if (atMs !== lastFetch.atMs) lastFetch = { atMs, utc: isoTime(atMs) };
  return lastFetch.utc;
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
