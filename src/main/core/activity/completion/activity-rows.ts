import { crosschainMessageOf } from '../../../../shared/activity/crosschain.ts';
import { spellAddress } from '../../../../shared/activity/address.ts';
import type { ChoiceField } from '../../../../shared/activity/filter.ts';
import type { NativeToken } from '../../../../shared/activity/legs.ts';
import { readDetail } from '../../../../shared/activity/stored.ts';
import {
  listIds,
  type ActivityRow,
  type ActivityRows,
  type AuditReport,
  type RowVersion,
} from '../../../../shared/activity/types.ts';
import { contractDeployment, transaction } from '../../../../shared/endpoints/data.ts';
import { AppFailure, err, ok, type AppError, type Result } from '../../../../shared/errors.ts';
import type { ArgsOf, ResultOf } from '../../../../shared/ipc/contract.ts';
import type { FilterValue, ListLedger, RowText } from '../../../../shared/ipc/contract-activity.ts';
import { timestampToMs } from '../../../../shared/time.ts';
import type { AnswerArrived } from '../../endpoints/query-engine.ts';
import type { ActivityStore, ReadRow } from '../../activity-ports.ts';
import type { AnswerStore, Log, StoredAnswer } from '../../ports.ts';
import { completeRow, type FetchedDetail } from '../rows/complete-rows.ts';
import { proofsOf } from '../../../../shared/activity/blocks.ts';
import { canonicalHash, toActivityRow } from '../rows/stored-rows.ts';
import type { SyncService } from '../sync/sync-service.ts';

export interface ActivityRowsDeps {
  store: ActivityStore;
  sync: SyncService;
  log: Log;
  answers: Pick<AnswerStore, 'holding'>;
  /** What is known of the own token of a chain. */
  native: (chainId: string) => NativeToken;
}

type Judgement = ArgsOf<'activity.judge'>;
type OtherHalf = ResultOf<'activity.otherHalf'>;

/** A message has two halves; more answers that name it are the same ones, fetched from different addresses. */
const maxHalves = 20;

/** Gaps that a person looks through; the report says when there are more. */
const maxGaps = 500;

/** The stored rows of the watched addresses: reading and judging them, and completing them with a fetched transaction. */
export class ActivityRowsService {
  readonly #deps: ActivityRowsDeps;

  constructor(deps: ActivityRowsDeps) {
    this.#deps = deps;
  }

  /** Stored rows, newest first, from a place on. */
  async read(query: ArgsOf<'activity.rows'>): Promise<Result<ActivityRows>> {
    return await this.#guard('activity.read-failed', async () => {
      const page = await this.#deps.store.readRows(query);
      return { ...page, rows: page.rows.map((row) => this.readRow(row)) };
    });
  }

  /** A stored row as the window gets it. */
  readRow(row: ReadRow): ActivityRow {
    const read = toActivityRow(row);
    if (read.completeness === 'unreadable') {
      this.#deps.log.warn('activity.row-unreadable', { completeness: row.completeness });
    }
    return read;
  }

  /** Values of a field that stored rows have and that hold `text`. */
  async values(query: { field: ChoiceField; text: string; limit: number }): Promise<Result<FilterValue[]>> {
    return await this.#guard('activity.values-failed', () => this.#deps.store.values(query));
  }

  /** The JSON that is stored of a row; null when there is no such row any more. */
  async text(rowId: number): Promise<Result<RowText | null>> {
    return await this.#guard('activity.text-failed', async () => {
      const row = await this.#deps.store.readRow(rowId);
      if (row === null) return null;
      const { transactionJson: text, isReceived, requestUrl } = row;
      return { text, isReceived, requestUrl };
    });
  }

  /** Older versions of a row that are kept. */
  async versions(rowId: number): Promise<Result<RowVersion[]>> {
    return await this.#guard('activity.versions-failed', () => this.#deps.store.versions(rowId));
  }

  /** What the lists of an address on a chain have that others of them have not. Fetches nothing. */
  async audit(address: string, chainId: string): Promise<Result<AuditReport>> {
    const { store } = this.#deps;
    return await this.#guard('activity.audit-failed', () =>
      store.audit(spellAddress(address), chainId, maxGaps),
    );
  }

  /** The ledger of each list: what is proven, when and by which run. */
  async ledger(address: string, chainId: string): Promise<Result<ListLedger[]>> {
    const { store, sync } = this.#deps;
    return await this.#guard('activity.ledger-failed', () =>
      Promise.all(
        listIds.map(async (list) => {
          const ref = { address: spellAddress(address), chainId, list };
          const status = sync.status(ref);
          return { list, sync: status, proofs: proofsOf(status.covered, await store.readProofs(ref)) };
        }),
      ),
    );
  }

  /** The user's word about a row or a token. */
  async judge({ target, decision }: Judgement): Promise<Result<null>> {
    const { store, sync } = this.#deps;
    return await this.#guard('activity.judge-failed', async () => {
      if (target.kind === 'token') {
        await store.judgeToken(target.token, decision);
        // The value of a token begins with its chain.
        sync.chainChanged(target.token.split(' ', 1)[0] ?? '');
        return null;
      }
      await store.judgeRow(target.rowId, decision);
      const row = await store.readRow(target.rowId);
      if (row !== null) sync.rowsChanged(row.address, row.chainId);
      return null;
    });
  }

  /** The transaction on another chain that carries the same cross-chain message: a stored row, or a stored answer. */
  async otherHalf({ messageId, chainId }: ArgsOf<'activity.otherHalf'>): Promise<Result<OtherHalf>> {
    return await this.#guard('activity.message-failed', async () => {
      const { store, answers } = this.#deps;
      const row = await store.findMessage(messageId, chainId);
      if (row !== null) return row;
      // Both endpoints that answer with a complete transaction.
      for (const endpointId of [transaction.id, contractDeployment.id]) {
        const query = { endpointId, text: messageId, limit: maxHalves };
        for (const answer of await answers.holding(query)) {
          const half = readHalf(answer, messageId);
          if (half !== null && half.chainId !== chainId) return half;
        }
      }
      return null;
    });
  }

  /** Listens to the query engine: the detail of a transaction completes the rows of the addresses that have it. */
  async takeAnswer(answer: AnswerArrived): Promise<Result<null>> {
    const chainId = answer.params['chainId'];
    const txHash = answer.params['txHash'];
    if (answer.endpointId !== transaction.id || chainId === undefined || txHash === undefined) {
      return ok(null);
    }
    // The schema of the endpoint with this id has decoded it.
    const detail = answer.data as FetchedDetail['detail'];
    const completed = await this.complete(chainId, txHash, {
      detail,
      bodyText: answer.bodyText,
      fetchedAtMs: answer.fetchedAtMs,
    });
    if (!completed.ok) return completed;
    for (const address of completed.value) this.#deps.sync.rowsChanged(address, chainId);
    return ok(null);
  }

  /** Completes the stored rows of a transaction. Returns the addresses whose rows are complete now. */
  async complete(chainId: string, txHash: string, fetched: FetchedDetail): Promise<Result<string[]>> {
    const { store, native } = this.#deps;
    return await this.#guard('activity.complete-failed', async () => {
      const rows = await store.rowsOfTransaction(chainId, canonicalHash(txHash));
      const completed = rows.flatMap((row) => completeRow(row, fetched, native(row.chainId)) ?? []);
      if (completed.length > 0) await store.putRows(completed);
      return completed.map(({ row }) => row.address);
    });
  }

  async #guard<T>(event: string, work: () => Promise<T>): Promise<Result<T>> {
    try {
      return ok(await work());
    } catch (cause) {
      return err(this.#storeError(event, cause));
    }
  }

  #storeError(event: string, cause: unknown): AppError {
    const ref = this.#deps.log.error(event, cause);
    return cause instanceof AppFailure
      ? cause.error
      : { code: 'internal', message: 'The local store failed unexpectedly.', ref };
  }
}

/** The transaction of a stored answer if it carries the message; null when it does not, or cannot be read. */
function readHalf({ paramsJson, bodyText }: StoredAnswer, messageId: string): OtherHalf {
  const detail = readDetail(bodyText)?.data ?? null;
  if (detail === null) return null;
  const { nativeTransaction: native } = detail;
  if (crosschainMessageOf(detail)?.messageId !== messageId) return null;
  const params: unknown = JSON.parse(paramsJson);
  const chainId =
    typeof params === 'object' && params !== null && 'chainId' in params ? params.chainId : null;
  if (typeof chainId !== 'string') return null;
  return { chainId, txHash: native.txHash, timestampMs: timestampToMs(native.blockTimestamp) };
}
