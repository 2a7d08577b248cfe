import { expect, it } from 'vitest';
import {
  address,
  buildCompletionHarness as build,
  chainId,
  everything,
  other,
} from '../testing/completion-harness.ts';
import { refuse } from '../testing/paging-service.ts';

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

it('nothing is told of a failure any more when the last row that is not complete is removed', async () => {
  const { completion, list, statuses, work } = await build(1, () => refuse(404, 'mistyped or missing'));
  await list.load();
  await completion.completeAll(everything, true);
  await work();
  expect(statuses.at(-1)).toMatchObject({ partialCount: 1, error: { code: 'not-found' } });
  await list.remove(address, false);
  completion.showing([]);
  await work();
  expect(statuses.at(-1)).toMatchObject({ partialCount: 0, error: null });
});

it('an address that is removed just before the answer is stored holds up no row of another address', async () => {
  const { completion, list, partial, rest, rowIds, stores, sync, work } = await build(2);
  await list.load();
  sync.start({ address: other, chainId, list: 'transactions' }, 'user');
  await rest();
  expect(await partial()).toBe(4);
  const { putRows } = stores.activity;
  stores.activity.putRows = async (rows) => {
    stores.activity.putRows = putRows;
    await list.remove(address, false);
    return await putRows(rows);
  };
  await completion.completeAll(everything, true);
  await work();
  expect(completion.status()).toMatchObject({ partialCount: 0, waitingCount: 0, error: null });
  expect(await rowIds()).toHaveLength(2);
});
