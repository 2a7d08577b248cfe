import type { ActivityFilter } from '../../../../../shared/activity/filter.ts';
import type { FacetTexts } from '../facet-texts.ts';
import type { SqlReader } from '../../sqlite/sql.ts';
import { bitParts, Columns } from './columns.ts';
import type { IndexContext } from './index-context.ts';
import { readByIds, roughAmount, roughText, type IndexRows } from './index-rows.ts';
import { compilePills } from './pills.ts';
import { at, RowOrder } from './row-order.ts';

/** The rows that a filter lets through, newest first. */
export interface Selection {
  slots: Uint32Array;
  hiddenCount: number;
  partialCount: number;
}

const keptSelections = 4;

/**
 * The columns of all stored rows in memory: any filter over a million rows takes a few passes over numbers. It is filled
 * and kept in step by its owner; it reads the database only to look at single rows.
 */
export class RowIndex {
  readonly columns = new Columns();
  readonly #reader: SqlReader;
  readonly #facets: FacetTexts;
  readonly #order: RowOrder;
  /** Place and 1 by row id; 0 for none. */
  #slotOfId = new Int32Array(0);
  #context: IndexContext;
  #selections = new Map<string, Selection>();

  constructor(reader: SqlReader, facets: FacetTexts, context: IndexContext) {
    this.#reader = reader;
    this.#facets = facets;
    this.#context = context;
    this.#order = new RowOrder(this.columns);
  }

  get context(): IndexContext {
    return this.#context;
  }

  /** Adds rows, or takes their changes over. */
  put(rows: IndexRows): void {
    this.#selections.clear();
    rows.id.forEach((id, place) => this.#putRow(id, rows, place));
    this.#order.settle();
  }

  /** Takes over what has changed in the store. */
  refresh(ids: readonly number[]): void {
    const rows = ids.length === 0 ? null : readByIds(this.#reader, ids);
    if (rows !== null) this.put(rows);
  }

  /** Names or watched addresses have changed; rows that are judged otherwise since are told by `refresh`. */
  setContext(context: IndexContext): void {
    this.#selections.clear();
    this.#context = context;
  }

  select(filter: ActivityFilter): Selection {
    const key = JSON.stringify(filter);
    const known = this.#selections.get(key);
    // Put at the end: the first one is the one that was not asked for the longest.
    this.#selections.delete(key);
    const selection = known ?? this.#evaluate(filter);
    this.#selections.set(key, selection);
    const [oldest] = this.#selections.keys();
    if (oldest !== undefined && this.#selections.size > keptSelections) this.#selections.delete(oldest);
    return selection;
  }

  idAt({ slots }: Selection, place: number): number {
    return at(this.columns.id, at(slots, place));
  }

  ids(selection: Selection, from: number, limit: number): number[] {
    return [...selection.slots.subarray(from, from + limit)].map((slot) => at(this.columns.id, slot));
  }

  /** The place of a row among those selected; null when it is not. */
  placeOf({ slots }: Selection, rowId: number): number | null {
    const slot = this.#slotOf(rowId);
    if (slot === undefined) return null;
    const place = firstPlace(slots, (other) => this.#order.compare(other, slot) >= 0);
    return slots[place] === slot ? place : null;
  }

  /** How many rows of watched addresses have each value of what `valueOf` gives. */
  tally(valueOf: (slot: number) => number): Map<number, number> {
    const counts = new Map<number, number>();
    const mask = this.#watchedRows();
    for (let slot = 0; slot < mask.length; slot += 1) {
      if (mask[slot] === 0) continue;
      const value = valueOf(slot);
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return counts;
  }

  /** How many rows of watched addresses moved each token, by the number of its facet. */
  tallyTokens(): Map<number, number> {
    const counts = new Map<number, number>();
    const c = this.columns;
    const mask = this.#watchedRows();
    for (let slot = 0; slot < mask.length; slot += 1) {
      if (mask[slot] === 0) continue;
      const start = at(c.tokenStart, slot);
      for (let place = start; place < start + (c.tokenCount[slot] ?? 0); place += 1) {
        const ref = at(c.tokens.refs, place);
        counts.set(ref, (counts.get(ref) ?? 0) + 1);
      }
    }
    return counts;
  }

  #putRow(id: number, rows: IndexRows, place: number): void {
    const c = this.columns;
    const known = this.#slotOf(id);
    const timestampMs = rows.timestampMs[place] ?? 0;
    const blockHigh = rows.blockHigh[place] ?? 0;
    const blockLow = rows.blockLow[place] ?? 0;
    const blockIndex = rows.blockIndex[place] ?? 0;
    const hasMoved =
      known !== undefined &&
      !(
        c.timestampMs[known] === timestampMs &&
        c.blockHigh[known] === blockHigh &&
        c.blockLow[known] === blockLow &&
        c.blockIndex[known] === blockIndex
      );
    // The old place stays where it was in the order, as nobody's row.
    if (known !== undefined && hasMoved) c.address[known] = 0;
    const slot = known === undefined || hasMoved ? c.add() : known;
    c.id[slot] = id;
    c.timestampMs[slot] = timestampMs;
    c.blockHigh[slot] = blockHigh;
    c.blockLow[slot] = blockLow;
    c.blockIndex[slot] = blockIndex;
    c.address[slot] = rows.address[place] ?? 0;
    c.chain[slot] = rows.chain[place] ?? 0;
    c.counterparty[slot] = rows.counterparty[place] ?? 0;
    c.method[slot] = rows.method[place] ?? 0;
    const value = roughText(rows.value[place] ?? null);
    c.value[slot] = value.value;
    c.bits[slot] = (rows.bits[place] ?? 0) | (value.isLong ? 1 << bitParts.longValue.shift : 0);
    const tokens = rows.tokens[place] ?? [];
    c.putTokens(slot, tokens, ([ref, amount]) =>
      roughAmount(amount, this.#facets.tokenOf(this.#reader, ref).decimals),
    );
    c.putHash(slot, rows.hash[place] ?? '');
    c.reasons[slot] = rows.reasons[place] ?? 0;
    if (slot === known) return;
    this.#keepSlot(id, slot);
    this.#order.add(slot);
  }

  #slotOf(rowId: number): number | undefined {
    const slot = this.#slotOfId[rowId] ?? 0;
    return slot === 0 ? undefined : slot - 1;
  }

  #keepSlot(rowId: number, slot: number): void {
    if (rowId >= this.#slotOfId.length) {
      const longer = new Int32Array(Math.ceil((rowId + 1024) * 1.5));
      longer.set(this.#slotOfId);
      this.#slotOfId = longer;
    }
    this.#slotOfId[rowId] = slot + 1;
  }

  #evaluate(filter: ActivityFilter): Selection {
    const c = this.columns;
    const mask = this.#watchedRows();
    for (const keep of compilePills(filter, {
      reader: this.#reader,
      columns: c,
      facets: this.#facets,
      context: this.#context,
    })) {
      keep(mask);
    }
    return this.#collect(mask, filter.showHidden);
  }

  /** 1 at the places of rows that can be in an answer. */
  #watchedRows(): Uint8Array {
    const { address, size } = this.columns;
    const mask = new Uint8Array(size);
    const isWatched = new Uint8Array(Math.max(0, ...this.#context.watched.keys()) + 1);
    for (const ref of this.#context.watched.keys()) isWatched[ref] = 1;
    for (let slot = 0; slot < size; slot += 1) mask[slot] = isWatched[address[slot] ?? 0] ?? 0;
    return mask;
  }

  #collect(mask: Uint8Array, showHidden: boolean): Selection {
    const { reasons, bits } = this.columns;
    const order = this.#order.all();
    const slots = new Uint32Array(order.length);
    let count = 0;
    let hiddenCount = 0;
    let partialCount = 0;
    for (let place = 0; place < order.length; place += 1) {
      const slot = order[place] ?? 0;
      if (mask[slot] === 0) continue;
      if (!showHidden && reasons[slot] !== 0) {
        hiddenCount += 1;
        continue;
      }
      slots[count] = slot;
      count += 1;
      if (((bits[slot] ?? 0) & (1 << 8)) === 0) partialCount += 1;
    }
    return { slots: slots.slice(0, count), hiddenCount, partialCount };
  }
}

/** The first place whose row fulfils a condition that all later ones fulfil too. */
function firstPlace(slots: Uint32Array, isThere: (slot: number) => boolean): number {
  let low = 0;
  let high = slots.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isThere(at(slots, middle))) high = middle;
    else low = middle + 1;
  }
  return low;
}
