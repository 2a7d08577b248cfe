import { beforeEach, describe, expect, it } from 'vitest';
import type { AppError } from '../../../../shared/errors.ts';
import type { Attempt } from '../../../../shared/explore/types.ts';
import type { RunQuery, StoredRun, StoredRunPage, StoredWalk } from '../../../core/ports.ts';
import type { StorePorts } from '../store-ports.ts';
import { backends } from '../testing/backends.ts';
import { openMemoryDatabase } from '../testing/memory-stores.ts';
import { storageMessage } from '../testing/sample-data.ts';
import { createRunStore } from './runs.ts';

function sampleWalk(fields: Partial<StoredWalk> = {}): StoredWalk {
  return {
    nextToken: null,
    range: null,
    order: 'unknown',
    block: null,
    stored: [],
    seen: [],
    restartedAt: null,
    ...fields,
  };
}

function sampleRun(fields: Partial<StoredRun> = {}): StoredRun {
  return {
    id: 'r1',
    target: { kind: 'endpoint', endpointId: 'chain-transactions', params: { chainId: '43114' } },
    baseUrl: 'http://127.0.0.1:1/v0',
    headerNames: ['x-key'],
    searchText: 'latest transactions of a chain chain-transactions 43114',
    state: 'running',
    startedAtMs: 100,
    fetched: null,
    pageCount: 0,
    rowCount: null,
    byteLength: 0,
    hasMore: false,
    error: null,
    walk: sampleWalk(),
    ...fields,
  };
}

function samplePage(fields: Partial<StoredRunPage> = {}): StoredRunPage {
  return {
    index: 0,
    rawText: '{"value":123456789012345678901234567890,"text":"😀\\u0000"}',
    fetchedAtMs: 150,
    httpStatus: 200,
    durationMs: 12,
    byteLength: 60,
    notes: ['odd'],
    repeatedRows: [0, 2],
    ...fields,
  };
}

function sampleAttempt(fields: Partial<Attempt> = {}): Attempt {
  return {
    runId: 'r1',
    atMs: 120,
    durationMs: 30,
    httpStatus: 200,
    byteLength: 60,
    rowCount: 3,
    outcome: 'ok',
    pageToken: null,
    nextPageToken: 'a\u0000b',
    ...fields,
  };
}

const every: RunQuery = {
  ...{ words: [], without: [], states: [], asked: null, fromMs: null, beforeMs: null },
  ...{ offset: 0, limit: 10 },
};

describe.each(backends)('a run that cannot be read, over $name', ({ name }) => {
  it.each([
    ['no JSON', `'{"id":'`],
    ['another state', `json_set(run_json, '$.state', 'odd')`],
  ])('(%s) leaves out that one alone', (_what, damaged) => {
    const database = openMemoryDatabase([name]);
    const runs = createRunStore(database);
    for (const id of ['a', 'b', 'c', 'd']) runs.create(sampleRun({ id }));
    database.transaction((writer) => writer.exec(`UPDATE run SET run_json = ${damaged} WHERE run_id = 'c'`));
    runs.settleRunning();
    for (const filter of [{}, { states: ['partial'] as const }, { asked: 'chain-transactions' }]) {
      const list = (offset: number) => {
        const found = runs.list({
          ...every,
          ...filter,
          states: [...(filter.states ?? [])],
          offset,
          limit: 2,
        });
        return [found.totalCount, ...found.runs.map(({ id }) => id)];
      };
      expect([list(0), list(2)]).toEqual([
        [3, 'd', 'b'],
        [3, 'a'],
      ]);
    }
    expect(runs.list(every).unreadableCount).toBe(1);
  });
});

describe.each(backends)('runs over $name', ({ open }) => {
  let stores: StorePorts;
  beforeEach(() => {
    stores = open();
  });

  it('reads a run of 0.2.0 that ended with a rate limit, whose wait is over', async () => {
    const { runs } = stores;
    // The form of that version, which the type does not have any more.
    const error = { code: 'rate-limited', message: 'Too many.', retryAfterMs: 5 } as unknown as AppError;
    await runs.create(sampleRun({ state: 'failed', error }));
    expect((await runs.read('r1'))?.error).toMatchObject({ code: 'rate-limited', retryAtMs: 0 });
  });

  it('gives back a run with its page and attempts, exactly', async () => {
    const { runs } = stores;
    await runs.create(sampleRun());
    expect(await runs.read('r1')).toEqual(sampleRun());
    const later = sampleRun({
      state: 'failed',
      fetched: { fromMs: 130, toMs: 150 },
      pageCount: 1,
      rowCount: 3,
      byteLength: 60,
      hasMore: true,
      error: { code: 'rate-limited', message: 'Too many.', retryAtMs: 5 },
      walk: sampleWalk({ nextToken: 'a\u0000', range: { endBlock: '5' }, stored: [['__proto__', 2]] }),
    });
    const failed = sampleAttempt({
      httpStatus: null,
      outcome: 'timeout',
      pageToken: 't',
      nextPageToken: null,
    });
    await runs.save(later, [samplePage()], [sampleAttempt(), failed]);
    expect(await runs.read('r1')).toEqual(later);
    expect(await runs.readPage('r1', 0)).toEqual(samplePage());
    expect(await runs.readPage('r1', 1)).toBeNull();
    expect(await runs.readAttempts('r1')).toEqual([sampleAttempt(), failed]);
  });

  it('keeps a query of a node', async () => {
    const target = { kind: 'node', nodeId: 'n', callId: 'get-health', tags: ['a', 'b'] } as const;
    await stores.runs.create(sampleRun({ target: { ...target, tags: [...target.tags] } }));
    expect((await stores.runs.read('r1'))?.target).toEqual(target);
  });

  it('saves all of it or nothing', async () => {
    const { runs } = stores;
    await runs.create(sampleRun());
    const wrong = [
      [samplePage({ index: 1 })],
      [samplePage(), samplePage({ index: 2 })],
      [samplePage(), samplePage()],
    ];
    for (const pages of wrong) {
      await storageMessage(
        runs.save(sampleRun({ pageCount: 1, state: 'complete' }), pages, [sampleAttempt()]),
      );
      expect(await runs.read('r1')).toEqual(sampleRun());
      for (const index of [0, 1, 2]) expect(await runs.readPage('r1', index)).toBeNull();
      expect(await runs.readAttempts('r1')).toEqual([]);
    }
  });

  it('takes several pages at once, after those stored before', async () => {
    const { runs } = stores;
    await runs.create(sampleRun());
    await runs.save(sampleRun({ pageCount: 1 }), [samplePage()], []);
    const pages = [
      samplePage({ index: 1, rawText: '{"b":2}' }),
      samplePage({ index: 2, rawText: '{"c":3}' }),
    ];
    await runs.save(sampleRun({ pageCount: 3 }), pages, [sampleAttempt(), sampleAttempt()]);
    expect((await runs.read('r1'))?.pageCount).toBe(3);
    expect(await runs.readPage('r1', 1)).toEqual(pages[0]);
    expect(await runs.readPage('r1', 2)).toEqual(pages[1]);
    expect(await runs.readAttempts('r1')).toHaveLength(2);
  });

  it('does not bring back a run that was removed, and forgets its pages and attempts', async () => {
    const { runs } = stores;
    await runs.create(sampleRun());
    await runs.save(sampleRun({ pageCount: 1 }), [samplePage()], [sampleAttempt()]);
    await runs.remove('r1');
    expect(await storageMessage(runs.save(sampleRun(), [], []))).toContain('removed');
    expect(await runs.read('r1')).toBeNull();
    expect(await runs.readPage('r1', 0)).toBeNull();
    expect(await runs.readAttempts('r1')).toEqual([]);
  });

  const find = async (query: Partial<RunQuery>) => {
    const found = await stores.runs.list({ ...every, ...query });
    expect(found.totalCount).toBe(found.runs.length);
    return found.runs.map(({ id }) => id);
  };

  it('lists the newest first, from any place on, runs of one moment included', async () => {
    const { runs } = stores;
    const times = [5, 9, 5, 7, 5];
    for (const [i, startedAtMs] of times.entries())
      await runs.create(sampleRun({ id: `r${i}`, startedAtMs }));
    const seen: string[] = [];
    for (const offset of [0, 2, 4, 6]) {
      const page = await runs.list({ ...every, offset, limit: 2 });
      expect(page.totalCount).toBe(5);
      seen.push(...page.runs.map(({ id }) => id));
    }
    expect(seen).toEqual(['r1', 'r3', 'r4', 'r2', 'r0']);
  });

  it('finds runs that hold every word in one of its forms', async () => {
    const { runs } = stores;
    const shortened = 'transactions of a chain\nchain\n43114\n0xabcdef99\n100%';
    await runs.create(sampleRun({ id: 'a', searchText: shortened, state: 'failed' }));
    await runs.create(
      sampleRun({ id: 'b', searchText: 'transactions of an address\n43114', baseUrl: 'https://b.example/x' }),
    );
    const words = (...all: string[]) => find({ words: all.map((word) => [word]) });
    expect(await words('43114')).toEqual(['b', 'a']);
    expect(await words('chain', '43114')).toEqual(['a']);
    expect(await words('0%')).toEqual(['a']);
    expect(await words('_')).toEqual([]);
    expect(await words('\\')).toEqual([]);
    expect(await words('failed')).toEqual(['a']);
    expect(await words('b.example')).toEqual(['b']);
    expect(await words('\n0xab…99\n')).toEqual(['a']);
    expect(await find({ words: [['nothing', '\n43114\n']] })).toEqual(['b', 'a']);
    expect(await find({ words: [['nothing', '\n4311\n']] })).toEqual([]);
    expect(await find({ without: ['b'] })).toEqual(['a']);
  });

  it('finds runs by state, by what was asked and by when that was', async () => {
    const { runs } = stores;
    const target = { kind: 'node', nodeId: 'n', callId: 'get-health', tags: [] } as const;
    await runs.create(sampleRun({ id: 'a', startedAtMs: 100, state: 'failed' }));
    await runs.create(
      sampleRun({ id: 'b', startedAtMs: 200, state: 'complete', target: { ...target, tags: [] } }),
    );
    expect(await find({ states: ['failed', 'partial'] })).toEqual(['a']);
    expect(await find({ asked: 'get-health' })).toEqual(['b']);
    expect(await find({ asked: 'chain-transactions' })).toEqual(['a']);
    expect(await find({ fromMs: 200 })).toEqual(['b']);
    expect(await find({ beforeMs: 200 })).toEqual(['a']);
    expect(await find({ fromMs: 101, beforeMs: 200 })).toEqual([]);
  });

  it('calls a run partial that was being fetched when the app ended', async () => {
    const { runs } = stores;
    await runs.create(sampleRun({ id: 'a' }));
    await runs.create(sampleRun({ id: 'b', state: 'failed' }));
    await runs.settleRunning();
    expect((await runs.read('a'))?.state).toBe('partial');
    expect(await find({ words: [['partial']] })).toEqual(['a']);
    expect(await find({ words: [['running']] })).toEqual([]);
    expect((await runs.read('b'))?.state).toBe('failed');
  });
});
