import { SqlFailure } from '../../sqlite/sql.ts';
import { ByteList } from './byte-list.ts';
import { idBytes, readId, writeId } from './block-ids.ts';

/**
 * Columns of numbers and texts as bytes that compress well: differences where they are smaller than the values, and the
 * low bytes of all numbers before the next higher ones, so that noise does not hide what repeats. What is nothing but noise
 * is kept apart and not compressed. Everything that was written is read back exactly.
 */

export interface Columns {
  body: Uint8Array;
  /** Bytes that no compression makes smaller. */
  noise: Uint8Array;
}

const modes = { json: 0, constant: 1, differences: 2 } as const;
/** Twice a difference must still be exact. */
const largestDifference = 2 ** 51;
const mostOrder = 2;

/** Writes columns one after the other. */
export class ColumnWriter {
  readonly #body = new ByteList();
  readonly #noise = new ByteList();
  readonly #encoder = new TextEncoder();

  /** A whole number from 0 to 2^53 - 1. */
  count(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.#body.push((rest % 0x80) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.#body.push(rest);
  }

  /** Any JSON value. */
  json(value: unknown): void {
    const text = this.#encoder.encode(JSON.stringify(value));
    this.count(text.length);
    this.#body.append(text);
  }

  /** Numbers whose count the reader knows. */
  numbers(values: readonly number[]): void {
    const first = values[0] ?? 0;
    if (!values.every(isPlain)) {
      this.count(modes.json);
      this.json(values);
    } else if (values.every((value) => value === first)) {
      this.count(modes.constant);
      this.count(zigzag(first));
    } else {
      const { heads, rest } = cheapestDifferences(values);
      this.count(modes.differences + heads.length);
      for (const head of heads) this.count(zigzag(head));
      this.#planes(rest);
    }
  }

  /** Numbers, some of which are null. */
  nullable(values: readonly (number | null)[]): void {
    this.numbers(values.map((value) => (value === null ? 0 : 1)));
    this.numbers(values.filter((value) => value !== null));
  }

  /** Texts, each stored once, and which of them stands where. */
  texts(values: readonly string[]): void {
    const places = new Map<string, number>();
    this.numbers(
      values.map((value) => {
        const place = places.get(value) ?? places.size;
        places.set(value, place);
        return place;
      }),
    );
    this.#strings([...places.keys()]);
  }

  /** Texts most of which are short runs of digits. */
  digits(values: readonly string[]): void {
    const areShort = values.every((value) => shortDigits.test(value));
    this.count(areShort ? 1 : 0);
    if (!areShort) {
      this.texts(values);
      return;
    }
    this.numbers(values.map((value) => value.length));
    this.numbers(values.map(Number));
  }

  /** Adds the columns of another writer, to be read after those of this one. */
  append(other: ColumnWriter): void {
    this.#body.append(other.#body.written());
    this.#noise.append(other.#noise.written());
  }

  finish(): Columns {
    return { body: this.#body.written(), noise: this.#noise.written() };
  }

  #strings(values: readonly string[]): void {
    this.count(values.length);
    const ids = values.map(readId);
    const whole = values.join('');
    const alphabet = [...new Set(whole)].sort().join('');
    if (values.length > 0 && ids.every((id) => id !== null)) {
      this.count(stringModes.ids);
      for (const id of ids) this.#noise.append(id);
    } else if (whole.length < 64 || values.length < 4 || packingFor(alphabet) === null) {
      this.count(stringModes.json);
      this.json(values);
    } else {
      this.count(stringModes.packed);
      this.json([alphabet]);
      this.numbers(values.map((value) => value.length));
      this.#pack(whole, alphabet);
    }
  }

  /** Texts of few different characters as the digits of large numbers. */
  #pack(whole: string, alphabet: string): void {
    const { chars, bytes } = packingFor(alphabet) ?? noPacking;
    const places = new Map(Array.from(alphabet, (character, place) => [character, place]));
    for (let at = 0; at < whole.length; at += chars) {
      let packed = 0;
      for (let i = at; i < at + chars; i += 1) {
        packed = packed * alphabet.length + (places.get(whole[i] ?? '') ?? 0);
      }
      for (let byte = 0; byte < bytes; byte += 1) {
        this.#noise.push(packed % 0x100);
        packed = Math.floor(packed / 0x100);
      }
    }
  }

  #planes(values: readonly number[]): void {
    let largest = 0;
    for (const value of values) largest = Math.max(largest, zigzag(value));
    let width = 1;
    while (largest >= 2 ** (8 * width)) width += 1;
    this.count(width);
    const rest = values.map(zigzag);
    for (let plane = 0; plane < width; plane += 1) {
      const bytes = new Uint8Array(rest.length);
      for (const [row, value] of rest.entries()) {
        bytes[row] = value % 0x100;
        rest[row] = Math.floor(value / 0x100);
      }
      const isNoise = looksRandom(bytes);
      this.count(isNoise ? 1 : 0);
      (isNoise ? this.#noise : this.#body).append(bytes);
    }
  }
}

const stringModes = { json: 0, packed: 1, ids: 2 } as const;
const noPacking = { chars: 1, bytes: 1 };

/** Random bytes rarely repeat: of 256 only about 160 differ. */
function looksRandom(bytes: Uint8Array): boolean {
  const expected = 256 * (1 - Math.exp(-bytes.length / 256));
  return bytes.length >= 32 && new Set(bytes).size > 0.85 * expected;
}

/** Reads what a `ColumnWriter` wrote, in the same order. Anything else is a `corrupt` failure, or a wrong value. */
export class ColumnReader {
  readonly #body: Uint8Array;
  readonly #noise: Uint8Array;
  #at = 0;
  #noiseAt = 0;

  constructor({ body, noise }: Columns) {
    this.#body = body;
    this.#noise = noise;
  }

  count(): number {
    let value = 0;
    for (let unit = 1; ; unit *= 0x80) {
      const byte = this.#body[this.#at];
      if (byte === undefined) throw endOfBytes();
      this.#at += 1;
      value += (byte & 0x7f) * unit;
      if (byte < 0x80) return value;
    }
  }

  /** What was written; its shape is as sure as the checksum around these bytes. */
  json(): unknown {
    const { buffer, byteOffset, byteLength } = this.#takeBody(this.count());
    const value: unknown = JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString('utf8'));
    return value;
  }

  /** What was written as a list of texts. */
  list(): string[] {
    return this.nullableList().map((text) => text ?? '');
  }

  /** The same, some of which are null. */
  nullableList(): (string | null)[] {
    const value = this.json();
    if (!areTextsOrNull(value)) {
      throw new SqlFailure('corrupt', 'a block of history holds something else than texts');
    }
    return value;
  }

  numbers(length: number): number[] {
    const mode = this.count();
    if (mode === modes.json) {
      const value = this.json();
      if (!areNumbers(value)) {
        throw new SqlFailure('corrupt', 'a block of history holds something else than numbers');
      }
      return value;
    }
    if (mode === modes.constant) return new Array<number>(length).fill(unzigzag(this.count()));
    const order = mode - modes.differences;
    const heads = Array.from({ length: order }, () => unzigzag(this.count()));
    return undoDifferences(heads, this.#planes(length - order));
  }

  nullable(length: number): (number | null)[] {
    const flags = this.numbers(length);
    let present = 0;
    for (const flag of flags) present += flag;
    const values = this.numbers(present);
    let at = 0;
    return flags.map((flag) => (flag === 0 ? null : (values[at++] ?? null)));
  }

  texts(length: number): string[] {
    const places = this.numbers(length);
    const texts = this.#strings();
    return places.map((place) => texts[place] ?? '');
  }

  digits(length: number): string[] {
    if (this.count() === 0) return this.texts(length);
    const lengths = this.numbers(length);
    return this.numbers(length).map((value, at) => String(value).padStart(lengths[at] ?? 0, '0'));
  }

  #strings(): string[] {
    const count = this.count();
    const mode = this.count();
    if (mode === stringModes.ids) {
      return Array.from({ length: count }, () => writeId(this.#takeNoise(idBytes)));
    }
    if (mode === stringModes.json) return this.list();
    const [alphabet = ''] = this.list();
    const lengths = this.numbers(count);
    let total = 0;
    for (const length of lengths) total += length;
    const whole = this.#unpack(total, alphabet);
    let at = 0;
    return lengths.map((length) => whole.slice(at, (at += length)));
  }

  #unpack(length: number, alphabet: string): string {
    const { chars, bytes } = packingFor(alphabet) ?? noPacking;
    const groups: string[] = [];
    for (let at = 0; at < length; at += chars) {
      const packedBytes = this.#takeNoise(bytes);
      let packed = 0;
      for (let byte = bytes - 1; byte >= 0; byte -= 1) packed = packed * 0x100 + (packedBytes[byte] ?? 0);
      let group = '';
      for (let i = 0; i < chars; i += 1) {
        group = (alphabet[packed % alphabet.length] ?? '') + group;
        packed = Math.floor(packed / alphabet.length);
      }
      groups.push(group);
    }
    return groups.join('');
  }

  #planes(length: number): number[] {
    const width = this.count();
    const values = new Array<number>(length).fill(0);
    for (let plane = 0; plane < width; plane += 1) {
      const unit = 0x100 ** plane;
      const bytes = this.count() === 1 ? this.#takeNoise(length) : this.#takeBody(length);
      for (let row = 0; row < length; row += 1) values[row] = (values[row] ?? 0) + (bytes[row] ?? 0) * unit;
    }
    for (let row = 0; row < length; row += 1) values[row] = unzigzag(values[row] ?? 0);
    return values;
  }

  #takeBody(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#body.length) throw endOfBytes();
    const bytes = this.#body.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }

  #takeNoise(length: number): Uint8Array {
    const end = this.#noiseAt + length;
    if (end > this.#noise.length) throw endOfBytes();
    const bytes = this.#noise.subarray(this.#noiseAt, end);
    this.#noiseAt = end;
    return bytes;
  }
}

function areNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'number');
}

function areTextsOrNull(value: unknown): value is (string | null)[] {
  return Array.isArray(value) && value.every((one) => one === null || typeof one === 'string');
}

function endOfBytes(): SqlFailure {
  return new SqlFailure('corrupt', 'a block of history ends too early');
}

const shortDigits = /^\d{1,14}$/;

/** Of other characters one is not always one element of a text. */
const ascii = /^[ -~]*$/;

/** How many characters of an alphabet fill how many bytes with the least waste; null for an alphabet that is too large. */
function packingFor(alphabet: string): { chars: number; bytes: number } | null {
  if (alphabet.length < 2 || alphabet.length > 64 || !ascii.test(alphabet)) return null;
  const bitsEach = Math.log2(alphabet.length);
  let best = { chars: 1, bytes: 1 };
  for (let bytes = 1; bytes <= 6; bytes += 1) {
    const chars = Math.floor((bytes * 8) / bitsEach + 1e-9);
    if (chars * best.bytes > best.chars * bytes) best = { chars, bytes };
  }
  return best;
}

/** True for numbers whose second differences are exact too; -0 is none of them. */
function isPlain(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) <= largestDifference / 4 && !Object.is(value, -0);
}

function zigzag(value: number): number {
  return value >= 0 ? value * 2 : -value * 2 - 1;
}

function unzigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

/** The values themselves, their differences, or the differences of these: whichever are smallest. */
function cheapestDifferences(values: readonly number[]): { heads: number[]; rest: readonly number[] } {
  let heads: number[] = [];
  let rest = values;
  let best = { heads, rest, bits: bitsOf(rest) };
  for (let order = 1; order <= mostOrder && rest.length > 1; order += 1) {
    heads = [...heads, rest[0] ?? 0];
    const before = rest;
    rest = before.slice(1).map((value, at) => value - (before[at] ?? 0));
    const bits = bitsOf(rest);
    if (bits < best.bits) best = { heads, rest, bits };
  }
  return best;
}

function bitsOf(values: readonly number[]): number {
  let bits = 0;
  for (const value of values) bits += Math.log2(1 + Math.abs(value));
  return bits;
}

function undoDifferences(heads: readonly number[], rest: readonly number[]): number[] {
  let values = rest;
  for (const head of [...heads].reverse()) {
    let sum = head;
    const summed = [head];
    for (const value of values) {
      sum += value;
      summed.push(sum);
    }
    values = summed;
  }
  return [...values];
}
