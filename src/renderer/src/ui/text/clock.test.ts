import { flushSync } from 'svelte';
import { toStore } from 'svelte/store';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Clock } from './clock.svelte.ts';

const startMs = Date.UTC(2026, 8, 14, 14, 5, 7);

/** What a page reads of the clock, each time that it is drawn. */
function drawn(read: (clock: Clock) => number) {
  const clock = new Clock(() => Date.now());
  const values: number[] = [];
  const end = toStore(() => read(clock)).subscribe((value) => values.push(value));
  return { values, end };
}

async function pass(ms: number) {
  await vi.advanceTimersByTimeAsync(ms);
  flushSync();
}

describe('Clock', () => {
  beforeEach(() => vi.useFakeTimers({ now: startMs }));
  afterEach(() => vi.useRealTimers());

  it('draws ages anew at each whole half of a minute, and only then', async () => {
    const { values, end } = drawn((clock) => clock.nowMs);
    await pass(22_999);
    expect(values).toEqual([startMs]);
    await pass(1);
    expect(values).toEqual([startMs, startMs + 23_000]);
    await pass(60_000);
    expect(values.slice(2)).toEqual([startMs + 53_000, startMs + 83_000]);
    end();
  });

  it('counts down each second, and rests when the moment has come', async () => {
    const { values, end } = drawn((clock) => clock.msUntil(startMs + 2_500));
    await pass(2_000);
    expect(values).toEqual([2_500, 1_500, 500]);
    await pass(1_000);
    expect(values.at(-1)).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
    end();
  });

  it('waits for nothing when nothing on the page needs it', async () => {
    const { values, end } = drawn((clock) => clock.nowMs);
    expect(vi.getTimerCount()).toBe(1);
    end();
    await pass(0);
    expect(vi.getTimerCount()).toBe(0);
    await pass(60_000);
    expect(values).toEqual([startMs]);
  });
});
