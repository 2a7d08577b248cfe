import { describe, expect, it } from 'vitest';
import { history } from '../testing/made-history.ts';
import { hashOf, refuse, respond, type MadeTransaction, type PageBody } from '../testing/paging-service.ts';
import { address, buildSyncHarness as build, chainId, queryOf } from '../testing/sync-harness.ts';

describe('a service that misbehaves', () => {
  it('repeats its token: the walk ends and claims no more than it saw', async () => {
    const page = { transactions: history(50).map(element), nextPageToken: 'again' };
    const { paging, run, sync } = build({ fault: () => respond(page) });
    expect(await run()).toMatchObject({ ok: false, error: { code: 'bad-response' } });
    expect(paging.requests.length).toBeLessThanOrEqual(3);
    expect(await sync()).toMatchObject({ reachedStart: false, rowCount: 50 });
  });

  it('gives the same page under ever new tokens: the walk ends', async () => {
    let issued = 0;
    const { paging, run, sync } = build({
      mangle: (body) => {
        issued += 1;
        return { ...body, nextPageToken: `new-${issued}` };
      },
      fault: (request) => {
        const token = queryOf(request)['pageToken'];
        if (token === undefined) return null;
        issued += 1;
        return respond({ transactions: [], nextPageToken: `new-${issued}` });
      },
    });
    paging.transactions.push(...history(5));
    expect(await run()).toMatchObject({ ok: false, error: { code: 'bad-response' } });
    expect(paging.requests.length).toBeLessThan(50);
    expect(await sync()).toMatchObject({ reachedStart: false });
  });

  it.each([undefined, null, ''])('ends its lists with the token %j', async (nextPageToken) => {
    const { paging, run, sync } = build({ mangle: (body) => ({ ...body, nextPageToken }) });
    paging.transactions.push(...history(5));
    expect(await run()).toMatchObject({ ok: true });
    expect(await sync()).toMatchObject({ reachedStart: true, rowCount: 5 });
  });

  it.each<[string, (body: PageBody) => unknown]>([
    ['a token that is a number', (body) => ({ ...body, nextPageToken: 7 })],
    ['a token that is an object', (body) => ({ ...body, nextPageToken: { next: body.nextPageToken } })],
    ['a token of blanks', (body) => ({ ...body, nextPageToken: ' ' })],
    [
      'two arrays',
      ({ transactions }) => {
        const [first, rest] = [transactions.slice(0, 90), transactions.slice(90)];
        return `{"transactions":${JSON.stringify(first)},"transactions":${JSON.stringify(rest)}}`;
      },
    ],
  ])('sends a page with %s: it proves nothing, and the next run gets everything', async (_name, mangle) => {
    const oddPage = { value: 1 };
    let asked = 0;
    const { paging, run, sync } = build({
      mangle: (body) => {
        asked += 1;
        return asked === oddPage.value ? mangle(body) : body;
      },
    });
    paging.transactions.push(...history(500));
    expect(await run()).toMatchObject({ ok: false, error: { code: 'bad-response' } });
    expect(await sync()).toBeNull();
    // In the middle of the list: what the pages before it have proven stays.
    oddPage.value = asked + 3;
    expect(await run()).toMatchObject({ ok: false, error: { code: 'bad-response' } });
    expect(await sync()).toMatchObject({ reachedStart: false, rowCount: 200 });
    expect(await run()).toMatchObject({ ok: true });
    expect(await sync()).toMatchObject({ reachedStart: true, rowCount: 500 });
  });

  it('gives few rows a page, and empty pages between', async () => {
    let asked = 0;
    const { paging, run, sync } = build({
      maxPageSize: () => {
        asked += 1;
        return asked % 3 === 0 ? 1 : 7;
      },
    });
    paging.transactions.push(...history(100, 3));
    expect(await run()).toMatchObject({ ok: true });
    expect(await sync()).toMatchObject({ rowCount: 100, reachedStart: true });
  });

  it('refuses every token: what each list begins with is kept, and the walk gets to the end', async () => {
    const { paging, run, sync } = build({
      fault: (request) => (queryOf(request)['pageToken'] === undefined ? null : refuse(404, 'no such token')),
    });
    paging.transactions.push(...history(350));
    expect(await run()).toMatchObject({ ok: true });
    expect(await sync()).toMatchObject({ rowCount: 350, reachedStart: true });
  });

  it('refuses every token in the middle of a block: the walk ends with its error', async () => {
    const { paging, run, sync } = build({
      fault: (request) => (queryOf(request)['pageToken'] === undefined ? null : refuse(400, 'no such token')),
    });
    paging.transactions.push(...history(350, 350));
    expect(await run()).toMatchObject({ ok: false, error: { code: 'upstream', status: 400 } });
    expect(paging.requests.length).toBeLessThan(10);
    expect(await sync()).toMatchObject({ reachedStart: false });
  });

  it('ignores the range: the walk ends where the range does', async () => {
    const all = history(350);
    const { paging, run } = build({
      mangle: (body, request) =>
        queryOf(request)['startBlock'] === undefined
          ? body
          : { transactions: all.slice(0, 5).map(element), nextPageToken: 'on and on' },
    });
    paging.transactions.push(...all);
    await run();
    const before = paging.requests.length;
    await run();
    expect(paging.requests.length).toBe(before + 1);
  });

  it('sends rows that cannot be read: they are a hole, told as an error, tried again with the next run', async () => {
    const isMended = { value: false };
    const { paging, run, sync, storedHashes } = build({
      mangle: (body) =>
        isMended.value
          ? body
          : {
              ...body,
              transactions: body.transactions.map((row) => (isBlock(row, 980) ? { odd: true } : row)),
            },
    });
    paging.transactions.push(...history(50));
    expect(await run()).toMatchObject({
      ok: false,
      error: { code: 'bad-response', message: expect.stringContaining('One entry') as string },
    });
    expect(paging.requests).toHaveLength(1);
    expect(await sync()).toMatchObject({
      rowCount: 49,
      covered: [
        { fromBlock: '0', toBlock: '979' },
        { fromBlock: '982', toBlock: '1000' },
      ],
    });
    isMended.value = true;
    expect(await run()).toMatchObject({ ok: true });
    // The hole lies in the newest blocks, which are looked at again in any case.
    expect(paging.requests).toHaveLength(2);
    expect(await sync()).toMatchObject({ covered: [{ fromBlock: '0', toBlock: '1000' }], rowCount: 50 });
    expect(storedHashes()).toHaveLength(50);
  });

  it.each([
    ['a block beyond 63 bits', { blockNumber: (2n ** 63n).toString() }],
    ['a block above which no range ends', { blockNumber: (2n ** 63n - 1n).toString() }],
    ['a negative block', { blockNumber: '-1' }],
    ['a time that is none', { blockTimestamp: -5 }],
  ])('sends %s: such a row is not stored', async (_name, fields) => {
    const { paging, run, stores } = build({
      mangle: (body) => ({
        ...body,
        transactions: body.transactions.map((row) => (isBlock(row, 990) ? withNative(row, fields) : row)),
      }),
    });
    paging.transactions.push(...history(20));
    expect(await run()).toMatchObject({ ok: false, error: { code: 'bad-response' } });
    expect(stores.rowsOf(address, chainId)).toHaveLength(19);
  });

  it('sends its rows in the wrong order: the end of the list proves them all the same', async () => {
    const { paging, run, sync } = build({
      mangle: (body) => ({ ...body, transactions: body.transactions.toReversed() }),
    });
    paging.transactions.push(...history(250));
    expect(await run()).toMatchObject({ ok: true });
    expect((await sync())?.rowCount).toBe(250);
  });
});

function element(made: MadeTransaction): unknown {
  return {
    nativeTransaction: { blockNumber: String(made.block), blockTimestamp: made.block, txHash: hashOf(made) },
  };
}

function isBlock(row: unknown, block: number): boolean {
  return (
    (row as { nativeTransaction: { blockNumber: string } }).nativeTransaction.blockNumber === String(block)
  );
}

function withNative(row: unknown, fields: object): unknown {
  const { nativeTransaction } = row as { nativeTransaction: object };
  return { nativeTransaction: { ...nativeTransaction, ...fields } };
}
