// The timeline: rows of all watched addresses in one list as long as a million, of which only those in the window exist.
// This table says what its columns are; the head, the rows, the keyboard, copying and the menu of a row go by it.
// `shown-row.ts` says what the cells of a row hold, `timeline-scroll.svelte.ts` which rows are in the window.
import { spellAddress } from '../../../../../shared/activity/address.ts';
import type { RowDescription } from '../../../../../shared/activity/describe.ts';
import type { ChoiceField, ChoicePill } from '../../../../../shared/activity/filter.ts';
import type { ActivityRow } from '../../../../../shared/activity/types.ts';
import { cellText as safeCell } from '../../../../../shared/csv.ts';
import { completenessOf, completenessWords } from '../words/row-words.ts';
import { amountText, type ShownRow } from './shown-row.ts';

interface Column {
  name: string;
  /** Classes of its cells. */
  look: string;
  /** Said when the pointer rests on a cell. */
  tip?: (shown: ShownRow) => string | null | undefined;
  /** What a cell holds in full: addresses whole, every digit, times in UTC. Empty where it holds nothing. */
  text: (row: ActivityRow, shown: ShownRow) => string;
  /** The field and the value that the cell can be filtered by; without it there is none. */
  pill?: (row: ActivityRow, description: RowDescription) => readonly [ChoiceField, string | null];
  /** Filters know it of rows that can no longer be read, too. */
  isAlwaysKnown?: boolean;
}

const table = {
  time: {
    name: 'Time',
    look: 'small muted nowrap figures',
    text: (row) => new Date(row.timestampMs).toISOString(),
  },
  chain: {
    name: 'Chain',
    look: 'small muted truncate',
    text: (_, shown) => shown.chain,
    pill: (row) => ['chain', row.chainId],
    isAlwaysKnown: true,
  },
  address: {
    name: 'Address',
    look: 'row gap-6 shrink small muted',
    tip: ({ mine }) => mine.address,
    text: (row) => row.address,
    pill: (row) => ['address', row.address],
    isAlwaysKnown: true,
  },
  kind: {
    name: 'Kind',
    look: 'row gap-6 shrink firm',
    text: (_, shown) => shown.kind,
    pill: (_, { kind }) => ['kind', kind],
  },
  counterparty: {
    name: 'Counterparty',
    look: 'row gap-6 shrink',
    tip: ({ counterparty }) => counterparty?.address,
    text: (_, shown) => shown.counterparty?.address ?? '',
    pill: (_, { counterparty }) => [
      'counterparty',
      counterparty === null ? null : spellAddress(counterparty.address),
    ],
  },
  amounts: {
    name: 'Amount',
    look: 'column shrink nowrap',
    text: (_, shown) => shown.amounts.map(amountText).join('; '),
    pill: (row, { legs }) => {
      const own = legs.find(({ direction }) => direction !== 'none');
      return ['token', own === undefined ? null : `${row.chainId} ${own.asset.key}`];
    },
  },
  fee: {
    name: 'Fee',
    look: 'flex gap-5 baseline at-end shrink small muted nowrap',
    text: (_, { fee }) => (fee === null ? '' : fee === 'unknown' ? 'unknown' : amountText(fee)),
  },
  method: {
    name: 'Method',
    look: 'small muted mono truncate',
    tip: ({ method }) => method?.signature,
    text: (_, { method }) => method?.signature ?? method?.text ?? '',
    pill: (_, { method }) => ['method', method?.name ?? null],
  },
  status: {
    name: 'Status',
    look: 'nowrap small muted',
    text: (_, shown) => shown.status.word,
    pill: (_, { status }) => ['status', status],
  },
  marks: {
    name: 'Marks',
    look: 'row gap-6 shrink small muted',
    text: (_, shown) =>
      [completenessWords(shown.completeness).word, ...shown.marks.map(({ word }) => word)].join('; '),
    pill: (row) => ['completeness', completenessOf(row)],
    isAlwaysKnown: true,
  },
} satisfies Record<string, Column>;

export type ColumnId = keyof typeof table;

/** The columns in their order. `TimelineRow` draws a cell's text, unless it has a drawing of its own for the column. */
export const columns: Readonly<Record<ColumnId, Column>> = table;

// `Object.keys` forgets which keys there are.
export const columnIds = Object.keys(table) as readonly ColumnId[];

/** What a cell holds, on one line, and never a formula, whatever a stranger named a token or a method. */
export function cellText(cell: ColumnId, row: ActivityRow, shown: ShownRow): string {
  return safeCell(columns[cell].text(row, shown).replace(/[\t\r\n]+/g, ' '));
}

/** The whole row for a spreadsheet: cells between tabs, the transaction's hash last. */
export function rowText(row: ActivityRow, shown: ShownRow): string {
  return [...columnIds.map((cell) => cellText(cell, row, shown)), safeCell(row.txHash)].join('\t');
}

/** The pill that keeps rows with the value of this cell; null where a cell has no value to filter by. */
export function pillOfCell(cell: ColumnId, row: ActivityRow, description: RowDescription): ChoicePill | null {
  const { pill, isAlwaysKnown = false } = columns[cell];
  if (row.completeness === 'unreadable' && !isAlwaysKnown) return null;
  const [field, value] = pill?.(row, description) ?? [];
  return field === undefined || value === undefined || value === null
    ? null
    : { field, not: false, values: [value] };
}

export interface RowLayout {
  /** In pixels. */
  rowHeight: number;
  headHeight: number;
  /** Lines of text that a cell has room for. */
  lines: 1 | 2;
  /** Where the cells stand, as `grid-template-columns` and `grid-template-areas` have it. What is not named is not drawn. */
  widths: string;
  areas: string;
}

/** All cells in one line; some of them over each other; two lines, with nothing but the day in the head. */
export const layouts = {
  wide: {
    rowHeight: 40,
    headHeight: 31,
    lines: 2,
    widths: '108px 92px 112px 120px minmax(112px, 1fr) 214px 164px minmax(80px, 0.6fr) 72px 96px',
    areas: "'time chain address kind counterparty amounts fee method status marks'",
  },
  medium: {
    rowHeight: 40,
    headHeight: 41,
    lines: 2,
    widths: '108px 104px minmax(98px, 0.6fr) minmax(112px, 1fr) 214px 164px 92px',
    areas: `'time chain kind counterparty amounts fee status'
            'time address method counterparty amounts fee marks'`,
  },
  narrow: {
    rowHeight: 56,
    headHeight: 25,
    lines: 1,
    widths: '108px 120px minmax(72px, 1fr) minmax(170px, auto) 92px',
    areas: `'time kind counterparty amounts status'
            'time chain address fee marks'`,
  },
} as const satisfies Record<string, RowLayout>;

/** The layout in which every amount keeps its digits at this width, in pixels. */
export function layoutFor(width: number): RowLayout {
  if (width >= 1260) return layouts.wide;
  return width >= 980 ? layouts.medium : layouts.narrow;
}

/** The columns that a layout draws, in their order. */
export function columnsIn({ areas }: RowLayout): ColumnId[] {
  const named = new Set(areas.split(/[\s']+/));
  return columnIds.filter((id) => named.has(id));
}
