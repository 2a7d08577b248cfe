import { beforeEach, describe, expect, it } from 'vitest';
import { everything } from '../../../../shared/activity/filter.ts';
import type { DriverName } from '../sqlite/driver.ts';
import type { SqlDatabase } from '../sqlite/sql.ts';
import { openMemoryDatabase, storesOver } from '../testing/memory-stores.ts';
import { sampleAddress, samplePage, sampleRow, sampleSync } from '../testing/sample-data.ts';

const driverNames: DriverName[] = ['node:sqlite', 'libsql'];

describe.each(driverNames)('the tables behind the stores, with %s', (name) => {
  let database: SqlDatabase;

  beforeEach(() => {
    database = openMemoryDatabase([name]);
  });

  it('give the first rows by an index in the order of the screen, and counts by indexes', async () => {
    const asked: string[] = [];
    const heard = <Sql extends string>(sql: Sql): Sql => {
      asked.push(sql);
      return sql;
    };
    const listening: SqlDatabase = {
      get: (sql, params) => database.get(heard(sql), params),
      all: (sql, params) => database.all(heard(sql), params),
      iterate: (sql, params) => database.iterate(heard(sql), params),
      transaction: (work) =>
        database.transaction((writer) =>
          work({
            get: (sql, params) => writer.get(heard(sql), params),
            all: (sql, params) => writer.all(heard(sql), params),
            iterate: (sql, params) => writer.iterate(heard(sql), params),
            run: (sql, params) => writer.run(heard(sql), params),
            insert: (sql, params) => writer.insert(heard(sql), params),
            exec: (sql) => writer.exec(sql),
          }),
        ),
      pragma: (text) => database.pragma(text),
      snapshot: () => database.snapshot(),
      copyTo: (path) => database.copyTo(path),
      close: () => database.close(),
    };
    const { activity, watchlist } = storesOver(listening);
    watchlist.put(sampleAddress());
    activity.savePage(samplePage({ rows: [sampleRow()] }));
    asked.length = 0;
    await activity.readRows({ filter: everything, offset: 0, anchor: null, limit: 10 });
    const planOf = (sql: string) =>
      database.transaction((writer) =>
        writer
          .all(`EXPLAIN QUERY PLAN ${sql}`)
          .map((row) => String(row['detail']))
          .join('\n'),
      );
    const [page = ''] = asked.filter((sql) => sql.includes('ORDER BY timestamp_ms'));
    expect(planOf(page)).toMatch(/SCAN activity_row USING INDEX activity_row_by_time/);
    expect(planOf(page)).not.toMatch(/TEMP B-TREE/);
    const counts = asked.filter((sql) => sql.includes('count(*) AS total FROM activity_row'));
    expect(counts.map(planOf)).toEqual([
      expect.stringMatching(/SEARCH activity_row USING COVERING INDEX activity_row_partial/),
      expect.stringMatching(/SEARCH activity_row USING COVERING INDEX activity_row_partial/),
      expect.stringMatching(/SEARCH activity_row USING COVERING INDEX activity_row_hidden/),
      // Without a condition besides that of the index, which SQLite counts by its pages.
      'SCAN activity_row USING COVERING INDEX activity_row_partial',
    ]);
    // Nothing was written since: nothing is counted again.
    asked.length = 0;
    await activity.readRows({ filter: everything, offset: 0, anchor: null, limit: 10 });
    expect(asked.some((sql) => sql.includes('count(*) AS total'))).toBe(false);
    // A row of a list is found by its hash alone.
    activity.savePage(samplePage({ rows: [sampleRow()] }));
    const [find = ''] = asked.filter((sql) => sql.includes('reorg, decision FROM activity_row'));
    expect(planOf(find)).toMatch(
      /SEARCH activity_row USING INDEX activity_row_by_hash \(list_ref=\? AND <expr>=\?\)/,
    );
    // So are the records of newly proven blocks, by their block, and their rows.
    const covered = [{ fromBlock: '1', toBlock: '9' }];
    activity.savePage(samplePage({ sync: sampleSync({ covered }) }));
    const [unlisted = ''] = asked.filter((sql) => sql.includes('NOT EXISTS'));
    expect(planOf(unlisted)).toMatch(/activity_record_by_block \(list_ref=\? AND block_number>\? AND/);
    expect(planOf(unlisted)).toMatch(/activity_row_by_hash \(list_ref=\? AND <expr>=\?\)/);
  });
});
