import { spellAddress } from '../../../../shared/address.ts';
import {
  otherLists,
  type ListId,
  type SyncScope,
  type SyncWhat,
  type WatchedAddress,
} from '../../../../shared/activity/types.ts';
import type { ListRef } from '../../activity-ports.ts';

/**
 * The lists that a request of the user is about: of paused addresses, and of chains that the service cannot currently
 * answer for, only if they are named; the other lists only if everything is requested. Lists of transactions come
 * first, because the timeline shows them. `scope.address` is checksummed.
 */
export function listsOf(watched: readonly WatchedAddress[], scope: SyncScope, what: SyncWhat): ListRef[] {
  const chains = watched
    .filter(({ address, paused }) => (scope.address === null ? !paused : address === scope.address))
    .flatMap(({ address, chains: all }) =>
      all
        .filter(({ chainId, status }) =>
          scope.chainId === null ? status !== 'UNAVAILABLE' : chainId === scope.chainId,
        )
        .map(({ chainId }) => ({ address, chainId })),
    );
  const lists: readonly ListId[] = what === 'all' ? ['transactions', ...otherLists] : ['transactions'];
  return lists.flatMap((list) => chains.map((chain) => ({ ...chain, list })));
}

export function isIn(scope: SyncScope): (ref: ListRef) => boolean {
  const address = scope.address === null ? null : spellAddress(scope.address);
  return (ref) =>
    (address === null || ref.address === address) &&
    (scope.chainId === null || ref.chainId === scope.chainId);
}
