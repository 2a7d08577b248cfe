import { expect, it } from 'vitest';
import type { ListId } from '../../../../shared/activity/types.ts';
import { buildSyncHarness } from '../testing/sync-harness.ts';

it.each<ListId>(['transactions', 'erc20'])(
  'an element of the list %s whose hash no store can hold is a hole, and no reason to stop',
  async (list) => {
    const { paging, run, sync, storedHashes } = buildSyncHarness({
      list,
      mangle: (body) => ({
        transactions: body.transactions.map((element) => {
          const text = JSON.stringify(element);
          const isOdd = text.includes('"blockNumber":"6"');
          return JSON.parse(isOdd ? text.replace('"txHash":"', '"txHash":"\\u0000') : text) as unknown;
        }),
      }),
    });
    paging.transactions.push(...[5, 6, 7].map((block) => ({ block, index: 0 })));
    expect(await run()).toMatchObject({ ok: false, error: { code: 'bad-response' } });
    expect(storedHashes()).toHaveLength(2);
    expect((await sync())?.rowCount).toBe(2);
  },
);
