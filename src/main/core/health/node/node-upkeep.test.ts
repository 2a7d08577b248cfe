import { describe, expect, it } from 'vitest';
import type { FailureEpisode } from '../../../../shared/health/types.ts';
import { createNodeUpkeep } from './node-upkeep.ts';
import { createFakeLog, createFakeTime } from '../testing/fake-ports.ts';

const episode: FailureEpisode = {
  id: 'e',
  check: 'C',
  startedAtMs: 0,
  startKnownFrom: 'seen',
  endedAtMs: null,
  endKnownFrom: null,
  failuresSeen: 1,
  failuresReported: null,
  firstError: null,
  lastError: null,
  passes: 0,
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

function createWorld(slices: (boolean | Error)[] = []) {
  const time = createFakeTime();
  const log = createFakeLog();
  const calls: { atMs: number; keepDays: number; keepBytesPerNode: number }[] = [];
  const limits = { keepDays: 365, keepMegabytesPerNode: 150, recoverAfter: 1 };
  const doneMs: number[] = [];
  const upkeep = createNodeUpkeep({
    store: {
      maintain: ({ nowMs, recoverAfter, ...rest }) => {
        expect(recoverAfter).toBe(limits.recoverAfter);
        expect(nowMs).toBe(time.clock.nowMs());
        calls.push({ atMs: time.clock.monotonicMs(), ...rest });
        const slice = slices.shift() ?? false;
        return slice instanceof Error ? Promise.reject(slice) : Promise.resolve(slice);
      },
    },
    clock: time.clock,
    timers: time.timers,
    log,
    limits: () => limits,
    onDone: () => doneMs.push(time.clock.monotonicMs()),
  });
  return { time, log, calls, limits, upkeep, doneMs };
}

describe('the upkeep of the history', () => {
  it('begins after the start, goes on slice by slice, and rests for an hour', async () => {
    const { time, calls, upkeep } = createWorld([true, true]);
    upkeep.start(time.clock.nowMs());
    await time.advance(29_999);
    expect(calls).toEqual([]);
    await time.advance(1_000);
    expect(calls).toEqual(
      [30_000, 30_050, 30_100].map((atMs) => ({ atMs, keepDays: 365, keepBytesPerNode: 150_000_000 })),
    );
    await time.advance(3_600_000);
    expect(calls.map(({ atMs }) => atMs).slice(3)).toEqual([3_630_100]);
  });

  it('tells once when it has done all that there was, and not when there was nothing', async () => {
    const { time, doneMs, upkeep } = createWorld([true, true, false, false, true, new Error('busy')]);
    upkeep.start(time.clock.nowMs());
    await time.advance(3 * hourMs);
    expect(doneMs).toEqual([30_100, 2 * hourMs + 30_150]);
  });

  it('applies other limits at once', async () => {
    const { time, calls, limits, upkeep } = createWorld();
    upkeep.start(time.clock.nowMs());
    await time.advance(60_000);
    limits.keepDays = 30;
    upkeep.limitsChanged();
    await time.advance(1);
    expect(calls.at(-1)).toEqual({ atMs: 60_000, keepDays: 30, keepBytesPerNode: 150_000_000 });
    // Also when a slice is under way, which began with the old ones.
    upkeep.limitsChanged();
    void time.advance(0);
    await Promise.resolve();
    limits.keepDays = 7;
    upkeep.limitsChanged();
    await time.advance(100);
    expect(calls.at(-1)?.keepDays).toBe(7);
  });

  it('keeps what a step of the clock would take, until that has lasted for hours', async () => {
    const { time, calls, upkeep } = createWorld();
    const seenMs = time.clock.nowMs();
    time.stepClock(400 * dayMs);
    upkeep.start(seenMs);
    await time.advance(5 * hourMs);
    // As if there were 400 days more to be kept.
    expect(new Set(calls.map(({ keepDays }) => keepDays))).toEqual(new Set([765]));
    await time.advance(2 * hourMs);
    expect(calls.at(-1)?.keepDays).toBe(365);
    time.stepClock(100 * dayMs);
    await time.advance(hourMs);
    expect(calls.at(-1)?.keepDays).toBe(465);
  });

  it('believes the clock when two starts have seen the same', async () => {
    const { time, calls, upkeep } = createWorld();
    upkeep.start(time.clock.nowMs() - hourMs / 4);
    await time.advance(hourMs);
    expect(calls.map(({ keepDays }) => keepDays)).toEqual([365]);
  });

  it('does not wait for its hour when a node fills up its room', async () => {
    const { time, calls, upkeep } = createWorld();
    upkeep.start(time.clock.nowMs());
    await time.advance(60_000);
    const poll = { episodes: [], reportJson: 'x'.repeat(1_000_000) };
    for (let at = 0; at < 7; at += 1) upkeep.recorded(poll);
    await time.advance(1_000);
    expect(calls).toHaveLength(1);
    upkeep.recorded(poll);
    upkeep.recorded({ episodes: [], reportJson: null });
    await time.advance(1_000);
    expect(calls).toHaveLength(2);
    await time.advance(60_000);
    expect(calls).toHaveLength(2);
  });

  it('counts failures as what they take', async () => {
    const { time, calls, limits, upkeep } = createWorld();
    limits.keepMegabytesPerNode = 1;
    upkeep.start(time.clock.nowMs());
    await time.advance(60_000);
    const episodes = (count: number) => ({
      reportJson: null,
      episodes: Array.from({ length: count }, () => episode),
    });
    upkeep.recorded(episodes(249));
    await time.advance(1_000);
    expect(calls).toHaveLength(1);
    upkeep.recorded(episodes(1));
    await time.advance(1_000);
    expect(calls).toHaveLength(2);
  });

  it('plans nothing while a slice is under way, which goes on after it where limits have changed', async () => {
    let finish = (): void => undefined;
    const time = createFakeTime();
    let calls = 0;
    const limits = { keepDays: 365, keepMegabytesPerNode: 1, recoverAfter: 1 };
    const maintain = () => {
      calls += 1;
      return new Promise<boolean>((resolve) => (finish = () => resolve(false)));
    };
    const { clock, timers } = time;
    const upkeep = createNodeUpkeep({
      store: { maintain },
      clock,
      timers,
      log: createFakeLog(),
      limits: () => limits,
      onDone: () => undefined,
    });
    const full = { episodes: [], reportJson: 'x'.repeat(1_000_000) };
    upkeep.recorded(full);
    upkeep.limitsChanged();
    await time.advance(60_000);
    expect(calls).toBe(0);
    await upkeep.stop();
    upkeep.start(time.clock.nowMs());
    await time.advance(30_000);
    upkeep.recorded(full);
    upkeep.limitsChanged();
    await time.advance(60_000);
    expect(calls).toBe(1);
    finish();
    await time.advance(100);
    expect(calls).toBe(2);
    const stopping = upkeep.stop();
    finish();
    await stopping;
    upkeep.recorded(full);
    await time.advance(2 * hourMs);
    expect(calls).toBe(2);
  });

  it('goes on after an error of the store', async () => {
    const cause = new Error('the disk is full');
    const { time, log, calls, upkeep } = createWorld([cause]);
    upkeep.start(time.clock.nowMs());
    await time.advance(3_630_000);
    expect(log.entries).toEqual([{ level: 'error', event: 'node.maintain', cause }]);
    expect(calls).toHaveLength(2);
  });

  it('ends, and begins nothing any more', async () => {
    const { time, calls, upkeep } = createWorld([true, true, true]);
    upkeep.start(time.clock.nowMs());
    await time.advance(30_010);
    await upkeep.stop();
    upkeep.limitsChanged();
    await time.advance(3_600_000);
    expect(calls).toHaveLength(1);
  });
});
