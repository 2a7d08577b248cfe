import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lostNotice, refused, written, type LostWrites } from './lost-writes.ts';
import { openStore } from './open-store.ts';
import { createErrorLog, createManualTimers, fixedClock } from '../testing/ports.ts';
import { sampleNode, samplePoll, storageMessage } from '../testing/sample-data.ts';
import { workerUrl } from '../testing/worker-url.ts';

const nowMs = Date.UTC(2026, 2, 1, 14, 5, 9);
const minuteMs = 60_000;

describe('what is said of writes that were refused', () => {
  const full = (isPoll: boolean, minute: number) => ({
    words: 'The disk is full.',
    isPoll,
    nowMs: nowMs + minute * minuteMs,
  });

  it('stays the same while it lasts, and is counted once it is over', () => {
    const first = refused(null, full(true, 0));
    const second = refused(first, full(false, 1));
    expect(lostNotice(second)).toBe(lostNotice(first));
    expect(lostNotice(first)).toMatch(
      /^The disk is full\. No new data has been saved since 2026-03-01 14:05 UTC\./,
    );
    const over = written(second, nowMs + 2 * minuteMs);
    expect(over).toEqual({ ...second, untilMs: nowMs + 2 * minuteMs });
    expect(written(over, nowMs + 9 * minuteMs)).toBe(over);
    expect(lostNotice(over as LostWrites)).toBe(
      'The app is saving new data again. Not saved from 2026-03-01 14:05 UTC to 2026-03-01 14:07 UTC: 1 node poll and 1 other change.',
    );
    const again = refused(over, full(true, 20));
    expect(again).toMatchObject({ sinceMs: nowMs, untilMs: null, polls: 2, others: 1 });
    expect(written(null, 0)).toBeNull();
  });
});

/** Only the administrator of a Linux may mount. */
function canMount(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0;
}

describe.skipIf(!canMount())('a disk that is full while the app runs', () => {
  let root: string;
  let disk: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'watchkeeper-full-'));
    disk = join(root, 'disk');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', disk]);
  });

  afterEach(() => {
    execFileSync('umount', [disk]);
    rmSync(root, { recursive: true });
  });

  it('is told with the first write that it refuses, and storing goes on by itself', async () => {
    const store = await openStore({
      directory: join(disk, 'profile'),
      workerUrl,
      clock: fixedClock(nowMs),
      timers: createManualTimers(),
      log: createErrorLog().log,
      drivers: ['node:sqlite'],
    });
    try {
      await store.health.putNode(sampleNode());
      const poll = (atMs: number) =>
        store.health.recordPoll(
          samplePoll({ polledAtMs: atMs, reportJson: JSON.stringify('x'.repeat(40_000)) }),
        );
      await poll(1);
      const told: string[] = [];
      store.onStatus(({ notices }) => told.push(notices.join()));
      fillUp(join(disk, 'filler'));
      expect(await storageMessage(poll(2))).toMatch(/disk is full/);
      expect(store.status).toEqual({
        state: 'ready',
        notKept: true,
        notices: [expect.stringMatching(/disk is full.*No new data has been saved/)],
      });
      expect(await storageMessage(poll(3))).toMatch(/disk is full/);
      // What is stored can be read meanwhile, which does not mean that there is room.
      expect((await store.health.latest('n1')).poll?.polledAtMs).toBe(1);
      expect(told).toHaveLength(1);
      rmSync(join(disk, 'filler'));
      await poll(4);
      expect(store.status).toEqual({
        state: 'ready',
        notKept: false,
        notices: [expect.stringMatching(/saving new data again.*: 2 node polls\.$/)],
      });
      expect((await store.health.scanPolls('n1', 0, 9, 9)).map(({ polledAtMs }) => polledAtMs)).toEqual([
        1, 4,
      ]);
    } finally {
      await store.close();
    }
  });
});

/** Takes all the room that is left. */
function fillUp(path: string): void {
  for (const size of [65_536, 4_096]) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(size), { flag: 'a' });
    } catch (cause) {
      if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC')) throw cause;
    }
  }
}
