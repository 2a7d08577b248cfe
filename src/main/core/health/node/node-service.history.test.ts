import { describe, expect, it } from 'vitest';
import type { HealthStore } from '../../health-ports.ts';
import type { Strip } from '../../../../shared/health/types.ts';
import { unwrap } from '../../../../shared/errors.ts';
import { jsonAnswer } from '../testing/fake-ports.ts';
import { backends } from '../../../adapters/storage/testing/backends.ts';
import {
  createFakeNode,
  createServiceWorld,
  nodeFields,
  type ServiceWorld,
} from '../testing/service-world.ts';

const url = 'http://127.0.0.1:9650';
const startMs = 1_700_000_000_000;
const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Asks a paused node once a day: a year of liveness in between would take a minute. */
async function askDaily({ time, service }: ServiceWorld, id: string, days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    void service.poll(id);
    await time.advance(dayMs);
  }
}

/** How many of the last 500 days have a poll. */
async function daysKept(store: HealthStore, nodeId: string, nowMs: number): Promise<number> {
  const cells = await store.readCells(nodeId, nowMs - 500 * dayMs, dayMs, 500);
  return new Set(cells.filter(({ check }) => check === null).map(({ cell }) => cell)).size;
}

const drawn = (strips: readonly Strip[]): Record<string, string> =>
  Object.fromEntries(
    strips.map(({ check, cells }) => [check ?? 'node', cells.map(({ state }) => state.charAt(0)).join('')]),
  );

describe.each(backends)('in $name', ({ name, open }) => {
  const createWorld = (): Promise<ServiceWorld> => createServiceWorld(open().health);

  it('of a paused node that is asked once a day, only minutes of each day are known', async () => {
    const { time, http, service, past, ...world } = await createWorld();
    http.serve(url, createFakeNode(time, ['C']).server);
    const { id } = await world.add(url, 30_000, { paused: true });
    await askDaily({ time, http, service, past, ...world }, id, 4);
    const toMs = startMs + 4 * dayMs;
    const [node] = unwrap(await past.uptime({ id, fromMs: startMs, toMs }));
    expect(node?.upMs).toBeGreaterThanOrEqual(4 * 2 * minuteMs);
    expect(node?.upMs).toBeLessThan(4 * 3 * minuteMs);
  });

  it('marks the first poll after a start, after a time in which nobody looked, and after the clock was set', async () => {
    const { time, http, service, ...world } = await createWorld();
    http.serve(url, createFakeNode(time, ['C']).server);
    const marks: boolean[] = [];
    service.onPoll(({ isFirst = false }) => marks.push(isFirst));
    const last = (): boolean | undefined => marks.at(-1);
    await world.add(url, 30_000);
    await time.advance(1_000);
    expect(marks).toEqual([true]);
    await time.advance(2 * minuteMs);
    expect(marks.slice(1)).not.toContain(true);
    time.stepClock(60 * minuteMs);
    const count = marks.length;
    while (marks.length === count) await time.advance(1_000);
    expect(last()).toBe(true);
    service.suspend();
    await time.advance(30 * minuteMs);
    service.resume();
    await time.advance(1_000);
    expect(last()).toBe(true);
  });

  describe('strips', () => {
    it('show ten minutes of a node, blind spots and the future included', async () => {
      const { time, http, service, past, ...world } = await createWorld();
      const node = createFakeNode(time, ['C', 'P']);
      http.serve(url, node.server);
      const { id } = await world.add(url, 20_000);
      // The node's checks run 10 s, 40 s, 70 s … after the start.
      await time.advance(135_000);
      node.failing.add('C');
      await time.advance(100_000);
      node.failing.delete('C');
      http.serve(url, () => 'hang');
      await time.advance(120_000);
      service.suspend();
      await time.advance(126_000);
      http.serve(url, node.server);
      service.resume();
      await time.advance(58_000);

      const strips = unwrap(
        await past.strips({
          id,
          fromMs: startMs,
          toMs: startMs + 10 * minuteMs,
          cellCount: 10,
          limit: 1_000,
        }),
      );
      // In the eighth minute nobody asked, but the node told afterwards of its run in it.
      expect(drawn(strips)).toEqual({ node: 'ppffuunnpn', C: 'ppffuunppn', P: 'ppppuunppn' });
      expect(strips[1]?.cells[2]).toMatchObject({
        fromMs: startMs + 2 * minuteMs,
        toMs: startMs + 3 * minuteMs,
        runs: 2,
        failures: 2,
        error: 'C is down',
      });
      expect(strips[2]?.cells[4]).toMatchObject({ runs: 0, error: 'The node didn’t respond in time.' });
    });

    it('have the checks of the last report even where nothing is stored', async () => {
      const { time, http, service, past, ...world } = await createWorld();
      http.serve(url, createFakeNode(time, ['C']).server);
      const { id } = await world.add(url);
      await time.advance(1_000);
      const query = { id, fromMs: 0, toMs: 1_000, cellCount: 2, limit: 1_000 };
      expect(drawn(unwrap(await past.strips(query)))).toEqual({ node: 'nn', C: 'nn' });
    });

    it('cover their span in whole milliseconds', async () => {
      const { past, ...world } = await createWorld();
      const { id } = await world.add(url);
      const strips = unwrap(await past.strips({ id, fromMs: 10.5, toMs: 20, cellCount: 3, limit: 1_000 }));
      expect(strips[0]?.cells.map(({ fromMs, toMs }) => [fromMs, toMs])).toEqual([
        [10, 14],
        [14, 18],
        [18, 22],
      ]);
    });

    it.each([
      [{ fromMs: 5, toMs: 5, cellCount: 1, limit: 1_000 }],
      [{ fromMs: 6, toMs: 5, cellCount: 1, limit: 1_000 }],
      [{ fromMs: 0, toMs: Number.NaN, cellCount: 1, limit: 1_000 }],
    ])('refuse %j', async (span) => {
      const { past, ...world } = await createWorld();
      const { id } = await world.add(url);
      expect(await past.strips({ id, ...span })).toMatchObject({
        ok: false,
        error: { code: 'invalid-params' },
      });
    });
  });

  describe('history', () => {
    it('survives a restart: the last report is shown, failures go on, and what ended meanwhile ends', async () => {
      const world = await createWorld();
      const { time, http } = world;
      const node = createFakeNode(time, ['C', 'P']);
      http.serve(url, node.server);
      const { id } = await world.add(url, 20_000);
      await time.advance(minuteMs);
      node.failing.add('C').add('P');
      await time.advance(minuteMs);
      await world.restart();
      expect(world.status(id)).toMatchObject({
        state: 'unknown',
        reason: 'The app hasn’t polled this node yet.',
        report: { healthy: false, checks: [{ name: 'C', state: 'fail' }, { name: 'P' }] },
        reportAtMs: startMs + 100_200,
        lastPollAtMs: startMs + 100_200,
        polling: true,
      });
      node.failing.delete('P');
      await time.advance(minuteMs);
      const episodes = unwrap(await world.past.episodes({ id, check: null, limit: 10 }));
      expect(episodes).toHaveLength(2);
      expect(episodes.find(({ check }) => check === 'C')).toEqual({
        id: 'id-2',
        check: 'C',
        startedAtMs: startMs + 70_000,
        startKnownFrom: 'seen',
        endedAtMs: null,
        endKnownFrom: null,
        failuresSeen: 4,
        failuresReported: 4,
        firstError: 'C is down',
        lastError: 'C is down',
        passes: 0,
      });
      expect(episodes.find(({ check }) => check === 'P')).toMatchObject({ endKnownFrom: 'seen' });
      expect(unwrap(await world.past.episodes({ id, check: 'P', limit: 10 }))).toHaveLength(1);
      expect(unwrap(await world.past.episodes({ id, check: null, limit: 1 }))).toHaveLength(1);
    });

    it('has each run once, although the node is polled more often than it runs', async () => {
      const world = await createWorld();
      world.http.serve(url, createFakeNode(world.time, ['C']).server);
      await world.add(url, 15_000);
      await world.time.advance(5 * minuteMs);
      await world.restart();
      await world.time.advance(5 * minuteMs);
      const times = world.store.recorded.flatMap(({ runs }) => runs.map(({ ranAtMs }) => ranAtMs));
      expect(new Set(times).size).toBe(times.length);
      expect(times).toHaveLength(21);
    });

    it('goes on as the store knows it after writes that failed', async () => {
      const world = await createWorld();
      const { time, http, store, log } = world;
      const node = createFakeNode(time, ['C']);
      http.serve(url, node.server);
      const { id } = await world.add(url);
      node.failing.add('C');
      await time.advance(minuteMs);
      node.failing.delete('C');
      store.fail(true);
      await time.advance(minuteMs);
      expect(world.status(id).state).toBe('healthy');
      expect(log.entries.filter(({ event }) => event === 'node.record').length).toBeGreaterThanOrEqual(1);
      expect(await world.past.episodes({ id, check: null, limit: 1 })).toMatchObject({
        ok: false,
        error: { code: 'storage' },
      });
      store.fail(false);
      await time.advance(minuteMs);
      const episodes = unwrap(await world.past.episodes({ id, check: null, limit: 10 }));
      expect(episodes).toMatchObject([{ check: 'C', endKnownFrom: 'seen' }]);
    });

    it('is not begun anew when it cannot be read at first', async () => {
      const world = await createWorld();
      const { time, http, store } = world;
      const node = createFakeNode(time, ['C']);
      http.serve(url, node.server);
      const { id } = await world.add(url);
      node.failing.add('C');
      await time.advance(minuteMs);
      store.replace({ currentEpisodes: () => Promise.reject(new Error('busy')) });
      await world.restart();
      await time.advance(minuteMs);
      // Seen, but not recorded as if nothing had been before.
      expect(world.status(id)).toMatchObject({ state: 'unhealthy', nodeId: 'NodeID-1' });
      store.replace({});
      await time.advance(minuteMs);
      expect(unwrap(await world.past.episodes({ id, check: null, limit: 10 }))).toHaveLength(1);
    });

    it('says so when the stored report cannot be read, and goes on', async () => {
      const world = await createWorld();
      const { time, http, store, log } = world;
      http.serve(url, createFakeNode(time, ['C']).server);
      const { id } = await world.add(url);
      await time.advance(1_000);
      const { poll } = await store.port.latest(id);
      if (poll === null) throw new Error('nothing stored');
      const broken = { ...poll, reportJson: '{"healthy":' };
      store.replace({ latest: () => Promise.resolve({ poll: broken, lastReport: broken }) });
      await world.restart();
      expect(world.status(id)).toMatchObject({ report: null, reportAtMs: null, nodeId: 'NodeID-1' });
      expect(log.entries).toContainEqual({ level: 'warn', event: 'node.stored-report-unreadable' });
      await time.advance(1_000);
      expect(world.status(id).state).toBe('healthy');
    });

    // Once is enough: what each store forgets is tested with the stores.
    if (name === 'node:sqlite')
      it('is kept for a year, although old data could not be forgotten for a day', async () => {
        const world = await createWorld();
        const { time, http, store, log } = world;
        http.serve(url, createFakeNode(time, ['C']).server);
        const { id } = await world.add(url, null, { paused: true });
        await askDaily(world, id, 1);
        store.fail(true);
        await askDaily(world, id, 1);
        store.fail(false);
        await askDaily(world, id, 400);
        expect(log.entries.map(({ event }) => event)).toContain('node.maintain');
        // Old polls are forgotten once a day, so there may be one too many.
        expect([365, 366]).toContain(await daysKept(store.port, id, time.clock.nowMs()));
      });
  });

  describe('the store', () => {
    it('that cannot be read at the start is told to whoever starts', async () => {
      const { service, store } = await createWorld();
      store.fail(true);
      expect(await service.start()).toMatchObject({ error: { code: 'storage' } });
    });

    it('that refuses a change leaves all as it was', async () => {
      const world = await createWorld();
      const { time, http, service, store } = world;
      http.serve(url, createFakeNode(time, ['C']).server);
      const { id } = await world.add(url);
      await time.advance(1_000);
      store.fail(true);
      const fields = nodeFields('http://other', 60_000);
      const refused = [await service.add(fields), await service.update({ ...fields, id })];
      for (const result of refused) expect(result).toMatchObject({ ok: false, error: { code: 'storage' } });
      store.fail(false);
      await time.advance(minuteMs);
      expect(service.list().map(({ node }) => node.url)).toEqual([url]);
      expect(world.status(id).lastPollAtMs).toBeGreaterThan(startMs + 30_000);
    });
  });

  describe('a hostile node', () => {
    it('with 5,000 checks that change all the time is stored and drawn', async () => {
      const { time, http, past, store, ...world } = await createWorld();
      let round = 0;
      http.serve(url, () => {
        round += 1;
        const checks = Object.fromEntries(
          Array.from({ length: 5_000 }, (_, index) => [`c${index}`, round % 2 === 0 ? { error: 'x' } : {}]),
        );
        return jsonAnswer(503, { checks, healthy: false });
      });
      const { id } = await world.add(url);
      await time.advance(1_000);
      expect(store.recorded[0]?.runs).toHaveLength(5_000);
      expect(world.status(id).reason).toBe(
        'The node reports that it’s unhealthy, although all 5000 checks pass.',
      );
      const strips = unwrap(
        await past.strips({ id, fromMs: startMs, toMs: startMs + minuteMs, cellCount: 60, limit: 6_000 }),
      );
      expect(strips).toHaveLength(5_001);
    });
  });
});
