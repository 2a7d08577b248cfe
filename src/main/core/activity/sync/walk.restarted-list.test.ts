import { expect, it } from 'vitest';
import { history } from '../testing/made-history.ts';
import { refuse, type PageBody } from '../testing/paging-service.ts';
import { buildSyncHarness } from '../testing/sync-harness.ts';

it('has each element once where a token is refused in the first run, though its price has changed', async () => {
  let price = 0;
  let isRefused = false;
  const withPrice = (body: PageBody) => {
    price += 1;
    const text = JSON.stringify(body).replaceAll(
      '"erc20Token":{',
      `"erc20Token":{"price":{"value":"${price}"},`,
    );
    return JSON.parse(text) as PageBody;
  };
  const { time, paging, run, sync, storedHashes } = buildSyncHarness({
    list: 'erc20',
    maxPageSize: () => 2,
    mangle: withPrice,
    fault: ({ url }) => {
      if (isRefused || !url.includes('pageToken=token-2')) return null;
      isRefused = true;
      time.stepClock(1_000);
      return refuse(400, 'page token is unknown or expired');
    },
  });
  paging.transactions.push(...history(7));
  expect(await run()).toEqual({ ok: true, value: null });
  expect(isRefused).toBe(true);
  expect(storedHashes()).toHaveLength(7);
  expect((await sync())?.rowCount).toBe(7);
});

it('ends where tokens are refused at one place and then at another, over and over', async () => {
  let [pages, refusals] = [0, 0];
  const { paging, run } = buildSyncHarness({
    list: 'erc20',
    maxPageSize: () => 2,
    fault: ({ url }, number) => {
      if (number > 100) throw new Error('This never ends.');
      pages = url.includes('pageToken') ? pages + 1 : 1;
      if (pages < 3 + (refusals % 2)) return null;
      refusals += 1;
      return refuse(400, 'page token is unknown or expired');
    },
  });
  paging.transactions.push(...history(20));
  expect(await run()).toMatchObject({ error: { code: 'upstream', status: 400 } });
  expect(refusals).toBe(3);
});

it('tells of an element that cannot be read once, also where it is read twice', async () => {
  const { paging, run } = buildSyncHarness({
    list: 'erc20',
    maxPageSize: () => 2,
    fault: (_request, number) => (number === 2 ? refuse(400, 'page token is unknown or expired') : null),
    mangle: ({ transactions, ...rest }) => ({
      ...rest,
      transactions: transactions.map((one) => (JSON.stringify(one).includes('"999"') ? {} : one)),
    }),
  });
  paging.transactions.push(...history(7));
  expect(await run()).toMatchObject({ error: { message: expect.stringMatching(/^One entry/) as unknown } });
});
