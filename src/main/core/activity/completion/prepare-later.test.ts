import { describe, expect, it } from 'vitest';
import { createFakeTime } from '../../health/testing/fake-ports.ts';
import type { Log } from '../../ports.ts';
import { prepareLater } from './prepare-later.ts';

function build() {
  const time = createFakeTime();
  const failed: string[] = [];
  const log: Log = {
    info: () => undefined,
    warn: () => undefined,
    error: (event) => {
      failed.push(event);
      return 'ref';
    },
  };
  const calls: { reject: (cause: Error) => void }[] = [];
  const store = {
    prepare: () => new Promise<void>((_resolve, reject) => calls.push({ reject })),
  };
  const cancel = prepareLater({ store, timers: time.timers, log });
  return { time, calls, failed, cancel };
}

describe('preparing the store', () => {
  it('waits until the window has shown something, and is done once', async () => {
    const { time, calls } = build();
    await time.advance(2_999);
    expect(calls).toHaveLength(0);
    await time.advance(1);
    expect(calls).toHaveLength(1);
    await time.advance(60_000);
    expect(calls).toHaveLength(1);
  });

  it('tells the log of a failure', async () => {
    const { time, calls, failed } = build();
    await time.advance(3_000);
    calls[0]?.reject(new Error('the disk failed'));
    await time.advance(0);
    expect(failed).toEqual(['activity.prepare-failed']);
  });

  it('is not begun after its end, and what was begun ends quietly', async () => {
    const before = build();
    before.cancel();
    await before.time.advance(3_000);
    expect(before.calls).toHaveLength(0);

    const during = build();
    await during.time.advance(3_000);
    during.cancel();
    during.calls[0]?.reject(new Error('it is being closed'));
    await during.time.advance(0);
    expect(during.failed).toEqual([]);
  });
});
