import { expect, it } from 'vitest';
import type { ChainSync, SyncScope, SyncWhat, WatchedAddress } from '../../../../shared/activity/types.ts';
import { listsOf } from './sync-scope.ts';

const sync: ChainSync = {
  state: 'never',
  rowCount: 0,
  pagesFetched: 0,
  covered: [],
  reachedStart: false,
  newestTimestampMs: null,
  oldestTimestampMs: null,
  checkedAtMs: null,
  error: null,
  stoppedByUser: false,
};

function watched(
  address: string,
  paused: boolean,
  chains: [chainId: string, status: string][],
): WatchedAddress {
  return {
    address,
    label: null,
    tags: [],
    colour: null,
    paused,
    addedAtMs: 0,
    chains: chains.map(([chainId, status]) => ({
      chainId,
      blockchainId: null,
      name: chainId,
      isTestnet: false,
      status,
      nativeSymbol: null,
      nativeDecimals: null,
      explorerUrl: null,
      sync,
      otherLists: [],
      newSinceMs: null,
    })),
    unindexedChainIds: [],
    chainsFetchedAtMs: null,
    chainsLoading: false,
    chainsError: null,
  };
}

const all = [
  watched('A', false, [
    ['1', 'OK'],
    ['2', 'UNAVAILABLE'],
  ]),
  watched('B', true, [['1', 'OK']]),
  watched('C', false, [['1', 'OK']]),
];

it.each<[string, SyncScope, SyncWhat, string[]]>([
  ['all, without what is paused or unavailable', { address: null, chainId: null }, 'newer', ['A1', 'C1']],
  ['a paused address by name', { address: 'B', chainId: null }, 'holes', ['B1']],
  ['an unavailable chain by name', { address: 'A', chainId: '2' }, 'older', ['A2']],
  ['one chain of all', { address: null, chainId: '1' }, 'newer', ['A1', 'C1']],
  ['a chain that is not there', { address: 'C', chainId: '2' }, 'newer', []],
])('%s', (_name, scope, what, lists) => {
  expect(listsOf(all, scope, what).map(({ address, chainId }) => `${address}${chainId}`)).toEqual(lists);
});

it('everything is all five lists, those of transactions first', () => {
  expect(
    listsOf(all, { address: null, chainId: null }, 'all').map(({ address, list }) => `${address} ${list}`),
  ).toEqual(
    ['transactions', 'erc20', 'erc1155', 'internal', 'native'].flatMap((list) => [`A ${list}`, `C ${list}`]),
  );
});
