import { checkAddress } from '../../../../shared/activity/address.ts';
import type { NativeToken } from '../../../../shared/activity/legs.ts';
import { checkParams } from '../../../../shared/endpoints/check-params.ts';
import { transaction } from '../../../../shared/endpoints/data.ts';
import { AppFailure, err, ok, type Result } from '../../../../shared/errors.ts';
import type { ArgsOf } from '../../../../shared/ipc/contract.ts';
import type { ActivityStore } from '../../activity-ports.ts';
import type { ServiceClient } from '../../endpoints/service-client.ts';
import type { ActivityRowsService } from './activity-rows.ts';
import { addressProblem } from '../watchlist/address-problem.ts';
import { fetchDetail, unusable } from '../rows/fetch-detail.ts';
import { rowOfDetail } from '../rows/stored-rows.ts';
import type { SyncService } from '../sync/sync-service.ts';

/** What one list has and another has not. */
export type Gap = ArgsOf<'activity.pull'>;

export interface PullDeps {
  store: ActivityStore;
  service: ServiceClient;
  rows: ActivityRowsService;
  sync: SyncService;
  native: (chainId: string) => NativeToken;
}

/**
 * Closes a gap of the audit: fetches the transaction, and stores it as a complete row of the address if it has none; or
 * lets the other list that lacks it be asked again for its block. Rejects when the store fails, or that list's run.
 */
export async function pullGap(deps: PullDeps, gap: Gap, signal: AbortSignal): Promise<Result<null>> {
  const { store, service, rows, sync, native } = deps;
  const { chainId, txHash, blockNumber, missingIn } = gap;
  const check = checkAddress(gap.address);
  if (!check.ok) {
    const message = addressProblem(check);
    return err({ code: 'invalid-params', message, issues: [message] });
  }
  const { address } = check;
  if (missingIn !== 'transactions') {
    await sync.askAgain({ address, chainId, list: missingIn }, BigInt(blockNumber));
    return ok(null);
  }
  const params = checkParams(transaction, { chainId, txHash });
  if (!params.ok) return params;
  const fetched = await fetchDetail(service, params.value, { priority: 'user', signal });
  if (!fetched.ok) return fetched;
  const completed = await rows.complete(chainId, txHash, fetched.value);
  if (!completed.ok) return completed;
  if (!completed.value.includes(address)) {
    const { detail, bodyText, fetchedAtMs } = fetched.value;
    const row = rowOfDetail(detail, bodyText, { address, chainId, native: native(chainId), fetchedAtMs });
    if (row === null) throw new AppFailure(unusable());
    await store.putRows([{ row, integrityNote: null, replaced: null }]);
  }
  for (const owner of new Set([address, ...completed.value])) sync.rowsChanged(owner, chainId);
  return ok(null);
}
