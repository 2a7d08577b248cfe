import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Columns } from './columns.ts';
import { FigureOrder } from './figure-order.ts';
import { indexOf, type Row } from '../../testing/sample-index.ts';
import { RowOrder } from './row-order.ts';

/** Rows with a figure of which a double can tell the upper digits only; null where it is not known. */
function world() {
  const columns = new Columns();
  const byTime = new RowOrder(columns);
  const figures: (bigint | null)[] = [];
  const reads = { count: 0, fail: false };
  const roughly = (slot: number) =>
    Number((figures[slot] ?? null) === null ? NaN : (figures[slot] ?? 0n) / 10n);
  const order = new FigureOrder(
    {
      roughly,
      isLong: (slot) => (figures[slot] ?? 0n) % 10n !== 0n,
      exactly: (slots) => {
        if (reads.fail) throw new Error('The disk is gone.');
        reads.count += slots.length;
        return slots.map((slot) => ({ digits: figures[slot] ?? 0n, scale: 0 }));
      },
    },
    byTime,
  );
  const add = (figure: bigint | null) => {
    const slot = columns.add();
    // Three rows at a time are of one moment.
    columns.numbers.timestampMs[slot] = Math.floor(slot / 3) % 40;
    columns.numbers.id[slot] = slot;
    byTime.add(slot);
    figures[slot] = figure;
  };
  const change = (slot: number, figure: bigint | null) => {
    figures[slot] = figure;
    order.put([slot]);
  };
  /** The rows that `isMeant`, in the order and by comparing all of them. */
  const both = (ascending: boolean, isMeant: (slot: number) => boolean) => {
    const slots = byTime.all().filter(isMeant);
    const mask = new Uint8Array(columns.size);
    for (const slot of slots) mask[slot] = 1;
    const ranked = order.rank(slots.length, mask, ascending);
    const [known, unknown] = [
      slots.filter((slot) => figures[slot] !== null),
      slots.filter((slot) => figures[slot] === null),
    ];
    const sorted = [...known].sort(
      (a, b) => Number((figures[a] ?? 0n) - (figures[b] ?? 0n)) * (ascending ? 1 : -1),
    );
    return {
      ranked: [...ranked.slots, ranked.unrankedCount],
      sorted: [...sorted, ...unknown, unknown.length],
    };
  };
  return { add, change, both, order, reads, size: () => columns.size };
}

describe('a kept order', () => {
  const figure = fc.option(fc.bigInt(0n, 60n), { freq: 6 });
  const change = fc.record({
    added: fc.array(figure, { maxLength: 6 }),
    changed: fc.array(fc.tuple(fc.nat(79), figure), { maxLength: 6 }),
    ascending: fc.boolean(),
    every: fc.integer({ min: 1, max: 3 }),
  });

  it('is that of all rows compared, whatever comes and changes', () => {
    fc.assert(
      fc.property(fc.array(figure, { minLength: 80, maxLength: 120 }), fc.array(change), (rows, changes) => {
        const { add, change: set, both } = world();
        rows.forEach(add);
        for (const { added, changed, ascending, every } of changes) {
          added.forEach(add);
          for (const [slot, other] of changed) set(slot, other);
          const { ranked, sorted } = both(ascending, (slot) => slot % every === 0);
          expect(ranked).toEqual(sorted);
        }
      }),
    );
  });

  it('is that also where rows change between the parts of the work', () => {
    const parts = fc.array(fc.tuple(fc.nat(79), figure), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(figure, { minLength: 80, maxLength: 120 }), fc.array(parts), (rows, changes) => {
        const { add, change: set, both, order, size } = world();
        rows.forEach(add);
        for (const changed of changes) {
          for (const [slot, other] of changed) {
            set(slot, other);
            order.settleMore(size());
          }
          const { ranked, sorted } = both(true, () => true);
          expect(ranked).toEqual(sorted);
        }
      }),
    );
  });

  it('reads nothing again, and of a row that comes only what is equal to it', () => {
    const { add, both, reads } = world();
    for (let n = 0; n < 100; n += 1) add(BigInt(n % 50) + 1n);
    const all = () => true;
    both(true, all);
    const first = reads.count;
    expect(first).toBeGreaterThan(50);
    both(false, all);
    expect(reads.count).toBe(first);
    add(25n);
    const { ranked, sorted } = both(false, all);
    expect(ranked).toEqual(sorted);
    expect(reads.count - first).toBeLessThan(10);
  });

  it('is made in parts, between which rows come, and anew when a row could not be read', () => {
    const { add, change: set, both, order, reads, size } = world();
    for (let n = 0; n < 100; n += 1) add(BigInt(n % 50));
    let parts = 1;
    while (order.settleMore(size())) {
      if (parts === 2) set(7, 33n);
      if (parts === 3) add(11n);
      parts += 1;
    }
    expect(parts).toBeGreaterThan(4);
    const { ranked, sorted } = both(true, () => true);
    expect(ranked).toEqual(sorted);

    set(8, 12n);
    reads.fail = true;
    expect(() => both(true, () => true)).toThrow('The disk is gone.');
    reads.fail = false;
    const again = both(false, () => true);
    expect(again.ranked).toEqual(again.sorted);
  });

  it('of fees and values is prepared ahead, so that the first sort reads nothing', () => {
    const fees = Object.fromEntries(
      ['1', '2', '1'].map((digit, n) => [`n${n}`, { fee: `9007199254740993000${digit}` }]),
    );
    const index = indexOf(fees);
    let parts = 0;
    while (index.prepareMore()) parts += 1;
    expect(parts).toBeGreaterThan(8);
    expect(index.prepareMore()).toBe(false);
    const order = { by: 'fee', ascending: true } as const;
    const selection = index.select({ pills: [], text: '', showHidden: true, order });
    expect(index.ids(selection, 0, 9)).toEqual([3, 1, 2]);
  });

  it('follows rows that change, and those that move to another time', () => {
    const long = (digit: number) => `9007199254740993000${digit}`;
    const rows: Record<string, Row> = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`n${n}`, { fee: String(n) }]),
    );
    const set = (n: number, row: Row) => Object.assign(rows[`n${n}`] ?? {}, row);
    for (const [n, digit] of [1, 3, 5, 7, 9].entries()) set(50 + n, { fee: long(digit) });
    const index = indexOf(rows);
    const largest = () => {
      const order = { by: 'fee', ascending: false } as const;
      const selection = index.select({ pills: [], text: '', showHidden: true, order });
      return index.ids(selection, 0, 6).map((id) => id - 1);
    };
    expect(largest()).toEqual([54, 53, 52, 51, 50, 59]);
    set(30, { fee: long(6) });
    index.refresh([31]);
    expect(largest()).toEqual([54, 53, 30, 52, 51, 50]);
    set(30, { fee: '1' });
    // Its old slot is where the search for the next one's place looks.
    set(52, { fee: '2', timestampMs: 9 });
    set(10, { fee: long(0) });
    index.refresh([53, 31, 11]);
    expect(largest()).toEqual([54, 53, 51, 50, 10, 59]);
  });

  const digit = fc.nat(9);
  const step = fc.record({
    place: fc.nat(11),
    digit,
    movesTo: fc.option(fc.nat(5), { freq: 2 }),
    by: fc.constantFrom('fee', 'amount', 'token'),
  });

  it('of the index is that of all rows compared, whatever changes and moves', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 4, maxLength: 30 }), (steps) => {
        const rows: Record<string, Row> = Object.fromEntries(
          Array.from({ length: 12 }, (_, n) => [`n${n}`, rowOf(n % 10, n)]),
        );
        const index = indexOf(rows);
        for (const { place, digit: last, movesTo, by } of steps) {
          const row = rows[`n${place}`] ?? {};
          Object.assign(row, rowOf(last, movesTo ?? row.timestampMs ?? 0));
          index.refresh([place + 1]);
          const pills = by === 'token' ? [{ field: 'token' as const, not: false, values: ['1 native'] }] : [];
          const order = { by: by === 'fee' ? ('fee' as const) : ('amount' as const), ascending: true };
          const selection = index.select({ pills, text: '', showHidden: true, order });
          const fees = index.ids(selection, 0, 99).map((id) => rows[`n${id - 1}`]?.fee ?? '');
          expect(fees).toEqual([...fees].sort());
          expect(fees).toHaveLength(12);
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** All of its figures differ from those of other rows in their last digit only, of which a double knows nothing. */
function rowOf(digit: number, timestampMs: number): Row {
  const figure = `9007199254740993000${digit}`;
  return { timestampMs, fee: figure, value: figure, tokens: [[5, figure]] };
}
