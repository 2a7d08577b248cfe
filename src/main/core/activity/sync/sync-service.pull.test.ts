import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../ports.ts';
import {
  address,
  buildCompletionHarness as build,
  chainId,
  everything,
  hashAsked,
  other,
} from '../testing/completion-harness.ts';
import { hashOf, refuse, respond } from '../testing/paging-service.ts';
import { unreachable } from '../testing/sync-harness.ts';

describe('pulling a transaction', () => {
  const gap = { address, chainId, blockNumber: '1001', missingIn: 'transactions' as const };

  it('adds a complete row to an address that lacks it, and completes those that have it', async () => {
    const { completion, changes, partial, rows } = await build(3);
    changes.length = 0;
    const txHash = hashOf({ block: 1_001, index: 0 });
    expect(await completion.pull({ ...gap, address: other.toLowerCase(), txHash })).toEqual({
      ok: true,
      value: null,
    });
    expect(await partial()).toBe(2);
    const filter = { ...everything, pills: [{ field: 'address' as const, not: false, values: [other] }] };
    expect(await rows.read({ filter, offset: 0, anchor: null, limit: 10 })).toMatchObject({
      value: { rows: [{ address: other, txHash, completeness: 'complete', blockNumber: '1001' }] },
    });
    expect(changes).toMatchObject([{ address }]);
    // Twice is once.
    await completion.pull({ ...gap, address: other, txHash });
    expect(await rows.read({ filter, offset: 0, anchor: null, limit: 10 })).toMatchObject({
      value: { totalCount: 1 },
    });
  });

  it('says why it cannot', async () => {
    const { stores, completion } = await build(1, (request) =>
      hashAsked(request) === hashOf({ block: 1_000, index: 0 }) ? null : refuse(404, 'mistyped or missing'),
    );
    const unknown = `0x${'f'.repeat(64)}`;
    expect(await completion.pull({ ...gap, txHash: unknown })).toMatchObject({
      error: { code: 'not-found' },
    });
    expect(await completion.pull({ ...gap, txHash: '../x' })).toMatchObject({
      error: { code: 'invalid-params' },
    });
    expect(await completion.pull({ ...gap, address: 'alice', txHash: unknown })).toMatchObject({
      error: { code: 'invalid-params' },
    });
    stores.failWrites(true);
    const known = hashOf({ block: 1_000, index: 0 });
    expect(await completion.pull({ ...gap, txHash: known })).toMatchObject({ error: { code: 'storage' } });
  });

  it('stores nothing when the service answers with another transaction', async () => {
    const [asked, answered] = [hashOf({ block: 1_001, index: 0 }), hashOf({ block: 555, index: 0 })];
    const { completion, stores } = await build(1, () =>
      respond({ nativeTransaction: { blockNumber: '555', blockTimestamp: 1_600_000_555, txHash: answered } }),
    );
    expect(await completion.pull({ ...gap, address: other, txHash: asked })).toMatchObject({
      error: { code: 'bad-response' },
    });
    expect(stores.hashesOf(other, chainId)).toEqual([]);
  });

  describe('that another list lacks', () => {
    const list = 'native' as const;
    const nativeGap = { ...gap, txHash: hashOf({ block: 1_001, index: 0 }), missingIn: list };
    const isNative = (request: HttpRequest) => request.url.includes(':listNative');

    /** The list of native transactions keeps the one of block 1001 back until `isKept` is false. */
    async function buildKept() {
      const kept = { isKept: true };
      const harness = await build(3, () => null, {
        mangle: (body, request) => ({
          ...body,
          transactions: body.transactions
            .filter((one) => !(kept.isKept && isNative(request) && JSON.stringify(one).includes('"1001"')))
            .map((one) => withSides(one)),
        }),
      });
      harness.sync.start({ address, chainId, list }, 'user');
      await harness.rest();
      const gaps = async () => {
        const report = await harness.stores.activity.audit(address, chainId, 10);
        return report.gaps.map(({ txHash, missingIn }) => [txHash, missingIn]);
      };
      return { ...harness, kept, gaps };
    }

    it('asks that list for the block again, proven or not, and the gap is closed', async () => {
      const { kept, gaps, completion, paging, sync } = await buildKept();
      expect(await gaps()).toEqual([[nativeGap.txHash, 'native']]);
      kept.isKept = false;
      paging.requests.length = 0;
      const before = sync.status({ address, chainId, list });
      expect(await completion.pull(nativeGap)).toEqual({ ok: true, value: null });
      expect(paging.requests.map(({ url }) => new URL(url).search)).toEqual([
        '?startBlock=1001&endBlock=1002&pageSize=100',
      ]);
      expect(await gaps()).toEqual([]);
      expect(sync.status({ address, chainId, list })).toEqual({ ...before, rowCount: 3, pagesFetched: 1 });
    });

    it('leaves the gap where the list still lacks it, and what is known is as it was', async () => {
      const { gaps, completion, sync } = await buildKept();
      const before = sync.status({ address, chainId, list });
      expect(await completion.pull(nativeGap)).toEqual({ ok: true, value: null });
      expect(await gaps()).toEqual([[nativeGap.txHash, 'native']]);
      expect(sync.status({ address, chainId, list })).toMatchObject({
        covered: before.covered,
        state: 'complete',
      });
    });

    it('says why it cannot, and tries nothing again by itself', async () => {
      const { completion, paging, sync, stores, work } = await buildKept();
      stores.failWrites(true);
      expect(await completion.pull(nativeGap)).toMatchObject({ error: { code: 'storage' } });
      stores.failWrites(false);
      expect(await completion.pull({ ...nativeGap, address: 'alice' })).toMatchObject({
        error: { code: 'invalid-params' },
      });
      // In the same words as everywhere, with the right spelling.
      const mistyped = address.replace('F', 'f');
      expect(await completion.pull({ ...nativeGap, address: mistyped })).toMatchObject({
        error: { code: 'invalid-params', message: expect.stringContaining(address) as string },
      });
      expect(await completion.pull({ ...nativeGap, address: other })).toMatchObject({
        error: { code: 'not-found' },
      });
      expect(sync.status({ address, chainId, list })).toMatchObject({ state: 'complete', error: null });
      paging.requests.length = 0;
      await work();
      expect(paging.requests).toEqual([]);
    });

    it('lets a list that was to be tried again be tried again', async () => {
      const { completion, paging, sync, rest, work } = await buildKept();
      paging.transactions.push({ block: 2_000, index: 0 });
      const { send } = paging.client;
      paging.client.send = () => Promise.resolve(unreachable);
      sync.start({ address, chainId, list }, 'user');
      await rest();
      expect(sync.status({ address, chainId, list })).toMatchObject({ error: { code: 'unreachable' } });
      paging.client.send = send;
      expect(await completion.pull(nativeGap)).toEqual({ ok: true, value: null });
      await work();
      expect(sync.status({ address, chainId, list })).toMatchObject({ rowCount: 3, error: null });
    });

    it('makes a run under way wait, and lets it go on', async () => {
      const { completion, paging, sync, rest } = await buildKept();
      for (let i = 0; i < 250; i += 1) paging.transactions.push({ block: 2_000 + i, index: 0 });
      sync.start({ address, chainId, list }, 'user');
      expect(await completion.pull(nativeGap)).toEqual({ ok: true, value: null });
      await rest();
      expect(sync.status({ address, chainId, list })).toMatchObject({ state: 'complete', rowCount: 252 });
    });
  });
});

/** An element whose sender the address is. */
function withSides(element: unknown): unknown {
  if (typeof element !== 'object' || element === null) return element;
  const from = { from: { address } };
  return 'nativeTransaction' in element && typeof element.nativeTransaction === 'object'
    ? { ...element, nativeTransaction: { ...element.nativeTransaction, ...from } }
    : { ...element, ...from };
}
