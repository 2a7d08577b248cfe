import type { Blocks } from '../../../../shared/activity/blocks.ts';
import type { ListId, SyncWhat } from '../../../../shared/activity/types.ts';
import type { Result } from '../../../../shared/errors.ts';
import { createFakeRandom, createFakeTime } from '../../health/testing/fake-ports.ts';
import type { StoredSync } from '../../activity-ports.ts';
import type { HttpOutcome, HttpRequest } from '../../ports.ts';
import { runSync } from '../sync/sync-run.ts';
import { createTestClient } from './harness.ts';
import { createPagingService, type PagingServiceOptions } from './paging-service.ts';
import { createTestStores, watchedAddress } from './test-stores.ts';

export const address = '0x52908400098527886E0F7030069857D2E4169EE7';
export const chainId = '43114';
export const unreachable: HttpOutcome = { kind: 'failure', reason: 'refused', detail: 'Nothing answers.' };

export function queryOf(request: HttpRequest | undefined): Record<string, string> {
  return Object.fromEntries(new URL(request?.url ?? 'http://x').searchParams);
}

export interface SyncHarnessOptions extends PagingServiceOptions {
  list?: ListId;
}

/** Runs of the sync between a fake service and empty stores. */
export function buildSyncHarness(options: SyncHarnessOptions = {}) {
  const time = createFakeTime();
  const paging = createPagingService(options);
  const stores = createTestStores();
  void stores.watchlist.put(watchedAddress(address));
  const service = createTestClient(paging.client, time);
  const random = createFakeRandom();
  const saves: StoredSync[] = [];
  const ref = { address, chainId, list: options.list ?? 'transactions' };
  async function run(
    change: {
      headFreshForMs?: number;
      signal?: AbortSignal;
      what?: SyncWhat;
      list?: ListId;
      again?: Blocks;
    } = {},
  ): Promise<Result<null>> {
    return await runSync(
      { store: stores.activity, service, clock: time.clock },
      {
        ref: { ...ref, list: change.list ?? ref.list },
        what: change.what ?? 'all',
        again: change.again ?? null,
        runId: random.id(),
        native: { symbol: 'AVAX', decimals: 18 },
        signal: change.signal ?? new AbortController().signal,
        firstPriority: 'user',
        headFreshForMs: change.headFreshForMs ?? 0,
        onSaved: (sync) => saves.push(sync),
      },
    );
  }
  const sync = () => stores.activity.readSync(ref);
  /** Hashes of the stored rows or records. */
  const storedHashes = (): string[] =>
    ref.list === 'transactions'
      ? stores.hashesOf(address, chainId)
      : stores.recordsOf(ref).map((json) => (JSON.parse(json) as { txHash: string }).txHash);
  return { time, paging, stores, ref, saves, run, sync, storedHashes };
}
