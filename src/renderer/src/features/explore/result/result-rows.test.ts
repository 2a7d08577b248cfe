import { describe, expect, it } from 'vitest';
import { formatSecond } from '../../../ui/text/format.ts';
import { setNotation } from '../../../ui/text/notation.svelte.ts';
import type { RunPage, RunTarget } from '../../../../../shared/explore/types.ts';
import {
  cellsOf,
  cellText,
  columnsOf,
  gridOf,
  notOffered,
  recordsOf,
  rowOf,
  sortRows,
  usualColumns,
} from './result-rows.ts';

const page = (data: unknown): RunPage => ({
  runId: 'r',
  index: 0,
  data,
  fetchedAtMs: 0,
  httpStatus: 200,
  durationMs: 1,
  byteLength: 0,
  notes: [],
});
const ask = (endpointId: Extract<RunTarget, { kind: 'endpoint' }>['endpointId']): RunTarget => ({
  kind: 'endpoint',
  endpointId,
  params: {},
});
const node: RunTarget = { kind: 'node', nodeId: 'n1', callId: 'get-ext-health', tags: [] };

describe('the records of a result', () => {
  it('are the items of all pages of a list', () => {
    const pages = [{ transactions: [{ a: 1 }] }, { transactions: [{ a: 2 }, { a: 3 }] }].map(page);
    expect(recordsOf(ask('chain-transactions'), pages)).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }]);
  });

  it('are the rows of every list of a table answer, each saying which list it is of', () => {
    const data = { indexedChains: [{ chainId: '1' }], unindexedChains: ['99'] };
    expect(recordsOf(ask('address-chains'), [page(data)])).toEqual([
      { list: 'indexedChains', chainId: '1' },
      { list: 'unindexedChains', value: '99' },
    ]);
  });

  it('are the checks of a health report, by GET and by JSON-RPC; without checks the report itself', () => {
    const report = { checks: { C: { duration: 5 } }, healthy: true };
    const rows = [{ check: 'C', duration: 5 }];
    expect(recordsOf(node, [page(report)])).toEqual(rows);
    expect(recordsOf(node, [page({ jsonrpc: '2.0', id: 1, result: report })])).toEqual(rows);
    expect(recordsOf(node, [page({ checks: {}, healthy: true })])).toEqual([{ checks: {}, healthy: true }]);
  });

  it('are the answer itself where it is no list', () => {
    expect(recordsOf(ask('transaction'), [page({ erc20Transfers: [{}] })])).toEqual([
      { erc20Transfers: [{}] },
    ]);
  });
});

describe('columns', () => {
  const rows = [
    { from: { address: '0xa', name: 'A' }, to: { address: '0xb' }, value: '12', blockHash: '0x1' },
    { from: { address: '0xc' }, value: '9007199254740993', extra: [1, 2] },
  ].map((record, place) => rowOf(record, place));

  it('follow the paths of all rows, named as shortly as they can be told apart', () => {
    expect(columnsOf(rows).map(({ path, label }) => [path, label])).toEqual([
      ['from.address', 'from.address'],
      ['from.name', 'name'],
      ['to.address', 'to.address'],
      ['value', 'value'],
      ['blockHash', 'blockHash'],
      ['extra', 'extra'],
    ]);
  });

  it('are numeric when every value is a number', () => {
    const numeric = columnsOf(rows).filter((column) => column.numeric);
    expect(numeric.map(({ path }) => path)).toEqual(['value']);
  });

  it('leave out by default what fills much and says little, but never everything', () => {
    const columns = columnsOf(rows);
    expect(usualColumns(columns)).not.toContain('blockHash');
    expect(usualColumns(columns.filter(({ path }) => path === 'blockHash'))).toEqual(['blockHash']);
  });
});

it.each([null, 'en-US', 'de-DE'])('a column of times has room for all of one as written in %s', (locale) => {
  setNotation(locale);
  const [column] = columnsOf([rowOf({ timestamp: 1_772_445_599 }, 0)]);
  expect(column?.widthCh).toBeGreaterThan(formatSecond(1_772_445_599_000, 'utc').length);
  setNotation(null);
});

describe('the grid of columns', () => {
  const columns = ['a', 'b'].map((path) => ({ path, label: path, numeric: false, widthCh: 8 }));

  it.each([
    [{}, '52px minmax(10ch, 10fr) minmax(10ch, 10fr)', 'max(100%, 72px + 10ch + 10ch)'],
    [{ a: 300 }, '52px 300px minmax(10ch, 10fr)', 'max(100%, 72px + 300px + 10ch)'],
    [{ a: 300, b: 40 }, '52px 300px 40px', 'max(100%, 72px + 300px + 40px)'],
  ])('with the chosen widths %j is %s', (chosen: Record<string, number>, template, width) => {
    expect(gridOf(columns, (path) => chosen[path])).toEqual({ template, width });
  });
});

describe('sorting', () => {
  const values = ['9007199254740993', '2', undefined, '9007199254740992', '-1.5', 'n/a', '10'];
  const rows = values.map((value, place) => rowOf({ value }, place));
  const sorted = (direction: 'ascending' | 'descending') =>
    sortRows(rows, { path: 'value', direction }).map((row) => row.cells.get('value'));

  it('compares numbers by every digit, texts after them, and puts what is absent last', () => {
    expect(sorted('ascending')).toEqual([
      '-1.5',
      '2',
      '10',
      '9007199254740992',
      '9007199254740993',
      'n/a',
      undefined,
    ]);
    expect(sorted('descending')).toEqual([
      'n/a',
      '9007199254740993',
      '9007199254740992',
      '10',
      '2',
      '-1.5',
      undefined,
    ]);
  });

  it('keeps the order as it came without a column', () => {
    expect(sortRows(rows, null)).toBe(rows);
  });
});

it('has an empty list and an empty object as values, and what is not offered', () => {
  const cells = cellsOf({ list: [], object: {}, inner: { list: [] } });
  expect([...cells]).toEqual([
    ['list', []],
    ['object', {}],
    ['inner.list', []],
  ]);
  const target = (metric: string): RunTarget => ({
    kind: 'endpoint',
    endpointId: 'rolling-window-metrics',
    params: { chainId: '1', metric },
  });
  const read = (metric: string) =>
    cellsOf(recordsOf(target(metric), [page({ result: { lastHour: '5' } })])[0]);
  expect([...read('txCount').keys()]).toEqual(['result.lastHour']);
  const windows = read('activeAddresses');
  expect(cellText(windows.get('result.allTime'))).toBe('not available');
  expect(windows.has('result.lastWeek')).toBe(false);
  expect(columnsOf([rowOf({ a: notOffered }, 0), rowOf({ a: '5' }, 1)])[0]?.numeric).toBe(true);
});

describe('cellText', () => {
  it.each([
    [null, ''],
    [true, 'true'],
    [['a', 'b'], 'a, b'],
    [[], '[]'],
    [{}, '{}'],
    [[{}, {}], '2 items'],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
  ])('writes %j as %j', (value, text) => {
    expect(cellText(value)).toBe(text);
  });
});
