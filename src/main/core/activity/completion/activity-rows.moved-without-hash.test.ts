import { expect, it } from 'vitest';
import {
  address,
  buildCompletionHarness,
  chainId,
  everything,
  hashAsked,
} from '../testing/completion-harness.ts';
import { respond } from '../testing/paging-service.ts';

it('a complete row whose transaction is in another block now follows the list, also where no block has a hash', async () => {
  const block = { inLists: 1_000, inDetail: 1_000 };
  const partsIn = (number: number) => ({
    blockNumber: String(number),
    blockTimestamp: 1_600_000_000 + number,
    blockHash: undefined,
  });
  const { completion, rowIds, work, sync, rest, stores, paging } = await buildCompletionHarness(
    1,
    (request) =>
      respond({ nativeTransaction: { txHash: hashAsked(request), value: '1', ...partsIn(block.inDetail) } }),
    {
      mangle: (body) => ({
        ...body,
        transactions: body.transactions.map((element) => {
          // The service made it as an object.
          const { nativeTransaction, ...others } = element as { nativeTransaction?: object };
          const parts = partsIn(block.inLists);
          return nativeTransaction === undefined
            ? { ...others, ...parts }
            : { nativeTransaction: { ...nativeTransaction, ...parts } };
        }),
      }),
    },
  );
  const check = async (list: 'transactions' | 'erc20' = 'transactions') => {
    paging.requests.length = 0;
    sync.start({ address, chainId, list }, 'user');
    await rest();
  };
  const complete = async () => {
    completion.showing(await rowIds());
    await work();
    const query = { filter: everything, offset: 0, anchor: null, limit: 1 };
    const [row] = (await stores.activity.readRows(query)).rows;
    return [row?.blockNumber, row?.completeness, row?.marks.reorg];
  };
  expect(await complete()).toEqual([1_000n, 'complete', null]);
  await check('erc20');
  block.inLists = 1_001;
  await check();
  expect(await complete()).toEqual([1_001n, 'partial', 'reorganised']);
  // Nothing is in doubt any more.
  await check();
  expect(paging.requests).toHaveLength(1);
  block.inDetail = 1_001;
  await completion.completeAll(everything, true);
  expect(await complete()).toEqual([1_001n, 'complete', 'reorganised']);
});
