// The room of stored activity: watched addresses, rows, elements of the other lists, and how far each list has come. Filters
// look at the index in row-index/. It uses the room of SQLite.

import type { ActivityFilter } from '../../../../shared/activity/filter.ts';
import type { AuditReport, BlockProof, RowVersion } from '../../../../shared/activity/types.ts';
import type { ArgsOf, ResultOf } from '../../../../shared/ipc/contract.ts';
import type { FilterValue } from '../../../../shared/ipc/answers.ts';
import type {
  ActivityStore,
  CompletedRow,
  ListPage,
  ListRef,
  ReadRow,
  ReadRows,
  RowRef,
  StoredSync,
} from '../../../core/activity-ports.ts';
import {
  addProof,
  countElements,
  findListRef,
  listSyncs,
  openList,
  readProofs,
  readSync,
  recountTimes,
  writeSync,
} from './activity-lists.ts';
import type { ActivityState } from './activity-state.ts';
import { auditLists } from './audit.ts';
import { checkLimit } from '../sqlite/cursor.ts';
import { saveRecords, sweepRecords } from './list-records.ts';
import { nearRows, NewestRows } from './newest-rows.ts';
import { integer, integerOrNull, text } from '../sqlite/row.ts';
import { putRow, saveListedRow, sweepRows, type RowWriting } from './row-writes.ts';
import { SqlFailure, type SqlReader, type SqlRow, type SqlSnapshot, type SqlWriter } from '../sqlite/sql.ts';
import type { Served } from '../store-ports.ts';
import { hasHash, packText, readVersions, requestRefs, selectRows, toReadRow } from './stored-rows.ts';
import { decisions, reasonBits, type Decision, type Judgement } from './verdict.ts';

/** Rows that an export goes through: their ids in order, and the store as it was then. */
interface Scan {
  ids: Float64Array;
  reader: SqlSnapshot;
  judgement: Judgement;
}

/** Lists of watched addresses: their elements, how far each has been walked, and what the user thinks of rows. */
export class SqlActivityStore implements Served<ActivityStore> {
  readonly #state: ActivityState;
  readonly #newest: NewestRows;
  readonly #scans = new Map<number, Scan>();
  #lastScan = 0;

  constructor(state: ActivityState) {
    this.#state = state;
    this.#newest = new NewestRows(state.database);
  }

  get #reader(): SqlReader {
    return this.#state.database;
  }

  // ---- Writing ---------------------------------------------------------------------------------------------------------

  savePage(page: ListPage): StoredSync {
    checkPage(page);
    const chainRef = this.#write((writer, writing) => {
      const list = openList(writer, page);
      const added = page.rows.filter((row) => saveListedRow(writer, list, row, writing));
      if (page.rows.length > 0) {
        countElements(
          writer,
          list.listRef,
          added.length,
          added.map(({ timestampMs }) => timestampMs),
        );
      }
      if (page.records.length > 0) saveRecords(writer, list.listRef, page.records);
      writeSync(writer, list.listRef, page.sync);
      if (page.proof !== null) addProof(writer, list.listRef, page.proof);
      if (page.sweep !== null) {
        if (page.list === 'transactions') sweepRows(writer, list.listRef, page.sweep);
        else sweepRecords(writer, list.listRef, page.sweep);
      }
      return list.chainRef;
    });
    this.#state.chainAdded(chainRef);
    return requireSync(this.#reader, page);
  }

  putRows(rows: readonly CompletedRow[]): void {
    const chainRefs = new Set<number>();
    this.#write((writer, writing) => {
      for (const { row, ...extra } of rows) {
        const list = openList(writer, { address: row.address, chainId: row.chainId, list: 'transactions' });
        chainRefs.add(list.chainRef);
        if (putRow(writer, list, row, extra, writing)) {
          countElements(writer, list.listRef, 1, [row.timestampMs]);
        }
      }
    });
    for (const chainRef of chainRefs) this.#state.chainAdded(chainRef);
  }

  setStopped(list: ListRef, stopped: boolean): void {
    const chainRef = this.#state.database.transaction((writer) => {
      const opened = openList(writer, list);
      writer
        .prepare('UPDATE activity_list SET is_stopped = ? WHERE id = ?')
        .run(stopped ? 1 : 0, opened.listRef);
      return opened.chainRef;
    });
    this.#state.chainAdded(chainRef);
  }

  judgeRow(rowId: number, decision: Decision | null): void {
    this.#state.write((writer, changed) => {
      const place = decision === null ? null : decisions.indexOf(decision);
      writer.prepare('UPDATE activity_row SET decision = ? WHERE id = ?').run(place, rowId);
      const [row] = this.#rowsOf(writer, [rowId], this.#state.judgement);
      if (row === undefined) throw new SqlFailure('missing-parent', '');
      writer
        .prepare('UPDATE activity_row SET reasons = ? WHERE id = ?')
        .run(reasonBits(row.marks.spam), rowId);
      changed(rowId);
    });
  }

  judgeToken(token: string, decision: Decision | null): void {
    this.#state.writeWords(
      (writer) => {
        if (decision === null) {
          writer.prepare('DELETE FROM token_decision WHERE token_json = ?').run(packText(token));
        } else {
          writer
            .prepare(
              `INSERT INTO token_decision (token_json, decision) VALUES (?, ?)
               ON CONFLICT (token_json) DO UPDATE SET decision = excluded.decision`,
            )
            .run(packText(token), decisions.indexOf(decision));
        }
      },
      { token },
    );
  }

  #write<T>(work: (writer: SqlWriter, writing: RowWriting) => T): T {
    const { texts, judgement } = this.#state;
    return this.#state.write((writer, changed) => {
      const retimed = new Set<number>();
      const result = work(writer, {
        texts,
        judgement,
        changed,
        retimed: (listRef) => retimed.add(listRef),
        requestRef: requestRefs(writer),
      });
      for (const listRef of retimed) recountTimes(writer, listRef, 'activity_row');
      return result;
    });
  }

  // ---- Lists -----------------------------------------------------------------------------------------------------------

  readSync(list: ListRef): StoredSync | null {
    return readSync(this.#reader, list);
  }

  listSyncs(): (ListRef & { sync: StoredSync })[] {
    return listSyncs(this.#reader);
  }

  readProofs(list: ListRef): BlockProof[] {
    const listRef = findListRef(this.#reader, list);
    return listRef === null ? [] : readProofs(this.#reader, listRef);
  }

  async audit(address: string, chainId: string, limit: number): Promise<AuditReport> {
    checkLimit(limit);
    return await auditLists(this.#reader, { address, chainId, limit }, () => this.#state.yieldTurn());
  }

  // ---- Single rows -----------------------------------------------------------------------------------------------------

  readRow(rowId: number): ReadRow | null {
    return this.#readRows([rowId])[0] ?? null;
  }

  rowsOfTransaction(chainId: string, txHash: string): ReadRow[] {
    const ids = this.#reader
      .prepare(
        `SELECT activity_row.id AS id FROM chain
           CROSS JOIN activity_list ON activity_list.chain_ref = chain.id
           CROSS JOIN activity_row ON activity_row.list_ref = activity_list.id AND ${hasHash('?1')}
         WHERE chain_id = ?2 ORDER BY activity_row.address_ref`,
      )
      .all(txHash, chainId)
      .map((row) => integer(row, 'id'));
    return this.#readRows(ids);
  }

  versions(rowId: number): RowVersion[] {
    return readVersions(this.#reader, rowId);
  }

  findMessage(messageId: string, chainId: string): ResultOf<'activity.otherHalf'> {
    const row = this.#reader
      .prepare(
        `SELECT chain_id, tx_hash, timestamp_ms FROM activity_row
           JOIN watched ON watched.id = address_ref
           JOIN chain ON chain.id = chain_ref
         WHERE message_json = ? AND chain_id <> ? ORDER BY timestamp_ms, activity_row.id LIMIT 1`,
      )
      .get(packText(messageId), chainId);
    if (row === undefined) return null;
    return {
      chainId: text(row, 'chain_id'),
      txHash: text(row, 'tx_hash'),
      timestampMs: integerOrNull(row, 'timestamp_ms'),
    };
  }

  // ---- Rows in order ---------------------------------------------------------------------------------------------------

  async readRows(query: ArgsOf<'activity.rows'>): Promise<ReadRows> {
    const limit = checkLimit(query.limit);
    const { filter, anchor } = query;
    // The start of the app must not wait for the index, nor does a scroll that begins there.
    const isNear = query.offset === 0 || (query.offset <= nearRows && !this.#state.hasIndex);
    if (anchor === null && isNear && isUnfiltered(filter)) {
      return this.#readNewestRows(filter.showHidden, Math.max(query.offset, 0), limit);
    }
    const index = await this.#state.index();
    const selection = index.select(filter);
    const totalCount = selection.slots.length;
    const place = anchor === null ? null : index.placeOf(selection, anchor.rowId);
    const asked = place === null || anchor === null ? query.offset : place - anchor.before;
    const offset = Math.min(Math.max(asked, 0), totalCount);
    const { hiddenCount, partialCount } = selection;
    const rows = this.#readRows(index.ids(selection, offset, limit));
    return { rows, offset, totalCount, hiddenCount, partialCount };
  }

  async openScan(filter: ActivityFilter): Promise<{ scanId: number; totalCount: number }> {
    const index = await this.#state.index();
    // The index is what the store has: nothing is written until both have been taken hold of.
    const { slots } = index.select(filter);
    const ids = Float64Array.from(slots, (slot) => index.columns.numbers.id[slot] ?? 0);
    const scan = { ids, reader: this.#state.database.snapshot(), judgement: this.#state.judgement };
    this.#lastScan += 1;
    this.#scans.set(this.#lastScan, scan);
    return { scanId: this.#lastScan, totalCount: ids.length };
  }

  readScan(query: { scanId: number; from: number; limit: number }): ReadRow[] {
    const limit = checkLimit(query.limit);
    const scan = this.#scans.get(query.scanId);
    if (scan === undefined) throw new SqlFailure('defect', 'the scan is not open');
    const ids = [...scan.ids.subarray(query.from, query.from + limit)];
    return this.#rowsOf(scan.reader, ids, scan.judgement);
  }

  closeScan(scanId: number): void {
    this.#scans.get(scanId)?.reader.close();
    this.#scans.delete(scanId);
  }

  async partialRows(query: { filter: ActivityFilter; limit: number }): Promise<RowRef[]> {
    const limit = checkLimit(query.limit);
    const index = await this.#state.index();
    const selection = index.select({
      ...query.filter,
      pills: [...query.filter.pills, { field: 'completeness', not: false, values: ['partial'] }],
    });
    return this.#reader
      .prepare(
        `SELECT activity_row.id AS id, chain_id, tx_hash FROM json_each(?)
           CROSS JOIN activity_row ON activity_row.id = json_each.value
           CROSS JOIN chain ON chain.id = chain_ref
         ORDER BY json_each.key`,
      )
      .all(JSON.stringify(index.ids(selection, 0, limit)))
      .map(toRowRef);
  }

  rowsAwaitingPrice(query: { untilMs: number; limit: number }): RowRef[] {
    return this.#reader
      .prepare(
        `SELECT activity_row.id AS id, chain_id, tx_hash FROM activity_row
           CROSS JOIN watched ON watched.id = activity_row.address_ref
           CROSS JOIN chain ON chain.id = chain_ref
         WHERE awaits_price = 1 AND timestamp_ms <= ? ORDER BY timestamp_ms DESC, activity_row.id DESC LIMIT ?`,
      )
      .all(query.untilMs, checkLimit(query.limit))
      .map(toRowRef);
  }

  countPartial(): number {
    const { partial, hiddenPartial } = this.#newest.counts();
    return partial + hiddenPartial;
  }

  async prepare(): Promise<void> {
    await this.#state.index();
  }

  async values(query: ArgsOf<'activity.values'>): Promise<FilterValue[]> {
    checkLimit(query.limit);
    return (await this.#state.index()).values(query);
  }

  #readNewestRows(showHidden: boolean, offset: number, limit: number): ReadRows {
    const ids = this.#newest.ids(showHidden, offset, limit);
    const { all, hidden, partial, hiddenPartial } = this.#newest.counts();
    const totalCount = showHidden ? all : all - hidden;
    return {
      rows: this.#readRows(ids),
      offset: Math.min(offset, totalCount),
      totalCount,
      hiddenCount: showHidden ? 0 : hidden,
      partialCount: showHidden ? partial + hiddenPartial : partial,
    };
  }

  #readRows(ids: readonly number[]): ReadRow[] {
    return this.#rowsOf(this.#reader, ids, this.#state.judgement);
  }

  #rowsOf(reader: SqlReader, ids: readonly number[], judgement: Judgement): ReadRow[] {
    const rows = reader.prepare(selectRows).all(JSON.stringify(ids));
    return rows.map((row) => toReadRow(reader, row, this.#state.texts, judgement));
  }
}

function toRowRef(row: SqlRow): RowRef {
  return { rowId: integer(row, 'id'), chainId: text(row, 'chain_id'), txHash: text(row, 'tx_hash') };
}

function isUnfiltered({ pills, text: searched }: ActivityFilter): boolean {
  return pills.length === 0 && searched.trim() === '';
}

/** A page holds elements of its own list only. */
export function checkPage(page: ListPage): void {
  const isOwn = page.rows.every((row) => row.address === page.address && row.chainId === page.chainId);
  const hasOthers = page.list === 'transactions' ? page.records.length > 0 : page.rows.length > 0;
  if (!isOwn || hasOthers) throw new SqlFailure('defect', 'a row of another list is in the page');
}

function requireSync(reader: SqlReader, list: ListRef): StoredSync {
  const saved = readSync(reader, list);
  if (saved === null) throw new SqlFailure('defect', 'the sync is not there after it was written');
  return saved;
}
