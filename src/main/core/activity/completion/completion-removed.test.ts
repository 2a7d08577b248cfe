import { expect, it } from 'vitest';
import { address, buildCompletionHarness as build, everything } from '../testing/completion-harness.ts';

it.each([true, false])(
  'an address that is removed while its rows are completed ends that without an error (kept: %s)',
  async (isKept) => {
    const harness = await build(3);
    const { completion, list, paging, time } = harness;
    await list.load();
    const { send } = paging.client;
    const answers = Promise.withResolvers<void>();
    paging.client.send = async (request) => {
      await answers.promise;
      return await send(request);
    };
    await completion.completeAll(everything, true);
    await time.settle();
    await harness.stores.idle();
    expect(completion.status()).toMatchObject({ isAll: true });
    await list.remove(address, isKept);
    answers.resolve();
    await harness.work();
    expect(paging.requests).toHaveLength(2);
    expect(completion.status()).toMatchObject({
      partialCount: 0,
      waitingCount: 0,
      isAll: false,
      error: null,
    });
  },
);
