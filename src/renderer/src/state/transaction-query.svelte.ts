import type { ParamsById } from '../../../shared/endpoints/registry.ts';
import type { TransactionDetail } from '../../../shared/endpoints/records.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { EndpointQuery, QueryResult } from '../../../shared/ipc/contract.ts';
import { call, queryEndpoint } from '../bridge.ts';

/** The questions that are answered with a complete transaction (endpoints 11 and 2). */
export type TransactionQuestion =
  | { endpointId: 'transaction'; params: ParamsById['transaction'] }
  | { endpointId: 'contract-deployment'; params: ParamsById['contract-deployment'] };

/** The complete view of one transaction, as the service answers it or has answered it. */
export class TransactionQuery {
  result = $state.raw<QueryResult<TransactionDetail> | null>(null);
  error = $state.raw<AppError | null>(null);
  loading = $state(false);
  #requestId: string | null = null;

  /**
   * Loads a transaction. `if-stale` asks the service when the stored answer is old, `always` however fresh it is, `cached`
   * never; that nothing is stored is then no error.
   */
  async load(question: TransactionQuestion, refresh: EndpointQuery['refresh']): Promise<void> {
    this.stop();
    const requestId = crypto.randomUUID();
    this.#requestId = requestId;
    if (refresh !== 'always') this.result = null;
    this.error = null;
    this.loading = refresh !== 'cached';
    const result = await queryEndpoint({
      ...question,
      refresh,
      includeRaw: true,
      requestId,
    });
    if (this.#requestId !== requestId) return;
    this.#requestId = null;
    this.loading = false;
    if (result.ok) this.result = result.value;
    else if (refresh !== 'cached' || result.error.code !== 'not-found') this.error = result.error;
  }

  /** Gives up a question that is under way: nobody looks at its answer any more. */
  stop(): void {
    if (this.#requestId === null) return;
    void call('endpoint.cancel', { requestId: this.#requestId });
    this.#requestId = null;
    this.loading = false;
  }
}
