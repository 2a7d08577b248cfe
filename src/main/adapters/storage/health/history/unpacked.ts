import { brotliDecompressSync, crc32 } from 'node:zlib';
import { SqlFailure } from '../../sqlite/sql.ts';
import { idBytes, writeId } from './block-ids.ts';
import { Branch, formats, headerBytes, isNumeric, kinds, type Kind } from './packed.ts';
import { Rows, type Field, type RowList } from './rows.ts';

/** Reads what `packed.ts` has packed, into values or, of lists, into rows. */

/** Far more than any block needs; keeps a damaged one from exhausting the memory. */
const largestBytes = 512 * 1024 * 1024;

/** A list of objects that each value has under `key`, to be read into rows with these fields. */
export interface ListOf {
  key: string;
  names: readonly string[];
}
type AnyRows = Rows<Record<string, unknown>>;

/**
 * Inverse of `pack` and `packLoosely`; the caller knows the type. With `list`, that list of each value is a `RowList` of the same
 * rows. Throws `corrupt` for anything else.
 */
export function unpack<T>(packed: Uint8Array, list: ListOf | null = null): T[] {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  if (bytes.length < headerBytes) throw new SqlFailure('corrupt', 'a part of the history is cut');
  const format = bytes.readUInt8();
  if (format !== formats.json && format !== formats.columns) {
    throw new SqlFailure('corrupt', 'a part of the history is of an unknown kind');
  }
  const content = bytes.subarray(headerBytes);
  if (crc32(content) !== bytes.readUInt32BE(1)) {
    throw new SqlFailure('corrupt', 'a part of the history is not what was written');
  }
  if (format === formats.json) {
    // The checksum proves that this is what was packed.
    const values = JSON.parse(content.toString()) as T[];
    return list === null ? values : withRows<T>(values, list);
  }
  const reader = new Reader(brotliDecompressSync(content, { maxOutputLength: largestBytes }));
  const root = new Branch<ReadColumn>();
  const shapes = columnOf(kinds.text, reader);
  const parsed = shapes.texts.map((shape): unknown => JSON.parse(shape));
  const lists = list === null ? null : new ListBuilder(list, parsed, shapes.places);
  const builders: (() => unknown)[] = [];
  return Array.from(shapes.places, (place) => {
    const build = (builders[place] ??= builderOf(parsed[place], root, reader, lists));
    // The checksum proves that this is what was packed.
    return build() as T;
  });
}

/** Values whose lists under the key are made rows. */
export function withRows<T>(values: readonly unknown[], { key, names }: ListOf): T[] {
  // The caller knows that each has such a list.
  const listed = values as readonly Record<string, Record<string, unknown>[]>[];
  const count = listed.reduce((sum, value) => sum + (value[key]?.length ?? 0), 0);
  const rows: AnyRows = new Rows(names, count);
  let to = 0;
  return listed.map((value) => {
    const from = to;
    for (const item of value[key] ?? []) {
      for (const name of names) rows.fields[name]?.put(to, item[name]);
      to += 1;
    }
    // Of the caller's type, as it knows.
    return { ...value, [key]: { rows, from, to } } as T;
  });
}

/** A column that is read from its first value to the last. */
interface ReadColumn {
  kind: Kind;
  /** The numbers themselves or, of texts, their places in `texts`. */
  places: Float64Array;
  texts: readonly string[];
  at: number;
}

/**
 * A builder for values of a shape. Reads columns when first used, which is the order they were written in. `lists` builds the list
 * under its key.
 */
function builderOf(
  shape: unknown,
  branch: Branch<ReadColumn>,
  reader: Reader,
  lists: ListBuilder | null = null,
): () => unknown {
  if (shape === null || typeof shape === 'boolean') return () => shape;
  if (typeof shape === 'number')
    // Written by `takeApart`.
    return nextOfColumn(columnAt(branch, shape as Kind, reader));
  if (Array.isArray(shape)) {
    const builders = shape.map((item, at) => builderOf(item, branch.item(at), reader));
    return () => builders.map((build) => build());
  }
  // These are the only JSON types left.
  const entries = Object.entries(shape as object).map(([key, item]) => {
    const build =
      key === lists?.key
        ? lists.builderOf(item, branch.at(key), reader)
        : builderOf(item, branch.at(key), reader);
    return [key, build] as const;
  });
  return () => {
    const object: Record<string, unknown> = {};
    for (const [key, build] of entries) object[key] = build();
    return object;
  };
}

function columnAt(branch: Branch<ReadColumn>, kind: Kind, reader: Reader): ReadColumn {
  return (branch.columns[kind] ??= columnOf(kind, reader));
}

function columnOf(kind: Kind, reader: Reader): ReadColumn {
  const texts = isNumeric(kind) ? [] : reader.texts();
  return { kind, places: reader.numbers(), texts, at: 0 };
}

function nextOfColumn(column: ReadColumn): () => unknown {
  const { kind, places, texts } = column;
  const number = () => places[column.at++] ?? 0;
  if (kind === kinds.whole) return number;
  if (kind === kinds.digits) return () => String(number());
  const text = () => texts[number()] ?? '';
  return kind === kinds.text ? text : (): unknown => JSON.parse(text());
}

/** Builds lists of objects as rows, without making the objects. */
class ListBuilder {
  readonly key: string;
  readonly #rows: AnyRows;
  #count = 0;

  constructor({ key, names }: ListOf, shapes: readonly unknown[], places: Float64Array) {
    this.key = key;
    // Written by `takeApart`; the caller knows that each value has such a list.
    const lengths = (shapes as Record<string, unknown[]>[]).map((shape) => shape[key]?.length ?? 0);
    this.#rows = new Rows(
      names,
      places.reduce((sum, place) => sum + (lengths[place] ?? 0), 0),
    );
  }

  /** Of a list of objects. */
  builderOf(
    shape: unknown,
    branch: Branch<ReadColumn>,
    reader: Reader,
  ): () => RowList<Record<string, unknown>> {
    // Written by `takeApart`; the caller knows that it is such a list.
    const items = shape as object[];
    const steps = items.flatMap((item, at) =>
      Object.entries(item).flatMap(([name, leaf]) => {
        const below = branch.item(at).at(name);
        const step = stepOf(leaf, below, reader, this.#rows.fields[name] ?? null);
        return step === null ? [] : { at, step };
      }),
    );
    return () => {
      const from = this.#count;
      this.#count += items.length;
      for (const { at, step } of steps) step(from + at);
      return { rows: this.#rows, from, to: this.#count };
    };
  }
}

/** Puts the next value of a shape's leaf into a row; null if there is no field for it. */
function stepOf(
  leaf: unknown,
  branch: Branch<ReadColumn>,
  reader: Reader,
  field: Field | null,
): ((row: number) => unknown) | null {
  const build = builderOf(leaf, branch, reader);
  if (field === null) return null;
  const column = typeof leaf === 'number' ? branch.columns[leaf] : undefined;
  if (column === undefined) {
    if (leaf !== null && typeof leaf !== 'boolean') return (row) => field.put(row, build());
    const place = field.placeOf(leaf);
    const ofRows = field.ofPlaces();
    return (row) => (ofRows[row] = place);
  }
  const { kind, places, texts } = column;
  if (kind === kinds.whole) {
    const ofRows = field.ofNumbers();
    return (row) => (ofRows[row] = places[column.at++] ?? 0);
  }
  if (kind !== kinds.text) return (row) => field.put(row, build());
  const placesOf = texts.map((text) => field.placeOf(text));
  const ofRows = field.ofPlaces();
  return (row) => (ofRows[row] = placesOf[places[column.at++] ?? 0] ?? 0);
}

// ---- Bytes -------------------------------------------------------------------------------------------------------------

/** Reads what a `Writer` wrote, in the same order; the checksum was verified before. */
class Reader {
  readonly #head: ArrayIterator<number>;
  readonly #texts: ArrayIterator<string>;
  readonly #planes: { bytes: Buffer; at: number }[];
  readonly #ids: { bytes: Buffer; at: number };

  constructor(bytes: Buffer) {
    let start = 4 + bytes.readUInt32BE();
    // Written by `finish`.
    const parsed = JSON.parse(bytes.toString('utf8', 4, start)) as [number[], number[], string[]];
    const [lengths, head, texts] = parsed;
    this.#head = head.values();
    this.#texts = texts.values();
    this.#planes = lengths.map((length) => {
      start += length;
      return { bytes: bytes.subarray(start - length, start), at: 0 };
    });
    this.#ids = { bytes: bytes.subarray(start), at: 0 };
  }

  /** The distinct texts of a column. The places of each are the numbers that follow. */
  texts(): string[] {
    const count = nextOf(this.#head);
    const next = nextOf(this.#head) === 1 ? () => this.#nextId() : () => nextOf(this.#texts);
    return Array.from({ length: count }, next);
  }

  #nextId(): string {
    const { bytes, at } = this.#ids;
    this.#ids.at += idBytes;
    return writeId(bytes.subarray(at, at + idBytes));
  }

  numbers(): Float64Array {
    const [length, order, width] = [nextOf(this.#head), nextOf(this.#head), nextOf(this.#head)];
    const values = new Float64Array(length);
    for (let at = 0; at < order; at += 1) values[at] = nextOf(this.#head);
    for (const [plane, from] of this.#planes.slice(0, width).entries()) {
      const unit = 0x100 ** plane;
      const { bytes } = from;
      for (let at = order, place = from.at; at < length; at += 1, place += 1) {
        values[at] = (values[at] ?? 0) + (bytes[place] ?? 0) * unit;
      }
      from.at += length - order;
    }
    for (let at = order; at < length; at += 1) values[at] = unzigzag(values[at] ?? 0);
    for (let level = order; level > 0; level -= 1) {
      for (let at = level; at < length; at += 1) values[at] = (values[at] ?? 0) + (values[at - 1] ?? 0);
    }
    return values;
  }
}

function nextOf<T>(values: ArrayIterator<T>): T {
  const next = values.next();
  if (next.done === true) throw new SqlFailure('corrupt', 'a part of the history ends too early');
  return next.value;
}

function unzigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}
