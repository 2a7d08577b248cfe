// The timeline: rows of all watched addresses in one list of up to a million, of which only the visible ones are drawn.
// This table defines its columns for the head, the rows, the keyboard, copying and the menu of a row.
// `shown-row.ts` makes the content of the cells, `timeline-scroll.svelte.ts` decides which rows are visible.
import { spellAddress } from '../../../../../shared/address.ts';
import type { RowDescription } from '../../../../../shared/activity/describe.ts';
import type { ChoiceField, ChoicePill, RowsOrder } from '../../../../../shared/activity/filter.ts';
import type { ActivityRow } from '../../../../../shared/activity/types.ts';
import { cellText as safeCell } from '../../../../../shared/csv.ts';
import type { ChosenWidths } from '../../../state/column-widths.svelte.ts';
import { completenessOf, completenessWords } from '../words/row-words.ts';
import { amountText, type ShownRow } from './shown-row.ts';

interface Column {
  name: string;
  /** Classes of its cells. */
  look: string;
  /** The tooltip of a cell. */
  tip?: (shown: ShownRow) => string | null | undefined;
  /** The full content of a cell: whole addresses, every digit, times in UTC. Empty for an empty cell. */
  text: (row: ActivityRow, shown: ShownRow) => string;
  /** The field and the value to filter by from this cell; absent where it cannot be filtered by. */
  pill?: (row: ActivityRow, description: RowDescription) => readonly [ChoiceField, string | null];
  /** Filters also know this of rows that can no longer be read. */
  isAlwaysKnown?: boolean;
  /** What rows are ordered by with the head of this column. */
  order?: RowsOrder['by'];
}

const table = {
  time: {
    name: 'Time',
    look: 'small muted nowrap figures',
    text: (row) => new Date(row.timestampMs).toISOString(),
    order: 'time',
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
    order: 'amount',
    pill: (row, { legs }) => {
      const own = legs.find(({ direction }) => direction !== 'none');
      return ['token', own === undefined ? null : `${row.chainId} ${own.asset.key}`];
    },
  },
  fee: {
    name: 'Fee',
    look: 'flex gap-5 baseline at-end shrink small muted nowrap',
    text: (_, { fee }) => (fee === null ? '' : fee === 'unknown' ? 'unknown' : amountText(fee)),
    order: 'fee',
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
    name: 'Flags',
    look: 'row gap-6 shrink small muted',
    text: (_, shown) =>
      [completenessWords(shown.completeness).word, ...shown.marks.map(({ word }) => word)].join('; '),
    pill: (row) => ['completeness', completenessOf(row)],
    isAlwaysKnown: true,
  },
} satisfies Record<string, Column>;

export type ColumnId = keyof typeof table;

/** The columns in their order. `TimelineRow` draws a cell's text unless it has a snippet of its own for the column. */
export const columns: Readonly<Record<ColumnId, Column>> = table;

// `Object.keys` is typed as plain strings.
export const columnIds = Object.keys(table) as readonly ColumnId[];

/** A cell's content on one line and never a formula, because names of tokens and methods are untrusted. */
export function cellText(cell: ColumnId, row: ActivityRow, shown: ShownRow): string {
  return safeCell(columns[cell].text(row, shown).replace(/[\t\r\n]+/g, ' '));
}

/** The whole row for a spreadsheet: cells separated by tabs, the transaction's hash last. */
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
  /** The least width of a table in which all columns have their least widths; in pixels. */
  from: number;
  /** In pixels. */
  rowHeight: number;
  headHeight: number;
  /** Lines of text per cell. */
  lines: 1 | 2;
  /** `grid-template-columns` and `grid-template-areas` of the cells. A column that is not named is not drawn. */
  widths: readonly string[];
  areas: string;
}

/** In pixels: the picture of an address and its ends, which are what people compare. */
const addressWidth = 118;

/**
 * All cells in one line; some of them above each other; two lines, with only the day in the head; three, at 200 % zoom. The same for all rows, so
 * no width depends on what a row has in it. Amounts and fees have room for the digits that count, and for the others only
 * where there is more.
 */
export const layouts = {
  wide: {
    from: 1_234,
    rowHeight: 40,
    headHeight: 31,
    lines: 2,
    widths: [
      '108px',
      'minmax(92px, 0.5fr)',
      `${addressWidth}px`,
      '112px',
      `minmax(${addressWidth}px, 0.9fr)`,
      'minmax(190px, 1fr)',
      'minmax(104px, 0.7fr)',
      'minmax(80px, 0.5fr)',
      '72px',
      '118px',
    ],
    areas: "'time chain address kind counterparty amounts fee method status marks'",
  },
  medium: {
    from: 966,
    rowHeight: 56,
    headHeight: 31,
    lines: 2,
    widths: [
      '108px',
      `${addressWidth}px`,
      'minmax(118px, 0.6fr)',
      `minmax(${addressWidth}px, 1fr)`,
      'minmax(190px, 1fr)',
      'minmax(104px, 0.6fr)',
      '118px',
    ],
    areas: `'time chain kind counterparty amounts fee status'
            'time address method counterparty amounts fee marks'`,
  },
  narrow: {
    from: 660,
    rowHeight: 56,
    headHeight: 25,
    lines: 1,
    widths: [
      '108px',
      '112px',
      `minmax(${addressWidth}px, 1fr)`,
      'minmax(158px, 1.1fr)',
      'clamp(92px, 12.6%, 118px)',
    ],
    areas: `'time kind counterparty amounts status'
            'time chain address fee marks'`,
  },
  tight: {
    from: 0,
    rowHeight: 78,
    headHeight: 25,
    lines: 1,
    widths: ['minmax(96px, 0.8fr)', `minmax(${addressWidth}px, 1fr)`, 'minmax(104px, 1fr)'],
    areas: `'time counterparty amounts'
            'kind address fee'
            'chain status marks'`,
  },
} as const satisfies Record<string, RowLayout>;

/** The layout in which all that counts has room at this width, in pixels. */
export function layoutFor(width: number): RowLayout {
  return Object.values(layouts).find(({ from }) => width >= from) ?? layouts.tight;
}

/** The cells of a layout by the column of the grid that they are in, those above each other from the top. */
export function stacksIn({ areas }: RowLayout): ColumnId[][] {
  const rows = areas.split("'").flatMap((row) => (row.trim() === '' ? [] : [row.trim().split(' ')]));
  return (rows[0] ?? []).map((_, index) => {
    const named = [...new Set(rows.map((row) => row[index]))];
    return named.flatMap((name) => columnIds.filter((id) => id === name));
  });
}

/**
 * The columns of a layout whose widths can be chosen, with their numbers in the grid, from 1 on; none where the head does
 * not show them. The name is that of all cells in the column, joined by `-`.
 */
export function edgesIn(layout: RowLayout): { name: string; at: number; title: string }[] {
  if (layout.lines === 1) return [];
  return stacksIn(layout).map((cells, index) => ({
    name: cells.join('-'),
    at: index + 1,
    title: cells.map((id) => columns[id].name).join(' and '),
  }));
}

/**
 * `grid-template-columns` with the chosen widths. A column that was made wider keeps its least width and takes more only
 * of what is left over, so that the columns fit where they fitted before. One with addresses keeps room for their ends.
 */
export function templateOf(layout: RowLayout, chosen: ChosenWidths): string {
  const edges = edgesIn(layout);
  return layout.widths
    .map((usual, index) => {
      const name = edges[index]?.name ?? '';
      const wanted = chosen[name];
      if (wanted === undefined) return usual;
      const width = Math.max(wanted, /address|counterparty/.test(name) ? addressWidth : 0);
      const least = Number.parseFloat(usual.replace('minmax(', ''));
      return width <= least ? `${width}px` : `minmax(${least}px, ${width}px)`;
    })
    .join(' ');
}

/** The columns that a layout draws, as they are read and as the arrow keys go through them: from left to right, then from the top. */
export const columnsIn = (layout: RowLayout): ColumnId[] => stacksIn(layout).flat();
