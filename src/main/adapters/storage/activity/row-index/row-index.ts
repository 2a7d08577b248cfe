import { spellAddress } from '../../../../../shared/address.ts';
import { orAdd } from '../../../../../shared/or-add.ts';
import { Recent } from '../../../../../shared/recent.ts';
import type { ActivityFilter } from '../../../../../shared/activity/filter.ts';
import type { ArgsOf } from '../../../../../shared/ipc/contract.ts';
import type { FilterValue } from '../../../../../shared/ipc/answers.ts';
import type { FacetTexts } from '../facet-texts.ts';
import type { SqlReader } from '../../sqlite/sql.ts';
import { ValueCounts } from '../value-counts.ts';
import { bitParts, columnNames, Columns, type NumberArray } from './columns.ts';
import { fieldColumn, type FieldColumn } from './fields.ts';
import type { IndexContext } from './index-context.ts';
import { readByIds, roughAmount, roughText, type IndexRows } from './index-rows.ts';
import { compilePills, type PillSources } from './pills.ts';
import { FigureOrder, type RankedSlots } from './figure-order.ts';
import { figureName, figureNamed } from './figures.ts';
import { at, RowOrder } from './row-order.ts';

/** The rows that match a filter, in its order. */
export interface Selection extends RankedSlots {
  hiddenCount: number;
  partialCount: number;
}

const keptSelections = 4;
/** Orders by a figure that are kept, of about 5 bytes a row each. */
const keptOrders = 4;
/** Figures of `figureName` that do not depend on the filter: fees, and values at the time. */
const usualFigures = ['fee', 'amount'];

/**
 * The columns of all stored rows in memory, so that any filter over a million rows takes only a few passes over
 * numbers. Its owner fills and updates it; the index itself reads the database only for single rows.
 */
export class RowIndex {
  readonly columns = new Columns();
  readonly #reader: SqlReader;
  readonly #facets: FacetTexts;
  readonly #order: RowOrder;
  /** Slot + 1 by row id; 0 for none. */
  #slotOfId = new Int32Array(0);
  #context: IndexContext;
  readonly #selections = new Recent<string, Selection>(keptSelections);
  /** By the name of the figure, the one that was used last at the end. */
  readonly #byFigure = new Recent<string, FigureOrder>(keptOrders);

  constructor(reader: SqlReader, facets: FacetTexts, context: IndexContext) {
    this.#reader = reader;
    this.#facets = facets;
    this.#context = context;
    this.#order = new RowOrder(this.columns);
  }

  /** Adds or updates rows. */
  put(rows: IndexRows): void {
    this.#selections.clear();
    const before = this.columns.size;
    const slots = rows.numbers.id.map((_id, place) => this.#slotFor(rows, place));
    const { numbers, value, fee } = this.columns;
    const roughly = ([ref, amount]: [number, string | null]) =>
      roughAmount(amount, this.#facets.tokenOf(this.#reader, ref).decimals);
    for (const name of columnNames) fill(numbers[name], slots, rows.numbers[name]);
    slots.forEach((slot, place) => {
      const rough = roughText(rows.value[place] ?? null);
      value[slot] = rough.value;
      fee[slot] = roughAmount(rows.fee[place] ?? null, 0);
      if (rough.isLong) numbers.bits[slot] = at(numbers.bits, slot) | (1 << bitParts.longValue.shift);
      this.columns.putTokens(slot, rows.tokens[place] ?? [], roughly);
    });
    for (let slot = before; slot < this.columns.size; slot += 1) this.#order.add(slot);
    this.#order.settle();
    for (const order of this.#byFigure.values()) order.put(slots);
  }

  /** Updates rows that have changed in the store. */
  refresh(ids: readonly number[]): void {
    const rows = ids.length === 0 ? null : readByIds(this.#reader, ids);
    if (rows !== null) this.put(rows);
  }

  /** Names or watched addresses have changed; rows whose verdict has changed are updated by `refresh`. */
  setContext(context: IndexContext): void {
    this.#selections.clear();
    this.#context = context;
  }

  select(filter: ActivityFilter): Selection {
    return orAdd(this.#selections, JSON.stringify(filter), () => this.#evaluate(filter));
  }

  ids(selection: Selection, from: number, limit: number): number[] {
    return [...selection.slots.subarray(from, from + limit)].map((slot) => at(this.columns.numbers.id, slot));
  }

  /** The first ids that are not in `except`. */
  idsExcept({ slots }: Selection, except: ReadonlySet<number>, limit: number): number[] {
    const ids: number[] = [];
    for (let place = 0; place < slots.length && ids.length < limit; place += 1) {
      const id = at(this.columns.numbers.id, at(slots, place));
      if (!except.has(id)) ids.push(id);
    }
    return ids;
  }

  /** The position of a row in the selection; null when it is not in it. */
  placeOf({ slots }: Selection, rowId: number): number | null {
    const slot = this.slotOf(rowId);
    if (slot === undefined) return null;
    const place = slots.indexOf(slot);
    return place === -1 ? null : place;
  }

  /** Counts the values of a field over rows of watched addresses, in one pass. */
  values({ field, text, limit, onlyCounted = false }: ArgsOf<'activity.values'>): FilterValue[] {
    this.#facets.readAll(this.#reader);
    const { columns } = this;
    const column = fieldColumn(field, { columns, facets: this.#facets, context: this.#context });
    const counts = new ValueCounts();
    for (const [number, count] of this.#tally(column)) {
      for (const value of column.valuesOf(number)) {
        // A token with an id of its own has that after its contract.
        if (onlyCounted && value.split(' ').length > 3) continue;
        const spelled = column.isAddress === true ? spellAddress(value) : value;
        counts.add(spelled, column.labelOf?.(number) ?? spelled, count);
      }
    }
    return counts.top(text, limit);
  }

  /** Number of rows of watched addresses per number of a field; for tokens, rows that moved the token. */
  #tally({ numbers, shift, mask: bits }: FieldColumn): Map<number, number> {
    const counts = new Map<number, number>();
    const { tokenStart, tokenCount, tokens } = this.columns;
    const mask = this.#watchedRows();
    for (let slot = 0; slot < mask.length; slot += 1) {
      if (mask[slot] === 0) continue;
      const start = numbers === null ? at(tokenStart, slot) : slot;
      const end = numbers === null ? start + (tokenCount[slot] ?? 0) : start + 1;
      for (let place = start; place < end; place += 1) {
        // A token stands there once for each amount.
        if (numbers === null && place > start && tokens.refs[place] === tokens.refs[place - 1]) continue;
        const number = (at(numbers ?? tokens.refs, place) >>> shift) & bits;
        counts.set(number, (counts.get(number) ?? 0) + 1);
      }
    }
    return counts;
  }

  /** A row whose place in the order has changed gets a new slot. */
  #slotFor(rows: IndexRows, place: number): number {
    const id = rows.numbers.id[place] ?? 0;
    const known = this.slotOf(id);
    const { numbers } = this.columns;
    if (known !== undefined) {
      if (orderColumns.every((name) => numbers[name][known] === rows.numbers[name][place])) return known;
      this.columns.leave(known);
      for (const order of this.#byFigure.values()) order.put([known]);
    }
    const slot = this.columns.add();
    this.#keepSlot(id, slot);
    return slot;
  }

  slotOf(rowId: number): number | undefined {
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
    const mask = this.#watchedRows();
    for (const keep of compilePills(filter, this.#sources())) keep(mask);
    const { count, ...others } = this.#count(mask, filter.showHidden);
    const isAscending = filter.order?.ascending === true;
    const name = figureName(filter);
    const ranked =
      name === null
        ? { slots: this.#order.pick(count, mask, isAscending), unrankedCount: 0 }
        : this.#orderBy(name).rank(count, mask, isAscending);
    return { ...others, ...ranked };
  }

  #sources(): PillSources {
    return {
      reader: this.#reader,
      columns: this.columns,
      facets: this.#facets,
      context: this.#context,
      slotOf: (rowId: number) => this.slotOf(rowId),
    };
  }

  /** Does a part of the work that the first sort by a usual figure would wait for; returns whether there is more. */
  prepareMore(): boolean {
    this.#facets.readAll(this.#reader);
    return usualFigures.some((name) => this.#orderBy(name).settleMore(this.columns.size));
  }

  #orderBy(name: string): FigureOrder {
    const make = () => new FigureOrder(figureNamed(name, this.#sources()), this.#order);
    return orAdd(this.#byFigure, name, make);
  }

  /**
   * Frees its memory at once; the index must not be used any more. Its thread hardly allocates while the app is idle, so
   * nothing would be collected for hours.
   */
  release(): void {
    const orders = [this.#order, ...this.#byFigure.values()].flatMap((order) => [...order.arrays()]);
    const results = [...this.#selections.values()].map(({ slots }) => slots);
    for (const { buffer } of [...this.columns.arrays(), this.#slotOfId, ...orders, ...results])
      if (buffer instanceof ArrayBuffer) buffer.transfer(0);
  }

  /** A mask of the rows that can be in a result. */
  #watchedRows(): Uint8Array {
    const { numbers, size } = this.columns;
    const { address } = numbers;
    const mask = new Uint8Array(size);
    const isWatched = new Uint8Array(Math.max(0, ...this.#context.watched.keys()) + 1);
    for (const ref of this.#context.watched.keys()) isWatched[ref] = 1;
    for (let slot = 0; slot < size; slot += 1) mask[slot] = isWatched[address[slot] ?? 0] ?? 0;
    return mask;
  }

  /** Clears the mask at rows that are hidden. By slot, since the order does not matter and memory is read in one go. */
  #count(mask: Uint8Array, showHidden: boolean) {
    const { bits } = this.columns.numbers;
    const hidden = showHidden ? 0 : hiddenBits;
    let matchingCount = 0;
    let count = 0;
    let completeCount = 0;
    for (let slot = 0; slot < mask.length; slot += 1) {
      // Without a branch, as in `pills.ts`.
      const marks = bits[slot] ?? 0;
      const matches = mask[slot] ?? 0;
      const isShown = matches & Number((marks & hidden) === 0);
      mask[slot] = isShown;
      matchingCount += matches;
      count += isShown;
      completeCount += isShown & (marks >>> bitParts.completeness.shift);
    }
    return { count, hiddenCount: matchingCount - count, partialCount: count - completeCount };
  }
}

const hiddenBits = bitParts.reasons.mask << bitParts.reasons.shift;

/** Columns that determine a row's place in the order. */
const orderColumns = ['timestampMs', 'blockHigh', 'blockLow', 'blockIndex'] as const;

/** Writes a column at the slots of these rows. */
function fill(column: NumberArray, slots: readonly number[], numbers: readonly number[]): void {
  for (let place = 0; place < slots.length; place += 1) column[slots[place] ?? 0] = numbers[place] ?? 0;
}
