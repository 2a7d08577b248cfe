import { expect, it } from 'vitest';
import { createSqlStores } from '../../thread/stores.ts';
import { openMemoryDatabase } from '../../testing/memory-stores.ts';
import { sampleNode, samplePoll } from '../../testing/sample-data.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const startMs = 20_000 * dayMs;
const noonMs = startMs + 12 * hourMs;

const limits = { nowMs: startMs + 3 * dayMs, keepDays: 400, keepBytesPerNode: 1e9 };

/** Two days of one poll an hour, packed and computed; each has a failing run, the tenth by the node's own count since the one before. */
function stored() {
  const database = openMemoryDatabase();
  const { health } = createSqlStores(database);
  health.putNode(sampleNode());
  for (let hour = 0; hour < 48; hour += 1) {
    const polledAtMs = startMs - dayMs + hour * hourMs + 1_000;
    const run = { check: 'C', state: 'fail' as const, ranAtMs: polledAtMs - 1, error: 'down' };
    const runs = [{ ...run, contiguousFailures: (hour + 1) * 10, firstFailureAtMs: startMs - dayMs }];
    health.recordPoll(samplePoll({ polledAtMs, reportJson: '{"healthy":false}', state: 'unhealthy', runs }));
  }
  while (health.maintain(limits));
  /** Over a store that has read nothing yet. */
  const open = () => createSqlStores(database).health;
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
