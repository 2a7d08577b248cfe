import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from './database.ts';
import type { DriverName } from './driver.ts';
import { loadDriver } from './load-driver.ts';
import { migrate } from './migrate.ts';
import type { SqlDatabase } from './sql.ts';
import { createSqlStores } from './stores.ts';
import { alice, sampleRow, sampleSync } from './testing/sample-data.ts';

const driverNames: DriverName[] = ['node:sqlite', 'libsql'];

describe.each(driverNames)('the tables behind the stores, with %s', (name) => {
  let database: SqlDatabase;

  beforeEach(() => {
    database = openDatabase(loadDriver([name]), ':memory:', { access: 'read-write', busyTimeoutMs: 0 });
    database.pragma('foreign_keys = ON');
    migrate(database);
  });

  it('give each page of rows by an index in the order of the screen', () => {
    const asked: string[] = [];
    const listening: SqlDatabase = {
      prepare: (sql) => {
        asked.push(sql);
        return database.prepare(sql);
      },
      transaction: (work) => database.transaction(work),
      pragma: (text) => database.pragma(text),
      copyTo: (path) => database.copyTo(path),
      close: () => database.close(),
    };
    const { activity, watchlist } = createSqlStores(listening);
    watchlist.put({ address: alice, label: null, addedAtMs: 1 });
    activity.savePage(alice, '43114', [sampleRow()], sampleSync());
    for (const address of [alice, null]) {
      for (const chainId of ['43114', null]) activity.readRows({ address, chainId, cursor: null, limit: 10 });
    }
    const pages = asked.filter((sql) => sql.includes('transaction_json'));
    expect(pages).toHaveLength(4);
    for (const sql of pages) {
      const plan = database.transaction((writer) =>
        writer
          .prepare(`EXPLAIN QUERY PLAN ${sql}`)
          .all()
          .map((row) => String(row['detail'])),
      );
      expect(plan[0]).toMatch(/^SEARCH activity_row USING INDEX activity_row_by_\w+ /);
      expect(plan.join('\n')).not.toMatch(/SCAN|TEMP B-TREE/);
    }
  });
});
