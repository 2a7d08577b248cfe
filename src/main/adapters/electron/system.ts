import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Clock, Random, Timers } from '../../core/ports.ts';

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};

/** The longest delay of the platform's timers; a longer one would fire at once. */
const longestDelayMs = 2_147_483_647;

export const systemTimers: Timers = {
  after(delayMs, task) {
    const timer = setTimeout(task, Math.min(Math.max(0, delayMs), longestDelayMs));
    return () => clearTimeout(timer);
  },
};

export const systemRandom: Random = {
  fraction: () => Math.random(),
  id: () => randomUUID(),
};
