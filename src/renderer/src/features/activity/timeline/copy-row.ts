import { cellText as safeCell } from '../../../../../shared/csv.ts';
import type { ActivityRow } from '../../../../../shared/activity/types.ts';
import { amountText, type RowView } from './row-view.ts';
import { viewWords } from '../words/row-words.ts';

/** Cells of a row, in the order of the columns. */
export const cellIds = [
  'time',
  'chain',
  'address',
  'kind',
  'counterparty',
  'amounts',
  'fee',
  'method',
  'status',
  'marks',
] as const;

export type CellId = (typeof cellIds)[number];

/**
 * What a cell holds in full: addresses whole, every digit, times in UTC. Empty where it holds nothing. One line, and never
 * a formula, whatever a stranger named a token or a method.
 */
export function cellText(cell: CellId, row: ActivityRow, view: RowView): string {
  return safeCell(wholeText(cell, row, view).replace(/[\t\r\n]+/g, ' '));
}

/** The whole row for a spreadsheet: cells between tabs, the transaction's hash last. */
export function rowText(row: ActivityRow, view: RowView): string {
  return [...cellIds.map((cell) => cellText(cell, row, view)), safeCell(row.txHash)].join('\t');
}

function wholeText(cell: CellId, row: ActivityRow, view: RowView): string {
  switch (cell) {
    case 'time':
      return new Date(row.timestampMs).toISOString();
    case 'chain':
      return view.chain;
    case 'address':
      return row.address;
    case 'kind':
      return view.kind;
    case 'counterparty':
      return view.counterparty?.address ?? '';
    case 'amounts':
      return view.amounts.map(amountText).join('; ');
    case 'fee':
      return view.fee === null ? '' : view.fee === 'unknown' ? 'unknown' : amountText(view.fee);
    case 'method':
      return view.method?.signature ?? view.method?.text ?? '';
    case 'status':
      return view.status.word;
    case 'marks':
      return [viewWords[view.completeness].word, ...view.marks.map(({ word }) => word)].join('; ');
  }
}
