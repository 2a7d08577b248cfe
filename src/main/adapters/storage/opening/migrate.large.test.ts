import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../sqlite/database.ts';
import type { DriverName } from '../sqlite/driver.ts';
import { loadDriver } from '../sqlite/load-driver.ts';
import { withNoise } from '../testing/noise.ts';
import { filesIn } from './files.ts';
import { openLadder } from './ladder.ts';
import { allMigrations, migrate } from './migrate.ts';

const pageBytes = 4_096;
/** Before the layout that looks at every transaction. */
const earlierLayout = 5;

const insertRow = `INSERT INTO activity_row (id, list_ref, address_ref, chain_ref, tx_hash, block_number, block_index,
  timestamp_ms, is_complete, fetched_at_ms, kind, direction, status, tokens_json, rules, is_own_doing, has_unread_parts,
  awaits_price, reasons) VALUES (?, 1, 1, 1, ?, 1, 0, 1, 0, 1, 0, 0, 0, '[]', 0, 0, 0, 0, 0)`;

it.each<DriverName>(['node:sqlite', 'libsql'])(
  'a large store whose damage is met only when its layout is changed is set aside, and not left in the way at each start (%s)',
  (name) => {
    const driver = loadDriver([name]);
    const directory = join(mkdtempSync(join(tmpdir(), 'watchkeeper-large-')), 'store');
    mkdirSync(directory);
    const files = filesIn(directory);
    const database = openDatabase(driver, files.store, { access: 'read-write', busyTimeoutMs: 0 });
    database.pragma('foreign_keys = OFF');
    migrate(database, allMigrations.slice(0, earlierLayout));
    database.transaction((writer) => {
      writer.exec("INSERT INTO watch_address VALUES (1, '0x', '{}', NULL, 0)");
      for (let row = 1; row <= 200; row += 1) {
        writer.run('INSERT INTO activity_body VALUES (?, ?, 1, NULL)', [
          row,
          `{"text":"${'x'.repeat(900)}"}`,
        ]);
        writer.run(insertRow, [row, `0x${row}`]);
      }
    });
    database.pragma('wal_checkpoint(TRUNCATE)');
    database.close();
    const bytes = readFileSync(files.store);
    writeFileSync(files.store, withNoise(bytes, bytes.length / 2, 10 * pageBytes, 1));

    const ladder = openLadder({ driver, directory, nowMs: 0, busyTimeoutMs: 0, thoroughUpToBytes: 0 });
    expect(ladder).toMatchObject({
      state: 'ready',
      notices: [expect.stringMatching(/couldn’t be used .* set aside as .* a new, empty store was started/s)],
    });
    expect(existsSync(files.suspect)).toBe(false);
    ladder.close();
    rmSync(directory, { recursive: true });
  },
);
