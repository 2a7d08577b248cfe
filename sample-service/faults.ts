import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import * as z from 'zod';

/** What goes wrong. See README.md, "Faults". */
const faultActionSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(200).max(599),
    headers: z.record(z.string(), z.string()).optional(),
    /** Text is sent as it is, anything else as JSON. Absent: the usual error body of that status. */
    body: z.unknown().optional(),
  }),
  z.strictObject({ kind: z.literal('delay') }),
  z.strictObject({ kind: z.literal('hang') }),
  z.strictObject({ kind: z.literal('drop') }),
  z.strictObject({ kind: z.literal('cut'), connection: z.boolean().optional() }),
  z.strictObject({ kind: z.literal('garbage'), variant: z.enum(['html', 'noise', 'empty']).optional() }),
  z.strictObject({ kind: z.literal('wrong-types') }),
  /** Without a value the field is removed. */
  z.strictObject({ kind: z.literal('replace'), path: z.string().min(1), value: z.unknown().optional() }),
  z.strictObject({
    kind: z.literal('huge'),
    bytes: z.int().positive().optional(),
    gzip: z.boolean().optional(),
  }),
  z.strictObject({
    kind: z.literal('drip'),
    chunkBytes: z.int().positive().optional(),
    intervalMs: z.int().positive().optional(),
  }),
  z.strictObject({ kind: z.literal('storm'), retryAfterSeconds: z.int().positive().optional() }),
  z.strictObject({
    kind: z.literal('redirect'),
    status: z.int().min(300).max(399).optional(),
    location: z.string().optional(),
  }),
]);

export const faultSchema = z.strictObject({
  /** `data`, `metrics`, `node:NAME`, or `*` for all. */
  server: z.string().default('*'),
  /** Path pattern: `*` stands for part of a segment, `**` for anything. */
  route: z.string().default('**'),
  /** How many matching requests it hits; absent: all, until it is removed. */
  count: z.int().positive().optional(),
  /** How many matching requests pass before. */
  skip: z.int().min(0).default(0),
  /** Waits before answering, with any kind. */
  delayMs: z.int().min(0).max(86_400_000).default(0),
  action: faultActionSchema,
});

export type FaultAction = z.infer<typeof faultActionSchema>;
export type FaultInput = z.input<typeof faultSchema>;
export type Fault = z.infer<typeof faultSchema> & { readonly id: number; hits: number };

export type FaultTable = ReturnType<typeof createFaultTable>;

export function createFaultTable() {
  let faults: (Fault & { seen: number; pattern: RegExp })[] = [];
  let nextId = 1;
  return {
    add(input: unknown): Fault {
      const parsed = faultSchema.parse(input);
      const fault = { ...parsed, id: nextId, hits: 0, seen: 0, pattern: pathPattern(parsed.route) };
      nextId += 1;
      faults.push(fault);
      return fault;
    },
    clear() {
      faults = [];
    },
    /** The first fault that applies to a request, counted as used; null without one. */
    take(server: string, path: string): Fault | null {
      for (const fault of faults) {
        if (fault.server !== '*' && fault.server !== server) continue;
        if (!fault.pattern.test(path)) continue;
        if (fault.count !== undefined && fault.hits >= fault.count) continue;
        fault.seen += 1;
        if (fault.seen <= fault.skip) continue;
        fault.hits += 1;
        return fault;
      }
      return null;
    },
  };
}

function pathPattern(route: string): RegExp {
  const parts = route.split(/(\*\*|\*)/).map((part) => {
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    return part.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`);
}

export const garbage = {
  html: '<!doctype html><html><head><title>Just a moment…</title></head><body><h1>Checking your browser</h1></body></html>',
  noise: Buffer.from(Array.from({ length: 2048 }, (_, i) => (i * 167 + 41) % 256)),
  empty: '',
} as const;

/** A body that breaks off: the connection is reset after half of it. */
export function* brokenBody(body: string): Generator<Buffer> {
  const bytes = Buffer.from(body);
  yield bytes.subarray(0, Math.ceil(bytes.length / 2));
  throw new Error('cut by a fault');
}

/** The whole body, a few bytes at a time. */
export async function* drippingBody(
  body: string,
  chunkBytes: number,
  intervalMs: number,
): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(body);
  for (let sent = 0; sent < bytes.length; sent += chunkBytes) {
    await setTimeout(intervalMs, null, { ref: false });
    yield bytes.subarray(sent, sent + chunkBytes);
  }
}

/** Valid JSON with about `bytes` bytes of white space before its last brace; compressed it stays small. */
export function* hugeBody(body: string, bytes: number): Generator<Buffer> {
  const filler = Buffer.alloc(65_536, 0x20);
  yield Buffer.from(body.slice(0, -1));
  for (let left = bytes; left > 0; left -= filler.length) yield filler.subarray(0, left);
  yield Buffer.from(body.slice(-1));
}

export function hugeCompressedBody(body: string, bytes: number): Buffer {
  // The default level takes twice the time.
  return gzipSync(body.slice(0, -1) + ' '.repeat(bytes) + body.slice(-1), { level: 1 });
}

/** The same JSON with every type wrong: numbers for strings, strings for numbers, objects for arrays, and so on. */
export function wrongTypes(value: unknown): unknown {
  if (typeof value === 'string') return value.length;
  if (typeof value === 'number') return `not ${value}`;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return { items: value.length };
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, wrongTypes(inner)]));
  }
  return [];
}

/** A copy with the field at a dotted path replaced; `*` in the path stands for every element. */
export function replaceAt(value: unknown, path: readonly string[], replacement: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return replacement;
  if (Array.isArray(value)) {
    return value.map((inner: unknown, i) =>
      name === '*' || name === String(i) ? replaceAt(inner, rest, replacement) : inner,
    );
  }
  if (typeof value !== 'object' || value === null) return value;
  return { ...value, [name]: replaceAt(Reflect.get(value, name), rest, replacement) };
}
