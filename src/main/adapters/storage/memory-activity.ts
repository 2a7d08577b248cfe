import type { ActivityFilter, ChoiceField } from '../../../shared/activity/filter.ts';
import {
  listIds,
  type AuditReport,
  type BlockProof,
  type BookEntry,
  type RowVersion,
} from '../../../shared/activity/types.ts';
import type { FilterValue } from '../../../shared/ipc/contract-activity.ts';
import type {
  ActivityStore,
  BookStore,
  ListPage,
  ListRef,
  ReadRow,
  StoredAddress,
  StoredChains,
  StoredRecord,
  StoredRow,
  StoredSync,
  SyncState,
  WatchlistStore,
} from '../../core/ports.ts';
import { joinBlocks, sortProofs, storableBlocks } from './activity-lists.ts';
import { checkPage } from './activity.ts';
import { toBound } from './bind.ts';
import {
  checkLimit,
  compareTexts,
  decodeCursor,
  encodeCursor,
  noBlockIndex,
  type RowPosition,
} from './cursor.ts';
import { compileFilter, type Names } from './filter-match.ts';
import { auditMemory } from './memory-audit.ts';
import { isOtherBlock } from './row-writes.ts';
import { SqlFailure } from './sql.ts';
import { judge, type Judgement } from './stored-rows.ts';
import type { Synchronous } from './store-ports.ts';
import { nameOf, spellAddress, tokenLabel, ValueCounts } from './value-counts.ts';
import { hiddenReasons, LookAlikes, type Decision } from './verdict.ts';

interface Watched {
  stored: StoredAddress;
  isRemoved: boolean;
  chains: StoredChains | null;
  lists: List[];
}

export interface List {
  ref: ListRef;
  sync: SyncState;
  stoppedByUser: boolean;
  proofs: BlockProof[];
  /** By transaction. */
  rows: Map<string, Row>;
  records: StoredRecord[];
}

export interface Row {
  id: number;
  stored: StoredRow;
  seenAtMs: number | null;
  decision: Decision | null;
  reorg: 'reorganised' | 'gone' | null;
  note: string | null;
  versions: RowVersion[];
}

/** What the stores of addresses, names and rows share. */
export class MemoryActivity {
  readonly addresses = new Map<string, Watched>();
  readonly book = new Map<string, BookEntry>();
  readonly tokenDecisions = new Map<string, Decision>();

  watched(): Watched[] {
    return [...this.addresses.values()]
      .filter(({ isRemoved }) => !isRemoved)
      .sort((a, b) => a.stored.addedAtMs - b.stored.addedAtMs);
  }

  require(address: string): Watched {
    const watched = this.addresses.get(address);
    if (watched === undefined || watched.isRemoved) throw new SqlFailure('missing-parent', '');
    return watched;
  }

  names(): Names {
    return {
      watched: new Map(this.watched().map(({ stored }) => [stored.address.toLowerCase(), stored])),
      book: new Map([...this.book.values()].map(({ address, name }) => [address.toLowerCase(), name])),
    };
  }

  judgement(): Judgement {
    const { watched, book } = this.names();
    return {
      lookAlikes: new LookAlikes([...watched.keys(), ...book.keys()]),
      tokenDecisions: this.tokenDecisions,
    };
  }
}

export class MemoryWatchlistStore implements Synchronous<WatchlistStore> {
  readonly #memory: MemoryActivity;

  constructor(memory: MemoryActivity) {
    this.#memory = memory;
  }

  list(): StoredAddress[] {
    return this.#memory.watched().map(({ stored }) => stored);
  }

  put(address: StoredAddress): void {
    const watched = this.#memory.addresses.get(address.address);
    if (watched === undefined) {
      this.#memory.addresses.set(address.address, {
        stored: address,
        isRemoved: false,
        chains: null,
        lists: [],
      });
    } else {
      watched.stored = address;
      watched.isRemoved = false;
    }
  }

  remove(address: string, keepData: boolean): void {
    const watched = this.#memory.addresses.get(address);
    if (watched !== undefined && keepData) watched.isRemoved = true;
    else this.#memory.addresses.delete(address);
  }

  readChains(address: string): StoredChains | null {
    const watched = this.#memory.addresses.get(address);
    return watched === undefined || watched.isRemoved ? null : watched.chains;
  }

  writeChains(address: string, chains: StoredChains): void {
    this.#memory.require(address).chains = chains;
  }
}

export class MemoryBookStore implements Synchronous<BookStore> {
  readonly #memory: MemoryActivity;

  constructor(memory: MemoryActivity) {
    this.#memory = memory;
  }

  list(): BookEntry[] {
    return [...this.#memory.book.values()].sort(
      (a, b) => compareTexts(a.name, b.name) || compareTexts(a.address, b.address),
    );
  }

  put(entry: BookEntry): void {
    this.#memory.book.set(entry.address, entry);
  }

  remove(address: string): void {
    this.#memory.book.delete(address);
  }
}

/** Rows in plain objects; each question looks at all of them. */
export class MemoryActivityStore implements Synchronous<ActivityStore> {
  readonly #memory: MemoryActivity;
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
    const { valueThen, valueCurrency } = row.stored.facets;
    return {
      ...row.stored,
      id: row.id,
      marks: {
        spam: judge(row.stored.facets, row.decision, judgement),
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
      .map((row) => this.#read(row, judgement))
      .filter((row) => isLetThrough({ ...row, spam: row.marks.spam }))
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

  scanRows(query: { filter: ActivityFilter; after: string | null; limit: number }) {
    const limit = checkLimit(query.limit);
    const after = query.after === null ? null : decodeCursor(query.after);
    const following = this.#shown(query.filter).filter(
      (row) => after === null || compareNewestFirst(after, positionOf(row)) < 0,
    );
    const rows = following.slice(0, limit);
    const last = rows.at(-1);
    const hasMore = following.length > limit && last !== undefined;
    return { rows, next: hasMore ? encodeCursor(positionOf(last)) : null };
  }

  partialRows({ filter, limit }: { filter: ActivityFilter; limit: number }) {
    return this.#shown(filter)
      .filter(({ completeness }) => completeness === 'partial')
      .slice(0, checkLimit(limit))
      .map(({ id, chainId, txHash }) => ({ rowId: id, chainId, txHash }));
  }

  countPartial(): number {
    return this.#rows().filter(({ stored }) => stored.completeness === 'partial').length;
  }

  values(query: { field: ChoiceField; text: string; limit: number }): FilterValue[] {
    checkLimit(query.limit);
    const counts = new ValueCounts();
    const names = this.#memory.names();
    for (const row of this.#rows()) countValues(this.#read(row), query.field, names, counts);
    return counts.top(query.text, query.limit);
  }
}

function countValues(row: ReadRow, field: ChoiceField, names: Names, counts: ValueCounts): void {
  const { facets } = row;
  const plain = (value: string | null) => {
    if (value !== null) counts.add(value, value);
  };
  switch (field) {
    case 'address':
      counts.add(row.address, nameOf(row.address, names, null));
      break;
    case 'tag':
      for (const tag of new Set(names.watched.get(row.address.toLowerCase())?.tags)) plain(tag);
      break;
    case 'chain':
      plain(row.chainId);
      break;
    case 'kind':
      plain(facets.kind);
      break;
    case 'direction':
      plain(facets.direction);
      break;
    case 'status':
      plain(facets.status);
      break;
    case 'completeness':
      plain(row.completeness);
      break;
    case 'token':
      for (const token of facets.tokens) counts.add(token.token, tokenLabel(token));
      break;
    case 'counterparty':
      if (facets.counterparty !== null) {
        const label = nameOf(facets.counterparty, names, facets.counterpartyName);
        counts.add(spellAddress(facets.counterparty), label);
      }
      break;
    case 'method':
      plain(facets.method);
      break;
    case 'hidden':
      hiddenReasons(row.marks.spam).forEach(plain);
      break;
  }
}

function keepVersion(row: Row, by: StoredRow): void {
  const { transactionJson, fetchedAtMs } = row.stored;
  const why = row.reorg === 'gone' ? 'gone' : 'reorganised';
  row.versions.push({ why, transactionJson, fetchedAtMs, replacedAtMs: by.fetchedAtMs });
}

function saveRecords(list: List, records: readonly StoredRecord[]): void {
  const counts = new Map<string, number>();
  for (const record of records) {
    const key = `${record.txHash} ${record.recordJson}`;
    const number = (counts.get(key) ?? 0) + 1;
    counts.set(key, number);
    const equal = list.records.filter(
      ({ txHash, recordJson }) => txHash === record.txHash && recordJson === record.recordJson,
    );
    const known = equal[number - 1];
    if (known === undefined) list.records.push({ ...record });
    else known.fetchedAtMs = Math.max(known.fetchedAtMs, record.fetchedAtMs);
  }
}

function addProof(list: List, proof: NonNullable<ListPage['proof']>): void {
  for (const block of proof.blocks) {
    const last = list.proofs.at(-1);
    const joined = last?.runId === proof.runId ? joinBlocks(last, block) : null;
    if (joined !== null) list.proofs.pop();
    list.proofs.push({ ...(joined ?? block), runId: proof.runId, provenAtMs: proof.provenAtMs });
  }
}

function sweep(list: List, { blocks, notSeenSinceMs }: NonNullable<ListPage['sweep']>): void {
  for (const range of blocks.map(storableBlocks)) {
    if (range === null) continue;
    const isInside = (block: bigint) => block >= range.first && block <= range.last;
    list.records = list.records.filter(
      ({ blockNumber, fetchedAtMs }) => !isInside(blockNumber) || fetchedAtMs >= notSeenSinceMs,
    );
    for (const row of list.rows.values()) {
      const isUnseen = row.seenAtMs !== null && row.seenAtMs < notSeenSinceMs;
      if (isInside(row.stored.blockNumber) && isUnseen) row.reorg = 'gone';
    }
  }
}

function toStoredSync({ ref, sync, stoppedByUser, rows, records }: List): StoredSync {
  const elements = ref.list === listIds[0] ? [...rows.values()].map(({ stored }) => stored) : records;
  const times = elements
    .map(({ timestampMs }) => timestampMs)
    .filter((timeMs) => timeMs !== null)
    .sort((a, b) => a - b);
  return {
    ...sync,
    stoppedByUser,
    rowCount: elements.length,
    newestTimestampMs: times.at(-1) ?? null,
    oldestTimestampMs: times[0] ?? null,
  };
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
