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
    expect(replay).toMatchObject({ index: 1, atMs: 3_500, report: { reason: 'report of 3000' } });
    await replay.goTo(2_999);
    expect(replay).toMatchObject({ index: 0, atMs: 2_999, report: { reason: 'report of 1000' } });
  });

  it('shows what was asked for while its span was still read', async () => {
    const loading = replay.load('n1', span, null);
    await replay.goTo(3_500);
    await loading;
    expect(replay).toMatchObject({ atMs: 3_500, index: 1, report: reportAt(3_000) });
    const other = replay.load('n1', { ...span, fromMs: 1 }, 3_500);
    await replay.go(0);
    await other;
    expect(replay).toMatchObject({ atMs: 1_000, index: 0 });
    const last = replay.load('n1', span, 1_000);
    await replay.go(2);
    await last;
    expect(replay).toMatchObject({ atMs: 3_000_000, index: 2 });
  });

  it('asks for an older report before the first change of its span', async () => {
    bridge.answer('nodes.reportAt', () => ok(null));
    await replay.load('n1', span, 5);
    expect(replay).toMatchObject({ index: -1, atMs: 5, report: null, isKnown: true });
    expect(bridge.argsOf('nodes.reportAt')).toEqual([{ id: 'n1', atMs: 5 }]);
  });

  it('skips to the first change only where nothing was stored at the shown time', async () => {
    await replay.load('n1', span, 3_500);
    await replay.skipToFirst();
    expect(replay).toMatchObject({ index: 1, atMs: 3_500 });
    await replay.load('n1', span, 5);
    await replay.skipToFirst();
    expect(replay).toMatchObject({ index: -1, atMs: 5, report: { reason: 'report of 5' } });
    bridge.answer('nodes.reportAt', ({ atMs }) => ok(atMs < 1_000 ? null : reportAt(atMs)));
    await replay.load('n1', span, 6);
    await replay.skipToFirst();
    expect(replay).toMatchObject({ index: 0, atMs: 1_000, report: { reason: 'report of 1000' } });
    // Neither from a change whose report is gone by now, nor before it is known.
    bridge.answer('nodes.reportAt', () => ok(null));
    await replay.load('n1', span, 3_000_000);
    await replay.skipToFirst();
    expect(replay).toMatchObject({ index: 2, atMs: 3_000_000, report: null, isKnown: true });
    bridge.answer('nodes.reportAt', () => new Promise(() => undefined));
    void replay.goTo(7);
    await replay.skipToFirst();
    expect(replay).toMatchObject({ index: -1, atMs: 7, isKnown: false });
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

  it('shows neither the report nor the failure of before where a span has nothing', async () => {
    await replay.load('n1', span, null);
    bridge.answer('nodes.reportAt', () => err({ code: 'storage', message: 'the disk is gone' }));
    await replay.go(0);
    bridge.answer('nodes.moments', () => ok({ moments: [], isCut: false }));
    await replay.load('n1', span, null);
    await replay.goTo(5);
    expect(replay).toMatchObject({ index: -1, atMs: null, report: null, error: null });
    expect(bridge.argsOf('nodes.reportAt')).toHaveLength(2);
  });

  it('goes from change to change and stops at the end', async () => {
    await replay.load('n1', span, 1_000);
    replay.play();
    expect(replay.waitMs).toBe(200);
    await replay.go(1);
    expect(replay).toMatchObject({ waitMs: 3_000, wantedMs: 3_000 });
    await replay.go(2);
    // Whatever is the newest in another span.
    expect(replay).toMatchObject({ index: 2, playing: false, waitMs: null, wantedMs: null });
  });

  it('begins anew when it is played at its end', async () => {
    await replay.load('n1', span, null);
    replay.play();
    expect(replay.index).toBe(0);
  });

  it('waits anew at another speed, and no more when it is paused', async () => {
    await replay.load('n1', span, 1_000);
    replay.play();
    replay.speed = 1;
    expect(replay.waitMs).toBe(2_000);
    replay.playing = false;
    expect(replay.waitMs).toBeNull();
  });

  it('shows no report of another time when one cannot be read, and says so', async () => {
    await replay.load('n1', span, null);
    bridge.answer('nodes.reportAt', () => err({ code: 'storage', message: 'the disk is gone' }));
    await replay.go(0);
    expect(replay.error?.code).toBe('storage');
    expect(replay).toMatchObject({ atMs: 1_000, report: null, isKnown: false });
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

  it('knows nothing before it is loaded, and plays nothing', async () => {
    expect(replay).toMatchObject({ index: -1, playing: false, moments: null, isCut: false });
    expect([replay.moment, replay.report, replay.error, replay.waitMs]).toEqual([null, null, null, null]);
    replay.play();
    expect(replay.playing).toBe(false);
    await Promise.all([replay.go(0), replay.goTo(5), replay.skipToFirst()]);
    expect(replay).toMatchObject({ atMs: null, isKnown: false });
  });

  it('says why the changes cannot be read, in whatever part, and stops playing', async () => {
    await replay.load('n1', span, 1_000);
    replay.play();
    let parts = 0;
    bridge.answer('nodes.moments', () =>
      ++parts === 1 ? ok({ moments, isCut: true }) : err({ code: 'storage', message: 'the disk is gone' }),
    );
    await replay.load('n2', span, null);
    expect(replay).toMatchObject({ playing: false, moments: null, error: { code: 'storage' } });
    expect([parts, replay.report]).toEqual([2, null]);
  });

  it('reads forty parts at most, and none after one that says no more', async () => {
    bridge.answer('nodes.moments', ({ fromMs }) =>
      ok({ moments: [{ atMs: fromMs, state: 'healthy' }], isCut: true }),
    );
    await replay.load('n1', span, null);
    expect(replay).toMatchObject({ isCut: true, index: 39 });
    expect(bridge.argsOf('nodes.moments')).toHaveLength(40);
    bridge.answer('nodes.moments', () => ok({ moments: [], isCut: true }));
    await replay.load('n2', span, null);
    expect(replay).toMatchObject({ isCut: false, index: -1 });
  });

  it('plays two changes, from where it is, and one not at all', async () => {
    await replay.load('n1', span, 3_000);
    replay.play();
    expect(replay).toMatchObject({ index: 1, playing: true });
    bridge.answer('nodes.moments', () => ok({ moments: moments.slice(0, 2), isCut: false }));
    await replay.load('n1', span, 1_000);
    replay.play();
    expect(replay.playing).toBe(true);
    bridge.answer('nodes.moments', () => ok({ moments: moments.slice(0, 1), isCut: false }));
    await replay.load('n1', span, 1_000);
    replay.play();
    expect(replay.playing).toBe(false);
  });

  it('shows nothing of another node while that is read, and the span that was asked for last', async () => {
    await replay.load('n1', span, null);
    const answers: (() => void)[] = [];
    bridge.answer(
      'nodes.moments',
      ({ toMs }) =>
        new Promise((resolve) =>
          answers.push(() => resolve(ok({ moments: moments.slice(0, toMs), isCut: false }))),
        ),
    );
    const first = replay.load('n2', { fromMs: 0, toMs: 1 }, null);
    const second = replay.load('n2', { fromMs: 0, toMs: 2 }, null);
    expect(replay.moments).toBeNull();
    answers[1]?.();
    await second;
    answers[0]?.();
    await first;
    expect(replay).toMatchObject({ index: 1, moments: moments.slice(0, 2) });
    expect(bridge.argsOf('nodes.reportAt').map(({ id, atMs }) => `${id} ${atMs}`)).toEqual([
      'n1 3000000',
      'n2 3000',
    ]);
    bridge.answer('nodes.moments', () => ok({ moments, isCut: false }));
    bridge.answer('nodes.reportAt', () => new Promise(() => undefined));
    void replay.load('n3', span, null);
    await expect.poll(() => replay.atMs).toBe(3_000_000);
    expect(replay.report).toBeNull();
  });
});
