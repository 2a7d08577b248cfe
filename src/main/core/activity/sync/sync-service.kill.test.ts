import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListId } from '../../../../shared/activity/types.ts';
import { openLadder } from '../../../adapters/storage/opening/ladder.ts';
import { loadDriver } from '../../../adapters/storage/sqlite/load-driver.ts';
import { runUntilKilled } from '../../../adapters/storage/testing/killed-process.ts';
import { proofsOf, readIntervals, mergeBlocks } from '../../../../shared/activity/blocks.ts';
import { address, buildSyncHarness, chainId } from '../testing/sync-harness.ts';
import { readStoredList, without, type StoredList } from '../testing/stored-list.ts';
import { workerUrl } from '../../../adapters/storage/testing/worker-url.ts';

/** One process of the sync: asks for pages on its standard output, and says there which are saved. */
const program = `
import { createInterface } from 'node:readline';
const [folder, directory, now, ...lists] = process.argv.slice(2);
const load = (path) => import(new URL(path, folder));
const [{ openStore }, { runSync }, { ServiceClient }, { Scheduler }, { sampleServiceProfile }] = await Promise.all([
  load('../../../adapters/storage/thread/open-store.ts'),
  load('sync-run.ts'),
  load('../../endpoints/service-client.ts'),
  load('../../endpoints/scheduler.ts'),
  load('../../../../shared/settings.ts'),
]);
const clock = { nowMs: () => Number(now), monotonicMs: () => performance.now() };
const timers = { after: (ms, work) => { const timer = setTimeout(work, ms); return () => clearTimeout(timer); } };
const log = { info() {}, warn() {}, error: (event, cause) => { console.error(event, cause); return ''; } };
const store = await openStore({
  directory, drivers: ['node:sqlite'], workerUrl: new URL('${workerUrl.href}'), clock, timers, log,
});
if (store.status.state !== 'ready' || store.status.notices.length > 0) throw new Error(JSON.stringify(store.status));
const say = (line) => process.stdout.write(JSON.stringify(line) + '\\n');
const answers = createInterface(process.stdin)[Symbol.asyncIterator]();
const service = new ServiceClient({
  http: { send: async ({ url }) => { say({ url }); return JSON.parse((await answers.next()).value); } },
  scheduler: new Scheduler({ clock, timers }),
  keyHeaders: async () => ({}),
  profile: () => sampleServiceProfile,
  clock, timers, random: { fraction: () => 0.5, id: () => 'id' },
});
const address = '${address}';
await store.watchlist.put({ address, label: null, tags: [], colour: null, paused: false, addedAtMs: 0 });
for (const list of lists) {
  const result = await runSync({ store: store.activity, service, clock }, {
    ref: { address, chainId: '${chainId}', list }, what: 'all', runId: String(process.pid),
    native: { symbol: 'AVAX', decimals: 18 }, signal: new AbortController().signal, firstPriority: 'user', headFreshForMs: 0,
    onSaved: (_sync, pages) => say({ pages }),
  });
  if (!result.ok) throw new Error(JSON.stringify(result.error));
}
await store.close();
process.exit(0);
`;

const lists: readonly ListId[] = ['transactions', 'erc20'];

describe('a sync that is killed at every page', () => {
  let root: string;

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'watchkeeper-sync-kill-'));
    writeFileSync(join(root, 'sync.mjs'), program);
  });

  afterAll(() => rmSync(root, { recursive: true }));

  it('stores what one does that is never killed, before and after the chain is reorganised', async () => {
    const harness = buildSyncHarness({ maxPageSize: () => 2, order: 'none' });
    const { paging, time } = harness;
    const directory = join(root, 'store');

    /** Lets a process go on until it has saved so many pages, each before it gets the next one. */
    const runAndKill = async (killAfterPages: number): Promise<'killed' | 'ended'> => {
      let saved = 0;
      let answered = 0;
      let asked: string | null = null;
      return await runUntilKilled({
        script: join(root, 'sync.mjs'),
        args: [new URL('./', import.meta.url).href, directory, String(time.clock.nowMs()), ...lists],
        onLine: (line, { say, kill }) => {
          const said = JSON.parse(line) as { url?: string; pages?: number };
          asked = said.url ?? asked;
          saved += said.pages ?? 0;
          if (saved >= killAfterPages) {
            kill();
          } else if (asked !== null && saved === answered) {
            const request = { method: 'GET', url: asked, headers: {}, timeoutMs: 1, maxBytes: 1 } as const;
            asked = null;
            answered += 1;
            void paging.client.send(request).then((outcome) => say(JSON.stringify(outcome)));
          }
        },
      });
    };

    const expectSame = async (): Promise<void> => {
      let pages = 0;
      do pages += 1;
      while ((await runAndKill(pages)) === 'killed');
      // One process was killed at each page, and the last one at none.
      expect(pages).toBeGreaterThan(3);
      for (const list of lists) await harness.run({ list });
      const ladder = openLadder({
        driver: loadDriver(['node:sqlite']),
        directory,
        nowMs: 0,
        busyTimeoutMs: 0,
        thoroughUpToBytes: 1e9,
      });
      expect(ladder).toMatchObject({ state: 'ready', notices: [] });
      for (const list of lists) {
        const ref = { ...harness.ref, list };
        const stored = readStoredList(ladder.database, ref);
        expect(comparable(stored)).toEqual(comparable(harness.stores.storedList(ref)));
      }
      ladder.close();
    };

    paging.transactions.push(...[0, 1, 1, 2].map((block, place) => ({ block, index: place === 2 ? 1 : 0 })));
    await expectSame();
    await time.advance(3_600_000);
    for (const made of paging.transactions) if (made.block > 0) made.fork = 1;
    paging.transactions.pop();
    paging.transactions.push({ block: 3, index: 0 });
    await expectSame();
  });
});

/** When an element was last seen, and in which page: a process looks again at what the one before it had left in doubt. */
const ofTheWalk = ['fetched_at_ms', 'seen_at_ms', 'first_seen_ms', 'request_ref'];

function comparable({ sync, proofs, rows, records }: StoredList): unknown {
  return {
    // What changes in blocks that are read once more takes back the proof of the other lists once more.
    sync: { ...sync, doubts: 0 },
    // Each process has a run of its own.
    held: mergeBlocks(readIntervals(proofsOf(sync?.covered ?? [], proofs))),
    rows: rows.map(({ row, versions }) => ({ row: without(row, ofTheWalk), versions })),
    records: records.map((record) => without(record, ofTheWalk)),
  };
}
