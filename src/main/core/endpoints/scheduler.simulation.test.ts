import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFakeTime } from '../health/testing/fake-ports.ts';
import type { AnswerSeen } from './budget.ts';
import { Scheduler } from './scheduler.ts';

const origin = 'https://data.example.com';
const minuteMs = 60_000;

interface World {
  limitUnits: number;
  costUnits: number;
  /** How far the service's minute was when the app began. */
  phaseMs: number;
  latencyMs: number;
  /** Whether the service tells its limits, or says 429 and nothing else. */
  tellsLimits: boolean;
  /** Loops that call again as soon as they may. */
  loops: number;
  minutes?: number;
  /** Makes 20 look-ups at once in each minute; without it two, one after the other. */
  burstAtMs?: number;
  /** The first minutes are left out of what is counted. */
  ignoredMinutes?: number;
}

const burst = 20;

/** Lets a backfill run for ten minutes against a service with a fixed window, the user asking now and then. */
async function simulate(world: World) {
  const time = createFakeTime();
  const scheduler = new Scheduler({ clock: time.clock, timers: time.timers });
  let window = -1;
  let used = 0;
  let toldUntilMs = 0;
  const seen = {
    allowed: 0,
    allowedBackfill: 0,
    refused: 0,
    tooEarly: 0,
    userWaitsMs: [] as number[],
    refusedUsers: 0,
  };
  const { minutes = 10, ignoredMinutes = 0 } = world;
  const isCounted = () => nowMs() >= ignoredMinutes * minuteMs && nowMs() < minutes * minuteMs;
  const end = new AbortController();

  const nowMs = () => time.clock.monotonicMs();
  const pause = (ms: number) => new Promise<void>((resolve) => void time.timers.after(ms, () => resolve()));

  /** The service: a window of a minute, a 429 with the time of the next one. */
  function serve(): AnswerSeen & { holdMs: number | null } {
    if (nowMs() < toldUntilMs) seen.tooEarly += 1;
    const current = Math.floor((nowMs() + world.phaseMs) / minuteMs);
    if (current !== window) {
      window = current;
      used = 0;
    }
    const isAllowed = used + world.costUnits <= world.limitUnits;
    if (isAllowed) used += world.costUnits;
    if (isCounted()) seen[isAllowed ? 'allowed' : 'refused'] += 1;
    // In whole seconds, as a header says it.
    const restMs = minuteMs - ((nowMs() + world.phaseMs) % minuteMs);
    const holdMs = isAllowed ? null : Math.ceil(restMs / 1000) * 1000;
    const headers = world.tellsLimits
      ? {
          'ratelimit-policy': `${world.limitUnits};w=60`,
          'ratelimit-limit': String(world.limitUnits),
          'ratelimit-remaining': String(world.limitUnits - used),
        }
      : {};
    return { status: isAllowed ? 200 : 429, headers, holdMs, resetMs: null };
  }

  async function callAs(priority: 'user' | 'backfill', mayWaitMs: number): Promise<void> {
    const askedAtMs = nowMs();
    const { costUnits } = world;
    const admitted = await scheduler.admit({ origin, api: 'data', costUnits, priority, mayWaitMs });
    if (priority === 'user') {
      // Who is refused waits until there is more.
      const refusedMs =
        !admitted.ok && admitted.error.code === 'rate-limited'
          ? admitted.error.retryAtMs - time.clock.nowMs()
          : 0;
      if (isCounted()) seen.userWaitsMs.push(nowMs() - askedAtMs + refusedMs);
      if (!admitted.ok) seen.refusedUsers += 1;
    }
    if (!admitted.ok) return;
    const answer = serve();
    if (isCounted() && priority === 'backfill' && answer.status === 200) seen.allowedBackfill += 1;
    await pause(world.latencyMs);
    if (answer.holdMs !== null) toldUntilMs = nowMs() + answer.holdMs;
    admitted.value.end(answer);
  }

  const running = Array.from({ length: world.loops }, async () => {
    while (!end.signal.aborted) await callAs('backfill', Infinity);
  });
  const user = (async () => {
    const { burstAtMs } = world;
    const isBurst = burstAtMs !== undefined;
    await pause(burstAtMs ?? 0);
    while (!end.signal.aborted) {
      for (let i = 0; i < (isBurst ? burst : 0); i += 1) void callAs('user', 2_000);
      // Without bursts twice a minute, out of step with it.
      await pause(isBurst ? minuteMs : 31_700);
      if (!isBurst) await callAs('user', 250);
    }
  })();
  await time.advance(minutes * minuteMs);
  end.abort();
  await time.advance(2 * minuteMs);
  await Promise.all([...running, user]);
  return seen;
}

describe('a backfill within the limits of a service', () => {
  it('uses at least 85 % of them, is never refused, and never makes the user wait', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<[number, number]>([6_000, 20], [8_000, 20], [8_000, 100]),
        fc.integer({ min: 0, max: minuteMs - 1 }),
        fc.integer({ min: 5, max: 400 }),
        async ([limitUnits, costUnits], phaseMs, latencyMs) => {
          const world = { limitUnits, costUnits, phaseMs, latencyMs, tellsLimits: true, loops: 6 };
          const seen = await simulate(world);
          // Ten windows and what is left of the first; a slow service is limited by its own speed.
          const possible = Math.min((10 * limitUnits) / costUnits, (10 * minuteMs * 4) / latencyMs);
          expect(seen.allowed).toBeGreaterThanOrEqual(Math.floor(possible * 0.85));
          expect(seen).toMatchObject({ refused: 0, tooEarly: 0, refusedUsers: 0 });
          expect(Math.max(...seen.userWaitsMs)).toBeLessThanOrEqual(250);
        },
      ),
      { numRuns: 12 },
    );
  });

  it('that are only told by refusals: sends nothing before the time it was told', async () => {
    const world = {
      limitUnits: 6_000,
      costUnits: 20,
      phaseMs: 20_000,
      latencyMs: 40,
      tellsLimits: false,
      loops: 6,
    };
    const seen = await simulate(world);
    expect(seen.tooEarly).toBe(0);
    // The calls that were under way when the first refusal came.
    expect(seen.refused).toBeLessThanOrEqual(11 * 6);
    expect(seen.allowed).toBeGreaterThanOrEqual(10 * 300 * 0.9);
  });

  it.each<[string, Pick<World, 'limitUnits' | 'tellsLimits' | 'ignoredMinutes'>]>([
    ['with a key: the service tells its limits', { limitUnits: 8_000, tellsLimits: true }],
    ['without a key: it only refuses', { limitUnits: 6_000, tellsLimits: false }],
    ['of a service that allows little', { limitUnits: 2_000, tellsLimits: true, ignoredMinutes: 0 }],
  ])(
    'lets a user make 20 look-ups at once in any second of the minute, %s',
    async (_name, service) => {
      const waits: number[] = [];
      const shares: number[] = [];
      for (let second = 0; second < 60; second += 1) {
        const seen = await simulate({
          costUnits: 20,
          phaseMs: 20_300,
          latencyMs: 200,
          loops: 6,
          minutes: 4,
          burstAtMs: second * 1000 + 100,
          // A service that tells nothing is known after the first refusal.
          ignoredMinutes: 2,
          ...service,
        });
        waits.push(...seen.userWaitsMs);
        const counted = 4 - (service.ignoredMinutes ?? 2);
        shares.push((seen.allowedBackfill * 20) / (counted * service.limitUnits));
      }
      waits.sort((a, b) => a - b);
      const p95 = waits[Math.floor(waits.length * 0.95)] ?? NaN;
      console.info(
        `look-ups: ${waits.length}, p50 ${waits[waits.length >> 1]} ms, p95 ${p95} ms, longest ${waits.at(-1)} ms; ` +
          `backfill: ${Math.round(100 * Math.min(...shares))} to ${Math.round(100 * Math.max(...shares))} %`,
      );
      expect(waits.at(-1)).toBeLessThan(2_000);
      expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.85);
    },
    60_000,
  );
});
