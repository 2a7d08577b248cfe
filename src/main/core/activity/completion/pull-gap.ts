import type { NativeToken } from '../../../../shared/activity/legs.ts';
import { AppFailure, unwrap } from '../../../../shared/errors.ts';
import type { ArgsOf } from '../../../../shared/ipc/contract.ts';
import type { ActivityStore } from '../../activity-ports.ts';
import type { ServiceClient } from '../../endpoints/service-client.ts';
import type { ActivityRowsService } from './activity-rows.ts';
import { checkedAddress } from '../watchlist/address-fields.ts';
import { fetchDetail, unusable } from '../rows/fetch-detail.ts';
import { rowOfDetail } from '../rows/stored-rows.ts';
import type { SyncService } from '../sync/sync-service.ts';

/** A transaction that one list has and another lacks. */
export type Gap = ArgsOf<'activity.pull'>;

export interface PullDeps {
  store: ActivityStore;
  service: ServiceClient;
  rows: ActivityRowsService;
  sync: SyncService;
  native: (chainId: string) => NativeToken;
}

/** Closes a gap: stores the transaction that is missing, or has its list ask again. Rejects if that fails. */
export async function pullGap(deps: PullDeps, gap: Gap, signal: AbortSignal): Promise<void> {
  const { store, service, rows, sync, native } = deps;
  const { chainId, txHash, blockNumber, missingIn } = gap;
  const address = checkedAddress(gap.address);
  if (missingIn !== 'transactions') {
    await sync.askAgain({ address, chainId, list: missingIn }, BigInt(blockNumber));
    return;
  }
  const fetched = unwrap(await fetchDetail(service, { chainId, txHash }, { priority: 'user', signal }));
  const completed = await rows.complete(chainId, txHash, fetched);
  const owners = new Set(completed.map((row) => row.address));
  if (!owners.has(address)) {
    const row = rowOfDetail(fetched, { address, chainId, native: native(chainId) });
    if (row === null) throw new AppFailure(unusable());
    await store.putRows([{ row, integrityNote: null, replaced: null }]);
  }
  for (const owner of owners.add(address)) sync.rowsChanged(chainId, owner);
}
