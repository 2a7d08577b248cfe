import { describeRow, nativeTokenOf, type RowDescription } from '../../../shared/activity/describe.ts';
import { sameAddress, type NativeToken } from '../../../shared/activity/legs.ts';
import type {
  ActivityRow,
  ReadTransaction,
  UnreadPart,
  WatchedChain,
} from '../../../shared/activity/types.ts';
import { readRecord } from '../../../shared/activity/unread-parts.ts';
import { transactionDetail, type TransactionDetail } from '../../../shared/endpoints/records.ts';
import type { ParamsById } from '../../../shared/endpoints/registry.ts';
import { ok, type AppError } from '../../../shared/errors.ts';
import type { QueryResult } from '../../../shared/ipc/answers.ts';
import type { EndpointQuery, Reply } from '../../../shared/ipc/contract.ts';
import { timestampToMs } from '../../../shared/time.ts';
import { queryEndpoint } from '../bridge.ts';
import { Action } from './action.svelte.ts';
import type { AppState } from './app.svelte.ts';
import { whenOutdated } from './kept-answers.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { questionOf, storedRow, type WantedRow } from './stored-row.ts';

type Refresh = EndpointQuery<'transaction'>['refresh'];

/** The queries whose answer is a complete transaction (endpoints 11 and 2). */
export type TransactionQuestion =
  | { endpointId: 'transaction'; params: ParamsById['transaction'] }
  | { endpointId: 'contract-deployment'; params: ParamsById['contract-deployment'] };

/** A transaction to open: a row of the timeline, or any transaction that the service can be asked for. */
export type TransactionSubject =
  { kind: 'row'; row: ActivityRow } | { kind: 'question'; question: TransactionQuestion };

/** A transaction as far as it is known. */
export type ShownTransaction = {
  chainId: string;
  txHash: string;
  /** The watched address from whose side it is described; null when none takes part in it. */
  address: string | null;
  /** Its row in the store; null when it is in no watched history. */
  row: ActivityRow | null;
  blockNumber: string;
  timestampMs: number | null;
  fetchedAtMs: number;
  /** Parts that could not be read, so `transaction` lacks them. */
  unread: readonly UnreadPart[];
} & ReadTransaction;

/** One opened transaction: the service's answer, the stored row, and what it means for the watched addresses. */
export class OpenedTransaction {
  /** Asks the service, or with `cached` the store alone, where null (nothing stored) is no error. */
  readonly #query: Action<[Refresh], QueryResult<TransactionDetail> | null> = new Action(
    async (refresh: Refresh): Reply<QueryResult<TransactionDetail> | null> => {
      const { signal } = this.#query;
      const answer = await queryEndpoint({ ...this.question, refresh, includeRaw: true }, signal);
      return !answer.ok && refresh === 'cached' && answer.error.code === 'not-found' ? ok(null) : answer;
    },
    () => JSON.stringify(this.question),
  );

  /** The service is asked, not only the store. */
  #asksService = $state(false);
  /** Its row: of a transaction opened without a list, and to follow its marks. */
  readonly #stored = new Action(storedRow, ({ chainId, txHash }) => `${chainId} ${txHash}`);
  readonly #app: AppState;
  readonly #subject: () => TransactionSubject;

  constructor(app: AppState, subject: () => TransactionSubject) {
    this.#app = app;
    this.#subject = subject;
  }

  readonly question: TransactionQuestion = $derived.by(() => {
    const subject = this.#subject();
    if (subject.kind === 'question') return subject.question;
    const { chainId, txHash } = subject.row;
    return { endpointId: 'transaction', params: { chainId, txHash } };
  });
  /** The watched addresses. */
  readonly #own: readonly string[] = $derived.by(() => this.#app.watchlist.map(({ address }) => address));
  readonly chainId: string = $derived(this.question.params.chainId);
  /** Null for a deployment that has not been answered yet. */
  readonly txHash: string | null = $derived.by(() => {
    const { question } = this;
    return question.endpointId === 'transaction'
      ? question.params.txHash
      : (this.#query.value?.data.nativeTransaction.txHash ?? null);
  });
  /** The row as given, or as read since: the list that gave it may not update it once it is hidden. */
  readonly row: ActivityRow | null = $derived.by(() => {
    const subject = this.#subject();
    const read = this.#stored.value ?? null;
    if (subject.kind === 'question') return read;
    return read?.id === subject.row.id ? read : subject.row;
  });
  /** The row in the store; null before its transaction is known. */
  readonly #wanted: WantedRow | null = $derived.by(() => {
    const { chainId, txHash, row } = this;
    return txHash === null ? null : { chainId, txHash, rowId: row?.id ?? null };
  });
  readonly chain: WatchedChain | null = $derived.by(() => {
    const { row, chainId } = this;
    if (row !== null) return this.#app.chain(row.address, chainId);
    const chains = this.#app.watchlist.flatMap((entry) => entry.chains);
    return chains.find((chain) => chain.chainId === chainId) ?? null;
  });
  /** The service's answer; null if there is none, or if a newer one has completed the row. */
  readonly answer: QueryResult<TransactionDetail> | null = $derived.by(() => {
    const { row } = this;
    const result = this.#query.value ?? null;
    const isOutdated =
      result?.source === 'cache' && row?.completeness === 'complete' && row.fetchedAtMs > result.fetchedAtMs;
    return isOutdated ? null : result;
  });
  /** The shown transaction: the service's answer, else the stored row, else null. */
  readonly shown: ShownTransaction | null = $derived.by(() => {
    const { row, chainId, answer } = this;
    if (answer === null) return row === null || row.completeness === 'unreadable' ? null : { ...row, row };
    const native = answer.data.nativeTransaction;
    return {
      chainId,
      txHash: native.txHash,
      address: row?.address ?? ownPartyOf(answer.data, this.#own),
      row,
      blockNumber: native.blockNumber,
      timestampMs: row?.timestampMs ?? timestampToMs(native.blockTimestamp),
      fetchedAtMs: answer.fetchedAtMs,
      unread: readRecord(transactionDetail, answer.rawText ?? '{}')?.unread ?? [],
      completeness: 'complete',
      transaction: answer.data,
    };
  });
  readonly native: NativeToken = $derived.by(() => {
    const { shown, chain } = this;
    const ofChain = { symbol: chain?.nativeSymbol ?? null, decimals: chain?.nativeDecimals ?? null };
    return shown === null ? ofChain : nativeTokenOf(shown, ofChain);
  });
  readonly described: RowDescription | null = $derived.by(() => {
    const { shown, native } = this;
    // The empty text matches no address, so the description then takes no side.
    return shown === null ? null : describeRow({ ...shown, address: shown.address ?? '' }, this.#own, native);
  });
  readonly loading: boolean = $derived(this.#asksService && this.#query.running);
  /** Why the complete transaction is missing or not current. */
  readonly error: AppError | null = $derived(this.#query.error ?? this.#query.value?.refreshError ?? null);

  /**
   * Asks the service; with `again` even if the stored answer is fresh. For a complete row nothing is asked until
   * the user wants it again. A transaction given without a row is looked for in the store.
   */
  async load(again = false): Promise<void> {
    const { question } = this;
    const subject = this.#subject();
    const isLookup = subject.kind === 'question';
    const isStored = subject.kind === 'row' && subject.row.completeness === 'complete';
    if (isLookup) void this.#readStored();
    const refresh = again ? 'always' : isStored ? 'cached' : 'if-stale';
    this.#asksService = refresh !== 'cached';
    await this.#query.run(refresh);
    if (isLookup && question.endpointId === 'contract-deployment') await this.#readStored();
  }

  /** Follows what is stored of it; returns a function that stops this. */
  follow(): () => void {
    const readAgain = oneAtATime(async () => {
      await this.#readStored();
      await this.#app.settle();
    });
    return whenOutdated(
      'activity.rows',
      () => this.#wanted && questionOf(this.#wanted),
      () => void readAgain(),
    );
  }

  stop(): void {
    this.#query.stop();
    this.#stored.stop();
    this.#stored.value = undefined;
  }

  async #readStored(): Promise<void> {
    if (this.#wanted !== null) await this.#stored.refresh(this.#wanted);
  }
}

/** The first watched address that takes part in a transaction: its sender, its receiver, or a side of a movement. */
function ownPartyOf(transaction: TransactionDetail, addresses: readonly string[]): string | null {
  const { from, to } = transaction.nativeTransaction;
  const moves = [
    ...(transaction.erc20Transfers ?? []),
    ...(transaction.erc721Transfers ?? []),
    ...(transaction.erc1155Transfers ?? []),
    ...(transaction.internalTransactions ?? []),
  ];
  const parties = [from, to, ...moves.flatMap((move) => [move.from, move.to])];
  for (const party of parties) {
    const own = addresses.find((address) => sameAddress(address, party?.address));
    if (own !== undefined) return own;
  }
  return null;
}
