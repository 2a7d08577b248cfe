import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { everything } from '../../../../shared/activity/filter.ts';
import type { StoredAnswer } from '../../../core/ports.ts';
import type { StorageStatus } from '../../../../shared/ipc/answers.ts';
import type { DriverName } from '../sqlite/driver.ts';
import { openStore, type OpenedStore, type OpenStoreOptions } from './open-store.ts';
import { withNoise } from '../testing/noise.ts';
import { createErrorLog, createManualTimers, fixedClock } from '../testing/ports.ts';
import {
  sampleAddress,
  sampleNode,
  samplePage,
  samplePoll,
  sampleRow,
  storageMessage,
  storedRow,
} from '../testing/sample-data.ts';
import { workerUrl } from '../testing/worker-url.ts';

const driverNames: DriverName[] = ['node:sqlite', 'libsql'];
const nowMs = Date.UTC(2026, 2, 1, 14, 5, 9);
const dayMs = 86_400_000;
const hourMs = 3_600_000;

describe.each(driverNames)('the store in its thread, with %s', (name) => {
  let root: string;
  let directory: string;
  const stores: OpenedStore[] = [];

  const open = async (options: Partial<OpenStoreOptions> = {}) => {
    const timers = createManualTimers();
    const { log, events } = createErrorLog();
    const store = await openStore({
      directory,
      workerUrl,
      clock: fixedClock(nowMs),
      timers,
      log,
      drivers: [name],
      busyTimeoutMs: 0,
      ...options,
    });
    stores.push(store);
    return { store, timers, events };
  };

  const answer = (key: string): StoredAnswer => ({
    key,
    endpointId: 'e',
    paramsJson: '{}',
    bodyText: key.repeat(400),
    fetchedAtMs: 1,
  });

  const nextStatus = (store: OpenedStore) =>
    new Promise<StorageStatus>((resolve) => {
      const stop = store.onStatus((status) => {
        stop();
        resolve(status);
      });
    });

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'watchkeeper-store-'));
    directory = join(root, 'data');
  });

  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
    rmSync(root, { recursive: true });
  });

  const backupPath = () => join(directory, 'store.backup.sqlite');

  it('keeps what was stored over a restart', async () => {
    const { store } = await open();
    expect(store.status).toEqual({ state: 'ready', notKept: false, notices: [] });
    await store.answers.write(answer('a'));
    await store.watchlist.put(sampleAddress());
    const row = sampleRow({ blockNumber: 2n ** 60n + 1n });
    await store.activity.savePage(samplePage({ rows: [row] }));
    await store.health.putNode(sampleNode());
    await store.health.recordPoll(samplePoll());
    await store.close();

    const { store: again } = await open();
    expect(await again.answers.read('a')).toEqual(answer('a'));
    expect(await again.watchlist.list()).toHaveLength(1);
    const { rows } = await again.activity.readRows({
      filter: everything,
      offset: 0,
      anchor: null,
      limit: 10,
    });
    expect(rows.map(storedRow)).toEqual([row]);
    expect((await again.health.latest('n1')).poll).toEqual(samplePoll());
  });

  it('finishes what was begun before it is closed, and nothing after', async () => {
    const { store } = await open();
    // Its index would be dropped five minutes later, which nobody waits for.
    await store.activity.prepare();
    const writes = Array.from({ length: 200 }, (_value, n) => store.answers.write(answer(String(n))));
    const closing = store.close();
    expect(await storageMessage(store.answers.write(answer('late')))).toMatch(/closed/);
    await Promise.all(writes);
    await closing;
    await store.close();
    expect(await storageMessage(store.backup())).toMatch(/no local store/);
    const { store: again } = await open();
    expect(await again.answers.read('199')).toEqual(answer('199'));
    expect(await again.answers.read('late')).toBeNull();
  });

  it('lets one of two owners have the store; the other one goes on in memory', async () => {
    const { store: first } = await open();
    const { store: second } = await open();
    expect(second.status).toEqual({
      state: 'memory',
      notKept: false,
      notices: [expect.stringMatching(/another program/)],
    });
    await Promise.all([first.answers.write(answer('a')), second.answers.write(answer('b'))]);
    expect(await first.answers.read('b')).toBeNull();
    expect(await second.answers.read('b')).toEqual(answer('b'));
    await first.close();
    const { store: third } = await open();
    expect(third.status.state).toBe('ready');
    expect(await third.answers.read('a')).toEqual(answer('a'));
  });

  it('makes backups on demand, one at a time, and works on meanwhile', async () => {
    const { store } = await open();
    await store.answers.write(answer('a'));
    const both = [store.backup(), store.backup()] as const;
    expect(both[0]).toBe(both[1]);
    await store.answers.write(answer('b'));
    await both[0];
    expect(statSync(backupPath()).mtimeMs).toBe(nowMs);
    await store.close();
    writeFileSync(join(directory, 'store.sqlite'), 'noise');
    const { store: again } = await open();
    expect(again.status.notices).toEqual([expect.stringMatching(/backup of 2026-03-01 14:05 UTC/)]);
    expect(await again.answers.read('a')).toEqual(answer('a'));
  });

  it('tells of damage that shows at work, and sets the store aside at the next start', async () => {
    const { store } = await open();
    // More than half of the file, so that the layout itself is whole.
    for (let n = 0; n < 200; n += 1) {
      await store.answers.write({ ...answer(String(n)), bodyText: 'x'.repeat(10_000) });
    }
    await store.close();
    const path = join(directory, 'store.sqlite');
    const bytes = readFileSync(path);
    writeFileSync(path, withNoise(bytes, bytes.length / 2, bytes.length / 2, 1));

    // Too large to be checked as a whole at the start.
    const { store: damaged } = await open({ thoroughUpToBytes: 0 });
    expect(damaged.status).toEqual({ state: 'ready', notKept: false, notices: [] });
    const told = nextStatus(damaged);
    expect(await storageMessage(damaged.answers.read('199'))).toMatch(/damaged/);
    expect((await told).notices).toEqual([expect.stringMatching(/damaged.*checks it at the next start/s)]);
    await damaged.close();

    const { store: next } = await open({ thoroughUpToBytes: 0 });
    expect(next.status).toEqual({
      state: 'ready',
      notKept: false,
      notices: [expect.stringMatching(/set aside as/)],
    });
    expect(readdirSync(directory).filter((file) => file.startsWith('store.corrupt'))).toHaveLength(1);
    expect(await next.answers.read('199')).toBeNull();
  });

  /** The worker, with a few lines before it. */
  const workerWith = (lines: string): URL => {
    const path = join(root, 'changed.mjs');
    const imports = `import { parentPort, workerData } from 'node:worker_threads';`;
    writeFileSync(path, `${imports}\n${lines}\nawait import(${JSON.stringify(workerUrl.href)});`);
    return pathToFileURL(path);
  };

  /** The worker, made to end when it is asked for a certain answer. */
  const fragileWorker = (how: string): URL =>
    workerWith(`parentPort.on('message', (request) => { if (request.args?.[0] === 'crash') ${how}; });`);

  it.each([
    ['throws', `{ parentPort.postMessage = () => {}; throw new Error('out of luck'); }`, /out of luck/],
    ['exits', 'process.exit(3)', /ended by itself/],
  ])(
    'a thread that %s rejects what is under way, is started again and tells so',
    async (_how, how, reason) => {
      const { store, events } = await open({ workerUrl: fragileWorker(how) });
      await store.answers.write(answer('a'));
      const told = nextStatus(store);
      const crash = store.answers.read('crash');
      const after = store.answers.read('a');
      expect(await storageMessage(crash)).toMatch(reason);
      expect(await storageMessage(after)).toMatch(reason);
      expect(await told).toEqual({
        state: 'ready',
        notKept: false,
        notices: [expect.stringMatching(/was restarted/)],
      });
      expect(events).toEqual(['storage.thread-lost']);
      expect(await store.answers.read('a')).toEqual(answer('a'));
    },
  );

  // All else is alike for both drivers.
  if (name === 'libsql') return;

  it('tells a failure in words and works on', async () => {
    const { store, events } = await open();
    const page = store.activity.savePage(samplePage());
    expect(await storageMessage(page)).toBe('This was removed in the meantime, so nothing is stored for it.');
    const hostile = { ...answer('a'), fetchedAtMs: 2 ** 60 };
    expect(await storageMessage(store.answers.write(hostile))).toMatch(/refused the data/);
    expect(events).toEqual([]);
    // @ts-expect-error -- what no caller of ours does
    expect(await storageMessage(store.answers.write(null))).toMatch(/failed unexpectedly/);
    expect(events).toEqual(['storage.defect']);
    // @ts-expect-error -- what no caller of ours does
    expect(await storageMessage(store.answers.missing())).toMatch(/no method answers\.missing/);
    expect(await storageMessage(store.answers.constructor())).toMatch(/failed unexpectedly/);
    await store.answers.write(answer('a'));
    expect(await store.answers.read('a')).toEqual(answer('a'));
  });

  it('rejects what cannot be sent, and works on', async () => {
    const { store } = await open();
    // @ts-expect-error -- what no caller of ours does
    expect(await storageMessage(store.answers.read(() => null))).toMatch(/could not be cloned/);
    expect(await store.answers.read('a')).toBeNull();
  });

  it('is no promise', async () => {
    const { store } = await open();
    expect(await Promise.resolve(store.answers)).toBe(store.answers);
  });

  it('goes on in memory when its thread cannot begin with the files', async () => {
    const { store: before } = await open();
    await before.answers.write(answer('before'));
    await before.close();
    const { store, events } = await open({
      workerUrl: workerWith(`if (workerData.role === 'store') throw new Error('out of luck');`),
    });
    expect(store.status).toEqual({
      state: 'memory',
      notKept: false,
      notices: [
        expect.stringMatching(
          /can’t be used: out of luck\. New data is kept in memory only and will be lost/,
        ),
      ],
    });
    expect(events).toEqual(['storage.no-thread']);
    await store.answers.write(answer('a'));
    expect(await store.answers.read('a')).toEqual(answer('a'));
    await store.health.putNode(sampleNode());
    await store.health.recordPoll(samplePoll());
    expect((await store.health.latest('n1')).poll).toEqual(samplePoll());
    expect(await storageMessage(store.backup())).toMatch(/no local store/);
    await store.close();
    // What was stored before is as it was.
    const { store: again } = await open();
    expect(await again.answers.read('before')).toEqual(answer('before'));
    expect(await again.answers.read('a')).toBeNull();
  });

  it('says that nothing works where there is no SQLite at all', async () => {
    const { store, events } = await open({ drivers: [] });
    expect(store.status).toEqual({
      state: 'failed',
      notKept: false,
      notices: [expect.stringMatching(/no SQLite.*Nothing can be shown or stored/s)],
    });
    expect(events).toEqual(['storage.no-thread', 'storage.no-thread']);
    expect(await storageMessage(store.answers.read('a'))).toMatch(/no SQLite/);
  });

  describe('a thread that ends by itself', () => {
    it('is not started again where it kept everything in memory, and says that it is lost', async () => {
      const { store: first } = await open();
      const { store: second } = await open({ workerUrl: fragileWorker('process.exit(3)') });
      expect(second.status.state).toBe('memory');
      await second.answers.write(answer('a'));
      const told = nextStatus(second);
      await storageMessage(second.answers.read('crash'));
      expect(await told).toEqual({
        state: 'failed',
        notKept: false,
        notices: [expect.stringMatching(/in memory only is lost.*restart the app/)],
      });
      await first.close();
    });

    it('is started again three times within an hour, and no more', async () => {
      let timeMs = nowMs;
      const clock = { nowMs: () => nowMs, monotonicMs: () => timeMs };
      const { store } = await open({ workerUrl: fragileWorker('process.exit(3)'), clock });
      const crash = async () => {
        const told = nextStatus(store);
        await storageMessage(store.answers.read('crash'));
        return (await told).state;
      };
      expect(await crash()).toBe('ready');
      timeMs += 3_500_000;
      expect(await crash()).toBe('ready');
      expect(await crash()).toBe('ready');
      // The first one is more than an hour ago.
      timeMs += 200_000;
      expect(await crash()).toBe('ready');
      expect(await crash()).toBe('failed');
      expect(store.status.notices).toEqual([expect.stringMatching(/it is not restarted/)]);
      expect(await storageMessage(store.answers.read('a'))).toMatch(/it is not restarted/);
    });
  });

  describe('backups', () => {
    it.each([
      ['in the first minute without one', null, 60_000],
      ['at the end of a day after the last one', -dayMs + 600_000, 600_000],
      ['soon when the last one is old', -3 * dayMs, 60_000],
      ['soon when the clock was set back', dayMs, 60_000],
    ])('come %s', async (_when, lastBackup, dueInMs) => {
      if (lastBackup !== null) {
        const { store } = await open({ clock: fixedClock(nowMs + lastBackup) });
        await store.backup();
        await store.close();
      }
      const { timers } = await open();
      expect(timers.delaysMs).toEqual([dueInMs]);
    });

    it('come again every day', async () => {
      const { store, timers } = await open();
      const told = nextStatus(store);
      timers.fire();
      await told;
      expect(statSync(backupPath()).mtimeMs).toBe(nowMs);
      expect(timers.delaysMs).toEqual([hourMs]);
      await store.close();
      expect(timers.delaysMs).toEqual([]);
    });

    it('never take the place of one that holds far more', async () => {
      const { store } = await open();
      const fill = async (bytes: number): Promise<void> => {
        await store.health.putNode(sampleNode());
        await store.health.recordPoll(samplePoll({ reportJson: JSON.stringify('x'.repeat(bytes)) }));
      };
      const kept = () => readdirSync(directory).filter((file) => file.startsWith('store.backup'));
      const sizeOf = (file: string): number => statSync(join(directory, file)).size;
      await fill(4_000_000);
      await store.backup();
      const fullSize = sizeOf('store.backup.sqlite');
      await store.health.removeNode('n1');
      await store.backup();
      expect(kept()).toEqual(['store.backup.larger.sqlite', 'store.backup.sqlite']);
      expect(sizeOf('store.backup.larger.sqlite')).toBe(fullSize);
      expect(sizeOf('store.backup.sqlite')).toBeLessThan(fullSize / 2);
      expect(store.status.notices).toEqual([expect.stringMatching(/store\.backup\.larger\.sqlite/)]);
      // Nor does one of some size, from a store that shrinks again.
      await fill(1_200_000);
      await store.backup();
      expect(sizeOf('store.backup.sqlite')).toBeGreaterThan(1_200_000);
      await store.health.removeNode('n1');
      await store.backup();
      expect(sizeOf('store.backup.larger.sqlite')).toBe(fullSize);
      await fill(4_000_000);
      await store.backup();
      expect(kept()).toEqual(['store.backup.sqlite']);
      expect(store.status.notices).toEqual([]);
    });

    it('that fail are told until one succeeds', async () => {
      const { store, timers, events } = await open();
      mkdirSync(backupPath());
      const told = nextStatus(store);
      timers.fire();
      expect((await told).notices).toEqual([
        expect.stringMatching(/^The app couldn’t back up the local store/),
      ]);
      expect(events).toEqual(['storage.backup']);
      rmSync(backupPath(), { recursive: true });
      await store.backup();
      expect(store.status.notices).toEqual([]);
    });
  });
});
