import { brotliCompressSync, constants, crc32 } from 'node:zlib';
import { readId } from './block-ids.ts';
import { orAdd } from '../../../../../shared/or-add.ts';

/**
 * Compresses similar JSON values, such as the polls of an hour. A value is split into its shape (with leaves replaced
 * by the number of their kind), of which each distinct one is stored once, and its leaves. These go into columns, one
 * per key or list position. Whole numbers become differences, stored as byte planes: first the lowest bytes of all
 * columns, then the next ones, so that noise does not hide repetition. Brotli does the rest.
 */

/** The content is either plain JSON or in columns. */
export const formats = { json: 1, columns: 2 } as const;
/** Format and checksum. */
export const headerBytes = 5;

/** Packs JSON values; `unpack` restores them exactly. */
export function pack(values: readonly unknown[]): Uint8Array {
  const root = new Branch<Column>();
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

// ---- Shapes and columns ------------------------------------------------------------------------------------------------

/** Kinds of leaves, as stored in shapes. Null and booleans are part of the shape itself. */
export const kinds = { whole: 0, digits: 1, text: 2, json: 3 } as const;
export type Kind = (typeof kinds)[keyof typeof kinds];

/** Deeper values are stored as text: shapes are walked recursively. */
const deepest = 64;
/** Smaller numbers keep even differences of differences exact. */
const largestWhole = 2 ** 49;
const plainDigits = /^(?:0|[1-9]\d{0,13})$/;
/** Items from this position on share a column; else a long list would have more columns than could repeat. */
const mostPlaces = 64;

/** A key or position: the columns of its leaves, by kind, and what is nested below it. */
export class Branch<C> {
  readonly columns: C[] = [];
  readonly #below = new Map<string | number, Branch<C>>();

  at(key: string | number): Branch<C> {
    return orAdd(this.#below, key, () => new Branch<C>());
  }

  item(at: number): Branch<C> {
    return this.at(Math.min(at, mostPlaces));
  }
}

/** Leaves in their original order. */
interface Column {
  kind: Kind;
  values: unknown[];
}

export function isNumeric(kind: Kind): boolean {
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
function takeApart(value: unknown, branch: Branch<Column>, columns: Column[], depth: number): unknown {
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

/** Differences from index `from` + 1 on; earlier values stay. */
function differences(values: readonly number[], from: number): number[] {
  return values.map((value, at) => (at > from ? value - (values[at - 1] ?? 0) : value));
}

function bitsOf(values: readonly number[], from: number): number {
  let bits = 0;
  for (let at = from; at < values.length; at += 1) bits += Math.log2(1 + Math.abs(values[at] ?? 0));
  return bits;
}

function zigzag(value: number): number {
  return value >= 0 ? value * 2 : -value * 2 - 1;
}
