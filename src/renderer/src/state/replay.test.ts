import { beforeEach, describe, expect, it } from 'vitest';
import { err, ok } from '../../../shared/errors.ts';
import type { ReportAt, ReportMoment } from '../../../shared/health/types.ts';
import { FakeBridge, installBridge } from '../testing/fake-bridge.ts';
import { fullWorld } from '../testing/sample-world.ts';
import { momentIndexAt, Replay, replayWaitMs } from './replay.svelte.ts';

const nowMs = Date.UTC(2026, 8, 16, 14);
const span = { fromMs: 0, toMs: nowMs };
const moments: ReportMoment[] = [
  { atMs: 1_000, state: 'healthy' },
  { atMs: 3_000, state: 'unhealthy' },
  { atMs: 3_000_000, state: 'healthy' },
];
const reportAt = (atMs: number): ReportAt => ({
  atMs,
  state: 'healthy',
  reason: `report of ${atMs}`,
  report: null,
  differences: [],
  previousAtMs: null,
  nextAtMs: null,
});

let bridge: FakeBridge;
let replay: Replay;

beforeEach(() => {
  bridge = new FakeBridge(fullWorld(nowMs));
  bridge.answer('nodes.moments', () => ok({ moments, isCut: false }));
  bridge.answer('nodes.reportAt', ({ atMs }) => ok(reportAt(atMs)));
  installBridge(bridge);
  replay = new Replay();
});

describe('the wait for the next change', () => {
  it.each([
    // A node that runs its checks every 30 s: each speed is its own.
    [30_000, 1, 30_000],
    [30_000, 10, 3_000],
    [30_000, 100, 300],
    [60_000, 1, 30_000],
    [2_000, 1, 2_000],
    [2_000, 10, 200],
    [2_000, 100, 150],
    [0, 1, 150],
    [86_400_000, 100, 300],
  ] as const)('of %i ms at %i× is %i ms', (gapMs, speed, waitMs) => {
    expect(replayWaitMs(gapMs, speed)).toBe(waitMs);
  });
});

describe('the moment at a time', () => {
  it.each([
    [999, -1],
    [1_000, 0],
    [2_999, 0],
    [3_000, 1],
    [9e9, 2],
  ])('%i is %i', (atMs, index) => {
    expect(momentIndexAt(moments, atMs)).toBe(index);
  });

  it('is none where there are none', () => {
    expect(momentIndexAt([], 5)).toBe(-1);
  });
});

describe('a replay', () => {
  it('begins at the newest report, or at the moment that was asked for', async () => {
    await replay.load('n1', span, null);
    expect(replay.index).toBe(2);
    expect(replay.report?.reason).toBe('report of 3000000');
    await replay.load('n1', span, 3_500);
    expect(replay.index).toBe(1);
    await replay.load('n1', span, 5);
    expect(replay.index).toBe(0);
  });

  it('holds every change of a span, however many there are', async () => {
    const all = Array.from({ length: 45_000 }, (_, at): ReportMoment => ({
      atMs: at * 1_000,
      state: 'healthy',
    }));
    bridge.answer('nodes.moments', ({ fromMs, toMs, limit }) => {
      const within = all.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
      return ok({ moments: within.slice(0, limit), isCut: within.length > limit });
    });
    await replay.load('n1', span, null);
    expect(replay).toMatchObject({ index: 44_999, isCut: false });
    expect(replay.moments).toEqual(all);
    expect(bridge.argsOf('nodes.moments')).toHaveLength(3);
  });

  it('shows nothing, and plays nothing, where nothing is stored', async () => {
    bridge.answer('nodes.moments', () => ok({ moments: [], isCut: false }));
    await replay.load('n1', span, null);
    replay.play();
    expect(replay).toMatchObject({ index: -1, report: null, playing: false, waitMs: null });
  });

  it('goes from change to change and stops at the end', async () => {
    await replay.load('n1', span, 0);
    replay.play();
    expect(replay.waitMs).toBe(200);
    await replay.go(1);
    expect(replay.waitMs).toBe(3_000);
    await replay.go(2);
    expect(replay).toMatchObject({ index: 2, playing: false, waitMs: null });
  });

  it('begins anew when it is played at its end', async () => {
    await replay.load('n1', span, null);
    replay.play();
    expect(replay.index).toBe(0);
  });

  it('waits anew at another speed, and no more when it is paused', async () => {
    await replay.load('n1', span, 0);
    replay.play();
    replay.speed = 1;
    expect(replay.waitMs).toBe(2_000);
    replay.playing = false;
    expect(replay.waitMs).toBeNull();
  });

  it('does not ask twice for a report', async () => {
    await replay.load('n1', span, null);
    await replay.go(1);
    await replay.go(2);
    expect(bridge.argsOf('nodes.reportAt').map(({ atMs }) => atMs)).toEqual([3_000_000, 3_000]);
  });

  it('keeps what it shows when a report cannot be read, and says so', async () => {
    await replay.load('n1', span, null);
    bridge.answer('nodes.reportAt', () => err({ code: 'storage', message: 'the disk is gone' }));
    await replay.go(0);
    expect(replay.error?.code).toBe('storage');
    expect(replay.report?.atMs).toBe(3_000_000);
  });

  it('shows the report of the last move, in whatever order the answers come', async () => {
    await replay.load('n1', span, null);
    const answers = new Map<number, () => void>();
    bridge.answer(
      'nodes.reportAt',
      ({ atMs }) => new Promise((resolve) => answers.set(atMs, () => resolve(ok(reportAt(atMs))))),
    );
    const first = replay.go(0);
    const second = replay.go(1);
    await Promise.resolve();
    answers.get(3_000)?.();
    answers.get(1_000)?.();
    await Promise.all([first, second]);
    expect(replay.report?.atMs).toBe(3_000);
  });
});
