import type { Result } from '../../../../shared/errors.ts';
import { createFakeTime } from '../../health/testing/fake-ports.ts';
import type { HttpOutcome, StoredSync } from '../../ports.ts';
import { runSync } from '../sync-run.ts';
import { createTestClient } from './house.ts';
import { createMemoryStores } from './memory-stores.ts';
import { createPagingService, type PagingServiceOptions } from './paging-service.ts';

export const address = '0x52908400098527886E0F7030069857D2E4169EE7';
export const chainId = '43114';
export const unreachable: HttpOutcome = { kind: 'failure', reason: 'refused', detail: 'Nothing answers.' };

/** A made-up service, empty stores, and runs between the two. */
export function buildSyncHouse(options: PagingServiceOptions = {}) {
  const time = createFakeTime();
  const paging = createPagingService(options);
  const stores = createMemoryStores();
  const service = createTestClient(paging.client, time);
  const saves: StoredSync[] = [];
  async function run(change: { headFreshForMs?: number; signal?: AbortSignal } = {}): Promise<Result<null>> {
    return await runSync(
      { store: stores.activity, service, clock: time.clock },
      {
        address,
        chainId,
        signal: change.signal ?? new AbortController().signal,
        firstPriority: 'user',
        headFreshForMs: change.headFreshForMs ?? 0,
        onSaved: (sync) => saves.push(sync),
      },
    );
  }
  const sync = () => stores.activity.readSync(address, chainId);
  const storedHashes = () => stores.rowsOf(address, chainId).map(({ txHash }) => txHash);
  return { time, paging, stores, saves, run, sync, storedHashes };
}
