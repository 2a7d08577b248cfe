import type { ReadableRow, ChainSync, WatchedAddress, WatchedChain } from '../../../shared/activity/types.ts';
import type { BudgetShare } from '../../../shared/explore/types.ts';
import type { AppSnapshot } from '../../../shared/ipc/answers.ts';
import { outboundKinds, type HostUse, type OutboundStatus } from '../../../shared/outbound.ts';
import { defaultSettings, sampleServiceProfile } from '../../../shared/settings.ts';
import { sampleNodes } from './sample-health.ts';
import { sampleRows, type SampleChain } from './sample-transactions.ts';

/** The data of the fake main process. */
export interface World {
  nowMs: number;
  snapshot: AppSnapshot;
  /** Newest first. */
  rows: ReadableRow[];
}

export const sampleAddresses = {
  treasury: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  hot: '0x52908400098527886E0F7030069857D2E4169EE7',
  quiet: '0xde709f2102306220921060314715629080e2fb77',
  /** Not watched, but in the book. */
  joe: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
} as const;

/** The id by which nodes know one of the chains. */
export const sampleBlockchainId = 'q2aTwKuyzgs8pynF7UXBZCU7DejbZbZ6EUyHr3JQzYgwNPUPi';

const chains = {
  c: { chainId: '43114', name: 'Avalanche C-Chain', symbol: 'AVAX' },
  dfk: { chainId: '53935', name: 'DFK Chain', symbol: 'JEWEL' },
  fuji: { chainId: '43113', name: 'Fuji C-Chain', symbol: 'AVAX' },
} as const satisfies Record<string, SampleChain>;

export const neverSynced: ChainSync = {
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

const otherLists = ['erc20', 'erc1155', 'internal', 'native'] as const;

export function sampleChain(chain: SampleChain, sync: Partial<ChainSync>): WatchedChain {
  return {
    chainId: chain.chainId,
    blockchainId: chain.chainId === chains.dfk.chainId ? sampleBlockchainId : null,
    name: chain.name,
    isTestnet: chain.name.startsWith('Fuji'),
    status: 'OK',
    nativeSymbol: chain.symbol,
    nativeDecimals: 18,
    explorerUrl: 'https://subnets.avax.network/c-chain',
    sync: { ...neverSynced, ...sync },
    otherLists: otherLists.map((list) => ({ list, sync: { ...neverSynced } })),
    newSinceMs: null,
  };
}

export function watched(
  address: string,
  label: string | null,
  nowMs: number,
  parts: Partial<WatchedAddress>,
): WatchedAddress {
  return {
    address,
    label,
    tags: [],
    colour: null,
    paused: false,
    addedAtMs: nowMs - 40 * 86_400_000,
    chains: [],
    unindexedChainIds: [],
    chainsFetchedAtMs: nowMs - 300_000,
    chainsLoading: false,
    chainsError: null,
    ...parts,
  };
}

const unknownShare: BudgetShare = {
  remainingThisMinute: null,
  limitPerMinute: null,
  remainingToday: null,
  limitPerDay: null,
  heldUntilMs: null,
};

function sampleOutbound(nowMs: number): OutboundStatus {
  const use = (origin: string, count: number): HostUse => ({
    origin,
    count,
    lastAtMs: count === 0 ? null : nowMs - 4_000,
  });
  const origins = [...new Set(sampleNodes(nowMs).map(({ node }) => new URL(node.url).origin))];
  const hosts = {
    data: [use('http://127.0.0.1:7650', 1_204)],
    metrics: [use('http://127.0.0.1:7651', 0)],
    nodes: origins.map((origin) => use(origin, 86)),
    trial: [],
    network: [],
    proxy: [],
    webhook: [],
    heartbeat: [],
    links: [use('https://subnets.avax.network', 2)],
    updates: [],
  };
  const uses = outboundKinds.map((kind) => ({ kind, hosts: hosts[kind] }));
  return { sinceMs: nowMs - 3_600_000, uses, others: [], logins: {} };
}

/** Nothing added yet. */
export function emptyWorld(nowMs: number): World {
  return {
    nowMs,
    rows: [],
    snapshot: {
      version: '0.1.0',
      dataFolder: '/home/me/.config/Watchkeeper',
      locale: 'en-GB',
      settings: defaultSettings,
      secret: { present: false, storage: 'none', keychain: 'available' },
      storage: { state: 'ready', notKept: false, notices: [] },
      connection: { state: 'unknown', lastAnswerAtMs: null, error: null },
      watchlist: [],
      book: [],
      completion: { partialCount: 0, waitingCount: 0, isAll: false, doneCount: 0, error: null },
      activityExport: null,
      nodes: [],
      recordings: [],
      recordingTask: null,
      budget: { data: unknownShare, metrics: unknownShare },
      outbound: {
        sinceMs: nowMs - 3_600_000,
        uses: outboundKinds.map((kind) => ({ kind, hosts: [] })),
        others: [],
        logins: {},
      },
      alerts: 0,
      updates: { host: null, obstacle: 'folder', state: { at: 'idle' } },
    },
  };
}

/** Cached by the time of the newest, because making them takes longer than most tests. */
const histories = new Map<number, readonly ReadableRow[]>();

function fullHistory(nowMs: number): ReadableRow[] {
  const known = histories.get(nowMs);
  if (known !== undefined) return known.map((row) => ({ ...row }));
  const parts = [
    { chain: chains.c, address: sampleAddresses.treasury, count: 420, seed: 1 },
    { chain: chains.dfk, address: sampleAddresses.treasury, count: 60, seed: 2 },
    { chain: chains.c, address: sampleAddresses.hot, count: 340, seed: 3 },
    { chain: chains.fuji, address: sampleAddresses.hot, count: 30, seed: 4 },
  ];
  const rows = parts
    .flatMap(({ chain, address, count, seed }) =>
      sampleRows(seed, chain, address, nowMs - seed * 700_000, count),
    )
    .sort((a, b) => b.timestampMs - a.timestampMs);
  histories.set(nowMs, rows);
  return fullHistory(nowMs);
}

/** Three addresses on three chains and four nodes, in all usual states. */
export function fullWorld(nowMs: number): World {
  const rows = fullHistory(nowMs);
  const syncOf = (chain: SampleChain, address: string): Partial<ChainSync> => {
    const own = rows.filter((row) => row.chainId === chain.chainId && row.address === address);
    return {
      state: 'complete',
      rowCount: own.length,
      pagesFetched: Math.ceil(own.length / 100),
      covered: [{ fromBlock: '0', toBlock: '51204331' }],
      reachedStart: true,
      newestTimestampMs: own[0]?.timestampMs ?? null,
      oldestTimestampMs: own.at(-1)?.timestampMs ?? null,
      checkedAtMs: nowMs - 90_000,
    };
  };
  const { treasury, hot, quiet, joe } = sampleAddresses;
  const empty = emptyWorld(nowMs);
  return {
    nowMs,
    rows,
    snapshot: {
      ...empty.snapshot,
      settings: { ...defaultSettings, service: sampleServiceProfile },
      secret: { present: true, storage: 'keychain', keychain: 'available' },
      connection: { state: 'online', lastAnswerAtMs: nowMs - 4_000, error: null },
      watchlist: [
        watched(treasury, 'Treasury', nowMs, {
          tags: ['company'],
          colour: 'blue',
          chains: [
            sampleChain(chains.c, syncOf(chains.c, treasury)),
            sampleChain(chains.dfk, syncOf(chains.dfk, treasury)),
          ],
          unindexedChainIds: ['2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM'],
        }),
        watched(hot, 'Hot wallet', nowMs, {
          tags: ['company', 'daily'],
          colour: 'amber',
          chains: [
            sampleChain(chains.c, { ...syncOf(chains.c, hot), state: 'running', reachedStart: false }),
            sampleChain(chains.fuji, syncOf(chains.fuji, hot)),
          ],
        }),
        watched(quiet, null, nowMs, { chains: [sampleChain(chains.c, { ...syncOf(chains.c, quiet) })] }),
      ],
      book: [{ address: joe, name: 'Joe the accountant', note: null, changedAtMs: nowMs - 86_400_000 }],
      completion: {
        ...empty.snapshot.completion,
        partialCount: rows.filter((row) => row.completeness === 'partial').length,
      },
      nodes: sampleNodes(nowMs),
      outbound: sampleOutbound(nowMs),
      budget: {
        data: {
          ...unknownShare,
          remainingThisMinute: 7_440,
          limitPerMinute: 8_000,
          remainingToday: 1_180_000,
          limitPerDay: 1_200_000,
        },
        metrics: unknownShare,
      },
    },
  };
}
