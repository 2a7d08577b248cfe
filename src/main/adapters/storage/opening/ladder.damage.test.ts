import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everything } from '../../../../shared/activity/filter.ts';
import type { DriverName } from '../sqlite/driver.ts';
import { openLadder } from './ladder.ts';
import { loadDriver } from '../sqlite/load-driver.ts';
import type { SqlDatabase } from '../sqlite/sql.ts';
import { storesOver } from '../testing/memory-stores.ts';
import { createRandom, withNoise } from '../testing/noise.ts';
import { sampleAddress, samplePage, sampleRow } from '../testing/sample-data.ts';

const driverNames: DriverName[] = ['node:sqlite', 'libsql'];

/** Commits in the image: the first half is in the store itself, the second half in its journal. */
const commitCount = 40;
const pageBytes = 4096;
/** Places of each kind of damage; whatever goes wrong goes wrong at most of them. */
const attempts = 8;

describe.each(driverNames)('a killed app whose files were damaged, opened with %s', (name) => {
  const driver = loadDriver([name]);
  let root: string;
  /** The files as a kill leaves them. */
  let image: string;

  const open = (directory: string) =>
    openLadder({ driver, directory, nowMs: 0, busyTimeoutMs: 0, thoroughUpToBytes: 1e9 });

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'watchkeeper-damage-'));
    image = join(root, 'image');
    const directory = join(root, 'original');
    const ladder = open(directory);
    const { activity, watchlist } = storesOver(ladder.database);
    watchlist.put(sampleAddress());
    for (let commit = 0; commit < commitCount; commit += 1) {
      if (commit === commitCount / 2) ladder.database.pragma('wal_checkpoint(TRUNCATE)');
      const rows = Array.from({ length: 5 }, (_value, place) =>
        sampleRow({
          txHash: `0x${commit}-${place}`,
          timestampMs: commit,
          transactionJson: JSON.stringify('x'.repeat(100 * place * place)),
        }),
      );
      activity.savePage(samplePage({ rows }));
    }
    cpSync(directory, image, { recursive: true });
    ladder.close();
  });

  afterAll(() => rmSync(root, { recursive: true }));

  /** How many of the commits are there; what is there must be whole, and nothing may be missing in between. */
  const commitsIn = async (database: SqlDatabase): Promise<number> => {
    const { activity } = storesOver(database);
    const { rows, totalCount } = await activity.readRows({
      filter: everything,
      offset: 0,
      anchor: null,
      limit: 1000,
    });
    expect(totalCount).toBe(rows.length);
    const commits = rows.length / 5;
    expect(new Set(rows.map((row) => row.txHash))).toEqual(
      new Set(
        Array.from({ length: commits }, (_value, commit) =>
          [0, 1, 2, 3, 4].map((place) => `0x${commit}-${place}`),
        ).flat(),
      ),
    );
    for (const row of rows) {
      const place = Number(row.txHash.split('-')[1]);
      expect(row.transactionJson).toBe(JSON.stringify('x'.repeat(100 * place * place)));
    }
    return commits;
  };

  interface Outcome {
    notices: string[];
    commits: number;
    /** The file that a notice names is there and has the bytes that were found. */
    keepsStore: boolean;
    keepsJournal: boolean;
  }

  const openDamaged = async (damage: {
    store?: (bytes: Buffer) => Buffer;
    journal?: (bytes: Buffer) => Buffer;
  }): Promise<Outcome> => {
    const directory = mkdtempSync(join(root, 'case-'));
    cpSync(image, directory, { recursive: true });
    const store = join(directory, 'store.sqlite');
    const storeBytes = (damage.store ?? ((bytes) => bytes))(readFileSync(store));
    const journalBytes = (damage.journal ?? ((bytes) => bytes))(readFileSync(`${store}-wal`));
    writeFileSync(store, storeBytes);
    writeFileSync(`${store}-wal`, journalBytes);
    const ladder = open(directory);
    const aside = join(directory, 'store.corrupt-1970-01-01T00-00-00Z.sqlite');
    const outcome = {
      notices: ladder.notices,
      commits: await commitsIn(ladder.database),
      keepsStore: existsSync(aside) && readFileSync(aside).equals(storeBytes),
      keepsJournal: existsSync(`${aside}-wal`) && readFileSync(`${aside}-wal`).equals(journalBytes),
    };
    expect(ladder.state).toBe('ready');
    expect(ladder.database.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    ladder.close();
    return outcome;
  };

  const setAside = { commits: 0, keepsStore: true, keepsJournal: true };

  it('is whole without damage', async () => {
    expect(await openDamaged({})).toMatchObject({ notices: [], commits: commitCount });
  });

  it('is set aside, or whole, when the store is cut anywhere', async () => {
    const random = createRandom(1);
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const outcome = await openDamaged({ store: (bytes) => bytes.subarray(0, random(bytes.length)) });
      // The journal may hold every page that was cut off.
      if (outcome.notices.length === 0) expect(outcome.commits).toBe(commitCount);
      else expect(outcome).toMatchObject(setAside);
    }
  });

  it('is set aside when noise of a page or more is in the store, or whole when the journal knows better', async () => {
    const random = createRandom(2);
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const outcome = await openDamaged({
        store: (bytes) => {
          const length = pageBytes + random(3 * pageBytes);
          return withNoise(bytes, random(bytes.length - length), length, attempt);
        },
      });
      if (outcome.notices.length === 0) expect(outcome.commits).toBe(commitCount);
      else expect(outcome).toMatchObject(setAside);
    }
  });

  it('is whole when noise is in the header of the store, which the journal has', async () => {
    const { commits, notices } = await openDamaged({ store: (bytes) => withNoise(bytes, 0, 100, 1) });
    expect({ commits, notices }).toEqual({ commits: commitCount, notices: [] });
  });

  it('is what was written before the cut when the journal is cut', async () => {
    const random = createRandom(3);
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const outcome = await openDamaged({ journal: (bytes) => bytes.subarray(0, random(bytes.length)) });
      // Nothing tells a journal that was cut from one that was never longer.
      expect(outcome.notices).toEqual([]);
      expect(outcome.commits).toBeGreaterThanOrEqual(commitCount / 2);
    }
  });

  it('is what was written before the noise in the journal', async () => {
    const random = createRandom(4);
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const outcome = await openDamaged({
        journal: (bytes) =>
          withNoise(bytes, random(bytes.length - 2 * pageBytes), 1 + random(pageBytes), attempt),
      });
      expect(outcome.commits).toBeGreaterThanOrEqual(commitCount / 2);
    }
  });
});
