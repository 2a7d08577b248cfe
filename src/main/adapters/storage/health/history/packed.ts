import { brotliCompressSync, brotliDecompressSync, constants, crc32 } from 'node:zlib';
import { SqlFailure } from '../../sqlite/sql.ts';
import { idBytes, readId, writeId } from './block-ids.ts';

/**
 * JSON values that look alike, such as the polls of an hour, as few bytes. Values are taken apart into columns: all that stands
 * under the same key, or at the same place of a list, is one column. Numbers become differences, and of these the low bytes
 * of all columns stand together, then the next higher ones, so that noise does not hide what repeats. Brotli does the rest.
 */

const formatVersion = 1;
/** Version and checksum. */
const headerBytes = 5;
/** Far above any block; a damaged one shall not exhaust the memory. */
const largestBytes = 512 * 1024 * 1024;

/** `unpack` gives the same values back. They are what JSON can hold. */
export function pack(values: readonly unknown[]): Uint8Array {
  const writer = new ColumnWriter();
  writer.column(values, 0);
  const bytes = writer.finish();
  const packed = brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
  const header = Buffer.alloc(headerBytes);
  header.writeUInt8(formatVersion);
  header.writeUInt32BE(crc32(packed), 1);
  return Buffer.concat([header, packed]);
}

/** What `pack` was given, of which type only its caller knows; a `corrupt` failure for anything that it has not made. */
export function unpack<T>(packed: Uint8Array): T[] {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  if (bytes.length < headerBytes) throw new SqlFailure('corrupt', 'a part of the history is cut');
  if (bytes.readUInt8() !== formatVersion) {
    throw new SqlFailure('corrupt', 'a part of the history is of an unknown kind');
  }
  const content = bytes.subarray(headerBytes);
  if (crc32(content) !== bytes.readUInt32BE(1)) {
    throw new SqlFailure('corrupt', 'a part of the history is not what was written');
  }
  const reader = new ColumnReader(brotliDecompressSync(content, { maxOutputLength: largestBytes }));
  // The checksum says that it is what was packed.
  return reader.column(reader.number()) as T[];
}

const kinds = { null: 0, true: 1, false: 2, whole: 3, digits: 4, text: 5, json: 6, list: 7, object: 8 };

/** Deeper values, which nobody looks at, are stored as text: reading goes down level by level. */
const deepest = 64;
/** Differences of differences of smaller numbers are exact. */
const largestWhole = 2 ** 49;
/** Bytes of such numbers. */
const headWidth = 7;
const plainDigits = /^(?:0|[1-9]\d{0,13})$/;

function kindOf(value: unknown, depth: number): number {
  if (value === null) return kinds.null;
  if (value === true) return kinds.true;
  if (value === false) return kinds.false;
  if (typeof value === 'number') {
    return Number.isInteger(value) && Math.abs(value) < largestWhole ? kinds.whole : kinds.json;
  }
  if (typeof value === 'string') return plainDigits.test(value) ? kinds.digits : kinds.text;
  // Of JSON nothing else is left.
  const isPlain = !Object.hasOwn(value as object, '__proto__');
  if (depth >= deepest || !isPlain) return kinds.json;
  return Array.isArray(value) ? kinds.list : kinds.object;
}

/** Stand where otherwise the order of differences does. */
const allSame = -2;
const constant = -1;

/**
 * Lists give a column to each place while there are at least as many of them, by this factor, as places, and while they are
 * about as long as each other: every place costs a look at every list. Others stand one after the other.
 */
const mostPlaces = 8;

function goesByPlaces(lengths: readonly number[]): boolean {
  let longest = 0;
  let total = 0;
  for (const length of lengths) {
    longest = Math.max(longest, length);
    total += length;
  }
  return longest <= mostPlaces * lengths.length && longest * lengths.length <= mostPlaces * total;
}

class ColumnWriter {
  // In the order in which they are read; of each kind together, which compresses better.
  readonly #head: number[] = [];
  readonly #texts: string[] = [];
  readonly #ids: Uint8Array[] = [];
  /** The lowest bytes of all numbers first. */
  #planes: Uint8Array[][] = [];

  column(values: readonly unknown[], depth: number): void {
    if (depth === 0) this.#head.push(values.length);
    const [first = null] = values;
    if (typeof first !== 'object' || first === null) {
      if (values.every((value) => value === first)) {
        this.#head.push(allSame);
        this.#texts.push(JSON.stringify(first));
        return;
      }
    }
    const found = values.map((value) => kindOf(value, depth));
    this.#numbers(found);
    // `found` tells what each value is.
    const of = <T>(kind: number): T[] => values.filter((_, at) => found[at] === kind) as T[];
    const numbers = [...of(kinds.whole), ...of(kinds.digits)].map(Number);
    if (numbers.length > 0) this.#numbers(numbers);
    const texts = [...of<string>(kinds.text), ...of(kinds.json).map((value) => JSON.stringify(value))];
    if (texts.length > 0) this.#eachOnce(texts);
    const lists = of<unknown[]>(kinds.list);
    if (lists.length > 0) this.#places(lists, depth + 1);
    const objects = of<object>(kinds.object);
    if (objects.length > 0) this.#objects(objects, depth + 1);
  }

  finish(): Buffer {
    const planes = this.#planes;
    this.#planes = [];
    this.#bytes(this.#head, headWidth);
    for (const [plane, parts] of planes.entries()) (this.#planes[plane] ??= []).push(...parts);
    const joined = this.#planes.map((parts) => Buffer.concat(parts));
    // A line for each text: as JSON there is none in it.
    const lines = this.#texts.map((text) => JSON.stringify(text).slice(1, -1));
    lines.push(JSON.stringify([this.#head.length, ...joined.map(({ length }) => length)]));
    const texts = Buffer.from(lines.join('\n'));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(texts.length);
    return Buffer.concat([length, texts, ...joined, ...this.#ids]);
  }

  #places(lists: readonly unknown[][], depth: number): void {
    const lengths = lists.map(({ length }) => length);
    this.#numbers(lengths);
    if (!goesByPlaces(lengths)) {
      this.column(lists.flat(), depth);
      return;
    }
    const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
    for (let at = 0; at < longest; at += 1) {
      this.column(
        lists.filter(({ length }) => length > at).map((list) => list[at]),
        depth,
      );
    }
  }

  #objects(objects: readonly object[], depth: number): void {
    const columns = new Map<string, unknown[]>();
    const keys = objects.map((object) => {
      const entries = Object.entries(object);
      for (const [key, value] of entries) {
        const column = columns.get(key);
        if (column === undefined) columns.set(key, [value]);
        else column.push(value);
      }
      return JSON.stringify(entries.map(([key]) => key));
    });
    this.#eachOnce(keys);
    for (const column of columns.values()) this.column(column, depth);
  }

  /** Each text once, and which of them stands where. */
  #eachOnce(texts: readonly string[]): void {
    const places = new Map<string, number>();
    for (const text of texts) if (!places.has(text)) places.set(text, places.size);
    this.#numbers(texts.map((text) => places.get(text) ?? 0));
    const ids = [...places.keys()].map(readId);
    const areIds = ids.every((id) => id !== null);
    this.#head.push(places.size, Number(areIds));
    if (areIds) this.#ids.push(...ids);
    else for (const text of places.keys()) this.#texts.push(text);
  }

  /** The values themselves, their differences, or the differences of these: whichever are smallest. */
  #numbers(values: readonly number[]): void {
    const first = values[0] ?? 0;
    if (values.every((value) => value === first)) {
      this.#head.push(constant, first);
      return;
    }
    const once = differences(values, 0);
    const candidates = [values, once, differences(once, 1)];
    const sizes = candidates.map((numbers, order) => bitsOf(numbers, order));
    const order = sizes.indexOf(Math.min(...sizes));
    const chosen = candidates[order] ?? values;
    const rest = chosen.slice(order);
    let width = 1;
    for (const value of rest) while (zigzag(value) >= 0x100 ** width) width += 1;
    this.#head.push(order, ...chosen.slice(0, order), width);
    this.#bytes(rest, width);
  }

  #bytes(values: readonly number[], width: number): void {
    for (let plane = 0; plane < width; plane += 1) {
      const unit = 0x100 ** plane;
      (this.#planes[plane] ??= []).push(
        Uint8Array.from(values, (value) => Math.floor(zigzag(value) / unit) % 0x100),
      );
    }
  }
}

/** Reads what a `ColumnWriter` wrote, in the same order. The checksum vouches for the shapes. */
class ColumnReader {
  readonly #head: ArrayIterator<number>;
  readonly #texts: ArrayIterator<string>;
  readonly #planes: { bytes: Buffer; at: number }[] = [];

  readonly #all: Buffer;
  #idAt: number;

  constructor(bytes: Buffer) {
    this.#all = bytes;
    let start = 4 + bytes.readUInt32BE();
    const lines = bytes.toString('utf8', 4, start).split('\n');
    // Both were written by `finish`.
    const [count, ...lengths] = JSON.parse(lines.pop() ?? '') as [number, ...number[]];
    // As above.
    this.#texts = (JSON.parse(`[${lines.map((line) => `"${line}"`).join(',')}]`) as string[]).values();
    for (const length of lengths) {
      this.#planes.push({ bytes: bytes.subarray(start, start + length), at: 0 });
      start += length;
    }
    this.#idAt = start;
    this.#head = this.#bytes(count, headWidth).values();
  }

  number(): number {
    return nextOf(this.#head);
  }

  column(length: number): unknown[] {
    const order = this.number();
    if (order === allSame) return new Array<unknown>(length).fill(JSON.parse(nextOf(this.#texts)));
    const found = this.#numbers(length, order);
    const counts = new Array<number>(9).fill(0);
    for (const kind of found) counts[kind] = (counts[kind] ?? 0) + 1;
    const countOf = (kind: number): number => counts[kind] ?? 0;
    const numbers = this.#some(countOf(kinds.whole) + countOf(kinds.digits), (count) => this.#numbers(count));
    const texts = this.#some(countOf(kinds.text) + countOf(kinds.json), (count) => this.#someOf(count));
    const lists = this.#some(countOf(kinds.list), (count) => this.#places(count));
    const objects = this.#some(countOf(kinds.object), (count) => this.#objects(count));
    const next = [0, 0, 0, 0, countOf(kinds.whole), 0, countOf(kinds.text), 0, 0];
    return found.map((kind) => {
      const at = next[kind] ?? 0;
      next[kind] = at + 1;
      if (kind === kinds.null) return null;
      if (kind === kinds.whole) return numbers[at];
      if (kind === kinds.digits) return String(numbers[at]);
      if (kind === kinds.text) return texts[at];
      if (kind === kinds.json) return parsedJson(texts[at] ?? '');
      if (kind === kinds.list) return lists[at];
      if (kind === kinds.object) return objects[at];
      return kind === kinds.true;
    });
  }

  #some<T>(count: number, read: (count: number) => T[]): T[] {
    return count === 0 ? [] : read(count);
  }

  #places(count: number): unknown[][] {
    const lengths = this.#numbers(count);
    if (!goesByPlaces(lengths)) {
      const all = this.column(lengths.reduce((sum, length) => sum + length, 0));
      let end = 0;
      return lengths.map((length) => all.slice(end, (end += length)));
    }
    const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
    const lists = lengths.map((): unknown[] => []);
    for (let at = 0; at < longest; at += 1) {
      const longer = lists.filter((_, list) => (lengths[list] ?? 0) > at);
      for (const [place, value] of this.column(longer.length).entries()) longer[place]?.push(value);
    }
    return lists;
  }

  #objects(count: number): object[] {
    const parsed = new Map<string, string[]>();
    const keysOf = this.#someOf(count).map((text) => {
      // Written by `ColumnWriter` as a list of keys.
      const keys = parsed.get(text) ?? (JSON.parse(text) as string[]);
      parsed.set(text, keys);
      return keys;
    });
    const counts = new Map<string, number>();
    for (const keys of keysOf) for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    const columns = new Map(
      [...counts].map(([key, length]) => [key, { values: this.column(length), at: 0 }]),
    );
    return keysOf.map((keys) => {
      const object: Record<string, unknown> = {};
      for (const key of keys) {
        const column = columns.get(key);
        if (column !== undefined) object[key] = column.values[column.at++];
      }
      return object;
    });
  }

  #someOf(count: number): string[] {
    const places = this.#numbers(count);
    const size = this.number();
    const read = this.number() === 1 ? () => this.#id() : () => nextOf(this.#texts);
    const texts = Array.from({ length: size }, read);
    return places.map((place) => texts[place] ?? '');
  }

  #numbers(length: number, order = this.number()): number[] {
    if (order === constant) return new Array<number>(length).fill(this.number());
    const heads = Array.from({ length: order }, () => this.number());
    const width = this.number();
    let values = [...heads, ...this.#bytes(length - order, width)];
    for (let level = order; level > 0; level -= 1) values = sums(values, level - 1);
    return values;
  }

  #id(): string {
    const end = this.#idAt + idBytes;
    if (end > this.#all.length) throw endsEarly();
    const id = writeId(this.#all.subarray(this.#idAt, end));
    this.#idAt = end;
    return id;
  }

  #bytes(length: number, width: number): number[] {
    const values = new Array<number>(length).fill(0);
    for (let plane = 0; plane < width; plane += 1) {
      const from = this.#planes[plane];
      if (from === undefined) throw endsEarly();
      const unit = 0x100 ** plane;
      for (let at = 0; at < length; at += 1) {
        values[at] = (values[at] ?? 0) + (from.bytes[from.at + at] ?? 0) * unit;
      }
      from.at += length;
    }
    return values.map(unzigzag);
  }
}

function nextOf<T>(values: ArrayIterator<T>): T {
  const next = values.next();
  if (next.done === true) throw endsEarly();
  return next.value;
}

function endsEarly(): SqlFailure {
  return new SqlFailure('corrupt', 'a part of the history ends too early');
}

function parsedJson(text: string): unknown {
  return JSON.parse(text);
}

/** Differences from place `from` + 1 on; what stands before stays. */
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
