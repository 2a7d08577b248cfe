// Loaded into the main process before the app, when a test asks for it: the app's longer waits (a pause before a
// repetition, the time between two polls, the limit of an answer) end when the test says that time has passed, and not
// before. Shorter ones, which only spread work, end by themselves.
'use strict';

const shortestHeldMs = 1_000;
const { setTimeout: start, clearTimeout: stop, performance } = globalThis;
const nowOf = Date.now;
const monotonicOf = performance.now.bind(performance);

// How far the app's clocks are ahead of the computer's: both by what has passed, and the one of the day by its beginning.
let aheadMs = 0;
const begun = { now: nowOf(), monotonic: monotonicOf() };
const startsAtMs = Number(process.env['HELD_CLOCK_STARTS_AT_MS'] ?? begun.now);
const dayAheadMs = startsAtMs - begun.now;
/** Where the computer's clocks stood when the app's were stopped. */
let stopped = process.env['HELD_CLOCK_IS_STOPPED'] === '1' ? begun : null;
/** @type {Set<{ dueMs: number, run: () => void }>} */
const held = new Set();

Date.now = () => Math.floor((stopped?.now ?? nowOf()) + dayAheadMs + aheadMs);
performance.now = () => (stopped?.monotonic ?? monotonicOf()) + aheadMs;

globalThis.setTimeout = function (task, delayMs, ...values) {
  if (!(delayMs >= shortestHeldMs)) return start(task, delayMs, ...values);
  const timer = {
    dueMs: performance.now() + delayMs,
    run: () => task(...values),
    ref: () => timer,
    unref: () => timer,
    hasRef: () => true,
  };
  held.add(timer);
  return timer;
};
globalThis.clearTimeout = function (timer) {
  if (!held.delete(timer)) stop(timer);
};

/** Lets time pass at once; what is due meanwhile is run, each at its own moment. */
globalThis.passTime = (ms) => {
  const endMs = performance.now() + ms;
  for (;;) {
    const due = [...held].filter(({ dueMs }) => dueMs <= endMs).sort((a, b) => a.dueMs - b.dueMs);
    const [next] = due;
    if (next === undefined) break;
    held.delete(next);
    aheadMs += Math.max(0, next.dueMs - performance.now());
    next.run();
  }
  aheadMs += Math.max(0, endMs - performance.now());
};

/** Lets time pass up to this moment; from then on it passes by `passTime` alone. */
globalThis.stopClock = (atMs) => {
  globalThis.passTime(atMs - Date.now());
  stopped = { now: nowOf(), monotonic: monotonicOf() };
  aheadMs += atMs - Date.now();
};
