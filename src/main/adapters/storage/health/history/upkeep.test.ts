import { beforeEach, describe, expect, it } from 'vitest';
import type { StoredEpisode } from '../../../../core/health-ports.ts';
import type { DriverName } from '../../sqlite/driver.ts';
import { sampleNode, samplePoll } from '../../testing/sample-data.ts';
import {
  createUpkeepWorld,
  dayMs,
  hourMs,
  run,
  startMs,
  untilDone,
  type UpkeepLimits,
} from '../../testing/upkeep-world.ts';
import { quarterMs } from './cell-counter.ts';

const driverNames: DriverName[] = ['node:sqlite', 'libsql'];

/** A failure of check C, after which it has passed so many times. */
const episodeAt = (id: string, startedAtMs: number, passes: number): StoredEpisode => ({
  id,
  check: 'C',
  startedAtMs,
  startKnownFrom: 'seen',
  endedAtMs: startedAtMs + 1,
  endKnownFrom: 'seen',
  failuresSeen: 1,
  failuresReported: null,
  firstError: null,
  lastError: null,
  passes,
});

describe.each(driverNames)('the upkeep of history, with %s', (name) => {
  let world: ReturnType<typeof createUpkeepWorld>;

  beforeEach(() => {
    world = createUpkeepWorld(name);
  });

  const health = () => world.health();
  const count = (what: Parameters<typeof world.count>[0]) => world.count(what);
  const record = (atMs: number) => world.record(atMs);
  const keepUp = (nowMs: number, limits: UpkeepLimits = {}) => world.keepUp(nowMs, limits);
  const episodesOf = (node: string): StoredEpisode[] => {
    const all: StoredEpisode[] = [];
    for (;;) {
      const page = health().readEpisodes(node, null, 1_000, all.at(-1));
      if (page.length === 0) return all;
      all.push(...page);
    }
  };

  it('counts failures, and lets the oldest that have ended go: too many, too large, or too old', () => {
    const episode = (at: number, endedAtMs: number | null): StoredEpisode => ({
      id: `e${at}`,
      check: at === 6 ? 'no longer there' : `flips ${at % 5_000}`,
      startedAtMs: startMs + at,
      startKnownFrom: 'seen',
      endedAtMs,
      endKnownFrom: endedAtMs === null ? null : 'seen',
      failuresSeen: 1,
      failuresReported: null,
      firstError: 'down',
      lastError: 'down',
      // Passes after the last one of a check are still counted, also of an old one.
      passes: at === 11_999 || at === 6 ? 1 : 20,
    });
    const add = (fromAt: number, toAt: number): void => {
      const episodes = Array.from({ length: toAt - fromAt }, (_, index) =>
        episode(fromAt + index, fromAt + index === 7 ? null : startMs + dayMs),
      );
      health().recordPoll(samplePoll({ polledAtMs: startMs + toAt, episodes }));
    };
    const left = () => episodesOf('n1').map(({ id }) => id);
    add(0, 12_000);
    expect(health().historyUse()[0]?.bytes).toBeGreaterThan(12_000 * 100);
    keepUp(startMs + hourMs);
    expect(left().length).toBeLessThanOrEqual(10_000);
    expect(left()).toContain('e11999');
    expect(left().slice(-2)).toEqual(['e7', 'e6']);
    keepUp(startMs + hourMs, { keepBytesPerNode: 1_000_000 });
    expect(health().historyUse()[0]?.bytes).toBeLessThanOrEqual(1_000_000);
    expect(left().length).toBeGreaterThan(100);
    keepUp(startMs + 6 * dayMs, { keepDays: 3 });
    // One that lasts stays, and those whose next pass would store them again.
    expect(left()).toEqual(['e11999', 'e7', 'e6']);
  });

  it('lets a failure of several episodes go as a whole, once the last of them is over and old', () => {
    const episode = (id: string, day: number, passes: number) => episodeAt(id, startMs + day * dayMs, passes);
    const left = () => episodesOf('n1').map(({ id }) => id);
    const keep = (day: number, recoverAfter: number) =>
      keepUp(startMs + day * dayMs, { keepDays: 3, recoverAfter });
    // With fewer than three passes in between, the first two are one failure.
    health().recordPoll(
      samplePoll({ episodes: [episode('a', 0, 2), episode('b', 2, 3), episode('c', 4, 19)] }),
    );
    keep(5, 3);
    expect(left()).toEqual(['c', 'b', 'a']);
    keep(7, 3);
    expect(left()).toEqual(['c']);
    // Passes after the last one are still counted.
    keep(20, 3);
    expect(left()).toEqual(['c']);
    health().recordPoll(samplePoll({ episodes: [episode('a', 0, 2), episode('b', 2, 3)] }));
    keep(5, 1);
    expect(left()).toEqual(['c', 'b']);
  });

  it('lets such a failure go as a whole where there is too much, however little a step may do', () => {
    // Each third one ends a failure.
    const episodes = Array.from({ length: 1_500 }, (_, at) =>
      episodeAt(`e${String(at).padStart(4, '0')}`, startMs + at * 1_000, at % 3 === 2 ? 9 : 1),
    );
    health().recordPoll(samplePoll({ episodes }));
    const bytes = health().historyUse()[0]?.bytes ?? 0;
    keepUp(startMs + hourMs, { keepBytesPerNode: bytes, recoverAfter: 2 });
    const left = episodesOf('n1');
    expect([left.length, left.at(-1)?.id]).toEqual([501, 'e0999']);
  });

  it('lets the oldest go of what nodes say of failures, where a thousand checks flip', () => {
    for (let round = 0; round < 4; round += 1) {
      const atMs = startMs + round * 120_000;
      const fails = { state: 'fail', contiguousFailures: 2, firstFailureAtMs: atMs - 30_000 } as const;
      const runs = Array.from({ length: 1_000 }, (_, index) => run(atMs, { ...fails, check: `c${index}` }));
      health().recordPoll(samplePoll({ polledAtMs: atMs, state: 'unhealthy', reportJson: null, runs }));
    }
    const claimed = () =>
      [0, 1, 2, 3].map((round) => {
        const endMs = startMs + round * 120_000;
        const sums = health().readUptime('n1', endMs - 30_000, endMs);
        return sums.filter(({ check, downMs }) => check !== null && downMs === 30_000).length;
      });
    expect(claimed()).toEqual([1_000, 1_000, 1_000, 1_000]);
    keepUp(startMs + hourMs, { keepBytesPerNode: 2_500_000 });
    expect(count('claims')).toBe(2_500);
    expect(claimed()).toEqual([0, expect.any(Number), 1_000, 1_000]);
  });

  it('has a bound where a failure lasts because its check never passes often enough, and keeps its beginning', () => {
    const episodes = Array.from({ length: 10_500 }, (_, at) =>
      episodeAt(`e${String(at).padStart(5, '0')}`, startMs + at * 60_000, 1),
    );
    health().recordPoll(samplePoll({ episodes }));
    expect(health().currentEpisodes('n1')).toHaveLength(1);
    keepUp(startMs + 8 * dayMs, { recoverAfter: 2 });
    keepUp(startMs + 8 * dayMs, { recoverAfter: 2, keepDays: 1 });
    const left = episodesOf('n1');
    expect(left.length).toBeLessThanOrEqual(10_000);
    expect([left.at(0)?.id, left.at(-1)?.id]).toEqual(['e10499', 'e00000']);
  });

  it('packs hours that are over, one at a time, and leaves the one that goes on', () => {
    const firstMs = startMs + hourMs;
    for (let at = 0; at < 180; at += 1) record(firstMs + at * 60_000);
    expect(
      health().maintain({
        nowMs: firstMs + 2.5 * hourMs,
        keepDays: 1,
        keepBytesPerNode: 1e9,
        recoverAfter: 1,
      }),
    ).toBe(true);
    expect([count('recent'), count('packed')]).toEqual([120, 1]);
    expect(keepUp(firstMs + 2.5 * hourMs)).toBe(1);
    expect([count('recent'), count('packed')]).toEqual([60, 2]);
    expect(health().historyUse()).toMatchObject([{ nodeId: 'n1', fromMs: firstMs, pollCount: 180 }]);
    expect(keepUp(firstMs + 2.5 * hourMs)).toBe(0);
  });

  it('packs no more at a time than a step may take', () => {
    for (let at = 0; at < 1_000; at += 1) record(startMs + at * 1_000);
    keepUp(startMs + 2 * hourMs);
    const polls = health().scanPolls('n1', 0, startMs + dayMs, 1_000);
    expect(polls).toHaveLength(1_000);
    expect(count('packed')).toBe(5);
  });

  it('packs no more bytes at a time than a step may take', () => {
    for (let at = 0; at < 6; at += 1) {
      // As good as chance, so that packing does not make it shorter.
      const noise = Array.from({ length: 60_000 }, (_, index) => Math.sin(index + 60_000 * at)).join();
      health().recordPoll(
        samplePoll({ polledAtMs: startMs + at * 1_000, reportJson: JSON.stringify({ noise }), runs: [] }),
      );
    }
    keepUp(startMs + hourMs);
    expect(count('recent')).toBe(0);
    expect(count('packed')).toBeGreaterThan(1);
    expect(count('packed')).toBeLessThan(6);
  });

  it('does for each node what there is to do, also where the others need nothing', () => {
    for (const id of ['n0', 'n2']) health().putNode(sampleNode({ id, name: id }));
    record(startMs);
    const episodes = Array.from({ length: 10_001 }, (_, at): StoredEpisode => ({
      id: `e${at}`,
      check: 'C',
      startedAtMs: startMs + at,
      startKnownFrom: 'seen',
      endedAtMs: startMs + at,
      endKnownFrom: 'seen',
      failuresSeen: 1,
      failuresReported: null,
      firstError: null,
      lastError: null,
      passes: 20,
    }));
    health().recordPoll(samplePoll({ nodeId: 'n2', polledAtMs: startMs, episodes }));
    keepUp(startMs + 2 * hourMs);
    expect([count('recent'), count('packed')]).toEqual([0, 2]);
    expect(episodesOf('n2').length).toBeLessThanOrEqual(10_000);
  });

  it('gives each reader what it wants between two steps', () => {
    for (let at = 0; at < 50; at += 1) record(startMs + at * 30 * 60_000);
    const all = () => health().scanPolls('n1', 0, startMs + 5 * dayMs, 1_000);
    const before = all();
    expect(before).toHaveLength(50);
    untilDone(() => {
      expect(all()).toEqual(before);
      return health().maintain({
        nowMs: startMs + 3 * dayMs,
        keepDays: 400,
        keepBytesPerNode: 1e9,
        recoverAfter: 1,
      });
    });
    expect(all()).toEqual(before);
  });

  it('forgets names of checks of which nothing is kept, and knows them again', () => {
    const names = (name: string, atMs: number) =>
      health().recordPoll(samplePoll({ polledAtMs: atMs, runs: [run(atMs, { check: name })] }));
    for (let at = 0; at < 1_500; at += 1) names(`made up ${at}`, startMs + at);
    const failed = {
      check: 'failed',
      startedAtMs: startMs,
      startKnownFrom: 'seen',
      endedAtMs: startMs + 1,
    } as const;
    const counts = {
      failuresSeen: 1,
      failuresReported: null,
      firstError: null,
      lastError: null,
      passes: 20,
    };
    const episode: StoredEpisode = { id: 'e1', ...failed, endKnownFrom: 'seen', ...counts };
    health().recordPoll(samplePoll({ polledAtMs: startMs, episodes: [episode] }));
    names('made up 0', startMs + 5 * dayMs);
    expect(count('checks')).toBe(1_500);
    keepUp(startMs + 6 * dayMs, { keepDays: 3 });
    expect(count('checks')).toBe(1);
    // It retires with the history of its time.
    expect(health().readEpisodes('n1', 'failed', 10)).toEqual([]);
    names('made up 7', startMs + 6 * dayMs);
    const uptime = health().readUptime('n1', startMs + 5 * dayMs, startMs + 7 * dayMs);
    expect(uptime.map(({ check, runs }) => [check, runs])).toEqual([
      [null, 2],
      ['made up 0', 1],
      ['made up 7', 1],
    ]);
  });

  it('lets go what a node has said of a failure that nobody saw, with the history of its time', () => {
    const told = { state: 'fail', contiguousFailures: 9, firstFailureAtMs: startMs } as const;
    const atMs = startMs + hourMs;
    health().recordPoll(samplePoll({ polledAtMs: atMs, runs: [run(atMs - 1, told)] }));
    for (const [days, claims] of [
      [3, 1],
      [4, 0],
    ] as const) {
      keepUp(startMs + days * dayMs, { keepDays: 3 });
      expect(count('claims')).toBe(claims);
    }
  });

  it('loses nothing when a step fails half-way', () => {
    for (let at = 0; at < 10; at += 1) record(startMs + at * 60_000);
    world.database.transaction((writer) =>
      writer.exec(
        `CREATE TEMP TRIGGER full BEFORE DELETE ON health_block BEGIN SELECT RAISE(ABORT, 'full'); END`,
      ),
    );
    expect(() => keepUp(startMs + 2 * hourMs)).toThrow(/full/);
    expect([count('recent'), count('packed')]).toEqual([10, 0]);
    world.database.transaction((writer) => writer.exec('DROP TRIGGER full'));
    keepUp(startMs + 2 * hourMs);
    expect([count('recent'), count('packed')]).toEqual([0, 1]);
    expect(health().scanPolls('n1', 0, startMs + dayMs, 100)).toHaveLength(10);
  });

  it('gives up single runs of the oldest days where there is no room, and keeps what they come to', () => {
    for (let at = 0; at < 4 * 96; at += 1) record(startMs + at * quarterMs + 1_000);
    keepUp(startMs + 10 * dayMs);
    const store = health();
    const answers = () => ({
      cells: store.readCells('n1', startMs, dayMs, 4),
      uptime: store.readUptime('n1', startMs, startMs + 4 * dayMs),
      part: store.readUptime('n1', startMs + 2 * hourMs, startMs + 3 * dayMs - hourMs),
    });
    const before = answers();
    const [use] = store.historyUse();
    const keepBytesPerNode = Math.floor((use?.bytes ?? 0) / 2);
    keepUp(startMs + 10 * dayMs, { keepBytesPerNode });
    expect(health().historyUse()[0]?.bytes).toBeLessThanOrEqual(keepBytesPerNode);
    const left = health().scanPolls('n1', 0, startMs + 5 * dayMs, 1_000);
    expect(left.length).toBeGreaterThan(0);
    expect(left.length).toBeLessThan(4 * 96);
    expect((left[0]?.polledAtMs ?? 0) % dayMs).toBe(1_000);
    expect(answers()).toEqual(before);
  });

  it('binds on the day that goes on: texts go first, and what is up and down stays', () => {
    // 8 MB of noise within one hour, which nothing makes smaller, and the hour before packed.
    const noise = (seed: number) =>
      Array.from({ length: 3_000 }, (_, at) => Math.sin(seed * 7_919 + at).toString(36)).join();
    for (let at = 0; at < 240; at += 1) {
      const text = noise(at);
      const error = at % 10 === 0 ? text.slice(0, 8_000) : null;
      health().recordPoll(
        samplePoll({
          polledAtMs: startMs + at * 30_000,
          state: error === null ? 'healthy' : 'unhealthy',
          reportJson: JSON.stringify({ healthy: error === null, text }),
          runs: [
            run(startMs + at * 30_000 - 1, {
              state: error === null ? 'pass' : 'fail',
              error,
            }),
          ],
        }),
      );
    }
    const nowMs = startMs + 2 * hourMs - 1;
    keepUp(nowMs);
    const bytes = () => health().historyUse()[0]?.bytes ?? 0;
    const uptime = () => health().readUptime('n1', startMs, startMs + 2 * hourMs);
    const before = uptime();
    expect(bytes()).toBeGreaterThan(7_000_000);
    keepUp(nowMs, { keepBytesPerNode: 5_000_000 });
    expect(bytes()).toBeLessThanOrEqual(5_000_000);
    expect(uptime()).toEqual(before);
    // The oldest are without texts, the newest as they came.
    const polls = health().scanPolls('n1', 0, startMs + dayMs, 1_000);
    expect(polls).toHaveLength(240);
    expect(polls[0]).toMatchObject({ reportJson: null, runs: [{ check: 'C' }] });
    expect(polls[0]?.runs[0]?.error).toHaveLength(200);
    expect(polls.at(-1)?.reportJson).toContain(noise(239));
    // Where even that is too much, the oldest polls go, and their time is unknown.
    keepUp(nowMs, { keepBytesPerNode: 20_000 });
    expect(bytes()).toBeLessThanOrEqual(20_000);
    expect(health().latest('n1').lastReport?.reportJson).toContain(noise(239));
  });

  it('counts what is left of a day by quarters of an hour where cells divide them', () => {
    for (let at = 0; at < 96; at += 1) record(startMs + at * quarterMs + 1_000);
    keepUp(startMs + 3 * dayMs, { keepBytesPerNode: 0 });
    const cells = health().readCells('n1', startMs - 500_000, dayMs, 2);
    expect(cells.filter(({ check }) => check === 'C')).toEqual([
      { check: 'C', cell: 0, state: 'pass', count: 96, firstError: null },
    ]);
  });

  it('computes a day again when something of it is told late', () => {
    for (let at = 0; at < 20; at += 1) record(startMs + at * 60_000);
    keepUp(startMs + 2 * dayMs);
    const upMs = () => health().readUptime('n1', startMs, startMs + dayMs)[0]?.upMs;
    expect(upMs()).toBe(22 * 60_000);
    health().recordPoll(samplePoll({ polledAtMs: startMs + 5 * hourMs }));
    expect(upMs()).toBe(25 * 60_000);
    keepUp(startMs + 2 * dayMs);
    expect(upMs()).toBe(25 * 60_000);
  });
});
