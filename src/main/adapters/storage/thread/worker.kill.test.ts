import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DriverName } from '../sqlite/driver.ts';
import { openLadder } from '../opening/ladder.ts';
import { loadDriver } from '../sqlite/load-driver.ts';
import type { HealthStore, StoredPoll } from '../../../core/health-ports.ts';
import { integer, text } from '../sqlite/row.ts';
import { storesOver } from '../testing/memory-stores.ts';
import type { Synchronous } from '../store-ports.ts';
import { runUntilKilled } from '../testing/killed-process.ts';
import { createRandom } from '../testing/noise.ts';
import { workerUrl } from '../testing/worker-url.ts';

/**
 * A process that writes as fast as it can and says on its standard output what was acknowledged, until it is killed. Five
 * lanes, so that calls are under way at every moment; answers are large, so that checkpoints are frequent. What is polled is
 * packed meanwhile.
 */
const writer = `
const [folder, directory, driver, start] = process.argv.slice(2);
const { openStore } = await import(new URL('open-store.ts', folder));
process.stdout.write('begins\\n');
const store = await openStore({
  directory,
  drivers: [driver],
  workerUrl: new URL('${workerUrl.href}'),
  clock: { nowMs: Date.now, monotonicMs: Date.now },
  timers: { after: () => () => undefined },
  log: { info() {}, warn() {}, error: (event, cause) => { console.error(event, cause); return ''; } },
});
if (store.status.state !== 'ready' || store.status.notices.length > 0) throw new Error(JSON.stringify(store.status));
await store.watchlist.put({ address: 'a', label: null, tags: [], colour: null, paused: false, addedAtMs: 0 });
await store.health.putNode({
  id: 'n', name: 'n', url: 'u', intervalMs: 1, tags: [], headerNames: [], paused: false, addedAtMs: 0,
  previousNodeId: null, tagChecks: [],
});
let next = Number(start);
const kinds = [
  (n) => store.answers.write({ key: String(n), endpointId: 'e', paramsJson: '{}', bodyText: 'x'.repeat(30_000), fetchedAtMs: n }),
  (n) => store.activity.savePage({
      address: 'a', chainId: 'c', list: 'transactions', records: [], walkAtMs: 1, sweep: [], doubts: 0,
      proof: { runId: 'r', provenAtMs: n, blocks: [{ fromBlock: String(2 * n), toBlock: String(2 * n + 1) }] },
      sync: { covered: [], reachedStart: false, checkedAtMs: n },
      rows: ['-1', '-2', '-3'].map((part) => ({
        chainId: 'c', address: 'a', txHash: n + part, blockNumber: BigInt(n), blockIndex: 0, blockHash: null, timestampMs: n,
        completeness: 'partial', transactionJson: 'x'.repeat(1000), isReceived: true, requestUrl: null, fetchedAtMs: n,
        facets: {
          kind: 'transfer', direction: 'in', status: 'success', counterparty: '0x' + n, otherSides: [], counterpartyName: null, method: null,
          tokens: [], rules: [], isOwnDoing: false, hasUnreadParts: false, awaitsPrice: false, valueThen: null, valueCurrency: null, fee: null, messageId: null,
        },
      })),
    }),
  (n) => store.health.recordPoll({
      nodeId: 'n', polledAtMs: n, state: 'healthy', reason: 'r' + n, reportedNodeId: null, reportJson: null, episodes: [],
      runs: ['C', 'P'].map((check) => ({
        check, state: 'pass', ranAtMs: n, contiguousFailures: null, firstFailureAtMs: null,
        error: 'm' + n,
      })),
    }),
];
for (let lane = 0; lane < 5; lane += 1) void (async () => {
  for (;;) {
    const n = next;
    next += 1;
    await kinds[n % 3](n);
    process.stdout.write(n + '\\n');
    if (n % 7 === 0) await store.health.maintain({ nowMs: 3 * 86_400_000, keepDays: 30, keepBytesPerNode: 1e9, recoverAfter: 1 });
  }
})();
`;

function allPolls(health: Synchronous<HealthStore>): StoredPoll[] {
  const polls: StoredPoll[] = [];
  for (let afterMs = -1; ; afterMs = polls.at(-1)?.polledAtMs ?? 0) {
    const more = health.scanPolls('n', afterMs, 1e9, 1000);
    if (more.length === 0) return polls;
    polls.push(...more);
  }
}

/** Kills in a row of each store, over the remains of the kills before. */
const killsEach = 4;
const stores: { driver: DriverName; seed: number }[] = [
  { driver: 'node:sqlite', seed: 1 },
  { driver: 'node:sqlite', seed: 2 },
  { driver: 'node:sqlite', seed: 3 },
  { driver: 'libsql', seed: 4 },
];

describe.concurrent('a process that is killed while it writes', () => {
  let root: string;
  let script: string;

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'watchkeeper-kill-'));
    script = join(root, 'writer.mjs');
    writeFileSync(script, writer);
  });

  afterAll(() => rmSync(root, { recursive: true }));

  /** Kills the writer after so many acknowledgements, and returns all that arrived. */
  const writeAndKill = async (
    directory: string,
    driver: DriverName,
    start: number,
    killAfter: number,
  ): Promise<number[]> => {
    const acknowledged: number[] = [];
    const folder = new URL('./', import.meta.url).href;
    const end = await runUntilKilled({
      script,
      args: [folder, directory, driver, String(start)],
      onLine: (line, { kill }) => {
        if (line !== 'begins') acknowledged.push(Number(line));
        if (acknowledged.length >= killAfter) kill();
      },
    });
    expect(end).toBe('killed');
    return acknowledged;
  };

  /** What is stored, by the number it was written with; half a write is a failed test. */
  const storedIn = (directory: string, driver: DriverName): Set<number> => {
    const ladder = openLadder({
      driver: loadDriver([driver]),
      directory,
      nowMs: 0,
      busyTimeoutMs: 0,
      thoroughUpToBytes: 1e9,
    });
    expect(ladder).toMatchObject({ state: 'ready', notices: [] });
    const { database } = ladder;
    expect(database.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(database.pragma('foreign_key_check')).toEqual([]);
    const answers = database.all('SELECT key FROM answer');
    const pages =
      database.all(`SELECT timestamp_ms, count(*) AS parts, count(activity_body.row_ref) AS bodies,
         (SELECT count(*) FROM activity_proof WHERE proven_at_ms = timestamp_ms) AS proofs
       FROM activity_row LEFT JOIN activity_body ON row_ref = activity_row.id GROUP BY timestamp_ms`);
    const polls = allPolls(storesOver(database).health);
    for (const page of pages) expect(page).toMatchObject({ parts: 3n, bodies: 3n, proofs: 1n });
    for (const { polledAtMs, runs, reason } of polls) {
      expect(reason).toBe(`r${polledAtMs}`);
      expect(runs.map(({ error }) => error)).toEqual([`m${polledAtMs}`, `m${polledAtMs}`]);
    }
    expect(new Set(polls.map(({ polledAtMs }) => polledAtMs)).size).toBe(polls.length);
    ladder.close();
    return new Set([
      ...answers.map((row) => Number(text(row, 'key'))),
      ...pages.map((row) => integer(row, 'timestamp_ms')),
      ...polls.map(({ polledAtMs }) => polledAtMs),
    ]);
  };

  it.each(stores)(
    'keeps every acknowledged write, whole, with $driver (store $seed)',
    async ({ driver, seed }) => {
      const random = createRandom(seed);
      const directory = join(root, String(seed));
      const acknowledged: number[] = [];
      for (let kill = 0; kill < killsEach; kill += 1) {
        // The first kill of some stores comes while they are being made.
        const killAfter = kill === 0 && seed % 2 === 0 ? 0 : random(400);
        acknowledged.push(...(await writeAndKill(directory, driver, kill * 100_000, killAfter)));
        const stored = storedIn(directory, driver);
        expect(acknowledged.filter((n) => !stored.has(n))).toEqual([]);
      }
      expect(acknowledged.length).toBeGreaterThan(0);
    },
    120_000,
  );
});
