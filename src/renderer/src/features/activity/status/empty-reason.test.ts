import { describe, expect, it } from 'vitest';
import { everything, type ActivityFilter, type FilterPill } from '../../../../../shared/activity/filter.ts';
import type { ChainSync, WatchedAddress } from '../../../../../shared/activity/types.ts';
import { filterFor } from '../../../state/filter-choice.ts';
import { sampleAddresses, sampleChain, watched } from '../../../testing/sample-world.ts';
import { emptyReason, type EmptyFacts, type EmptyReason } from './empty-reason.ts';

const { treasury, hot } = sampleAddresses;
const chainC = { chainId: '43114', name: 'Avalanche C-Chain', symbol: 'AVAX' };
const fuji = { chainId: '43113', name: 'Fuji', symbol: 'AVAX' };
const refused = { code: 'unreachable', message: 'refused' } as const;
const broken = { code: 'upstream', message: 'Bad Gateway', status: 502 } as const;
const limited = { code: 'rate-limited', message: 'wait', retryAtMs: 1_000 } as const;
const histories = [{ address: treasury, chainId: '43114' }];

const withSync = (sync: Partial<ChainSync>) => [
  watched(treasury, null, 0, { chains: [sampleChain(chainC, sync)] }),
];
const withPills = (...pills: FilterPill[]): ActivityFilter => ({ ...everything, pills });
const exchange: FilterPill = { field: 'kind', not: false, values: ['exchange'] };

function reasonOf(
  watchlist: readonly WatchedAddress[],
  facts: Partial<Omit<EmptyFacts, 'watchlist'>> = {},
): EmptyReason {
  return emptyReason({ watchlist, filter: everything, hiddenCount: 0, connection: 'online', ...facts });
}

const neverLooked = [watched(treasury, null, 0, { chainsFetchedAtMs: null })];
const noChains = [watched(treasury, null, 0, {})];
const unindexed = [
  watched(treasury, null, 0, { chains: [sampleChain(chainC, {})], unindexedChainIds: ['xyz'] }),
];
const both = [
  watched(treasury, null, 0, { chains: [sampleChain(chainC, { state: 'complete', rowCount: 7 })] }),
  watched(hot, null, 0, { chains: [sampleChain(fuji, { state: 'complete', rowCount: 5 })] }),
];
const full = { state: 'complete', rowCount: 7 } as const;

describe('why no transaction is shown', () => {
  it.each<[string, readonly WatchedAddress[], Partial<Omit<EmptyFacts, 'watchlist'>>, EmptyReason]>([
    ['no address', [], {}, { kind: 'no-address' }],
    ['no address, whatever else', [], { connection: 'offline' }, { kind: 'no-address' }],
    [
      'its chains are being looked for',
      [watched(treasury, null, 0, { chainsFetchedAtMs: null, chainsLoading: true })],
      {},
      { kind: 'looking-for-chains' },
    ],
    [
      'its chains were never looked for',
      neverLooked,
      {},
      { kind: 'chains-unknown', address: treasury, error: null },
    ],
    [
      'its chains could not be looked for',
      [watched(treasury, null, 0, { chainsFetchedAtMs: null, chainsError: broken })],
      { connection: 'offline' },
      { kind: 'chains-unknown', address: treasury, error: broken },
    ],
    [
      'its chains were never looked for, without a connection',
      neverLooked,
      { connection: 'offline' },
      { kind: 'offline', histories: [] },
    ],
    [
      'the chain is not indexed',
      unindexed,
      { filter: filterFor({ address: treasury, chainId: 'xyz' }) },
      { kind: 'not-indexed', chainIds: ['xyz'] },
    ],
    ['never fetched', withSync({ state: 'never' }), {}, { kind: 'not-fetched', histories }],
    ['stopped before anything came', withSync({ state: 'stopped' }), {}, { kind: 'not-fetched', histories }],
    [
      'never fetched, and a filter that asks for more',
      withSync({ state: 'never' }),
      { filter: withPills(exchange) },
      { kind: 'not-fetched', histories },
    ],
    ['being fetched', withSync({ state: 'running' }), {}, { kind: 'fetching' }],
    [
      'failed',
      withSync({ state: 'failed', error: broken }),
      {},
      { kind: 'failed', error: broken, histories },
    ],
    [
      'failed for another reason while there is no connection',
      withSync({ state: 'failed', error: broken }),
      { connection: 'offline' },
      { kind: 'failed', error: broken, histories },
    ],
    [
      'not reached, though there is a connection',
      withSync({ state: 'failed', error: refused }),
      {},
      { kind: 'failed', error: refused, histories },
    ],
    [
      'offline with nothing stored',
      withSync({ state: 'failed', error: refused }),
      { connection: 'offline' },
      { kind: 'offline', histories },
    ],
    [
      'offline before the first try',
      withSync({ state: 'never' }),
      { connection: 'offline' },
      { kind: 'offline', histories },
    ],
    [
      'told to wait',
      withSync({ state: 'failed', error: limited }),
      {},
      { kind: 'rate-limited', error: limited, histories },
    ],
    ['all hidden', withSync(full), { hiddenCount: 7 }, { kind: 'all-hidden', hiddenCount: 7 }],
    [
      'hidden ones pass the filter, the others do not',
      withSync(full),
      { hiddenCount: 2, filter: withPills(exchange) },
      { kind: 'all-hidden', hiddenCount: 2 },
    ],
    [
      'filtered out by a pill',
      withSync(full),
      { filter: withPills(exchange) },
      { kind: 'filtered-out', stored: 7 },
    ],
    [
      'filtered out by the text',
      withSync(full),
      { filter: { ...everything, text: 'nothing like it' } },
      { kind: 'filtered-out', stored: 7 },
    ],
    [
      'the address is not on the chosen chain',
      both,
      { filter: filterFor({ address: treasury, chainId: '43113' }) },
      { kind: 'filtered-out', stored: 12 },
    ],
    [
      'an address without activity is empty, whatever others have',
      [...both, watched('0xnew', null, 0, {})],
      { filter: filterFor({ address: '0xnew', chainId: null }) },
      { kind: 'no-transactions', hasChains: false },
    ],
    [
      'the address is not watched any more, of a saved view or a link',
      both,
      { filter: filterFor({ address: '0xgone', chainId: null }) },
      { kind: 'filtered-out', stored: 12 },
    ],
    [
      'two addresses that are not watched, whatever is not known of another',
      neverLooked,
      { filter: withPills({ field: 'address', not: false, values: ['0xgone', '0xtoo'] }) },
      { kind: 'filtered-out', stored: 0 },
    ],
    ['truly none', withSync({ state: 'complete' }), {}, { kind: 'no-transactions', hasChains: true }],
    [
      'truly none, and no connection now',
      withSync({ state: 'complete' }),
      { connection: 'offline' },
      { kind: 'no-transactions', hasChains: true },
    ],
    ['no chain at all', noChains, {}, { kind: 'no-transactions', hasChains: false }],
  ])('%s', (_name, watchlist, facts, reason) => {
    expect(reasonOf(watchlist, facts)).toEqual(reason);
  });
});
