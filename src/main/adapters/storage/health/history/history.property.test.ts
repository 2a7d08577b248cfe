import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CheckRun } from '../../../../../shared/health/check-run.ts';
import type { StoredPoll } from '../../../../core/health-ports.ts';
import type { StorePorts } from '../../store-ports.ts';
import { backends } from '../../testing/backends.ts';
import { createNaiveStores } from '../../testing/naive-stores.ts';
import { sampleNode, samplePoll } from '../../testing/sample-data.ts';
import { checkStates, nodeStates } from '../../testing/states.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const startMs = 20_000 * dayMs + 20 * hourMs;

/** A poll after a wait, with runs that lie before it; now and then the clock is set back. */
const step = fc.record({
  waitMs: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 90_000 }) },
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 8 * hourMs }) },
    { weight: 1, arbitrary: fc.integer({ min: -2 * hourMs, max: 3 * dayMs }) },
  ),
  state: fc.constantFrom(...nodeStates),
  report: fc.option(fc.constantFrom('{"healthy":true}', '{"checks":[]}', '{"checks":[{"ranAtMs":1}]}'), {
    nil: null,
  }),
  runs: fc.array(
    fc.record({
      check: fc.constantFrom('C', 'P', '<b>'),
      state: fc.constantFrom(...checkStates, 'pass' as const, 'fail' as const),
      agoMs: fc.oneof(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: -1_000, max: 26 * hourMs })),
      count: fc.option(fc.integer({ min: 0, max: 50 }), { nil: null }),
      failedForMs: fc.option(fc.integer({ min: -1_000, max: 30 * hourMs }), { nil: null }),
      error: fc.option(fc.constantFrom('down', 'slow'), { nil: null }),
    }),
    { maxLength: 4 },
  ),
  upkeep: fc.integer({ min: 0, max: 5 }),
});

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function pollsOf(steps: readonly Step[]): StoredPoll[] {
  let atMs = startMs;
  return steps.map(({ waitMs, state, report, runs }) => {
    atMs += waitMs;
    const polledAtMs = atMs;
    return samplePoll({
      polledAtMs,
      state,
      reason: `${state}!`,
      reportJson: report,
      runs: runs.map(({ check, state: runState, agoMs, count, failedForMs, error }): CheckRun => {
        const ranAtMs = polledAtMs - agoMs;
        const firstFailureAtMs = failedForMs === null ? null : ranAtMs - failedForMs;
        return {
          check,
          state: runState,
          ranAtMs,
          contiguousFailures: count,
          firstFailureAtMs,
          error,
        };
      }),
    });
  });
}

async function answersOf(stores: StorePorts, spans: readonly (readonly [number, number])[]) {
  const { health } = stores;
  const inOrder = <T>(list: T[]): T[] =>
    list
      .map((item) => [JSON.stringify(item), item] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, item]) => item);
  const polls: StoredPoll[] = [];
  for (let afterMs = 0; ;) {
    const more = await health.scanPolls('n1', afterMs, startMs + 1000 * dayMs, 7);
    const last = more.at(-1);
    if (last === undefined) break;
    polls.push(...more);
    afterMs = last.polledAtMs;
  }
  const answers = await Promise.all(
    spans.map(async ([fromMs, toMs]) => ({
      cells: inOrder(await health.readCells('n1', fromMs, Math.ceil((toMs - fromMs) / 9), 9)),
      node: inOrder(await health.readCells('n1', fromMs, Math.ceil((toMs - fromMs) / 9), 9, true)),
      nodeOfDays: inOrder(await health.readCells('n1', startMs, 900_000, 200, true)),
      quarters: inOrder(await health.readCells('n1', startMs, 900_000, 400)),
      uptime: inOrder(await health.readUptime('n1', fromMs, toMs)),
      moments: await health.readMoments('n1', fromMs, toMs, 5),
      report: await health.readPollAt('n1', toMs),
    })),
  );
  return { polls, answers };
}

describe.each(backends)('history over $name', ({ open }) => {
  it('answers at every stage of packing as if it had every poll as it came', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 25 }),
        fc.array(
          fc.tuple(fc.integer({ min: -dayMs, max: 6 * dayMs }), fc.integer({ min: 1, max: 5 * dayMs })),
          {
            minLength: 1,
            maxLength: 3,
          },
        ),
        async (steps, spans) => {
          const stores = open();
          const plain = createNaiveStores();
          for (const one of [stores, plain]) await one.health.putNode(sampleNode());
          const asked = spans.map(([fromMs, lengthMs]) => {
            return [startMs + fromMs, startMs + fromMs + lengthMs] as const;
          });
          for (const [at, poll] of pollsOf(steps).entries()) {
            await stores.health.recordPoll(poll);
            await plain.health.recordPoll(poll);
            const limits = {
              nowMs: poll.polledAtMs,
              keepDays: 3000,
              keepBytesPerNode: 1e12,
              recoverAfter: 1,
            };
            for (let n = steps[at]?.upkeep ?? 0; n > 0; n -= 1) await stores.health.maintain(limits);
            // What is kept of it must not outlive the next poll.
            if (at % 4 === 3) await answersOf(stores, asked);
          }
          const expected = await answersOf(plain, asked);
          expect(await answersOf(stores, asked)).toEqual(expected);
          const limits = {
            nowMs: startMs + 500 * dayMs,
            keepDays: 3000,
            keepBytesPerNode: 1e12,
            recoverAfter: 1,
          };
          while (await stores.health.maintain(limits));
          expect(await answersOf(stores, asked)).toEqual(expected);
          for (const [at, { uptime }] of expected.answers.entries()) {
            const [fromMs, toMs] = asked[at] ?? [0, 0];
            for (const { upMs, downMs, unreachableMs, unknownMs } of uptime) {
              expect(upMs + downMs + unreachableMs + unknownMs).toBe(toMs - fromMs);
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  }, 120_000);
});
