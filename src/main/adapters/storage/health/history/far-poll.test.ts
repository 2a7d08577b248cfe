import { expect, it } from 'vitest';
import { openMemoryDatabase } from '../../testing/memory-stores.ts';
import { sampleNode, samplePoll } from '../../testing/sample-data.ts';
import { dayMs, run, startMs } from '../../testing/upkeep-world.ts';
import { createHealthStore } from '../health.ts';

it.each([false, true])(
  'a poll by a clock of 1970 does not delay what is read of today, packed: %s',
  (isPacked) => {
    const database = openMemoryDatabase();
    let reads = 0;
    const counted = new Proxy(database, {
      get: (target, key: keyof typeof database) => {
        reads += Number(key === 'get' || key === 'all');
        const member = target[key];
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    const health = createHealthStore(counted);
    health.putNode(sampleNode());
    for (const polledAtMs of [0, startMs, startMs + 60_000])
      health.recordPoll(samplePoll({ polledAtMs, state: 'healthy', runs: [run(polledAtMs)] }));
    const limits = { nowMs: dayMs * 2, keepDays: 1e6, keepBytesPerNode: 1e9, recoverAfter: 1 };
    if (isPacked) while (health.maintain(limits));
    reads = 0;
    const sums = health.readUptime(samplePoll().nodeId, startMs, startMs + 120_000);
    expect(sums).toMatchObject([
      { check: null, upMs: 120_000 },
      { check: 'C', upMs: 120_000 },
    ]);
    expect(reads).toBeLessThan(100);
  },
);
