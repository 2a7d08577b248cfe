import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { everything } from '../../../../shared/activity/filter.ts';
import { openDatabase } from '../sqlite/database.ts';
import type { DriverName } from '../sqlite/driver.ts';
import { loadDriver } from '../sqlite/load-driver.ts';
import { migrate } from '../opening/migrate.ts';
import type { SqlDatabase } from '../sqlite/sql.ts';
import { storesOver } from '../testing/memory-stores.ts';
import { rowsOfPage, scannedOf } from '../testing/scan-pages.ts';
import { alice, bob, sampleAddress, sampleFacets, samplePage, sampleRow } from '../testing/sample-data.ts';

const driverNames: DriverName[] = ['node:sqlite', 'libsql'];

describe.each(driverNames)('a scan of a store on disk with %s', (name) => {
  let folder: string;
  let database: SqlDatabase;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'watchkeeper-scan-'));
    database = openDatabase(loadDriver([name]), join(folder, 'store.db'), {
      access: 'read-write',
      busyTimeoutMs: 1_000,
    });
    database.pragma('journal_mode = WAL');
    database.pragma('foreign_keys = ON');
    migrate(database);
  });

  afterEach(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });

  it('reads the store as it was when it began: completed, changed and removed rows stay as they were', async () => {
    const { activity, watchlist } = storesOver(database);
    watchlist.put(sampleAddress());
    const rows = Array.from({ length: 30 }, (_value, place) =>
      sampleRow({ txHash: `0x${place + 10}`, timestampMs: place }),
    );
    activity.savePage(samplePage({ rows }));
    const pills = [{ field: 'completeness' as const, not: false, values: ['partial'] }];
    const filter = { ...everything, pills };
    const before = await activity.readRows({ filter, offset: 0, anchor: null, limit: 100 });
    const { scanId, totalCount } = await activity.openScan(filter);
    const first = activity.readScan({ scanId, from: 0, limit: 10 });
    activity.putRows(
      rows.map((row) => ({
        row: { ...row, completeness: 'complete' as const, transactionJson: '{"later":true}' },
        integrityNote: null,
        replaced: null,
      })),
    );
    activity.savePage(samplePage({ rows: [sampleRow({ txHash: '0xff', timestampMs: 99 })] }));
    await watchlist.remove(alice, 'delete');
    // What is forgotten with it leaves its places to what comes later.
    watchlist.put(sampleAddress({ address: bob }));
    const likeAlice = `${alice.slice(0, 6)}${'0'.repeat(32)}${alice.slice(-4)}`.toLowerCase();
    const later = sampleRow({ address: bob, facets: sampleFacets({ counterparty: likeAlice }) });
    activity.savePage(samplePage({ address: bob, rows: [later] }));
    const rest = activity.readScan({ scanId, from: 10, limit: 100 });
    expect([...rowsOfPage(first), ...rowsOfPage(rest)]).toEqual(before.rows.map(scannedOf));
    expect(totalCount).toBe(30);
    activity.closeScan(scanId);
    expect(() => activity.readScan({ scanId, from: 0, limit: 1 })).toThrow('not open');
  });

  it('does not outlive the store', async () => {
    const { activity, watchlist } = storesOver(database);
    watchlist.put(sampleAddress());
    await activity.openScan(everything);
    database.close();
    database = openDatabase(loadDriver([name]), join(folder, 'store.db'), {
      access: 'read-write',
      busyTimeoutMs: 0,
    });
    expect(database.pragma('wal_checkpoint(TRUNCATE)')).toMatchObject([{ busy: 0n }]);
  });
});
