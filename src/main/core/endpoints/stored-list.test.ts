import { beforeEach, describe, expect, it } from 'vitest';
import { createMemoryStores } from '../../adapters/storage/testing/memory-stores.ts';
import { chainTransactions } from '../../../shared/endpoints/data.ts';
import { AppFailure, ok } from '../../../shared/errors.ts';
import { avalancheService } from '../../../shared/settings.ts';
import { silentLog } from '../activity/testing/harness.ts';
import { createFakeTime } from '../health/testing/fake-ports.ts';
import type { HttpOutcome } from '../ports.ts';
import { QueryEngine, type Query, type QueryEngineDeps } from './query-engine.ts';
import { Scheduler } from './scheduler.ts';
import { ServiceClient } from './service-client.ts';
import { refreshPages, storedPages } from './stored-list.ts';

const offline: HttpOutcome = { kind: 'failure', reason: 'refused', detail: 'Nothing answers.' };

/** A service whose tokens name the walk they belong to; `size` transactions, five on a page. */
function build() {
  const time = createFakeTime();
  const disk = { isFull: false, reads: 0 };
  const { answers } = createMemoryStores();
  const service = { walk: 0, size: 15, pagesLeft: Infinity, leftThisMinute: Infinity, requests: 0 };
  const client = new ServiceClient({
    http: {
      send: async ({ url }) => {
        service.requests += 1;
        if (service.pagesLeft <= 0) return offline;
        service.pagesLeft -= 1;
        if (service.leftThisMinute <= 0)
          return { kind: 'response', status: 429, headers: { 'retry-after': '60' }, body: '', byteLength: 0 };
        service.leftThisMinute -= 1;
        const token = new URL(url).searchParams.get('pageToken');
        if (token === null) service.walk += 1;
        const [walk = String(service.walk), from = '0'] = token?.split('-') ?? [];
        const until = Math.min(Number(from) + 5, service.size);
        const transactions = [];
        for (let at = Number(from); at < until; at += 1)
          transactions.push({
            txHash: `0x${String(at).padStart(64, '0')}`,
            blockNumber: walk,
            blockTimestamp: 1,
          });
        const body = JSON.stringify({
          transactions,
          ...(until < service.size ? { nextPageToken: `${walk}-${until}` } : {}),
        });
        return { kind: 'response', status: 200, headers: {}, body, byteLength: body.length };
      },
    },
    scheduler: new Scheduler({ clock: time.clock, timers: time.timers }),
    keyHeaders: async () => ({}),
    profile: () => avalancheService,
    clock: time.clock,
    timers: time.timers,
    random: { fraction: () => 0, id: () => 'id' },
  });
  const onDisk: QueryEngineDeps['answers'] = {
    read: (key) => {
      disk.reads += 1;
      return answers.read(key);
    },
    write: (answer) => answers.write(answer),
    replace: async (...change) => {
      if (disk.isFull) throw new AppFailure({ code: 'storage', message: 'The disk is full.' });
      await answers.replace(...change);
    },
  };
  const engine = new QueryEngine({ service: client, answers: onDisk, clock: time.clock, log: silentLog });
  const ask = (refresh: Query['refresh'], pageToken?: string) =>
    engine.query({
      endpointId: 'chain-transactions',
      params: { chainId: '43114', ...(pageToken === undefined ? {} : { pageToken }) },
      refresh,
      includeRaw: true,
      requestId: 'r',
    });
  /** What is stored of the list, page by page: how many transactions, and of which walk. */
  const stored = async () => {
    const pages: { rows: number; walk: number }[] = [];
    let token: string | undefined;
    do {
      const page = await ask('cached', token);
      if (!page.ok) return pages;
      const { transactions, nextPageToken } = page.value.data as {
        transactions: { blockNumber: string }[];
        nextPageToken?: string;
      };
      pages.push({ rows: transactions.length, walk: Number(transactions[0]?.blockNumber) });
      token = nextPageToken;
    } while (token !== undefined);
    return pages;
  };
  /** All answers that the store has. */
  const all = async () => await answers.holding({ endpointId: 'chain-transactions', text: '', limit: 100 });
  const walkAll = async () => {
    const first = await ask('if-stale');
    let token = first.ok ? (first.value.data as { nextPageToken?: string }).nextPageToken : undefined;
    while (token !== undefined) {
      const page = await ask('if-stale', token);
      token = page.ok ? (page.value.data as { nextPageToken?: string }).nextPageToken : undefined;
    }
  };
  return { time, service, disk, ask, stored, all, walkAll };
}

describe('a list that was looked up', () => {
  let world: ReturnType<typeof build>;
  beforeEach(async () => {
    world = build();
    await world.walkAll();
    expect(await world.stored()).toEqual([1, 2, 3].map(() => ({ rows: 5, walk: 1 })));
  });

  it.each([
    ['fetched again', 'always', 0],
    ['opened again later', 'if-stale', 16_000],
  ] as const)(
    'keeps its pages when it is %s and the network goes after a page',
    async (_, refresh, waitMs) => {
      const { time, service, ask, stored, all } = world;
      await time.advance(waitMs);
      service.pagesLeft = 1;
      const result = await ask(refresh);
      expect(result).toMatchObject({ value: { source: 'cache', refreshError: { code: 'unreachable' } } });
      expect(await stored()).toEqual([1, 2, 3].map(() => ({ rows: 5, walk: 1 })));
      expect(await all()).toHaveLength(3);
    },
  );

  it('is replaced when the newer walk is as long, and nothing is left of the older', async () => {
    const { ask, stored, all } = world;
    for (const walk of [2, 3]) {
      expect(await ask('always')).toMatchObject({ value: { source: 'network' } });
      expect(await stored()).toEqual([1, 2, 3].map(() => ({ rows: 5, walk })));
      expect(await all()).toHaveLength(3);
    }
  });

  it('is replaced when the newer walk is whole, though it is shorter', async () => {
    const { service, ask, stored, all } = world;
    service.size = 7;
    await ask('always');
    expect(await stored()).toEqual([
      { rows: 5, walk: 2 },
      { rows: 2, walk: 2 },
    ]);
    expect(await all()).toHaveLength(2);
  });

  it('of many pages is fetched again only when the user asks for that', async () => {
    const { time, service, disk, ask, stored, walkAll } = build();
    service.size = 50;
    await walkAll();
    await time.advance(16_000);
    const before = service.requests;
    disk.reads = 0;
    expect(await ask('if-stale')).toMatchObject({ value: { source: 'cache', stale: true } });
    expect(service.requests).toBe(before);
    // No more than shows that they are many.
    expect(disk.reads).toBe(6);
    await ask('always');
    expect(service.requests).toBe(before + 10);
    expect(await stored()).toHaveLength(10);
  });

  it('of more pages than a minute allows is fetched again whole, over several minutes', async () => {
    const { time, service, ask, stored } = world;
    service.leftThisMinute = 2;
    const asked = ask('always');
    await time.advance(1_000);
    service.leftThisMinute = 2;
    await time.advance(61_000);
    expect(await asked).toMatchObject({ value: { source: 'network' } });
    expect(await stored()).toEqual([1, 2, 3].map(() => ({ rows: 5, walk: 2 })));
  });

  it('that is opened with no calls left is shown as it is stored, without waiting for the next minute', async () => {
    const { time, service, ask } = world;
    await time.advance(16_000);
    service.leftThisMinute = 2;
    expect(await ask('if-stale')).toMatchObject({
      value: { source: 'cache', refreshError: { code: 'rate-limited' } },
    });
  });

  it('that names a page again that it has had ends there, stored and fetched', async () => {
    const bodyText = '{"transactions":[],"nextPageToken":"again"}';
    const list = {
      endpoint: chainTransactions,
      service: 'https://service.example',
      params: { chainId: '1' },
    };
    let calls = 0;
    const counted = <T>(value: T): T => {
      calls += 1;
      if (calls > 20) throw new Error('It goes in circles.');
      return value;
    };
    const page = (key: string) => ({
      ...{ key, endpointId: list.endpoint.id, paramsJson: '', bodyText, fetchedAtMs: 0 },
    });
    const stored = await storedPages({ read: async (key) => counted(page(key)) }, list, page('first'));
    expect(stored).toHaveLength(2);
    calls = 0;
    const fetched = {
      ...{ bodyText, fetchedAtMs: 1, data: {}, notes: [], unreadableItems: [] },
      ...{ url: '', httpStatus: 200, durationMs: 1, byteLength: 1 },
    };
    const refreshed = await refreshPages(list, [...stored, ...stored], async () => counted(ok(fetched)));
    expect([calls, refreshed]).toMatchObject([2, { value: { fresh: [{}, {}] } }]);
  });

  it('is shown as it is now where the store refuses it, like any answer, and what is stored stays', async () => {
    const { ask, stored, disk } = world;
    disk.isFull = true;
    const notes = ['Couldn’t save the response for later: The disk is full.'];
    expect(await ask('always')).toMatchObject({ value: { source: 'network', notes } });
    expect(await stored()).toEqual([1, 2, 3].map(() => ({ rows: 5, walk: 1 })));
  });
});
