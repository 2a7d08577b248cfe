import { beforeEach, describe, expect, it } from 'vitest';
import type { CheckRun } from '../../../../../shared/health/check-run.ts';
import type { StoredEpisode } from '../../../../core/health-ports.ts';
import { openDatabase } from '../../sqlite/database.ts';
import type { DriverName } from '../../sqlite/driver.ts';
import { loadDriver } from '../../sqlite/load-driver.ts';
import { integer } from '../../sqlite/row.ts';
import { SqlFailure, type SqlDatabase } from '../../sqlite/sql.ts';
import { createSqlStores } from '../../thread/stores.ts';
import { openMemoryDatabase } from '../../testing/memory-stores.ts';
import { sampleNode, samplePoll } from '../../testing/sample-data.ts';
import { quarterMs } from './cell-counter.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const startMs = 20_000 * dayMs;
const driverNames: DriverName[] = ['node:sqlite', 'libsql'];

describe.each(driverNames)('the upkeep of history, with %s', (name) => {
  let database: SqlDatabase;

  beforeEach(() => {
    database = openDatabase(loadDriver([name]), ':memory:', { access: 'read-write', busyTimeoutMs: 0 });
    database.pragma('foreign_keys = ON');
  });

  const health = () => createSqlStores(database).health;

  const tables = {
    recent: 'health_block WHERE is_packed = 0',
    packed: 'health_block WHERE is_packed = 1',
    days: 'health_day',
    checks: 'health_check',
  } as const;
  const count = (what: keyof typeof tables) =>
    integer(
      database.transaction((writer) => writer.get(`SELECT count(*) AS n FROM ${tables[what]}`)) ?? {},
      'n',
    );

  const run = (ranAtMs: number, fields: Partial<CheckRun> = {}): CheckRun => ({
    check: 'C',
    state: 'pass',
    ranAtMs,
    contiguousFailures: null,
    firstFailureAtMs: null,
    error: null,
    ...fields,
  });

  const record = (atMs: number) =>
    health().recordPoll(
      samplePoll({
        polledAtMs: atMs,
        reportJson: JSON.stringify({ healthy: true, at: atMs, noise: Math.sin(atMs), text: 'x'.repeat(200) }),
        runs: [run(atMs - 1)],
      }),
    );

  const keepUp = (nowMs: number, limits: { keepDays?: number; keepBytesPerNode?: number } = {}): number => {
    let steps = 0;
    while (health().maintain({ nowMs, keepDays: 400, keepBytesPerNode: 1e12, ...limits })) steps += 1;
    return steps;
  };

  describe('over a store of its own', () => {
    beforeEach(() => {
      database = openMemoryDatabase([name]);
      health().putNode(sampleNode());
    });

    it('counts failures, and lets the oldest that have ended go: too many, too large, or too old', () => {
      const episode = (at: number, endedAtMs: number | null): StoredEpisode => ({
        id: `e${at}`,
        check: `flips ${at % 5_000}`,
        startedAtMs: startMs + at,
        startKnownFrom: 'seen',
        endedAtMs,
        endKnownFrom: endedAtMs === null ? null : 'seen',
        failuresSeen: 1,
        failuresReported: null,
        firstError: 'down',
        lastError: 'down',
        passes: at === 11_999 ? 1 : 20,
      });
      const add = (fromAt: number, toAt: number): void => {
        const episodes = Array.from({ length: toAt - fromAt }, (_, index) =>
          episode(fromAt + index, fromAt + index === 7 ? null : startMs + dayMs),
        );
        health().recordPoll(samplePoll({ polledAtMs: startMs + toAt, episodes }));
      };
      const left = () =>
        health()
          .readEpisodesIn('n1', 0, startMs + 365 * dayMs, 20_000)
          .map(({ id }) => id);
      add(0, 12_000);
      expect(health().historyUse()[0]?.bytes).toBeGreaterThan(12_000 * 100);
      keepUp(startMs + hourMs);
      expect(left().length).toBeLessThanOrEqual(10_000);
      expect(left()).toContain('e11999');
      expect(left().at(-1)).toBe('e7');
      keepUp(startMs + hourMs, { keepBytesPerNode: 1_000_000 });
      expect(health().historyUse()[0]?.bytes).toBeLessThanOrEqual(1_000_000);
      expect(left().length).toBeGreaterThan(100);
      keepUp(startMs + 6 * dayMs, { keepDays: 3 });
      // One that lasts stays, and one whose next pass would store it again.
      expect(left()).toEqual(['e11999', 'e7']);
    });

    it('packs hours that are over, one at a time, and leaves the one that goes on', () => {
      for (let at = 0; at < 180; at += 1) record(startMs + at * 60_000 + 1_000);
      expect(health().maintain({ nowMs: startMs + 2.5 * hourMs, keepDays: 1, keepBytesPerNode: 1e9 })).toBe(
        true,
      );
      expect([count('recent'), count('packed')]).toEqual([120, 1]);
      expect(keepUp(startMs + 2.5 * hourMs)).toBe(1);
      expect([count('recent'), count('packed')]).toEqual([60, 2]);
      expect(health().historyUse()).toMatchObject([
        { nodeId: 'n1', fromMs: startMs + 1_000, pollCount: 180 },
      ]);
      expect(keepUp(startMs + 2.5 * hourMs)).toBe(0);
    });

    it('packs no more at a time than a step may take', () => {
      for (let at = 0; at < 1_000; at += 1) record(startMs + at * 1_000);
      keepUp(startMs + 2 * hourMs);
      const polls = health().scanPolls('n1', 0, startMs + dayMs, 1_000);
      expect(polls).toHaveLength(1_000);
      expect(count('packed')).toBe(5);
    });

    it('gives each reader what it wants between two steps', () => {
      for (let at = 0; at < 50; at += 1) record(startMs + at * 30 * 60_000);
      const all = () => health().scanPolls('n1', 0, startMs + 5 * dayMs, 1_000);
      const before = all();
      expect(before).toHaveLength(50);
      while (health().maintain({ nowMs: startMs + 3 * dayMs, keepDays: 400, keepBytesPerNode: 1e9 })) {
        expect(all()).toEqual(before);
      }
    });

    describe('with a part that cannot be read', () => {
      const damage = (sql: string) => database.transaction((writer) => writer.exec(sql));
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
        limits: { keepDays?: number; keepBytesPerNode?: number } = {},
      ): string[] => {
        const told: string[] = [];
        for (let hasMore = true; hasMore;) {
          try {
            hasMore = store.maintain({ nowMs, keepDays: 400, keepBytesPerNode: 1e9, ...limits });
          } catch (cause) {
            if (!(cause instanceof SqlFailure)) throw cause;
            told.push(`${cause.kind}: ${cause.message}`);
            if (told.length > 5) break;
          }
        }
        return told;
      };
      const span = [startMs, startMs + 3 * dayMs] as const;

      it.each([
        ['core', `UPDATE health_block SET core = x'00ff' WHERE id = 5`],
        ['texts', `UPDATE health_block SET texts = x'00ff' WHERE id = 5`],
      ])('(%s of an hour) forgets what is old of all nodes, and tells it once', (what, sql) => {
        recordDays();
        const store = health();
        const limits = { nowMs: startMs + 3 * dayMs, keepDays: 400, keepBytesPerNode: 1e9 };
        while (count('packed') < 144) store.maintain(limits);
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
        const block = () => database.all('SELECT core, texts FROM health_block WHERE id = 2');
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
        expect(database.all(`SELECT id ${damaged}`)).toEqual([]);
        expect(pastOf(fresh, 'n1')).toEqual(pastOf(fresh, 'n2'));
        expect(count('days')).toBe(6);
      });

      it.each(['cells', 'timeline'])('(%s of a day without its hours) tells it once', (column) => {
        recordDays();
        keepUpWith(health(), startMs + 3 * dayMs, { keepBytesPerNode: 1 });
        damage(`UPDATE health_day SET ${column} = x'00ff' WHERE node_ref = 1 AND day = 20000`);
        const fresh = health();
        pastOf(fresh, 'n1');
        expect(keepUpWith(fresh, startMs + 4 * dayMs)).toEqual([
          expect.stringMatching(/^corrupt: 1 part of the history .* \(first: One, 2024-10-04 00:00 UTC\)$/),
        ]);
        expect(count('days')).toBe(6);
      });

      it('makes room where there is too much', () => {
        recordDays();
        keepUpWith(health(), startMs + 3 * dayMs);
        damage(`UPDATE health_block SET core = x'00ff', texts = x'00ff' WHERE node_ref = 1`);
        const fresh = health();
        const told = keepUpWith(fresh, startMs + 3 * dayMs, { keepBytesPerNode: 100 });
        expect(told).toEqual([expect.stringMatching(/24 parts of the history/)]);
        expect(count('packed')).toBe(0);
      });
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

    it('loses nothing when a step fails half-way', () => {
      for (let at = 0; at < 10; at += 1) record(startMs + at * 60_000);
      database.transaction((writer) =>
        writer.exec(
          `CREATE TEMP TRIGGER full BEFORE DELETE ON health_block BEGIN SELECT RAISE(ABORT, 'full'); END`,
        ),
      );
      expect(() => keepUp(startMs + 2 * hourMs)).toThrow(/full/);
      expect([count('recent'), count('packed')]).toEqual([10, 0]);
      database.transaction((writer) => writer.exec('DROP TRIGGER full'));
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
});
