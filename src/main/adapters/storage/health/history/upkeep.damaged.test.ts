import { beforeEach, describe, expect, it } from 'vitest';
import type { DriverName } from '../../sqlite/driver.ts';
import { SqlFailure } from '../../sqlite/sql.ts';
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

const driverNames: DriverName[] = ['node:sqlite', 'libsql'];

describe.each(driverNames)('the upkeep of history with a part that cannot be read, with %s', (name) => {
  let world: ReturnType<typeof createUpkeepWorld>;

  beforeEach(() => {
    world = createUpkeepWorld(name);
  });

  const health = () => world.health();
  const count = (what: Parameters<typeof world.count>[0]) => world.count(what);
  const record = (atMs: number) => world.record(atMs);

  const damage = (sql: string) => world.database.transaction((writer) => writer.exec(sql));
  const recordDays = () => {
    health().putNode(sampleNode({ id: 'n2', name: 'Two' }));
    for (const nodeId of ['n1', 'n2']) {
      for (let at = 0; at < 72; at += 1) {
        const polledAtMs = startMs + at * hourMs + 1_000;
        const reportJson = JSON.stringify({ healthy: true, at });
        health().recordPoll(samplePoll({ nodeId, polledAtMs, reportJson, runs: [run(polledAtMs - 1)] }));
      }
    }
  };
  /** One store that stays open, as in the app. */
  const keepUpWith = (
    store: ReturnType<typeof health>,
    nowMs: number,
    limits: UpkeepLimits = {},
  ): string[] => {
    const told: string[] = [];
    untilDone(() => {
      try {
        return store.maintain({ nowMs, keepDays: 400, keepBytesPerNode: 1e9, recoverAfter: 1, ...limits });
      } catch (cause) {
        if (!(cause instanceof SqlFailure)) throw cause;
        told.push(`${cause.kind}: ${cause.message}`);
        return told.length <= 5;
      }
    });
    return told;
  };
  const span = [startMs, startMs + 3 * dayMs] as const;

  it.each([
    ['core', `UPDATE health_block SET core = x'00ff' WHERE id = 5`],
    ['texts', `UPDATE health_block SET texts = x'00ff' WHERE id = 5`],
  ])('(%s of an hour) forgets what is old of all nodes, and tells it once', (what, sql) => {
    recordDays();
    const store = health();
    const limits = { nowMs: startMs + 3 * dayMs, keepDays: 400, keepBytesPerNode: 1e9, recoverAfter: 1 };
    untilDone(() => store.maintain(limits) && count('packed') < 144);
    damage(sql);
    const fresh = health();
    const reports = fresh.scanPolls('n1', 0, startMs + dayMs, 100).map(({ reportJson }) => reportJson);
    expect(reports).toHaveLength(what === 'core' ? 23 : 24);
    expect(reports.filter((report) => report !== null)).toHaveLength(23);
    const told = keepUpWith(fresh, startMs + 4 * dayMs);
    expect(told).toEqual([
      expect.stringMatching(/^corrupt: 1 part of the history .* \(first: One, 2024-10-04 04:00 UTC\)$/),
    ]);
    expect(count('days')).toBe(6);
    const [itself] = fresh.readUptime('n1', ...span);
    expect(itself?.runs).toBe(what === 'core' ? 71 : 72);
    expect(keepUpWith(fresh, startMs + 4 * dayMs)).toEqual([]);
    keepUpWith(fresh, startMs + 6 * dayMs, { keepDays: 4 });
    expect(fresh.historyUse()).toMatchObject([
      { fromMs: startMs + 2 * dayMs + 1_000 },
      { fromMs: startMs + 2 * dayMs + 1_000 },
    ]);
  });

  it.each(['core', 'texts'])('(%s of one poll) packs the others, and leaves it as it is', (column) => {
    for (const at of [1, 2, 3]) {
      const polledAtMs = startMs + at * 1_000;
      const reportJson = JSON.stringify({ healthy: true, at });
      health().recordPoll(samplePoll({ nodeId: 'n1', polledAtMs, reportJson, runs: [run(polledAtMs)] }));
    }
    damage(`UPDATE health_block SET ${column} = x'00ff' WHERE id = 2`);
    const block = () => world.database.all('SELECT core, texts FROM health_block WHERE id = 2');
    const before = block();
    const store = health();
    const scan = () => store.scanPolls('n1', 0, startMs + dayMs, 100);
    const polls = scan();
    expect(polls.filter(({ reportJson }) => reportJson !== null)).toHaveLength(2);
    expect(keepUpWith(store, startMs + dayMs)).toHaveLength(1);
    expect(count('packed')).toBe(2);
    expect(block()).toEqual(before);
    expect(scan()).toEqual(polls);
    // Where the report of the time asked for cannot be read, none is told in its place.
    const report = (atMs: number) => store.readPollAt('n1', atMs)?.reportJson ?? null;
    expect(report(startMs + 3_000)).toContain('"at":3');
    expect(report(startMs + 2_000)).toBe(column === 'core' ? report(startMs + 1_000) : null);
  });

  it('(all of an hour) leaves it as it is, and goes on with the next', () => {
    for (const at of [0, 1, 2]) record(startMs + at * 0.5 * hourMs);
    damage(`UPDATE health_block SET core = x'00ff' WHERE id < 3`);
    expect(keepUpWith(health(), startMs + 3 * hourMs)).toHaveLength(1);
    expect([count('recent'), count('packed')]).toEqual([0, 3]);
  });

  const pastOf = (store: ReturnType<typeof health>, nodeId: string) => [
    store.readUptime(nodeId, ...span),
    store.readCells(nodeId, span[0], hourMs, 72),
    store.readMoments(nodeId, ...span, 100),
  ];

  it.each(['cells', 'timeline', 'moments'])('(%s of a day) makes it anew from its hours', (column) => {
    recordDays();
    keepUpWith(health(), startMs + 3 * dayMs);
    const damaged = `FROM health_day WHERE ${column} = x'00ff'`;
    damage(`UPDATE health_day SET ${column} = x'00ff' WHERE node_ref = 1 AND day = 20000`);
    const fresh = health();
    expect(pastOf(fresh, 'n1')).toEqual(pastOf(fresh, 'n2'));
    expect(keepUpWith(fresh, startMs + 4 * dayMs)).toEqual([]);
    expect(world.database.all(`SELECT id ${damaged}`)).toEqual([]);
    expect(pastOf(fresh, 'n1')).toEqual(pastOf(fresh, 'n2'));
    expect(count('days')).toBe(6);
  });

  it.each(['cells', 'timeline'])('(%s of a day without its hours) tells it once', (column) => {
    recordDays();
    keepUpWith(health(), startMs + 4 * dayMs, { keepBytesPerNode: 1, recoverAfter: 1 });
    damage(`UPDATE health_day SET ${column} = x'00ff' WHERE node_ref = 1 AND day = 20000`);
    const fresh = health();
    pastOf(fresh, 'n1');
    expect(keepUpWith(fresh, startMs + 4 * dayMs)).toEqual([
      expect.stringMatching(/^corrupt: 1 part of the history .* \(first: One, 2024-10-04 00:00 UTC\)$/),
    ]);
    expect(count('days')).toBe(6);
  });

  it('stays where the texts of others make room enough', () => {
    for (let at = 0; at < 20; at += 1) record(startMs + at * 60_000);
    damage(`UPDATE health_block SET core = x'00ff' WHERE id = 1`);
    const store = health();
    const bytes = store.historyUse()[0]?.bytes ?? 0;
    keepUpWith(store, startMs + hourMs - 1, { keepBytesPerNode: Math.floor(bytes * 0.8) });
    expect(store.historyUse()[0]?.bytes).toBeLessThanOrEqual(bytes * 0.8);
    expect(world.database.all('SELECT id FROM health_block WHERE id = 1')).toHaveLength(1);
    expect(count('recent')).toBe(20);
  });

  it('makes room where there is too much', () => {
    recordDays();
    keepUpWith(health(), startMs + 3 * dayMs);
    damage(`UPDATE health_block SET core = x'00ff', texts = x'00ff' WHERE node_ref = 1`);
    const fresh = health();
    const told = keepUpWith(fresh, startMs + 3 * dayMs, { keepBytesPerNode: 100, recoverAfter: 1 });
    expect(told).toEqual([expect.stringMatching(/24 parts of the history/)]);
    expect(count('packed')).toBe(0);
  });
});
