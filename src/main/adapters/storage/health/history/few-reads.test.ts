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
