import type { ActivityFilter } from '../../../../shared/activity/filter.ts';
import type {
  ActivityStore,
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
  findList,
  listSyncs,
  openList,
  readProofs,
  readSync,
  recountTimes,
  writeSync,
} from './activity-lists.ts';
import type { ActivityState } from './activity-state.ts';
import { doubtfulFrom, readIntervals } from '../../../../shared/activity/blocks.ts';
import { doubtLists, lowest, lowestWithoutRecord, lowestWithoutRow, withdraw } from './doubts.ts';
import { auditLists } from './audit.ts';
import { checkLimit } from '../sqlite/cursor.ts';
import { saveRecords, sweepRecords } from './list-records.ts';
import { createNewestRows, nearRows } from './newest-rows.ts';
import { insertRow, integer, integerOrNull, text, updateRow } from '../sqlite/row.ts';
import { putRow, saveListedRow, sweepRows, type RowWriting } from './row-writes.ts';
import { SqlFailure, type SqlReader, type SqlRow, type SqlSnapshot, type SqlWriter } from '../sqlite/sql.ts';
import type { Served } from '../store-ports.ts';
import {
  decisionOf,
  hasHash,
  packText,
  readScanned,
  readVersions,
  requestRefs,
  selectRows,
  toReadRow,
} from './stored-rows.ts';
import { decisions, reasonBits } from './verdict.ts';
import { findAddressRef } from './watchlist.ts';

/** The rows of an export: their ids in order, and a snapshot of the store. */
interface Scan {
  ids: Float64Array;
  snapshot: SqlSnapshot;
}

/** The lists of watched addresses: their elements, their sync state, and the user's judgements of rows. */
export function createActivityStore(state: ActivityState) {
  const reader: SqlReader = state.database;
  const newest = createNewestRows(reader);
  const scans = new Map<number, Scan>();
  let lastScan = 0;

  return {
    // ---- Writing ---------------------------------------------------------------------------------------------------------

    savePage(page) {
      checkPage(page);
      const told = write((writer, writing) => {
        const { moved } = writing;
        const list = openList(writer, page);
        const before = requireSync(writer, page);
        if (page.doubts !== before.doubts) return { isOutdated: true, areOthersDoubted: false };
        const added = page.rows.filter((row) =>
          saveListedRow(writer, list, { row, walkAtMs: page.walkAtMs }, writing),
        );
        if (page.rows.length > 0) countElements(writer, list.listRef, added.length, added);
        if (page.records.length > 0) saveRecords(writer, list.listRef, page);
        writeSync(writer, list.listRef, page.sync);
        if (page.proof !== null) addProof(writer, list.listRef, page.proof);
        if (page.list === 'transactions') {
          sweepRows(writer, list.listRef, page, writing);
          const gaps = [
            lowestWithoutRow(writer, list, page.sync.covered, before.covered),
            lowestWithoutRecord(writer, list, page, added),
          ];
          moved.push(...gaps.filter((block) => block !== null));
        } else {
          sweepRecords(writer, list.listRef, page);
        }
        for (const row of added) if (wasProven(before, row.blockNumber)) moved.push(row.blockNumber);
        const from = lowest(moved);
        const areOthersDoubted = from !== null && doubtLists(writer, list, from, 'others');
        return { isOutdated: false, areOthersDoubted };
      });
      return { ...requireSync(reader, page), ...told };
    },

    withdraw(list, blocks, around) {
      state.database.transaction((writer) => withdraw(writer, list, blocks, around));
      return readSync(reader, list);
    },

    putRows(rows) {
      const doubted: Omit<ListRef, 'list'>[] = [];
      write((writer, writing) => {
        const kept = rows.filter(({ row }) => findAddressRef(writer, row.address) !== null);
        if (kept.length === 0 && rows.length > 0) throw new SqlFailure('missing-parent', '');
        for (const completed of kept) {
          const { row } = completed;
          const { address, chainId } = row;
          const list = openList(writer, { address, chainId, list: 'transactions' });
          const moved: bigint[] = [];
          if (putRow(writer, list, completed, { ...writing, moved })) {
            countElements(writer, list.listRef, 1, [row]);
          }
          // So that the list is walked at once, not with the next look for news. Where nothing is proven, it is in any case.
          const sync = readSync(writer, { address, chainId, list: 'transactions' });
          const from = lowest(moved.filter((block) => sync !== null && wasProven(sync, block)));
          if (from !== null && doubtLists(writer, list, doubtfulFrom(from), 'all'))
            doubted.push({ address, chainId });
        }
      });
      return doubted;
    },

    setWishes(wishes) {
      state.write((writer) => {
        for (const { stoppedByUser, owed, ...list } of wishes) {
          if (findAddressRef(writer, list.address) === null) continue;
          const { listRef } = openList(writer, list);
          updateRow(writer, 'activity_list', listRef, { is_stopped: stoppedByUser ? 1 : 0, owed });
        }
      });
    },

    judgeRow(rowId, decision) {
      const before = reader.get('SELECT decision FROM activity_row WHERE id = ?', [rowId]);
      state.write((writer, changed) => {
        updateRow(writer, 'activity_row', rowId, { decision: decision && decisions.indexOf(decision) });
        const [row] = rowsWith([rowId], writer);
        if (row === undefined) throw new SqlFailure('missing-parent', '');
        updateRow(writer, 'activity_row', rowId, { reasons: reasonBits(row.marks.spam) });
        changed(rowId);
      });
      return decisionOf(before);
    },

    judgeToken(token, decision) {
      const key = packText(token);
      const before = reader.get('SELECT decision FROM token_decision WHERE token_json = ?', [key]);
      state.writeWords(
        (writer) => {
          const row = { token_json: key, decision: decision && decisions.indexOf(decision) };
          if (decision === null) writer.run('DELETE FROM token_decision WHERE token_json = ?', [key]);
          else insertRow(writer, 'token_decision', row, 'REPLACE');
        },
        { token },
      );
      return decisionOf(before);
    },

    // ---- Lists -----------------------------------------------------------------------------------------------------------

    readSync: (list) => readSync(reader, list),

    listSyncs: () => listSyncs(reader),

    readProofs(list) {
      const found = findList(reader, list);
      return found === null ? [] : readProofs(reader, found.listRef);
    },

    async audit(address, chainId, limit) {
      checkLimit(limit);
      return await auditLists(reader, { address, chainId, limit }, () => state.yieldTurn());
    },

    // ---- Single rows -----------------------------------------------------------------------------------------------------

    readRow: (rowId) => rowsWith([rowId])[0] ?? null,

    rowsOfTransaction(chainId, txHash) {
      const ids = reader
        .all(
          `SELECT activity_row.id AS id FROM chain
             CROSS JOIN activity_list ON activity_list.chain_ref = chain.id
             CROSS JOIN activity_row ON activity_row.list_ref = activity_list.id AND ${hasHash('?1')}
           WHERE chain_id = ?2 ORDER BY activity_row.address_ref`,
          [txHash, chainId],
        )
        .map((row) => integer(row, 'id'));
      return rowsWith(ids);
    },

    versions: (rowId) => readVersions(reader, rowId),

    findMessage(messageId, chainId) {
      const row = reader.get(
        `SELECT chain_id, tx_hash, timestamp_ms FROM activity_row
           JOIN watched ON watched.id = address_ref
           JOIN chain ON chain.id = chain_ref
         WHERE message_json = ? AND chain_id <> ? ORDER BY timestamp_ms, activity_row.id LIMIT 1`,
        [packText(messageId), chainId],
      );
      if (row === undefined) return null;
      return {
        chainId: text(row, 'chain_id'),
        txHash: text(row, 'tx_hash'),
        timestampMs: integerOrNull(row, 'timestamp_ms'),
      };
    },

    // ---- Rows in order ---------------------------------------------------------------------------------------------------

    async readRows(query) {
      const limit = checkLimit(query.limit);
      const { filter, anchor } = query;
      // Neither the start of the app nor scrolling from its first page may wait for the index to load.
      const isNear = state.hasIndex
        ? query.offset === 0 && !newest.areFarApart(filter.showHidden)
        : query.offset <= nearRows;
      if (anchor === null && isUnfiltered(filter) && isNear) {
        return readNewestRows(filter.showHidden, Math.max(query.offset, 0), limit);
      }
      const index = await state.index();
      const selection = index.select(filter);
      const totalCount = selection.slots.length;
      const place = anchor === null ? null : index.placeOf(selection, anchor.rowId);
      const asked = place === null || anchor === null ? query.offset : place - anchor.before;
      const offset = Math.min(Math.max(asked, 0), totalCount);
      const { hiddenCount, partialCount, unrankedCount } = selection;
      const rows = rowsWith(index.ids(selection, offset, limit));
      return { rows, offset, totalCount, hiddenCount, partialCount, unrankedCount };
    },

    readNews: (query) => rowsWith(newest.newsIds(query)),

    async openScan(filter) {
      const index = await state.index();
      // Index and snapshot agree: nothing is written in between.
      const { slots } = index.select(filter);
      const ids = Float64Array.from(slots, (slot) => index.columns.numbers.id[slot] ?? 0);
      lastScan += 1;
      scans.set(lastScan, { ids, snapshot: state.database.snapshot() });
      return { scanId: lastScan, totalCount: ids.length };
    },

    readScan(query) {
      const limit = checkLimit(query.limit);
      const scan = scans.get(query.scanId);
      if (scan === undefined) throw new SqlFailure('defect', 'the scan is not open');
      return readScanned(scan.snapshot.reader, [...scan.ids.subarray(query.from, query.from + limit)]);
    },

    closeScan(scanId) {
      scans.get(scanId)?.snapshot.close();
      scans.delete(scanId);
    },

    async partialRows(query) {
      const limit = checkLimit(query.limit);
      const index = await state.index();
      const { pills, text: searched, showHidden } = query.filter;
      const { except } = query;
      const selection = index.select({
        text: searched,
        showHidden,
        pills: [
          ...pills,
          { field: 'completeness', not: false, values: ['partial'] },
          // With no chain it lets everything through.
          { field: 'chain', not: true, values: [...except.chainIds] },
        ],
      });
      return reader
        .all(
          `SELECT activity_row.id AS id, chain_id, tx_hash FROM json_each(?)
             CROSS JOIN activity_row ON activity_row.id = json_each.value
             CROSS JOIN chain ON chain.id = chain_ref
           ORDER BY json_each.key`,
          [JSON.stringify(index.idsExcept(selection, new Set(except.rowIds), limit))],
        )
        .map(toRowRef);
    },

    rowsAwaitingPrice: (query) =>
      reader
        .all(
          `SELECT activity_row.id AS id, chain_id, tx_hash FROM activity_row
             CROSS JOIN watched ON watched.id = activity_row.address_ref
             CROSS JOIN chain ON chain.id = chain_ref
           WHERE awaits_price = 1 AND timestamp_ms <= ?
             AND activity_row.id NOT IN (SELECT value FROM json_each(?))
             AND chain_id NOT IN (SELECT value FROM json_each(?))
           ORDER BY timestamp_ms DESC, activity_row.id DESC LIMIT ?`,
          [
            query.untilMs,
            JSON.stringify(query.except.rowIds),
            JSON.stringify(query.except.chainIds),
            checkLimit(query.limit),
          ],
        )
        .map(toRowRef),

    countPartial() {
      const { partial, hiddenPartial } = newest.counts();
      return partial + hiddenPartial;
    },

    async prepare() {
      const index = await state.index();
      while (index.prepareMore()) await state.yieldTurn();
    },

    async values(query) {
      checkLimit(query.limit);
      return (await state.index()).values(query);
    },
  } satisfies Served<ActivityStore>;

  function write<T>(work: (writer: SqlWriter, writing: RowWriting) => T): T {
    const { texts, context: judgement } = state;
    return state.write((writer, changed) => {
      const retimed = new Set<number>();
      const result = work(writer, {
        texts,
        judgement,
        changed,
        moved: [],
        retimed: (listRef) => retimed.add(listRef),
        requestRef: requestRefs(writer),
      });
      for (const listRef of retimed) recountTimes(writer, listRef, 'activity_row');
      return result;
    });
  }

  function readNewestRows(showHidden: boolean, offset: number, limit: number): ReadRows {
    const ids = newest.ids(showHidden, offset, limit);
    const { all, hidden, partial, hiddenPartial } = newest.counts();
    const totalCount = showHidden ? all : all - hidden;
    return {
      rows: rowsWith(ids),
      offset: Math.min(offset, totalCount),
      totalCount,
      hiddenCount: showHidden ? 0 : hidden,
      partialCount: showHidden ? partial + hiddenPartial : partial,
      unrankedCount: 0,
    };
  }

  function rowsWith(ids: readonly number[], source = reader): ReadRow[] {
    const { texts, context } = state;
    return source.all(selectRows, [JSON.stringify(ids)]).map((row) => toReadRow(source, row, texts, context));
  }
}

function toRowRef(row: SqlRow): RowRef {
  return { rowId: integer(row, 'id'), chainId: text(row, 'chain_id'), txHash: text(row, 'tx_hash') };
}

function isUnfiltered({ pills, text: searched, order }: ActivityFilter): boolean {
  return order === undefined && pills.length === 0 && searched.trim() === '';
}

/** Throws when a page has elements of another list. */
export function checkPage(page: ListPage): void {
  const isOwn = page.rows.every((row) => row.address === page.address && row.chainId === page.chainId);
  const hasOthers = page.list === 'transactions' ? page.records.length > 0 : page.rows.length > 0;
  if (!isOwn || hasOthers) throw new SqlFailure('defect', 'a row of another list is in the page');
}

/** Whether a block was proven, and was not the newest one, which may get further transactions. */
function wasProven({ covered }: StoredSync, block: bigint): boolean {
  const ranges = readIntervals(covered);
  const newest = (ranges.at(-1)?.to ?? 0n) - 1n;
  return block !== newest && ranges.some(({ from, to }) => from <= block && block < to);
}

function requireSync(reader: SqlReader, list: ListRef): StoredSync {
  const saved = readSync(reader, list);
  if (saved === null) throw new SqlFailure('defect', 'the sync is not there after it was written');
  return saved;
}
