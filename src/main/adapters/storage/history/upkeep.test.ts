import { beforeEach, describe, expect, it } from 'vitest';
import type { StoredCheckRun, StoredEpisode } from '../../../core/health-ports.ts';
import { openDatabase } from '../database.ts';
import type { DriverName } from '../driver.ts';
import { loadDriver } from '../load-driver.ts';
import { migrate } from '../migrate.ts';
import { migrations } from '../migrations/registry.ts';
import { integer } from '../row.ts';
import type { SqlDatabase } from '../sql.ts';
import { createSqlStores } from '../stores.ts';
import { openFresh } from '../testing/fresh-database.ts';
import { sampleNode, samplePoll } from '../testing/sample-data.ts';
import { quarterMs } from './day.ts';

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

  const count = (
    table: 'health_recent' | 'health_block' | 'health_old_poll' | 'health_old_run' | 'health_text',
  ) =>
    integer(
      database.transaction((writer) => writer.prepare(`SELECT count(*) AS n FROM ${table}`).get()) ?? {},
      'n',
    );

  const run = (ranAtMs: number, fields: Partial<StoredCheckRun> = {}): StoredCheckRun => ({
    check: 'C',
    state: 'pass',
    ranAtMs,
    durationNs: 5n,
    contiguousFailures: null,
    firstFailureAtMs: null,
    error: null,
    messageJson: JSON.stringify({ height: ranAtMs, text: 'x'.repeat(200) }),
    ...fields,
  });

  const record = (atMs: number) =>
    health().recordPoll(
      samplePoll({
        polledAtMs: atMs,
        reportJson: JSON.stringify({ healthy: true, at: atMs, noise: Math.sin(atMs) }),
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
      database = openFresh(name);
      health().putNode(sampleNode());
    });

    it('packs hours that are over, one at a time, and leaves the one that goes on', () => {
      for (let at = 0; at < 180; at += 1) record(startMs + at * 60_000 + 1_000);
      expect(health().maintain({ nowMs: startMs + 2.5 * hourMs, keepDays: 1, keepBytesPerNode: 1e9 })).toBe(
        true,
      );
      expect([count('health_recent'), count('health_block')]).toEqual([120, 1]);
      expect(keepUp(startMs + 2.5 * hourMs)).toBe(1);
      expect([count('health_recent'), count('health_block')]).toEqual([60, 2]);
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
      expect(count('health_block')).toBe(5);
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

    it('loses nothing when a step fails half-way', () => {
      for (let at = 0; at < 10; at += 1) record(startMs + at * 60_000);
      database.transaction((writer) =>
        writer.exec(
          `CREATE TEMP TRIGGER full BEFORE DELETE ON health_recent BEGIN SELECT RAISE(ABORT, 'full'); END`,
        ),
      );
      expect(() => keepUp(startMs + 2 * hourMs)).toThrow(/full/);
      expect([count('health_recent'), count('health_block')]).toEqual([10, 0]);
      database.transaction((writer) => writer.exec('DROP TRIGGER full'));
      keepUp(startMs + 2 * hourMs);
      expect([count('health_recent'), count('health_block')]).toEqual([0, 1]);
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
      // 12 MB of noise within one hour, which nothing makes smaller, and the hour before packed.
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
                messageJson: JSON.stringify(text),
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
      expect(bytes()).toBeGreaterThan(10_000_000);
      keepUp(nowMs, { keepBytesPerNode: 5_000_000 });
      expect(bytes()).toBeLessThanOrEqual(5_000_000);
      expect(uptime()).toEqual(before);
      // The oldest are without texts, the newest as they came.
      const polls = health().scanPolls('n1', 0, startMs + dayMs, 1_000);
      expect(polls).toHaveLength(240);
      expect(polls[0]).toMatchObject({ reportJson: null, runs: [{ messageJson: null }] });
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

  it('carries over what the first layouts stored', () => {
    migrate(database, migrations.slice(0, 2));
    const episode: StoredEpisode = {
      id: 'e1',
      check: 'C',
      startedAtMs: startMs + 10_000,
      startKnownFrom: 'node-reported',
      endedAtMs: null,
      endKnownFrom: null,
      failuresSeen: 1,
      failuresReported: 3,
      firstError: 'down',
      lastError: 'down',
    };
    database.transaction((writer) =>
      writer.exec(`
        INSERT INTO health_node (id, node_id, name, url, interval_ms, added_at_ms) VALUES (7, 'n1', 'One', 'http://a', 30000, 1);
        INSERT INTO health_text (id, content_hash, content_json, used_at_ms) VALUES
          (1, 0, '"All pass."', 0), (2, 0, '"down\\u0000"', 0), (3, 0, '{"a":1}', 0);
        INSERT INTO health_check (id, node_ref, name_json) VALUES (5, 7, '"C"');
        INSERT INTO health_poll (node_ref, polled_at_ms, state, reason_text_ref) VALUES
          (7, ${startMs}, 0, 1), (7, ${startMs + 60_000}, 1, 1), (7, ${startMs + 2 * hourMs}, 3, 1);
        INSERT INTO health_run (check_ref, ran_at_ms, state, duration_ns, contiguous_failures, first_failure_at_ms,
          error_text_ref, message_text_ref) VALUES
          (5, ${startMs - 1_000}, 0, 9223372036854775807, NULL, NULL, NULL, 3),
          (5, ${startMs + 59_000}, 1, 5, 3, ${startMs + 10_000}, 2, NULL);
        INSERT INTO health_latest (node_ref, has_report, polled_at_ms, state, reason_json, reported_node_id, report_json)
          VALUES (7, 1, ${startMs + 60_000}, 1, '"All pass."', 'NodeID-1', '{}');
        INSERT INTO health_episode (episode_id, node_ref, check_ref, started_at_ms, is_start_seen, failures_seen,
          failures_reported, first_error_json, last_error_json)
          VALUES ('e1', 7, 5, ${startMs + 10_000}, 0, 1, 3, '"down"', '"down"');
      `),
    );
    migrate(database);
    const state = () => ({
      nodes: health().listNodes(),
      latest: health().latest('n1').lastReport?.reportJson,
      episodes: health().openEpisodes('n1'),
      polls: health().scanPolls('n1', 0, startMs + dayMs, 100),
      cells: health().readCells('n1', startMs, hourMs, 3),
      uptime: health().readUptime('n1', startMs - 1_000, startMs + 3 * hourMs),
      pollCount: health().historyUse()[0]?.pollCount,
    });
    const before = state();
    expect(before).toMatchObject({
      nodes: [sampleNode({ url: 'http://a' })],
      latest: '{}',
      episodes: [episode],
      pollCount: 3,
    });
    const { messageJson, ...passed } = run(startMs - 1_000, { durationNs: 2n ** 63n - 1n });
    void messageJson;
    expect(before.polls.map(({ polledAtMs, reason, runs }) => [polledAtMs, reason, runs])).toEqual([
      [startMs, 'All pass.', [{ ...passed, messageJson: '{"a":1}' }]],
      [
        startMs + 60_000,
        'All pass.',
        [
          run(startMs + 59_000, {
            state: 'fail',
            contiguousFailures: 3,
            firstFailureAtMs: startMs + 10_000,
            error: 'down\0',
            messageJson: null,
          }),
        ],
      ],
      [startMs + 2 * hourMs, 'All pass.', []],
    ]);
    // From the first failure that the node reported until two minutes after the last poll that had an answer.
    expect(before.uptime.find(({ check }) => check === 'C')).toMatchObject({ upMs: 11_000, downMs: 170_000 });
    keepUp(startMs + 5 * dayMs);
    expect(state()).toEqual(before);
    expect([count('health_old_poll'), count('health_old_run'), count('health_text')]).toEqual([0, 0, 0]);
    expect(count('health_block')).toBe(2);
    health().recordPoll(samplePoll({ polledAtMs: startMs + 6 * dayMs, runs: [run(startMs + 59_000)] }));
    const again = health().scanPolls('n1', startMs + 5 * dayMs, startMs + 7 * dayMs, 10);
    expect(again.map(({ runs }) => runs)).toEqual([[]]);
  });
});
