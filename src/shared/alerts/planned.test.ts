import { describe, expect, it } from 'vitest';
import { plannedAt, plannedMs } from './planned.ts';

const planned = [
  { nodeId: 'a', fromMs: 100, untilMs: 200 },
  { nodeId: 'a', fromMs: 150, untilMs: 250 },
  { nodeId: 'b', fromMs: 0, untilMs: 1_000 },
];

describe('planned work', () => {
  it.each([
    [0, 1_000, 150],
    [120, 160, 40],
    [160, 220, 60],
    [240, 300, 10],
    [250, 300, 0],
    [0, 100, 0],
  ])('counts once within %i to %i', (fromMs, toMs, ms) => {
    expect(plannedMs(planned, 'a', { fromMs, toMs })).toBe(ms);
  });

  it.each([
    [99, false],
    [100, true],
    [249, true],
    [250, false],
  ])('is at %i: %s', (atMs, isPlanned) => {
    expect(plannedAt(planned, 'a', atMs) !== undefined).toBe(isPlanned);
    expect(plannedAt(planned, 'c', atMs)).toBeUndefined();
  });
});
