import { expect, it } from 'vitest';
import { openMemoryDatabase } from '../../testing/memory-stores.ts';
import { sampleNode, samplePoll } from '../../testing/sample-data.ts';
import { dayMs, hourMs, run, startMs } from '../../testing/upkeep-world.ts';
import { createHealthStore } from '../health.ts';

/** A store whose reads of the database, and the rows of lists, are counted. */
function createCountedStore() {
  const database = openMemoryDatabase();
  const count = { reads: 0, rows: 0 };
  const counted = new Proxy(database, {
    get: (target, key: keyof typeof database) => {
      count.reads += Number(key === 'get' || key === 'all');
      if (key === 'all')
        return (...query: Parameters<typeof database.all>) => countRows(target.all(...query));
      const member = target[key];
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  const countRows = <Row>(rows: Row[]): Row[] => {
    count.rows += rows.length;
    return rows;
  };
  const health = createHealthStore(counted);
  health.putNode(sampleNode());
  const record = (polledAtMs: number) =>
    health.recordPoll(samplePoll({ polledAtMs, state: 'healthy', runs: [run(polledAtMs)] }));
  return { health, record, count };
}

const limits = { keepDays: 1e6, keepBytesPerNode: 1e9, recoverAfter: 1 };

it.each([false, true])(
  'a poll by a clock of 1970 does not delay what is read of today, packed: %s',
  (isPacked) => {
    const { health, record, count } = createCountedStore();
    for (const polledAtMs of [0, startMs, startMs + 60_000]) record(polledAtMs);
    if (isPacked) while (health.maintain({ ...limits, nowMs: dayMs * 2 }));
    count.reads = 0;
    const sums = health.readUptime(samplePoll().nodeId, startMs, startMs + 120_000);
    expect(sums).toMatchObject([
      { check: null, upMs: 120_000 },
      { check: 'C', upMs: 120_000 },
    ]);
    expect(count.reads).toBeLessThan(100);
  },
);

it('days that are kept are read as fast as ever while those before them are being deleted', () => {
  const { health, record, count } = createCountedStore();
  const nowMs = startMs + 20 * dayMs;
  for (let atMs = startMs; atMs < nowMs; atMs += hourMs) record(atMs);
  while (health.maintain({ ...limits, nowMs: nowMs + hourMs }));
  const uptime = () => health.readUptime(samplePoll().nodeId, nowMs - 2 * dayMs, nowMs);
  const before = uptime();
  let steps = 0;
  for (; health.maintain({ ...limits, keepDays: 2, nowMs }); steps += 1) {
    count.reads = 0;
    expect(uptime()).toEqual(before);
    expect(count.reads).toBeLessThan(20);
  }
  expect(steps).toBeGreaterThan(10);
});

it('what is shown of a node alone takes as long however often its checks have failed', () => {
  const { health, count } = createCountedStore();
  for (let round = 0; round < 4; round += 1) {
    const polledAtMs = startMs + round * 120_000;
    const fails = { state: 'fail', contiguousFailures: 2, firstFailureAtMs: polledAtMs - 30_000 } as const;
    const failing = Array.from({ length: 200 }, (_, index) =>
      run(polledAtMs, { ...fails, check: `c${index}` }),
    );
    health.recordPoll(samplePoll({ polledAtMs: polledAtMs - 60_000, state: 'healthy' }));
    health.recordPoll(samplePoll({ polledAtMs, state: 'unhealthy', runs: failing }));
  }
  count.rows = 0;
  const cells = health.readCells(samplePoll().nodeId, startMs - hourMs, 60_000, 90, true);
  expect(cells.filter(({ state }) => state === 'unhealthy').map(({ count: polls }) => polls)).toContain(0);
  expect(count.rows).toBeLessThan(50);
});

it('a day of many checks is computed in parts, and anew where a poll tells of it meanwhile', () => {
  const { health } = createCountedStore();
  const many = (atMs: number, state: 'pass' | 'fail') =>
    Array.from({ length: 2_500 }, (_, index) => run(atMs, { check: `c${index}`, state }));
  for (let hour = 0; hour < 16; hour += 1) {
    const polledAtMs = startMs + hour * hourMs;
    health.recordPoll(samplePoll({ polledAtMs, state: 'healthy', runs: many(polledAtMs, 'pass') }));
  }
  const inTime = { ...limits, nowMs: startMs + dayMs };
  while (health.maintain(inTime));
  const later = { ...limits, nowMs: startMs + dayMs + 2 * hourMs };
  expect([1, 2, 3].map(() => health.maintain(later))).toEqual([true, true, true]);
  const { nodeId } = samplePoll();
  const polledAtMs = startMs + hourMs + 60_000;
  health.recordPoll(samplePoll({ polledAtMs, state: 'unhealthy', runs: many(polledAtMs, 'fail') }));
  let steps = 0;
  while (health.maintain(later)) steps += 1;
  expect(steps).toBeGreaterThan(4);
  const [, check] = health.readUptime(nodeId, startMs, startMs + dayMs);
  expect(check).toMatchObject({ runs: 17, failedRuns: 1 });
  expect(health.readCells(nodeId, startMs, dayMs, 1)).toContainEqual(
    expect.objectContaining({ check: 'c0', state: 'fail', count: 1 }),
  );
});
