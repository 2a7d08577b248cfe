import type { Uptime } from '../src/shared/health/types.ts';
import type { NodeTruth } from './node-truth.ts';
import type { World } from './world.ts';
import { day, minute } from './time.ts';

/** How far the times of one change can lie apart: until a poll has seen it. */
const slackOf = ({ plan }: NodeTruth): number =>
  minute + 2 * Math.max(plan.periodMs, plan.intervalMs ?? 0, minute / 2);

interface Seen {
  passesMs: number;
  failsMs: number;
}

/** Compares uptime with a naive reading: what each check did while its node could be heard without trouble. */
export function watchUptime(world: World) {
  const { broken } = world;
  /** By node and check. */
  const seen = new Map<string, Seen>();
  /** For how long the node had the check while the app ran, by node and check. */
  const existed = new Map<string, number>();
  /** How long the app has run, the computer awake. */
  let ranMs = 0;
  let breaks = 0;
  let wasRunning = false;

  /** So much time has passed. */
  function look(forMs: number): void {
    const { machine, time, nodes } = world;
    const isRunning = machine.app !== null && !time.isAsleep;
    if (isRunning) {
      ranMs += forMs;
      for (const { host, checkNames } of nodes)
        for (const name of checkNames) {
          const key = `${host} ${name}`;
          existed.set(key, (existed.get(key) ?? 0) + forMs);
        }
    }
    if (isRunning !== wasRunning) breaks += 1;
    wasRunning = isRunning;
  }

  /** So much time has passed, in which the node could be heard as it is. */
  function heard(truth: NodeTruth, forMs: number): void {
    for (const [name, fails] of truth.checkStates()) {
      const key = `${truth.host} ${name}`;
      const own = seen.get(key) ?? { passesMs: 0, failsMs: 0 };
      own[fails ? 'failsMs' : 'passesMs'] += forMs;
      seen.set(key, own);
    }
  }

  /** Uptime of the whole life of the world. */
  function check(truth: NodeTruth, all: readonly Uptime[], spanMs: number): void {
    const { history, time } = world;
    const slackMs = slackOf(truth);
    for (const { scope, name, upMs, downMs, unreachableMs, unknownMs } of all) {
      const label = `${truth.host}${scope === 'node' ? '' : `: “${name}”`}`;
      const sumMs = upMs + downMs + unreachableMs + unknownMs;
      if (sumMs !== spanMs)
        broken('uptime', `${label}: the parts of uptime are ${sumMs} ms of a span of ${spanMs} ms`);
      if (world.hasClockSteps || scope === 'node') continue;
      const failedMs = truth.stretches
        .filter(({ check }) => check === name)
        .reduce((ms, { fromMs, endMs }) => ms + (endMs ?? time.nowMs) - fromMs, 0);
      // Failing is also known of times in which nobody looked, because the node says since when.
      // And after each poll for three intervals.
      const holdMs = 3 * Math.max(minute, truth.plan.intervalMs ?? 0);
      const mostKnownMs = ranMs + failedMs + (breaks + 1) * holdMs;
      // A run holds until the next one, which of a node that stands still comes late.
      if (upMs + downMs > mostKnownMs && !truth.hasStoodStill && !truth.hasSlept)
        broken(
          'uptime',
          `${label}: ${minutes(upMs + downMs)} are called known, and the app has run for ${minutes(ranMs)}`,
        );
      // A check that is gone passes no longer.
      const existedMs = existed.get(`${truth.host} ${name}`) ?? 0;
      if (upMs > existedMs + (breaks + 1) * holdMs + slackMs && !truth.hasStoodStill && !truth.hasSlept)
        broken(
          'uptime',
          `${label} was there for ${minutes(existedMs)}, and is called up for ${minutes(upMs)}`,
        );
      const { passesMs, failsMs } = seen.get(`${truth.host} ${name}`) ?? { passesMs: 0, failsMs: 0 };
      if (time.nowMs > (history.settings.keepDays - 1) * day) continue;
      for (const [what, ms, wantedMs] of [
        ['up', upMs, passesMs],
        ['down', downMs, failsMs],
      ] as const) {
        if (ms < wantedMs - slackMs)
          broken(
            'uptime',
            `${label} was seen ${what} for ${minutes(wantedMs)}, and is called ${what} for ${minutes(ms)}`,
          );
      }
    }
  }

  return { look, heard, check };
}

function minutes(ms: number): string {
  return `${(ms / minute).toFixed(1)} min`;
}
