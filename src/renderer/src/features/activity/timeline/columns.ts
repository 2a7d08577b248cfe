import { spellAddress } from '../../../../../shared/activity/address.ts';
import type { RowDescription } from '../../../../../shared/activity/describe.ts';
import type { ChoiceField, FilterPill } from '../../../../../shared/activity/filter.ts';
import type { ActivityRow } from '../../../../../shared/activity/types.ts';
import { cellText as safeCell } from '../../../../../shared/csv.ts';
import { completenessOf, viewWords } from '../words/row-words.ts';
import { amountText, type RowView } from './row-view.ts';

interface Column {
  name: string;
  /** What a cell holds in full: addresses whole, every digit, times in UTC. Empty where it holds nothing. */
  text: (row: ActivityRow, view: RowView) => string;
  /** The field and the value that the cell can be filtered by; without it there is none. */
  pill?: (row: ActivityRow, description: RowDescription) => readonly [ChoiceField, string | null];
  /** Filters know it of rows that can no longer be read, too. */
  isAlwaysKnown?: boolean;
}

/** The columns of the timeline in their order; each names the area of the grid that its cells stand in. */
export const columns = {
  time: { name: 'Time', text: (row) => new Date(row.timestampMs).toISOString() },
  chain: {
    name: 'Chain',
    text: (_, view) => view.chain,
    pill: (row) => ['chain', row.chainId],
    isAlwaysKnown: true,
  },
  address: {
    name: 'Address',
    text: (row) => row.address,
    pill: (row) => ['address', row.address],
    isAlwaysKnown: true,
  },
  kind: { name: 'Kind', text: (_, view) => view.kind, pill: (_, { kind }) => ['kind', kind] },
  counterparty: {
    name: 'Counterparty',
    text: (_, view) => view.counterparty?.address ?? '',
    pill: (_, { counterparty }) => [
      'counterparty',
      counterparty === null ? null : spellAddress(counterparty.address),
    ],
  },
  amounts: {
    name: 'Amount',
    text: (_, view) => view.amounts.map(amountText).join('; '),
    pill: (row, { legs }) => {
      const own = legs.find(({ direction }) => direction !== 'none');
      return ['token', own === undefined ? null : `${row.chainId} ${own.asset.key}`];
    },
  },
  fee: {
    name: 'Fee',
    text: (_, { fee }) => (fee === null ? '' : fee === 'unknown' ? 'unknown' : amountText(fee)),
  },
  method: {
    name: 'Method',
    text: (_, { method }) => method?.signature ?? method?.text ?? '',
    pill: (_, { method }) => ['method', method?.name ?? null],
  },
  status: {
    name: 'Status',
    text: (_, view) => view.status.word,
    pill: (_, { status }) => ['status', status],
  },
  marks: {
    name: 'Marks',
    text: (_, view) => [viewWords[view.completeness].word, ...view.marks.map(({ word }) => word)].join('; '),
    pill: (row) => ['completeness', completenessOf(row)],
    isAlwaysKnown: true,
  },
} satisfies Record<string, Column>;

export type CellId = keyof typeof columns;

// `Object.keys` forgets which keys there are.
export const cellIds = Object.keys(columns) as readonly CellId[];

/** What a cell holds, on one line, and never a formula, whatever a stranger named a token or a method. */
export function cellText(cell: CellId, row: ActivityRow, view: RowView): string {
  const column: Column = columns[cell];
  return safeCell(column.text(row, view).replace(/[\t\r\n]+/g, ' '));
}

/** The whole row for a spreadsheet: cells between tabs, the transaction's hash last. */
export function rowText(row: ActivityRow, view: RowView): string {
  return [...cellIds.map((cell) => cellText(cell, row, view)), safeCell(row.txHash)].join('\t');
}

/** The pill that keeps rows with the value of this cell; null where a cell has no value to filter by. */
export function pillOfCell(
  cell: CellId,
  row: ActivityRow,
  description: RowDescription,
): Extract<FilterPill, { values: string[] }> | null {
  const column: Column = columns[cell];
  if (row.completeness === 'unreadable' && column.isAlwaysKnown !== true) return null;
  const [field, value] = column.pill?.(row, description) ?? [];
  return field === undefined || value === undefined || value === null
    ? null
    : { field, not: false, values: [value] };
}

/** All cells in one line; some of them over each other; two lines without a head. */
export type RowLayout = 'wide' | 'medium' | 'narrow';

/** In pixels, as the styles of the rows have it. */
export const rowHeights: Readonly<Record<RowLayout, number>> = { wide: 40, medium: 40, narrow: 56 };
export const headHeights: Readonly<Record<RowLayout, number>> = { wide: 31, medium: 41, narrow: 25 };

/** The layout in which every amount keeps its digits at this width, in pixels. */
export function layoutFor(width: number): RowLayout {
  if (width >= 1260) return 'wide';
  return width >= 980 ? 'medium' : 'narrow';
}
