import { brotliCompressSync, brotliDecompressSync, constants, crc32 } from 'node:zlib';
import { SqlFailure } from '../../sqlite/sql.ts';
import { idBytes, readId, writeId } from './block-ids.ts';

/**
 * Compresses similar JSON values, such as the polls of an hour. A value is split into its shape (with leaves replaced
 * by the number of their kind), of which each distinct one is stored once, and its leaves. These go into columns, one
 * per key or list position. Whole numbers become differences, stored as byte planes: first the lowest bytes of all
 * columns, then the next ones, so that noise does not hide repetition. Brotli does the rest.
 */

/** The content is either plain JSON or in columns. */
const formats = { json: 1, columns: 2 } as const;
/** Format and checksum. */
const headerBytes = 5;
/** Far more than any block needs; keeps a damaged one from exhausting the memory. */
const largestBytes = 512 * 1024 * 1024;

/** Packs JSON values; `unpack` restores them exactly. */
export function pack(values: readonly unknown[]): Uint8Array {
  const root = new Branch();
  const columns: Column[] = [];
  const shapes = values.map((value) => JSON.stringify(takeApart(value, root, columns, 0)));
  const writer = new Writer();
  writer.texts(shapes);
  for (const { kind, values: leaves } of columns) {
    if (isNumeric(kind)) writer.numbers(leaves.map(Number));
    else writer.texts(leaves.map(String));
  }
  const bytes = writer.finish();
  const packed = brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 5,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      [constants.BROTLI_PARAM_LGWIN]: windowBits(bytes.length),
    },
  });
  return withHeader(formats.columns, packed);
}

/** A window as large as the content: getting the memory for the usual 4 MB takes longer than to compress an hour of polls. */
function windowBits(byteLength: number): number {
  const needed = Math.ceil(Math.log2(byteLength + 16));
  return Math.min(Math.max(needed, constants.BROTLI_MIN_WINDOW_BITS), constants.BROTLI_DEFAULT_WINDOW);
}

/** Like `pack`, but fast and without compression. */
export function packLoosely(values: readonly unknown[]): Uint8Array {
  return withHeader(formats.json, Buffer.from(JSON.stringify(values)));
}

function withHeader(format: number, content: Buffer): Uint8Array {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt8(format);
  header.writeUInt32BE(crc32(content), 1);
  return Buffer.concat([header, content]);
}

/** Inverse of `pack` and `packLoosely`; the caller knows the type. Throws `corrupt` for anything else. */
export function unpack<T>(packed: Uint8Array): T[] {
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
    return JSON.parse(content.toString()) as T[];
  }
  const reader = new Reader(brotliDecompressSync(content, { maxOutputLength: largestBytes }));
  const root = new Branch();
  const known = new Map<string, () => unknown>();
  return reader.texts().map((shape) => {
    let build = known.get(shape);
    if (build === undefined) {
      build = builderOf(JSON.parse(shape), root, reader);
      known.set(shape, build);
    }
    // The checksum proves that this is what was packed.
    return build() as T;
  });
}

// ---- Shapes and columns ------------------------------------------------------------------------------------------------

/** Kinds of leaves, as stored in shapes. Null and booleans are part of the shape itself. */
const kinds = { whole: 0, digits: 1, text: 2, json: 3 } as const;
type Kind = (typeof kinds)[keyof typeof kinds];

/** Deeper values are stored as text: shapes are walked recursively. */
const deepest = 64;
/** Smaller numbers keep even differences of differences exact. */
const largestWhole = 2 ** 49;
const plainDigits = /^(?:0|[1-9]\d{0,13})$/;
/** Items from this position on share a column; else a long list would have more columns than could repeat. */
const mostPlaces = 64;

/** A key or position: the columns of its leaves, by kind, and what is nested below it. */
class Branch {
  readonly columns: Column[] = [];
  readonly #below = new Map<string | number, Branch>();

  at(key: string | number): Branch {
    const known = this.#below.get(key);
    if (known !== undefined) return known;
    const branch = new Branch();
    this.#below.set(key, branch);
    return branch;
  }

  item(at: number): Branch {
    return this.at(Math.min(at, mostPlaces));
  }
}

/** Leaves in their original order. */
interface Column {
  kind: Kind;
  values: unknown[];
}

function isNumeric(kind: Kind): boolean {
  return kind === kinds.whole || kind === kinds.digits;
}

/** The kind of a leaf; null for an object or list to descend into. */
function kindOf(value: number | string | object, depth: number): Kind | null {
  if (typeof value === 'number') {
    return Number.isInteger(value) && Math.abs(value) < largestWhole ? kinds.whole : kinds.json;
  }
  if (typeof value === 'string') return plainDigits.test(value) ? kinds.digits : kinds.text;
  return depth >= deepest || Object.hasOwn(value, '__proto__') ? kinds.json : null;
}

/** Adds a value's leaves to their columns and returns its shape. */
function takeApart(value: unknown, branch: Branch, columns: Column[], depth: number): unknown {
  if (value === null || typeof value === 'boolean') return value;
  // These are the only JSON types left.
  const rest = value as number | string | object;
  const kind = kindOf(rest, depth);
  if (kind !== null) {
    let column = branch.columns[kind];
    if (column === undefined) {
      column = { kind, values: [] };
      branch.columns[kind] = column;
      columns.push(column);
    }
    column.values.push(kind === kinds.json ? JSON.stringify(rest) : rest);
    return kind;
  }
  if (Array.isArray(rest)) {
    return rest.map((item, at) => takeApart(item, branch.item(at), columns, depth + 1));
  }
  const shape: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(rest)) {
    shape[key] = takeApart(item, branch.at(key), columns, depth + 1);
  }
  return shape;
}

/** A builder for values of a shape. Reads columns when first used, which is the order they were written in. */
function builderOf(shape: unknown, branch: Branch, reader: Reader): () => unknown {
  if (shape === null || typeof shape === 'boolean') return () => shape;
  if (typeof shape === 'number') {
    // Written by `takeApart`.
    const kind = shape as Kind;
    branch.columns[kind] ??= { kind, values: leavesOf(kind, reader).reverse() };
    const { values } = branch.columns[kind];
    return () => values.pop();
  }
  if (Array.isArray(shape)) {
    const builders = shape.map((item, at) => builderOf(item, branch.item(at), reader));
    return () => builders.map((build) => build());
  }
  // These are the only JSON types left.
  const entries = Object.entries(shape as object).map(
    ([key, item]) => [key, builderOf(item, branch.at(key), reader)] as const,
  );
  return () => {
    const object: Record<string, unknown> = {};
    for (const [key, build] of entries) object[key] = build();
    return object;
  };
}

function leavesOf(kind: Kind, reader: Reader): unknown[] {
  if (kind === kinds.whole) return reader.numbers();
  if (kind === kinds.digits) return reader.numbers().map(String);
  return kind === kinds.text ? reader.texts() : reader.texts().map((text): unknown => JSON.parse(text));
}

// ---- Bytes -------------------------------------------------------------------------------------------------------------

class Writer {
  /** What is needed to read the columns, in their order. */
  readonly #head: number[] = [];
  readonly #texts: string[] = [];
  /** Byte planes, the lowest bytes first. */
  readonly #planes: Uint8Array[][] = [];
  readonly #ids: Uint8Array[] = [];

  /** Stores each distinct text once, and an index for each occurrence. */
  texts(texts: readonly string[]): void {
    const places = new Map<string, number>();
    for (const text of texts) if (!places.has(text)) places.set(text, places.size);
    const ids = [...places.keys()].map(readId);
    const areIds = ids.every((id) => id !== null);
    this.#head.push(places.size, Number(areIds));
    if (areIds) this.#ids.push(...ids);
    else for (const text of places.keys()) this.#texts.push(text);
    this.numbers(texts.map((text) => places.get(text) ?? 0));
  }

  /** Stores the values, their differences or second differences, whichever are smallest. */
  numbers(values: readonly number[]): void {
    const once = differences(values, 0);
    const candidates = [values, once, differences(once, 1)];
    const sizes = candidates.map((numbers, order) => bitsOf(numbers, order));
    const order = sizes.indexOf(Math.min(...sizes));
    const chosen = candidates[order] ?? values;
    const rest = chosen.slice(order);
    let width = 0;
    for (const value of rest) while (zigzag(value) >= 0x100 ** width) width += 1;
    this.#head.push(values.length, order, width, ...chosen.slice(0, order));
    for (let plane = 0; plane < width; plane += 1) {
      const unit = 0x100 ** plane;
      (this.#planes[plane] ??= []).push(
        Uint8Array.from(rest, (value) => Math.floor(zigzag(value) / unit) % 0x100),
      );
    }
  }

  finish(): Buffer {
    const planes = this.#planes.map((parts) => Buffer.concat(parts));
    const lengths = planes.map(({ length }) => length);
    const text = Buffer.from(JSON.stringify([lengths, this.#head, this.#texts]));
    const textLength = Buffer.alloc(4);
    textLength.writeUInt32BE(text.length);
    return Buffer.concat([textLength, text, ...planes, ...this.#ids]);
  }
}

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

  texts(): string[] {
    const count = nextOf(this.#head);
    const next = nextOf(this.#head) === 1 ? () => this.#nextId() : () => nextOf(this.#texts);
    const texts = Array.from({ length: count }, next);
    return this.numbers().map((place) => texts[place] ?? '');
  }

  #nextId(): string {
    const { bytes, at } = this.#ids;
    this.#ids.at += idBytes;
    return writeId(bytes.subarray(at, at + idBytes));
  }

  numbers(): number[] {
    const [length, order, width] = [nextOf(this.#head), nextOf(this.#head), nextOf(this.#head)];
    const heads = Array.from({ length: order }, () => nextOf(this.#head));
    const rest = new Array<number>(length - order).fill(0);
    for (const [plane, from] of this.#planes.slice(0, width).entries()) {
      const unit = 0x100 ** plane;
      for (let at = 0; at < rest.length; at += 1) {
        rest[at] = (rest[at] ?? 0) + (from.bytes[from.at + at] ?? 0) * unit;
      }
      from.at += rest.length;
    }
    let values = [...heads, ...rest.map(unzigzag)];
    for (let level = order; level > 0; level -= 1) values = sums(values, level - 1);
    return values;
  }
}

function nextOf<T>(values: ArrayIterator<T>): T {
  const next = values.next();
  if (next.done === true) throw new SqlFailure('corrupt', 'a part of the history ends too early');
  return next.value;
}

/** Differences from index `from` + 1 on; earlier values stay. */
function differences(values: readonly number[], from: number): number[] {
  return values.map((value, at) => (at > from ? value - (values[at - 1] ?? 0) : value));
}

function sums(values: readonly number[], from: number): number[] {
  let sum = 0;
  return values.map((value, at) => (sum = at > from ? sum + value : value));
}

function bitsOf(values: readonly number[], from: number): number {
  let bits = 0;
  for (let at = from; at < values.length; at += 1) bits += Math.log2(1 + Math.abs(values[at] ?? 0));
  return bits;
}

function zigzag(value: number): number {
  return value >= 0 ? value * 2 : -value * 2 - 1;
}

function unzigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}
