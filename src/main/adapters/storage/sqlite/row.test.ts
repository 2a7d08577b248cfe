import { expect, it } from 'vitest';
import { idFor, insertRow, updateRow } from './row.ts';
import type { SqlParam, SqlWriter } from './sql.ts';

it('each write has the columns of its row, also after another row with as many', () => {
  const written: [string, ...SqlParam[]][] = [];
  const write = (sql: string, params: readonly SqlParam[] = []) => written.push([sql, ...params]);
  const writer = { get: () => undefined, insert: write, run: write } as unknown as SqlWriter;
  insertRow(writer, 't', { a: 1, b: 2 });
  insertRow(writer, 't', { a: 1, c: 3 });
  insertRow(writer, 't', { b: 2, a: 1 }, 'REPLACE');
  insertRow(writer, 't', { c: 3, a: 1 });
  insertRow(writer, 'u', { c: 3, a: 1 });
  updateRow(writer, 't', 7, { a: 1, b: 2 });
  updateRow(writer, 't', 7, { a: null, c: 3 });
  updateRow(writer, 't', 7, { a: 5 });
  idFor(writer, 't', { a: 1 }, { b: 2 });
  expect(written).toEqual([
    ['INSERT INTO t (a, b) VALUES (?, ?)', 1, 2],
    ['INSERT INTO t (a, c) VALUES (?, ?)', 1, 3],
    ['REPLACE INTO t (b, a) VALUES (?, ?)', 2, 1],
    ['INSERT INTO t (c, a) VALUES (?, ?)', 3, 1],
    ['INSERT INTO u (c, a) VALUES (?, ?)', 3, 1],
    ['UPDATE t SET a = ?, b = ? WHERE id = ?', 1, 2, 7],
    ['UPDATE t SET a = ?, c = ? WHERE id = ?', null, 3, 7],
    ['UPDATE t SET a = ? WHERE id = ?', 5, 7],
    ['INSERT INTO t (a, b) VALUES (?, ?)', 1, 2],
  ]);
});
