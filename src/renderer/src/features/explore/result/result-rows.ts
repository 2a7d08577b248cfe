import { leavesOutElement } from '../../../../../shared/endpoints/drop-odd-parts.ts';
import { findEndpoint } from '../../../../../shared/endpoints/registry.ts';
import { reportOf, tableOf } from '../../../../../shared/explore/answer-table.ts';
import { isObject } from '../../../../../shared/json.ts';
import { orAdd } from '../../../../../shared/or-add.ts';
import type { RunPage, RunSummary, RunTarget } from '../../../../../shared/explore/types.ts';
import { counted } from '../../../../../shared/text.ts';
import { timestampToMs } from '../../../../../shared/time.ts';
import { compareDecimals, parseDecimal } from '../../../../../shared/amounts.ts';
import { formatSecond } from '../../../ui/text/format.ts';

/** One row of a result: the values of a record by path such as `from.address`. */
export interface ResultRow {
  /** From 0, in the order in which the records came. */
  place: number;
  cells: ReadonlyMap<string, unknown>;
}

export interface ResultColumn {
  path: string;
  /** The shortest end of the path that is unique among the columns. */
  label: string;
  /** Every value is a number: aligned right and sorted exactly as numbers. */
  numeric: boolean;
  /** Width for its values, in characters, within bounds. */
  widthCh: number;
}

/** The records of a result in the order in which they came, over all pages. */
export function recordsOf(target: RunTarget, pages: readonly RunPage[]): unknown[] {
  return pages.flatMap(({ data }) => recordsOfPage(target, data));
}

/** The records of one page. */
export function recordsOfPage(target: RunTarget, data: unknown): unknown[] {
  const table = tableOf(target, data);
  if (table !== null) return table;
  if (data === null || data === undefined) return [];
  const endpoint = target.kind === 'endpoint' ? findEndpoint(target.endpointId) : undefined;
  const absent = target.kind === 'endpoint' ? (endpoint?.notOffered?.(target.params) ?? []) : [];
  return [absent.reduce(withNotOffered, data)];
}

/** Stands for a field that the service never has for these parameters, unlike one that has no value this time. */
export const notOffered = Symbol('not offered');

function withNotOffered(data: unknown, path: string): unknown {
  const [key = '', ...rest] = path.split('.');
  if (!isObject(data)) return data;
  if (rest.length === 0) return Object.hasOwn(data, key) ? data : { ...data, [key]: notOffered };
  return { ...data, [key]: withNotOffered(data[key], rest.join('.')) };
}

/** Why a result has no rows: none could be read, more pages follow, or there are none. */
export function whyEmpty({ state }: RunSummary, pages: readonly RunPage[]): { title: string; text: string } {
  if (pages.some(({ notes }) => notes.some(leavesOutElement))) {
    const text =
      'The service returned rows that don’t match its specification. To see them as received, choose JSON.';
    return { title: 'Couldn’t read any rows', text };
  }
  return state === 'complete'
    ? { title: 'No rows', text: 'The service returned no rows for these parameters.' }
    : { title: 'No rows so far', text: 'The pages fetched so far have no rows. Later pages may have some.' };
}

/** The node's verdict over all its checks; null for an answer without it. */
export function isHealthy(target: RunTarget, page: RunPage | undefined): boolean | null {
  if (target.kind !== 'node' || page === undefined || !isObject(page.data)) return null;
  const { healthy } = reportOf(page.data);
  return typeof healthy === 'boolean' ? healthy : null;
}

/** Deeper objects are shown as one value, because their columns would be almost empty. */
const deepestColumn = 4;

/** Cached: records never change, while lists of them grow page by page. */
const knownCells = new WeakMap<object, ReadonlyMap<string, unknown>>();

/** A record as a row; `place` is its index in the result. */
export const rowOf = (record: unknown, place: number): ResultRow => ({ place, cells: cellsOf(record) });

/** The values of a record by path. */
export function cellsOf(record: unknown): ReadonlyMap<string, unknown> {
  if (!isObject(record)) return new Map([['value', record]]);
  return orAdd(knownCells, record, () => readCells(record));
}

function readCells(record: object): ReadonlyMap<string, unknown> {
  const cells = new Map<string, unknown>();
  const visit = (value: unknown, path: string, depth: number) => {
    if (isObject(value) && depth < deepestColumn && Object.keys(value).length > 0) {
      for (const [key, part] of Object.entries(value))
        visit(part, path === '' ? key : `${path}.${key}`, depth + 1);
    } else cells.set(path, value);
  };
  visit(record, '', 0);
  return cells;
}

/** A value as the table writes it: texts and digits as they came, lists in short. Empty for what is absent. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (value === notOffered) return 'not available';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (!Array.isArray(value)) return JSON.stringify(value);
  // Unlike an absent one.
  if (value.length === 0) return '[]';
  if (value.some((item) => typeof item === 'object' && item !== null)) return counted(value.length, 'item');
  return value.map(cellText).join(', ');
}

/** Whether an answer is about addresses and transactions, which have amounts; metrics and nodes are public. */
export function hasAmounts(asked: RunTarget): boolean {
  return asked.kind === 'endpoint' && findEndpoint(asked.endpointId)?.api === 'data';
}

export function isAmount(asked: RunTarget, path: string): boolean {
  return hasAmounts(asked) && /(^|\.)value$/.test(path);
}

/** Whether a value is a time by the name of its field; the table writes it as date and time. */
export function isTimestamp(path: string, value: unknown): value is number {
  return typeof value === 'number' && value !== 0 && isTimestampPath(path);
}

/** A time at the beginning of a day in UTC, such as the bucket of a day. */
export function isWholeDay(path: string, value: unknown): boolean {
  const ms = isTimestamp(path, value) ? timestampToMs(value) : null;
  return ms !== null && ms % 86_400_000 === 0;
}

export const isTimestampPath = (path: string): boolean => /timestamp$/i.test(path);

const narrowest = 7;
const widest = 26;

/** The columns of these rows, in the order in which their paths first appear. */
export function columnsOf(rows: readonly ResultRow[]): ResultColumn[] {
  const found = new Map<string, { numeric: boolean; longest: number }>();
  const timeLength = formatSecond(0, 'utc').length;
  for (const { cells } of rows) {
    for (const [path, value] of cells) {
      const column = orAdd(found, path, () => ({ numeric: true, longest: 0 }));
      const text = cellText(value);
      if (text !== '' && value !== notOffered && parseDecimal(text) === null) column.numeric = false;
      const length = isTimestamp(path, value) ? timeLength : text.length;
      column.longest = Math.max(column.longest, length);
    }
  }
  const labels = shortLabels([...found.keys()]);
  return [...found].map(([path, { numeric, longest }], index) => {
    const label = labels[index] ?? path;
    const width = Math.max(longest + 1, label.length + 4);
    return {
      path,
      label,
      numeric: numeric && longest > 0,
      widthCh: Math.min(widest, Math.max(narrowest, width)),
    };
  });
}

/**
 * The grid of a table with these columns, after the one for the places of rows, and the least width of a row. A column
 * with a chosen width has exactly that; the others share what is left over.
 */
export function gridOf(
  columns: readonly ResultColumn[],
  chosenOf: (path: string) => number | undefined,
): { template: string; width: string } {
  const sizes = columns.map(({ path, widthCh }) => {
    const [px, ch] = [chosenOf(path), widthCh + 2];
    return px === undefined
      ? { least: `${ch}ch`, size: `minmax(${ch}ch, ${ch}fr)` }
      : { least: `${px}px`, size: `${px}px` };
  });
  return {
    template: ['52px', ...sizes.map(({ size }) => size)].join(' '),
    width: `max(100%, ${['72px', ...sizes.map(({ least }) => least)].join(' + ')})`,
  };
}

function shortLabels(paths: readonly string[]): string[] {
  const endsOf = (path: string) => {
    const keys = path.split('.');
    return keys.map((_, index) => keys.slice(-1 - index).join('.'));
  };
  const counts = new Map<string, number>();
  for (const end of paths.flatMap(endsOf)) counts.set(end, (counts.get(end) ?? 0) + 1);
  return paths.map((path) => endsOf(path).find((end) => counts.get(end) === 1) ?? path);
}

/** Long fields of little meaning, hidden in the table until the user chooses them. */
const usuallyHidden =
  /(uri|logo|blockHash|description|decimals|background|color|metadata\..+|gasLimit|input|email|officialSite|priority|Feature|wsUrl|rpcUrl)$/i;

/** An answer whose keys are ids can have thousands of columns, which would hold up the window. */
const mostUsual = 60;

/** The columns that a table shows by default; at least one. */
export function usualColumns(columns: readonly ResultColumn[]): string[] {
  const usual = columns.filter(({ path }) => !usuallyHidden.test(path));
  return (usual.length > 0 ? usual : columns).slice(0, mostUsual).map(({ path }) => path);
}

export interface SortOrder {
  path: string;
  direction: 'ascending' | 'descending';
}

/** Sorted by one column: numbers exactly and before texts, absent values always last. Equal rows keep their order. */
export function sortRows(rows: readonly ResultRow[], order: SortOrder | null): readonly ResultRow[] {
  if (order === null) return rows;
  const sign = order.direction === 'ascending' ? 1 : -1;
  const keyed = rows.map((row) => {
    const text = cellText(row.cells.get(order.path));
    return { row, text, decimal: parseDecimal(text) };
  });
  keyed.sort((a, b) => {
    if (a.text === '' || b.text === '') return a.text === b.text ? 0 : a.text === '' ? 1 : -1;
    if (a.decimal !== null && b.decimal !== null) return sign * compareDecimals(a.decimal, b.decimal);
    if (a.decimal !== null || b.decimal !== null) return a.decimal === null ? sign : -sign;
    return sign * a.text.localeCompare(b.text, 'en');
  });
  return keyed.map(({ row }) => row);
}
