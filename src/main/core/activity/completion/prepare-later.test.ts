import { describe, expect, it } from 'vitest';
import { createFakeTime } from '../../health/testing/fake-ports.ts';
import type { Log } from '../../ports.ts';
import { createPreparation } from './prepare-later.ts';

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
  const calls: PromiseWithResolvers<void>[] = [];
  const store = {
    prepare: () => {
      const call = Promise.withResolvers<void>();
      calls.push(call);
      return call.promise;
    },
  };
  const preparation = createPreparation({ store, timers: time.timers, log });
  return { time, calls, failed, preparation };
}

describe('preparing the store', () => {
  it('waits until the window has read rows and shown them, and is done once: rows are read again with each change', async () => {
    const { time, calls, preparation } = build();
    await time.advance(60_000);
    expect(calls).toHaveLength(0);
    preparation.soon();
    await time.advance(2_999);
    preparation.soon();
    expect(calls).toHaveLength(0);
    await time.advance(1);
    preparation.soon();
    await time.advance(60_000);
    expect(calls).toHaveLength(1);
    calls[0]?.resolve();
    await time.advance(0);
    preparation.soon();
    await time.advance(600_000);
    expect(calls).toHaveLength(1);
  });

  it('tells the log of a failure', async () => {
    const { time, calls, failed, preparation } = build();
    preparation.soon();
    await time.advance(3_000);
    calls[0]?.reject(new Error('the disk failed'));
    await time.advance(0);
    expect(failed).toEqual(['activity.prepare-failed']);
  });

  it('is not begun after its end, and what was begun ends quietly', async () => {
    const before = build();
    before.preparation.soon();
    before.preparation.stop();
    before.preparation.soon();
    await before.time.advance(3_000);
    expect(before.calls).toHaveLength(0);

    const during = build();
    during.preparation.soon();
    await during.time.advance(3_000);
    during.preparation.stop();
    during.calls[0]?.reject(new Error('it is being closed'));
    await during.time.advance(0);
    expect(during.failed).toEqual([]);
  });
});
