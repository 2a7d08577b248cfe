import { compareDecimals, parseDecimal, type Decimal } from '../../../../shared/amounts.ts';
import { orderedToken, type ActivityFilter, type ChoiceField } from '../../../../shared/activity/filter.ts';
import type { RowVersion } from '../../../../shared/activity/types.ts';
import type { FilterValue } from '../../../../shared/ipc/answers.ts';
import type {
  ActivityStore,
  ExceptRows,
  ListPage,
  ListRef,
  ReadRow,
  SavedPage,
  ScanPage,
  StoredRow,
} from '../../../core/activity-ports.ts';
import { checkPage } from '../activity/activity.ts';
import { toBound } from '../sqlite/bind.ts';
import { wholeUnits } from '../sqlite/bounds.ts';
import { checkLimit, noBlockIndex } from '../sqlite/cursor.ts';
import { compileFilter } from './compile-filter.ts';
import type { NaiveActivity, Watched } from './naive-activity.ts';
import { keepVersion, sweepRows, toStoredSync, type List, type Row } from './naive-lists.ts';
import { isOtherBlock } from '../../../../shared/activity/block-hash.ts';
import { SqlFailure } from '../sqlite/sql.ts';
import { judgedFacets } from '../activity/stored-rows.ts';
import type { Synchronous } from '../store-ports.ts';
import { ValueCounts } from '../activity/value-counts.ts';
import { valuesOf } from './row-values.ts';
import { judge, type Decision } from '../activity/verdict.ts';
import { pageOfRows } from './scan-pages.ts';

/** The methods that the property tests of filters use. */
type Asked =
  | 'savePage'
  | 'putRows'
  | 'judgeRow'
  | 'judgeToken'
  | 'readRows'
  | 'openScan'
  | 'readScan'
  | 'closeScan'
  | 'partialRows'
  | 'values';

/** Rows as plain objects; every query scans all of them. */
export class NaiveActivityStore implements Pick<Synchronous<ActivityStore>, Asked> {
  readonly #kept: NaiveActivity;
  readonly #scans = new Map<number, ReadRow[]>();
  #lastScan = 0;
  #lastRowId = 0;

  constructor(kept: NaiveActivity) {
    this.#kept = kept;
  }

  savePage(page: ListPage): SavedPage {
    checkPage(page);
    const watched = this.#kept.require(page.address);
    for (const { blockNumber } of page.rows) toBound(blockNumber);
    const list = this.#open(watched, page);
    for (const row of page.rows) this.#saveListed(list, row, page.walkAtMs);
    list.sync = page.sync;
    sweepRows(list, page);
    return { ...toStoredSync(list), isOutdated: false, areOthersDoubted: false };
  }

  #open(watched: Watched, { address, chainId, list }: ListRef): List {
    const known = watched.lists.find(({ ref }) => ref.chainId === chainId && ref.list === list);
    if (known !== undefined) return known;
    const opened: List = {
      ref: { address, chainId, list },
      sync: { covered: [], reachedStart: false, checkedAtMs: null },
      rows: new Map(),
    };
    watched.lists.push(opened);
    return opened;
  }

  #saveListed(list: List, stored: StoredRow, walkAtMs: number): void {
    const known = list.rows.get(stored.txHash);
    if (known === undefined) {
      this.#add(list, stored, walkAtMs, null);
      return;
    }
    const isReorganised = isOtherBlock(known.stored, stored);
    if (isReorganised) keepVersion(known, stored);
    const isComplete = known.stored.completeness === 'complete';
    if (isReorganised || !isComplete || stored.completeness === 'complete') known.stored = stored;
    known.walkAtMs = walkAtMs;
    known.isMoved = false;
    known.reorg = isReorganised || known.reorg === 'reorganised' ? 'reorganised' : null;
  }

  #add(list: List, stored: StoredRow, walkAtMs: number | null, note: string | null): Row {
    this.#lastRowId += 1;
    const row: Row = {
      id: this.#lastRowId,
      stored,
      firstSeenMs: stored.fetchedAtMs,
      walkAtMs,
      isMoved: false,
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
  ): [] {
    for (const { row } of rows) {
      this.#kept.require(row.address);
      toBound(row.blockNumber);
    }
    for (const { row, integrityNote, replaced } of rows) {
      const list = this.#open(this.#kept.require(row.address), { ...row, list: 'transactions' });
      const known = list.rows.get(row.txHash);
      if (known === undefined) {
        const added = this.#add(list, row, null, integrityNote);
        if (replaced !== null) added.versions.push(replaced);
        continue;
      }
      const isReorganised = isOtherBlock(known.stored, row);
      known.isMoved ||= isReorganised || known.reorg === 'gone';
      if (replaced !== null) known.versions.push(replaced);
      else if (isReorganised) keepVersion(known, row);
      known.stored = row;
      known.note = integrityNote;
      known.reorg = isReorganised || known.reorg === 'reorganised' ? 'reorganised' : null;
    }
    return [];
  }

  #lists(): List[] {
    return this.#kept.watched().flatMap(({ lists }) => lists);
  }

  #rows(): Row[] {
    return this.#lists().flatMap(({ rows }) => [...rows.values()]);
  }

  #read(row: Row, judgement = this.#kept.judgement()): ReadRow {
    const { facets, ...stored } = row.stored;
    const { valueThen, valueCurrency } = facets;
    return {
      ...stored,
      id: row.id,
      firstSeenMs: row.firstSeenMs,
      isMoved: row.isMoved,
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

  judgeRow(rowId: number, decision: Decision | null): Decision | null {
    const row = this.#rows().find(({ id }) => id === rowId);
    if (row === undefined) throw new SqlFailure('missing-parent', '');
    const before = row.decision;
    row.decision = decision;
    return before;
  }

  judgeToken(token: string, decision: Decision | null): Decision | null {
    const before = this.#kept.tokenDecisions.get(token) ?? null;
    if (decision === null) this.#kept.tokenDecisions.delete(token);
    else this.#kept.tokenDecisions.set(token, decision);
    return before;
  }

  // ---- Rows in order ---------------------------------------------------------------------------------------------------

  /** All matching rows in order, including hidden ones. */
  #matching(filter: ActivityFilter): ReadRow[] {
    const isLetThrough = compileFilter(filter, this.#kept.names());
    const judgement = this.#kept.judgement();
    return this.#rows()
      .flatMap((row) => {
        const read = this.#read(row, judgement);
        return isLetThrough({ ...row.stored, spam: read.marks.spam }) ? [read] : [];
      })
      .sort((a, b) => compareNewestFirst(a, b));
  }

  #shown(filter: ActivityFilter): ReadRow[] {
    const shown = this.#matching(filter).filter(
      ({ marks }) => filter.showHidden || marks.spam.hiddenReason === null,
    );
    const { known, unknown } = this.#ranked(shown, filter);
    return [...known, ...unknown];
  }

  /** Rows that are newest first in the order of the filter, and those without what it goes by. */
  #ranked(rows: readonly ReadRow[], filter: ActivityFilter): { known: ReadRow[]; unknown: ReadRow[] } {
    const { order } = filter;
    if (order === undefined || order.by === 'time')
      return { known: order?.ascending === true ? rows.toReversed() : [...rows], unknown: [] };
    const token = orderedToken(filter);
    const facetsOf = new Map(this.#rows().map(({ id, stored }) => [id, stored.facets]));
    const sizeOf = ({ id }: ReadRow): Decimal | null => {
      const facets = facetsOf.get(id);
      if (facets === undefined) return null;
      if (order.by === 'fee') return facets.fee === null ? null : parseDecimal(facets.fee);
      if (token === null) return parseDecimal((facets.valueThen ?? '').replace('-', ''));
      return facets.tokens
        .filter((moved) => moved.token === token)
        .flatMap(({ amount, decimals }) => wholeUnits(amount, decimals) ?? [])
        .reduce<Decimal | null>((a, b) => (a === null || compareDecimals(a, b) < 0 ? b : a), null);
    };
    const sized = rows.map((row) => ({ row, size: sizeOf(row) }));
    return {
      known: sized
        .flatMap(({ row, size }) => (size === null ? [] : { row, size }))
        .sort((a, b) => compareDecimals(a.size, b.size) * (order.ascending ? 1 : -1))
        .map(({ row }) => row),
      unknown: sized.filter(({ size }) => size === null).map(({ row }) => row),
    };
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
      unrankedCount: shown.length - this.#ranked(shown, query.filter).known.length,
    };
  }

  openScan(filter: ActivityFilter) {
    const rows = this.#shown(filter);
    this.#lastScan += 1;
    this.#scans.set(this.#lastScan, rows);
    return { scanId: this.#lastScan, totalCount: rows.length };
  }

  readScan({ scanId, from, limit }: { scanId: number; from: number; limit: number }): ScanPage {
    return pageOfRows(this.#scans.get(scanId)?.slice(from, from + checkLimit(limit)) ?? []);
  }

  closeScan(scanId: number): void {
    this.#scans.delete(scanId);
  }

  partialRows({ filter, except, limit }: { filter: ActivityFilter; except: ExceptRows; limit: number }) {
    const { rowIds, chainIds } = except;
    const { pills, text, showHidden } = filter;
    return this.#shown({ pills, text, showHidden })
      .filter(({ completeness }) => completeness === 'partial')
      .filter(({ id, chainId }) => !rowIds.includes(id) && !chainIds.includes(chainId))
      .slice(0, checkLimit(limit))
      .map(({ id, chainId, txHash }) => ({ rowId: id, chainId, txHash }));
  }

  values(query: { field: ChoiceField; text: string; limit: number }): FilterValue[] {
    checkLimit(query.limit);
    const counts = new ValueCounts();
    const names = this.#kept.names();
    for (const row of this.#rows()) {
      const matched = { ...row.stored, spam: this.#read(row).marks.spam };
      for (const [value, label] of valuesOf(matched, query.field, names)) counts.add(value, label);
    }
    return counts.top(query.text, query.limit);
  }
}

/** The order of the database's index; a transaction without an index sorts last in its block. */
function compareNewestFirst(a: ReadRow, b: ReadRow): number {
  return (
    b.timestampMs - a.timestampMs ||
    Number(b.blockNumber > a.blockNumber) - Number(b.blockNumber < a.blockNumber) ||
    (b.blockIndex ?? noBlockIndex) - (a.blockIndex ?? noBlockIndex) ||
    b.id - a.id
  );
}
