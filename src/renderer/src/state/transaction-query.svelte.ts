import type { TransactionDetail } from '../../../shared/endpoints/records.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { QueryResult } from '../../../shared/ipc/contract.ts';
import { call, queryEndpoint } from '../bridge.ts';

/** The complete view of one transaction (endpoint 11): asked for when it is stale, else as it is stored. */
export class TransactionQuery {
  result = $state.raw<QueryResult<TransactionDetail> | null>(null);
  error = $state.raw<AppError | null>(null);
  loading = $state(false);
  #requestId: string | null = null;

  /** Loads a transaction; `again` asks the service however fresh the stored answer is. */
  async load(chainId: string, txHash: string, again = false): Promise<void> {
    this.stop();
    const requestId = crypto.randomUUID();
    this.#requestId = requestId;
    if (!again) this.result = null;
    this.error = null;
    this.loading = true;
    const result = await queryEndpoint({
      endpointId: 'transaction',
      params: { chainId, txHash },
      refresh: again ? 'always' : 'if-stale',
      includeRaw: true,
      requestId,
    });
    if (this.#requestId !== requestId) return;
    this.#requestId = null;
    this.loading = false;
    if (result.ok) this.result = result.value;
    else this.error = result.error;
  }

  /** Gives up a question that is under way: nobody looks at its answer any more. */
  stop(): void {
    if (this.#requestId === null) return;
    void call('endpoint.cancel', { requestId: this.#requestId });
    this.#requestId = null;
    this.loading = false;
  }
}
