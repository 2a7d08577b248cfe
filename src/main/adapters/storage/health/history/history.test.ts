import { expect, it } from 'vitest';
import { openMemoryDatabase, storesOver } from '../../testing/memory-stores.ts';
import { sampleNode, samplePoll } from '../../testing/sample-data.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const startMs = 20_000 * dayMs;
const noonMs = startMs + 12 * hourMs;

const limits = { nowMs: startMs + 3 * dayMs, keepDays: 400, keepBytesPerNode: 1e9, recoverAfter: 1 };

/** Two days of polls, packed and computed; each has a failing run, the tenth by the node's own count since the one before. */
function stored(everyMs = hourMs) {
  const database = openMemoryDatabase();
  const { health } = storesOver(database);
  health.putNode(sampleNode());
  for (let count = 1; count <= (2 * dayMs) / everyMs; count += 1) {
    const polledAtMs = startMs - dayMs + (count - 1) * everyMs + 1_000;
    const run = { check: 'C', state: 'fail' as const, ranAtMs: polledAtMs - 1, error: 'down' };
    const runs = [{ ...run, contiguousFailures: count * 10, firstFailureAtMs: startMs - dayMs }];
    health.recordPoll(samplePoll({ polledAtMs, reportJson: '{"healthy":false}', state: 'unhealthy', runs }));
  }
  while (health.maintain(limits));
  /** Over a store that has read nothing yet. */
  const open = () => storesOver(database).health;
  const change = (sql: string) => database.transaction((writer) => writer.run(sql));
  const runsOf = (health: ReturnType<typeof open>, fromMs: number, toMs: number) =>
    health.readUptime('n1', fromMs, toMs).map(({ runs }) => runs);
  return { open, change, runsOf };
}

it('counts the runs of a part of a past day from the hours of that part alone', () => {
  const { open, change, runsOf } = stored();
  change(`UPDATE health_block SET core = x'00ff' WHERE from_ms < ${noonMs}`);
  const health = open();
  expect(runsOf(health, noonMs + 2 * hourMs, noonMs + 6 * hourMs)).toEqual([4, 40]);
  // It would tell of what it could not read.
  expect(health.maintain(limits)).toBe(false);
});

it('counts those of the first hours of a day from what was known before it', () => {
  const { open, runsOf } = stored();
  expect(runsOf(open(), startMs, startMs + 2 * hourMs)).toEqual([2, 20]);
});

it('counts them over the whole day where a failing run tells how many went before, and none is in the hour before', () => {
  const { open, change, runsOf } = stored();
  change(`DELETE FROM health_block WHERE from_ms >= ${noonMs + hourMs} AND from_ms < ${noonMs + 2 * hourMs}`);
  expect(runsOf(open(), noonMs + 2 * hourMs, noonMs + 3 * hourMs)).toEqual([1, 20]);
});

it('reads the reports of an hour once for one of them, the one before it and the next', () => {
  const { open, change } = stored(5 * 60_000);
  const health = open();
  const atMs = noonMs + hourMs / 2 + 1_000;
  expect(health.readPollAt('n1', atMs)?.polledAtMs).toBe(atMs);
  change(`UPDATE health_block SET texts = x'00ff'`);
  expect(health.readPollAt('n1', atMs - 1)).toMatchObject({
    polledAtMs: atMs - 5 * 60_000,
    reportJson: '{"healthy":false}',
  });
  expect(health.scanPolls('n1', atMs, noonMs + dayMs, 1)).toMatchObject([
    { polledAtMs: atMs + 5 * 60_000, reportJson: '{"healthy":false}' },
  ]);
  // Those of another hour are read, and what could not be is told.
  expect(health.readPollAt('n1', atMs + hourMs)).toBeNull();
  expect(() => health.maintain(limits)).toThrow('1 part of the history cannot be read');
});

it('has, of two polls at the same time, the one recorded last, also where the clock was set back into an hour that was packed', () => {
  const { health } = storesOver(openMemoryDatabase());
  health.putNode(sampleNode());
  const atMs = noonMs + 30 * 60_000;
  for (const [polledAtMs, reportJson] of [
    [atMs - 60_000, '{"at":1}'],
    [atMs, '{"at":2}'],
    [atMs - 120_000, '{"at":3}'],
    [atMs, '{"at":4}'],
  ] as const) {
    health.recordPoll(samplePoll({ polledAtMs, reportJson }));
    if (reportJson === '{"at":2}') while (health.maintain(limits));
  }
  for (const isPacked of [false, true]) {
    if (isPacked) while (health.maintain(limits));
    const reports = health.scanPolls('n1', atMs - 1, atMs, 10).map(({ reportJson }) => reportJson);
    expect(reports).toEqual(['{"at":2}', '{"at":4}']);
    expect(health.readPollAt('n1', atMs)?.reportJson).toBe('{"at":4}');
  }
});

it('has the reports of the node that is there, and not of one that was removed', () => {
  const { health } = storesOver(openMemoryDatabase());
  for (const reportJson of ['{"healthy":true}', '{"healthy":false}']) {
    health.putNode(sampleNode());
    health.recordPoll(samplePoll({ polledAtMs: startMs, reportJson }));
    expect(health.readPollAt('n1', startMs)?.reportJson).toBe(reportJson);
    health.removeNode('n1');
  }
});

it('knows nothing of the days between polls that are each the first one after a start', () => {
  for (const isFirst of [true, false]) {
    const { health } = storesOver(openMemoryDatabase());
    health.putNode(sampleNode());
    for (let day = 0; day < 4; day += 1)
      health.recordPoll(
        samplePoll({ polledAtMs: startMs + day * dayMs, state: 'healthy', ...(isFirst ? { isFirst } : {}) }),
      );
    while (health.maintain({ ...limits, nowMs: startMs + 5 * dayMs }));
    const [node] = health.readUptime('n1', startMs, startMs + 4 * dayMs);
    expect(node?.upMs).toBe(isFirst ? 4 * 120_000 : dayMs * 2 + 2 * 120_000);
  }
});

it('what is read of an hour is the same after a restart where the clock was set back by seconds', () => {
  const database = openMemoryDatabase();
  const { health } = storesOver(database);
  health.putNode(sampleNode());
  const uptime = (store = health) => store.readUptime('n1', noonMs - hourMs, noonMs + 60_000);
  const run = { check: 'C', state: 'pass' as const, ranAtMs: noonMs - 10_000, error: null };
  health.recordPoll(samplePoll({ polledAtMs: noonMs - 30_000, state: 'unhealthy' }));
  const runs = [{ ...run, contiguousFailures: null, firstFailureAtMs: null }];
  health.recordPoll(samplePoll({ polledAtMs: noonMs + 10_000, runs }));
  uptime();
  health.recordPoll(samplePoll({ polledAtMs: noonMs + 5_000, state: 'unhealthy' }));
  expect(uptime()).toEqual(uptime(storesOver(database).health));
});

it('a check that only a late poll tells of, just before a day whose runs are gone, is not known on that day', () => {
  const { health } = storesOver(openMemoryDatabase());
  health.putNode(sampleNode());
  const record = (polledAtMs: number, check: string) =>
    health.recordPoll(
      samplePoll({
        polledAtMs,
        state: 'healthy',
        runs: [{ ...passed, check, ranAtMs: polledAtMs }],
      }),
    );
  for (let atMs = noonMs; atMs < noonMs + hourMs; atMs += 60_000) record(atMs, 'C');
  while (health.maintain({ ...limits, keepBytesPerNode: 1 }));
  record(startMs - 30_000, 'D');
  while (health.maintain(limits));
  const late = health.readUptime('n1', startMs - dayMs, startMs + dayMs).find(({ check }) => check === 'D');
  expect(late).toMatchObject({ upMs: 30_000, unknownMs: 2 * dayMs - 30_000 });
});

const passed = { state: 'pass' as const, contiguousFailures: null, firstFailureAtMs: null, error: null };
