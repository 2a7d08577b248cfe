import { isObject } from '../../../../shared/json.ts';
import { canonicalHash } from '../../../../shared/activity/block-hash.ts';
import { crosschainMessageOf } from '../../../../shared/activity/crosschain.ts';
import { spellAddress } from '../../../../shared/address.ts';
import type { NativeToken } from '../../../../shared/activity/legs.ts';
import { readDetail } from '../../../../shared/activity/stored.ts';
import {
  listIds,
  type ActivityRow,
  type ActivityRows,
  type AuditGap,
  type AuditReport,
  type BlockInterval,
} from '../../../../shared/activity/types.ts';
import { contractDeployment, transaction } from '../../../../shared/endpoints/data.ts';
import type { ArgsOf, ResultOf } from '../../../../shared/ipc/contract.ts';
import type { ListLedger, RowText } from '../../../../shared/ipc/answers.ts';
import { timestampToMs } from '../../../../shared/time.ts';
import type { AnswerArrived } from '../../endpoints/query-engine.ts';
import type { ActivityStore, ReadRow } from '../../activity-ports.ts';
import type { AnswerStore, Log, StoredAnswer } from '../../ports.ts';
import { completeRow } from '../rows/complete-rows.ts';
import { proofsOf } from '../../../../shared/activity/blocks.ts';
import { toActivityRow, type FetchedDetail } from '../rows/stored-rows.ts';
import type { SyncService } from '../sync/sync-service.ts';

export interface ActivityRowsDeps {
  store: ActivityStore;
  sync: SyncService;
  log: Log;
  answers: Pick<AnswerStore, 'holding'>;
  /** Name and decimals of a chain's native token, as far as known. */
  native: (chainId: string) => NativeToken;
}

type OtherHalf = ResultOf<'activity.otherHalf'>;

/** Further answers that contain a message repeat the same two halves, fetched for different addresses. */
const maxHalves = 20;

/** As many gaps as anybody would look through; the report says when there are more. */
const maxGaps = 500;

/** Reads, judges and completes the stored rows of watched addresses. Errors of the store are passed on. */
export class ActivityRowsService {
  readonly #deps: ActivityRowsDeps;

  constructor(deps: ActivityRowsDeps) {
    this.#deps = deps;
  }

  /** Stored rows, newest first, from a given position on. */
  async read(query: ArgsOf<'activity.rows'>): Promise<ActivityRows> {
    const page = await this.#deps.store.readRows(query);
    return { ...page, rows: page.rows.map((row) => this.#readRow(row)) };
  }

  /** As `ActivityStore.readNews`. */
  async news(query: Parameters<ActivityStore['readNews']>[0]): Promise<ActivityRow[]> {
    return (await this.#deps.store.readNews(query)).map((row) => this.#readRow(row));
  }

  #readRow(row: ReadRow): ActivityRow {
    const read = toActivityRow(row);
    if (read.completeness === 'unreadable')
      this.#deps.log.warn('activity.row-unreadable', { completeness: row.completeness });
    return read;
  }

  /** The stored JSON of a row; null when the row no longer exists. */
  async text(rowId: number): Promise<RowText | null> {
    const row = await this.#deps.store.readRow(rowId);
    if (row === null) return null;
    const { transactionJson: text, isReceived, requestUrl } = row;
    return { text, isReceived, requestUrl };
  }

  /** Reports what the lists of an address lack of each other; around each gap they are fetched again. */
  async audit(address: string, chainId: string): Promise<AuditReport> {
    const { store, sync } = this.#deps;
    const chain = { address: spellAddress(address), chainId };
    const report = await store.audit(chain.address, chainId, maxGaps);
    for (const list of listIds) {
      const gaps = report.gaps.filter(
        ({ presentIn, missingIn }) => missingIn === list || presentIn.includes(list),
      );
      if (gaps.length > 0) await sync.doubt({ ...chain, list }, gaps.map(blockOf), true);
    }
    return report;
  }

  /** Takes back the user's trust in blocks of a list: they are fetched again. */
  async distrust({ address, chainId, list, ...blocks }: ArgsOf<'activity.distrust'>): Promise<void> {
    await this.#deps.sync.doubt({ address: spellAddress(address), chainId, list }, [blocks], false);
  }

  /** The ledger of each list: which blocks are proven, when and by which run. */
  async ledger(address: string, chainId: string): Promise<ListLedger[]> {
    const { store, sync } = this.#deps;
    return await Promise.all(
      listIds.map(async (list) => {
        const ref = { address: spellAddress(address), chainId, list };
        const status = sync.status(ref);
        return { list, sync: status, proofs: proofsOf(status.covered, await store.readProofs(ref)) };
      }),
    );
  }

  /** Stores the user's judgement of a row or a token, and returns the one before. */
  async judge({ target, decision }: ArgsOf<'activity.judge'>): Promise<ResultOf<'activity.judge'>> {
    const { store, sync } = this.#deps;
    if (target.kind === 'token') {
      const before = await store.judgeToken(target.token, decision);
      // The identifier of a token begins with the id of its chain.
      sync.rowsChanged(target.token.split(' ', 1)[0] ?? '', null);
      return before;
    }
    const before = await store.judgeRow(target.rowId, decision);
    const row = await store.readRow(target.rowId);
    if (row !== null) sync.rowsChanged(row.chainId, row.address);
    return before;
  }

  /** Finds the transaction on the other chain of a cross-chain message: in a stored row or answer. */
  async otherHalf({ messageId, chainId }: ArgsOf<'activity.otherHalf'>): Promise<OtherHalf> {
    const { store, answers } = this.#deps;
    const row = await store.findMessage(messageId, chainId);
    if (row !== null) return row;
    // The two endpoints whose answers contain a complete transaction.
    for (const endpointId of [transaction.id, contractDeployment.id]) {
      for (const answer of await answers.holding({ endpointId, text: messageId, limit: maxHalves })) {
        const half = readHalf(answer, messageId);
        if (half !== null && half.chainId !== chainId) return half;
      }
    }
    return null;
  }

  /** Listener for the query engine: a fetched transaction completes the rows of all addresses that have it. */
  async takeAnswer({ endpointId, params, data, notes, ...received }: AnswerArrived): Promise<void> {
    const { chainId, txHash } = params;
    if (endpointId !== transaction.id || chainId === undefined || txHash === undefined) return;
    // It was decoded with the schema of the endpoint with this id.
    const detail = data as FetchedDetail['detail'];
    const fetched = { ...received, detail, hasUnreadParts: notes.length > 0 };
    const completed = await this.complete(chainId, txHash, fetched);
    for (const { address } of completed) this.#deps.sync.rowsChanged(chainId, address);
  }

  /** Completes the stored rows of a transaction: one of each address that has it. Returns those that were completed. */
  async complete(
    chainId: string,
    txHash: string,
    fetched: FetchedDetail,
  ): Promise<{ rowId: number; address: string }[]> {
    const { store, sync, native } = this.#deps;
    const rows = await store.rowsOfTransaction(chainId, canonicalHash(txHash));
    const completed = rows.flatMap((row) => {
      const by = completeRow(row, fetched, native(row.chainId));
      return by === null ? [] : { row, by };
    });
    const doubted = completed.length === 0 ? [] : await store.putRows(completed.map(({ by }) => by));
    for (const owner of doubted) await sync.startAnew(owner, listIds);
    return completed.map(({ row: { id, address } }) => ({ rowId: id, address }));
  }
}

function blockOf({ blockNumber }: AuditGap): BlockInterval {
  return { fromBlock: blockNumber, toBlock: (BigInt(blockNumber) + 1n).toString() };
}

/** The transaction in a stored answer, if it carries the message; null when it does not or cannot be decoded. */
function readHalf({ paramsJson, bodyText }: StoredAnswer, messageId: string): OtherHalf {
  const detail = readDetail(bodyText)?.data ?? null;
  if (detail === null) return null;
  const { nativeTransaction: native } = detail;
  if (crosschainMessageOf(detail)?.messageId !== messageId) return null;
  const params: unknown = JSON.parse(paramsJson);
  const chainId = isObject(params) ? params['chainId'] : null;
  if (typeof chainId !== 'string') return null;
  return { chainId, txHash: native.txHash, timestampMs: timestampToMs(native.blockTimestamp) };
}
