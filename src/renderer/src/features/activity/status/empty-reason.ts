import { concernsHistory, type ActivityFilter } from '../../../../../shared/activity/filter.ts';
import type { WatchedAddress, WatchedChain } from '../../../../../shared/activity/types.ts';
import type { AppError } from '../../../../../shared/errors.ts';
import type { ConnectionStatus } from '../../../../../shared/ipc/answers.ts';
import { choiceOf, isEverything, withChoice } from '../../../state/filter-choice.ts';
import { historiesIn, type History } from './histories.ts';

/** One history that can be fetched. */
type HistoryRef = Pick<History, 'address' | 'chainId'>;

/** Why no row is shown. Each reason has its own text and its own action. */
export type EmptyReason =
  | { kind: 'no-address' }
  | { kind: 'looking-for-chains' }
  | { kind: 'chains-unknown'; address: string; error: AppError | null }
  | { kind: 'not-indexed'; chainIds: string[] }
  | { kind: 'not-fetched'; histories: HistoryRef[] }
  | { kind: 'fetching' }
  /** No connection, and these histories have not been fetched. */
  | { kind: 'offline'; histories: HistoryRef[] }
  | { kind: 'rate-limited'; error: Extract<AppError, { code: 'rate-limited' }>; histories: HistoryRef[] }
  | { kind: 'failed'; error: AppError; histories: HistoryRef[] }
  /** Every row that passes is hidden, as spam or by the user. */
  | { kind: 'all-hidden'; hiddenCount: number }
  /** `stored` transactions exist, but none passes the filter. */
  | { kind: 'filtered-out'; stored: number }
  /** Without chains: the service knows no activity. With chains: all their histories were fetched and are empty. */
  | { kind: 'no-transactions'; hasChains: boolean };

export interface EmptyFacts {
  watchlist: readonly WatchedAddress[];
  filter: ActivityFilter;
  /** Rows that pass the filter and are hidden. */
  hiddenCount: number;
  connection: ConnectionStatus['state'];
}

/** Why the list is empty, given that no row is shown for the filter. */
export function emptyReason(facts: EmptyFacts): EmptyReason {
  const { watchlist, filter, hiddenCount } = facts;
  if (watchlist.length === 0) return { kind: 'no-address' };
  if (hiddenCount > 0) return { kind: 'all-hidden', hiddenCount };
  const histories = historiesIn(watchlist, filter);
  const stored = histories.reduce((sum, { chain }) => sum + chain.sync.rowCount, 0);
  const asksForMore = !isEverything(withChoice(filter, { address: null, chainId: null }));
  // Rows are stored for the chosen address and chain, so the other pills or the text exclude them.
  if (asksForMore && stored > 0) return { kind: 'filtered-out', stored };
  return histories.length > 0 ? reasonOfChains(histories, facts) : reasonWithoutChains(facts);
}

function reasonOfChains(chains: readonly History[], { connection }: EmptyFacts): EmptyReason {
  const inState = (state: WatchedChain['sync']['state']) =>
    chains.filter(({ chain }) => chain.sync.state === state);
  const refs = (some: readonly History[]): HistoryRef[] =>
    some.map(({ address, chainId }) => ({ address, chainId }));

  if (inState('running').length > 0) return { kind: 'fetching' };
  const failed = inState('failed');
  const unfetched = [...inState('never'), ...inState('stopped'), ...failed];
  const waiting = failed.map(({ chain }) => chain.sync.error).find((error) => error?.code === 'rate-limited');
  if (waiting?.code === 'rate-limited') {
    return { kind: 'rate-limited', error: waiting, histories: refs(failed) };
  }
  const error = failed[0]?.chain.sync.error ?? null;
  const isOffline = connection === 'offline' && (error === null || error.code === 'unreachable');
  if (isOffline && unfetched.length > 0) return { kind: 'offline', histories: refs(unfetched) };
  if (error !== null) return { kind: 'failed', error, histories: refs(failed) };
  if (unfetched.length > 0) return { kind: 'not-fetched', histories: refs(unfetched) };
  return { kind: 'no-transactions', hasChains: true };
}

function reasonWithoutChains({ watchlist, filter, connection }: EmptyFacts): EmptyReason {
  const { chainId } = choiceOf(filter);
  const ofAddresses = { ...filter, pills: filter.pills.filter(({ field }) => field === 'address') };
  const scope = watchlist.filter(({ address }) => concernsHistory(ofAddresses, address, ''));
  const unindexed = scope
    .flatMap((entry) => entry.unindexedChainIds)
    .filter((candidate) => chainId === null || candidate === chainId);
  if (unindexed.length > 0) return { kind: 'not-indexed', chainIds: [...new Set(unindexed)] };
  if (scope.some((entry) => entry.chainsLoading)) return { kind: 'looking-for-chains' };
  const unknown = scope.find((entry) => entry.chainsError !== null || entry.chainsFetchedAtMs === null);
  if (unknown !== undefined) {
    const code = unknown.chainsError?.code ?? null;
    return connection === 'offline' && (code === null || code === 'unreachable')
      ? { kind: 'offline', histories: [] }
      : { kind: 'chains-unknown', address: unknown.address, error: unknown.chainsError };
  }
  const stored = watchlist
    .flatMap((entry) => entry.chains)
    .reduce((sum, chain) => sum + chain.sync.rowCount, 0);
  const asksForNoChain = filter.pills.every(({ field }) => field === 'address');
  // An address without any chain has no history, whatever the others have. Of one that is not watched nothing is known.
  return scope.length === 0 || (stored > 0 && !asksForNoChain)
    ? { kind: 'filtered-out', stored }
    : { kind: 'no-transactions', hasChains: false };
}
