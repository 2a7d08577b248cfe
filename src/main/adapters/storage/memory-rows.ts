import type { ActivityFilter, ChoiceField } from '../../../shared/activity/filter.ts';
import type { AuditReport, BlockProof, RowVersion } from '../../../shared/activity/types.ts';
import type { FilterValue } from '../../../shared/ipc/contract-activity.ts';
import type {
  ActivityStore,
  ListPage,
  ListRef,
  ReadRow,
  StoredRow,
  StoredSync,
} from '../../core/activity-ports.ts';
import { sortProofs } from './activity-lists.ts';
import { checkPage } from './activity.ts';
import { toBound } from './bind.ts';
import { checkLimit, compareTexts, noBlockIndex, type RowPosition } from './cursor.ts';
import { compileFilter } from './filter-match.ts';
import type { MemoryActivity, Watched } from './memory-activity.ts';
import { auditMemory } from './memory-audit.ts';
import {
  addProof,
  keepVersion,
  saveRecords,
  sweep,
  toStoredSync,
  type List,
  type Row,
} from './memory-lists.ts';
import { isOtherBlock } from '../../../shared/activity/block-hash.ts';
import { SqlFailure } from './sql.ts';
import { judgedFacets } from './stored-rows.ts';
import type { Synchronous } from './store-ports.ts';
import { countRow, ValueCounts } from './value-counts.ts';
import { judge, type Decision } from './verdict.ts';

/** Rows in plain objects; each question looks at all of them. */
export class MemoryActivityStore implements Synchronous<ActivityStore> {
  readonly #memory: MemoryActivity;
  readonly #scans = new Map<number, ReadRow[]>();
  #lastScan = 0;
  #lastRowId = 0;

  constructor(memory: MemoryActivity) {
    this.#memory = memory;
  }

  savePage(page: ListPage): StoredSync {
    checkPage(page);
    const watched = this.#memory.require(page.address);
    for (const { blockNumber } of [...page.rows, ...page.records]) toBound(blockNumber);
    const list = this.#open(watched, page);
    for (const row of page.rows) this.#saveListed(list, row);
    saveRecords(list, page.records);
    list.sync = page.sync;
    if (page.proof !== null) addProof(list, page.proof);
    if (page.sweep !== null) sweep(list, page.sweep);
    return toStoredSync(list);
  }

  #open(watched: Watched, { address, chainId, list }: ListRef): List {
    const known = watched.lists.find(({ ref }) => ref.chainId === chainId && ref.list === list);
    if (known !== undefined) return known;
    const opened: List = {
      ref: { address, chainId, list },
      sync: { covered: [], reachedStart: false, resume: null, checkedAtMs: null },
      stoppedByUser: false,
      proofs: [],
      rows: new Map(),
      records: [],
    };
    watched.lists.push(opened);
    return opened;
  }

  #saveListed(list: List, stored: StoredRow): void {
    const known = list.rows.get(stored.txHash);
    if (known === undefined) {
      this.#add(list, stored, stored.fetchedAtMs, null);
      return;
    }
    const isReorganised = isOtherBlock(known.stored.blockHash, stored.blockHash);
    if (isReorganised) keepVersion(known, stored);
    const isComplete = known.stored.completeness === 'complete';
    if (isReorganised || !isComplete || stored.completeness === 'complete') known.stored = stored;
    known.seenAtMs = Math.max(known.seenAtMs ?? 0, stored.fetchedAtMs);
    known.reorg = isReorganised || known.reorg === 'reorganised' ? 'reorganised' : null;
  }

  #add(list: List, stored: StoredRow, seenAtMs: number | null, note: string | null): Row {
    this.#lastRowId += 1;
    const row: Row = {
      id: this.#lastRowId,
      stored,
      seenAtMs,
      decision: null,
      reorg: null,
      note,
      versions: [],
    };
    list.rows.set(stored.txHash, row);
    return row;
  }

  putRows(
    rows: readonly { row: StoredRow; integrityNote: string | null; replaced: RowVersion | null }[],
  ): void {
    for (const { row } of rows) {
      this.#memory.require(row.address);
      toBound(row.blockNumber);
    }
    for (const { row, integrityNote, replaced } of rows) {
      const list = this.#open(this.#memory.require(row.address), { ...row, list: 'transactions' });
      const known = list.rows.get(row.txHash);
      if (known === undefined) {
        const added = this.#add(list, row, null, integrityNote);
        if (replaced !== null) added.versions.push(replaced);
        continue;
      }
      const isReorganised = isOtherBlock(known.stored.blockHash, row.blockHash);
      if (replaced !== null) known.versions.push(replaced);
      else if (isReorganised) keepVersion(known, row);
      known.stored = row;
      known.note = integrityNote;
      known.reorg = isReorganised || known.reorg === 'reorganised' ? 'reorganised' : null;
      if (known.seenAtMs !== null) known.seenAtMs = Math.max(known.seenAtMs, row.fetchedAtMs);
    }
  }

  setStopped(list: ListRef, stopped: boolean): void {
    this.#open(this.#memory.require(list.address), list).stoppedByUser = stopped;
  }

  readSync(list: ListRef): StoredSync | null {
    const found = this.#find(list);
    return found === null ? null : toStoredSync(found);
  }

  listSyncs(): (ListRef & { sync: StoredSync })[] {
    return this.#lists().map((list) => ({ ...list.ref, sync: toStoredSync(list) }));
  }

  readProofs(list: ListRef): BlockProof[] {
    return sortProofs(this.#find(list)?.proofs ?? []);
  }

  #lists(): List[] {
    return this.#memory.watched().flatMap(({ lists }) => lists);
  }

  #find({ address, chainId, list }: ListRef): List | null {
    return (
      this.#lists().find(
        ({ ref }) => ref.address === address && ref.chainId === chainId && ref.list === list,
      ) ?? null
    );
  }

  audit(address: string, chainId: string, limit: number): AuditReport {
    return auditMemory((list) => this.#find({ address, chainId, list }), checkLimit(limit));
  }

  #rows(): Row[] {
    return this.#lists().flatMap(({ rows }) => [...rows.values()]);
  }

  #read(row: Row, judgement = this.#memory.judgement()): ReadRow {
    const { facets, ...stored } = row.stored;
    const { valueThen, valueCurrency } = facets;
    return {
      ...stored,
      id: row.id,
      marks: {
        spam: judge(judgedFacets(facets, row.decision), judgement),
        integrityNote: row.note,
        reorg: row.reorg,
        versionCount: row.versions.length,
        valueThen,
        valueCurrency,
      },
    };
  }

  readRow(rowId: number): ReadRow | null {
    const row = this.#rows().find(({ id }) => id === rowId);
    return row === undefined ? null : this.#read(row);
  }

  rowsOfTransaction(chainId: string, txHash: string): ReadRow[] {
    return this.#rows()
      .filter(({ stored }) => stored.chainId === chainId && stored.txHash === txHash)
      .map((row) => this.#read(row));
  }

  versions(rowId: number): RowVersion[] {
    return this.#rows().find(({ id }) => id === rowId)?.versions ?? [];
  }

  findMessage(messageId: string, chainId: string) {
    const found = this.#rows()
      .filter(({ stored }) => stored.facets.messageId === messageId && stored.chainId !== chainId)
      .sort((a, b) => a.stored.timestampMs - b.stored.timestampMs || a.id - b.id)[0];
    if (found === undefined) return null;
    const { txHash, timestampMs } = found.stored;
    return { chainId: found.stored.chainId, txHash, timestampMs };
  }

  judgeRow(rowId: number, decision: Decision | null): void {
    const row = this.#rows().find(({ id }) => id === rowId);
    if (row === undefined) throw new SqlFailure('missing-parent', '');
    row.decision = decision;
  }

  judgeToken(token: string, decision: Decision | null): void {
    if (decision === null) this.#memory.tokenDecisions.delete(token);
    else this.#memory.tokenDecisions.set(token, decision);
  }

  // ---- Rows in order ---------------------------------------------------------------------------------------------------

  /** All that match, hidden ones included, in order. */
  #matching(filter: ActivityFilter): ReadRow[] {
    const isLetThrough = compileFilter(filter, this.#memory.names());
    const judgement = this.#memory.judgement();
    return this.#rows()
      .flatMap((row) => {
        const read = this.#read(row, judgement);
        return isLetThrough({ ...row.stored, spam: read.marks.spam }) ? [read] : [];
      })
      .sort((a, b) => compareNewestFirst(positionOf(a), positionOf(b)));
  }

  #shown(filter: ActivityFilter): ReadRow[] {
    return this.#matching(filter).filter(
      ({ marks }) => filter.showHidden || marks.spam.hiddenReason === null,
    );
  }

  readRows(query: {
    filter: ActivityFilter;
    offset: number;
    anchor: { rowId: number; before: number } | null;
    limit: number;
  }) {
    const limit = checkLimit(query.limit);
    const shown = this.#shown(query.filter);
    const place = shown.findIndex(({ id }) => id === query.anchor?.rowId);
    const asked = query.anchor !== null && place >= 0 ? place - query.anchor.before : query.offset;
    const offset = Math.min(Math.max(asked, 0), shown.length);
    return {
      rows: shown.slice(offset, offset + limit),
      offset,
      totalCount: shown.length,
      hiddenCount: this.#matching(query.filter).length - shown.length,
      partialCount: shown.filter(({ completeness }) => completeness === 'partial').length,
    };
  }

  openScan(filter: ActivityFilter) {
    const rows = this.#shown(filter);
    this.#lastScan += 1;
    this.#scans.set(this.#lastScan, rows);
    return { scanId: this.#lastScan, totalCount: rows.length };
  }

  readScan({ scanId, from, limit }: { scanId: number; from: number; limit: number }): ReadRow[] {
    return this.#scans.get(scanId)?.slice(from, from + checkLimit(limit)) ?? [];
  }

  closeScan(scanId: number): void {
    this.#scans.delete(scanId);
  }

  partialRows({ filter, limit }: { filter: ActivityFilter; limit: number }) {
    return this.#shown(filter)
      .filter(({ completeness }) => completeness === 'partial')
      .slice(0, checkLimit(limit))
      .map(({ id, chainId, txHash }) => ({ rowId: id, chainId, txHash }));
  }

  rowsAwaitingPrice(query: { untilMs: number; limit: number }) {
    return this.#rows()
      .filter(({ stored }) => stored.facets.awaitsPrice && stored.timestampMs <= query.untilMs)
      .sort((a, b) => b.stored.timestampMs - a.stored.timestampMs || b.id - a.id)
      .slice(0, checkLimit(query.limit))
      .map(({ id, stored }) => ({ rowId: id, chainId: stored.chainId, txHash: stored.txHash }));
  }

  prepare(): void {
    // Every question looks at all rows.
  }

  countPartial(): number {
    return this.#rows().filter(({ stored }) => stored.completeness === 'partial').length;
  }

  values(query: { field: ChoiceField; text: string; limit: number }): FilterValue[] {
    checkLimit(query.limit);
    const counts = new ValueCounts();
    const names = this.#memory.names();
    for (const row of this.#rows()) {
      countRow({ ...row.stored, marks: this.#read(row).marks }, query.field, names, counts);
    }
    return counts.top(query.text, query.limit);
  }
}

function positionOf(row: ReadRow): RowPosition {
  const { timestampMs, blockNumber, blockIndex, txHash, id } = row;
  return { timestampMs, blockNumber, blockIndex: blockIndex ?? noBlockIndex, txHash, rowId: id };
}

/** As the index of the database orders them. */
function compareNewestFirst(a: RowPosition, b: RowPosition): number {
  return (
    b.timestampMs - a.timestampMs ||
    Number(b.blockNumber > a.blockNumber) - Number(b.blockNumber < a.blockNumber) ||
    b.blockIndex - a.blockIndex ||
    compareTexts(b.txHash, a.txHash) ||
    b.rowId - a.rowId
  );
}
