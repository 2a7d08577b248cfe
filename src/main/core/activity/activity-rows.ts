import { checkAddress } from '../../../shared/activity/address.ts';
import { readStoredDetail, readStoredElement } from '../../../shared/activity/stored.ts';
import type { ActivityRow, ActivityRows } from '../../../shared/activity/types.ts';
import { transaction } from '../../../shared/endpoints/data/transaction.ts';
import { AppFailure, err, ok, type AppError, type Result } from '../../../shared/errors.ts';
import type { ActivityQuery } from '../../../shared/ipc/contract.ts';
import type { AnswerArrived } from '../endpoints/query-engine.ts';
import type { ActivityStore, Log, StoredRow } from '../ports.ts';
import type { SyncService } from './sync-service.ts';

export interface ActivityRowsDeps {
  store: ActivityStore;
  sync: SyncService;
  log: Log;
}

/** The stored rows of the watched addresses: reading them, and completing them when a transaction is fetched. */
export class ActivityRowsService {
  readonly #deps: ActivityRowsDeps;

  constructor(deps: ActivityRowsDeps) {
    this.#deps = deps;
  }

  /** One page of stored rows, newest first. */
  async read(query: ActivityQuery): Promise<Result<ActivityRows>> {
    const address = query.address === null ? null : canonicalAddress(query.address);
    try {
      const page = await this.#deps.store.readRows({ ...query, address });
      return ok({
        rows: page.rows.flatMap((row) => this.#readRow(row)),
        nextCursor: page.nextCursor,
        totalCount: page.totalCount,
      });
    } catch (cause) {
      return err(this.#storeError('activity.read-failed', cause));
    }
  }

  /** Listens to the query engine: the detail of a transaction completes the rows of the addresses that have it. */
  async takeAnswer(answer: AnswerArrived): Promise<Result<null>> {
    const chainId = answer.params['chainId'];
    const txHash = answer.params['txHash'];
    if (answer.endpointId !== transaction.id || chainId === undefined || txHash === undefined)
      return ok(null);
    try {
      const { store, sync } = this.#deps;
      const json = JSON.stringify(answer.data);
      const addresses = await store.complete(chainId, txHash, json, answer.fetchedAtMs);
      for (const address of addresses) sync.rowsChanged(address, chainId);
      return ok(null);
    } catch (cause) {
      return err(this.#storeError('activity.complete-failed', cause));
    }
  }

  #readRow(row: StoredRow): ActivityRow[] {
    const base = {
      chainId: row.chainId,
      address: row.address,
      txHash: row.txHash,
      blockNumber: row.blockNumber.toString(),
      timestampMs: row.timestampMs,
      fetchedAtMs: row.fetchedAtMs,
    };
    if (row.completeness === 'complete') {
      const detail = readStoredDetail(row.transactionJson);
      if (detail !== null) return [{ ...base, completeness: 'complete', transaction: detail }];
    } else {
      const element = readStoredElement(row.transactionJson);
      if (element !== null) return [{ ...base, completeness: 'partial', transaction: element }];
    }
    this.#deps.log.warn('activity.row-unreadable', { completeness: row.completeness });
    return [];
  }

  #storeError(event: string, cause: unknown): AppError {
    const ref = this.#deps.log.error(event, cause);
    return cause instanceof AppFailure
      ? cause.error
      : { code: 'internal', message: 'The local store failed unexpectedly.', ref };
  }
}

function canonicalAddress(address: string): string {
  const check = checkAddress(address);
  return check.ok ? check.address : address;
}
