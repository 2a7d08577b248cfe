import { describe, expect, it } from 'vitest';
import type { ChainSync, WatchedAddress } from '../../../../shared/activity/types.ts';
import { noFilter } from '../../state/navigation.svelte.ts';
import { sampleAddresses, sampleChain, watched } from '../../testing/sample-world.ts';
import { emptyReason } from './empty-reason.ts';

const { treasury, hot } = sampleAddresses;
const chainC = { chainId: '43114', name: 'C-Chain', symbol: 'AVAX' };
const fuji = { chainId: '43113', name: 'Fuji', symbol: 'AVAX' };

const withSync = (sync: Partial<ChainSync>): WatchedAddress[] => [
  watched(treasury, null, 0, { chains: [sampleChain(chainC, sync)] }),
];
const limited = { code: 'rate-limited', message: 'wait', retryAfterMs: 30_000 } as const;
const refused = { code: 'upstream', message: 'no', status: 500 } as const;

describe('why no transaction is shown', () => {
  it('no address', () => {
    expect(emptyReason([], noFilter)).toEqual({ kind: 'no-address' });
  });

  it('its chains are being looked for, or could not be', () => {
    const looking = watched(treasury, null, 0, { chainsFetchedAtMs: null, chainsLoading: true });
    expect(emptyReason([looking], noFilter)).toEqual({ kind: 'looking-for-chains' });
    const failed = watched(treasury, null, 0, { chainsFetchedAtMs: null, chainsError: refused });
    expect(emptyReason([failed], noFilter)).toEqual({
      kind: 'chains-unknown',
      address: treasury,
      error: refused,
    });
  });

  it('the chain is not indexed', () => {
    const entry = watched(treasury, null, 0, {
      chains: [sampleChain(chainC, {})],
      unindexedChainIds: ['xyz'],
    });
    expect(emptyReason([entry], { address: treasury, chainId: 'xyz' })).toEqual({
      kind: 'not-indexed',
      chainIds: ['xyz'],
    });
  });

  it('not fetched yet, also when it was stopped before anything came', () => {
    const histories = [{ address: treasury, chainId: '43114' }];
    expect(emptyReason(withSync({ state: 'never' }), noFilter)).toEqual({ kind: 'not-fetched', histories });
    expect(emptyReason(withSync({ state: 'stopped' }), noFilter)).toEqual({ kind: 'not-fetched', histories });
  });

  it('being fetched', () => {
    expect(emptyReason(withSync({ state: 'running' }), noFilter)).toEqual({ kind: 'fetching' });
  });

  it('failed is not the same as empty', () => {
    expect(emptyReason(withSync({ state: 'failed', error: refused }), noFilter)).toMatchObject({
      kind: 'failed',
      error: refused,
    });
  });

  it('told to wait is not the same as failed', () => {
    expect(emptyReason(withSync({ state: 'failed', error: limited }), noFilter)).toMatchObject({
      kind: 'rate-limited',
      error: limited,
    });
  });

  it('filtered out: the address is not on the chosen chain, but there are rows elsewhere', () => {
    const list = [
      watched(treasury, null, 0, { chains: [sampleChain(chainC, { state: 'complete', rowCount: 7 })] }),
      watched(hot, null, 0, { chains: [sampleChain(fuji, { state: 'complete', rowCount: 5 })] }),
    ];
    expect(emptyReason(list, { address: treasury, chainId: '43113' })).toEqual({
      kind: 'filtered-out',
      elsewhere: 12,
    });
  });

  it('an address without activity is empty, whatever others have', () => {
    const list = [
      watched(treasury, null, 0, { chains: [sampleChain(chainC, { state: 'complete', rowCount: 7 })] }),
      watched(hot, null, 0, {}),
    ];
    expect(emptyReason(list, { address: hot, chainId: null })).toEqual({
      kind: 'no-transactions',
      hasChains: false,
    });
  });

  it('truly none, only when all of it was fetched', () => {
    expect(emptyReason(withSync({ state: 'complete' }), noFilter)).toEqual({
      kind: 'no-transactions',
      hasChains: true,
    });
    expect(emptyReason([watched(treasury, null, 0, {})], noFilter)).toEqual({
      kind: 'no-transactions',
      hasChains: false,
    });
  });
});
