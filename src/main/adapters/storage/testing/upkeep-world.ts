import type { CheckRun } from '../../../../shared/health/check-run.ts';
import type { DriverName } from '../sqlite/driver.ts';
import { integer } from '../sqlite/row.ts';
import { openMemoryDatabase, storesOver } from './memory-stores.ts';
import { sampleNode, samplePoll } from './sample-data.ts';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
export const startMs = 20_000 * dayMs;

/** How often a step found something to do; it has to end. */
export function untilDone(step: () => boolean): number {
  let steps = 0;
  for (; step(); steps += 1) if (steps > 500) throw new Error('There is no end.');
  return steps;
}

export interface UpkeepLimits {
  keepDays?: number;
  keepBytesPerNode?: number;
  recoverAfter?: number;
}

const tables = {
  recent: 'health_block WHERE is_packed = 0',
  packed: 'health_block WHERE is_packed = 1',
  days: 'health_day',
  checks: 'health_check',
  claims: 'health_claim',
} as const;

export const run = (ranAtMs: number, fields: Partial<CheckRun> = {}): CheckRun => ({
  check: 'C',
  state: 'pass',
  ranAtMs,
  contiguousFailures: null,
  firstFailureAtMs: null,
  error: null,
  ...fields,
});

const keepAll = { keepDays: 400, keepBytesPerNode: 1e12, recoverAfter: 1 };

/** A store in memory with one node, whose history is kept up. */
export function createUpkeepWorld(driver: DriverName) {
  const database = openMemoryDatabase([driver]);
  /** The store opened anew: it remembers nothing. */
  const health = () => storesOver(database).health;
  health().putNode(sampleNode());
  return {
    database,
    health,
    count: (what: keyof typeof tables) =>
      integer(
        database.transaction((writer) => writer.get(`SELECT count(*) AS n FROM ${tables[what]}`)) ?? {},
        'n',
      ),
    record: (atMs: number) =>
      health().recordPoll(
        samplePoll({
          polledAtMs: atMs,
          reportJson: JSON.stringify({
            healthy: true,
            at: atMs,
            noise: Math.sin(atMs),
            text: 'x'.repeat(200),
          }),
          runs: [run(atMs - 1)],
        }),
      ),
    keepUp: (nowMs: number, limits: UpkeepLimits = {}): number =>
      untilDone(() => health().maintain({ nowMs, ...keepAll, ...limits })),
  };
}
