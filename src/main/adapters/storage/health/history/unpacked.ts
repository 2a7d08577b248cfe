import { brotliDecompressSync, crc32 } from 'node:zlib';
import { SqlFailure } from '../../sqlite/sql.ts';
import { idBytes, writeId } from './block-ids.ts';
import { Branch, formats, headerBytes, isNumeric, kinds, type Kind } from './packed.ts';

/** Far more than any block needs; keeps a damaged one from exhausting the memory. */
const largestBytes = 512 * 1024 * 1024;

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
  if (format === formats.json)
    // The checksum proves that this is what was packed.
    return JSON.parse(content.toString()) as T[];
  const reader = new Reader(brotliDecompressSync(content, { maxOutputLength: largestBytes }));
  const root = new Branch<ReadColumn>();
  const shapes = columnOf(kinds.text, reader);
  const builders: (() => unknown)[] = [];
  return Array.from(shapes.places, (place) => {
    const build = (builders[place] ??= builderOf(JSON.parse(shapes.texts[place] ?? ''), root, reader));
    // The checksum proves that this is what was packed.
    return build() as T;
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

/** A builder for values of a shape. Reads columns when first used, which is the order they were written in. */
function builderOf(shape: unknown, branch: Branch<ReadColumn>, reader: Reader): () => unknown {
  if (shape === null || typeof shape === 'boolean') return () => shape;
  if (typeof shape === 'number') {
    // Written by `takeApart`.
    const kind = shape as Kind;
    return nextOfColumn((branch.columns[kind] ??= columnOf(kind, reader)));
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
