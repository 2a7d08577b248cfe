import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/** What goes wrong. See README.md, "Faults". */
export type FaultAction =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** Text is sent as it is, anything else as JSON. Absent: the usual error body of that status. */
      readonly body?: unknown;
    }
  | { readonly kind: 'delay' | 'hang' | 'drop' | 'wrong-types' }
  | { readonly kind: 'cut'; readonly connection?: boolean }
  | { readonly kind: 'garbage'; readonly variant: keyof typeof garbage }
  /** Without a value the field is removed. */
  | { readonly kind: 'replace'; readonly path: string; readonly value?: unknown }
  | { readonly kind: 'huge'; readonly gzip?: boolean }
  | { readonly kind: 'drip'; readonly chunkBytes: number; readonly intervalMs: number }
  | { readonly kind: 'storm'; readonly retryAfterSeconds: number }
  | { readonly kind: 'redirect'; readonly status?: number };

export interface FaultInput {
  /** `data`, `metrics`, `node:NAME`, or `*` for all. */
  readonly server?: string;
  /** Path pattern: `*` stands for part of a segment, `**` for anything. */
  readonly route?: string;
  /** How many matching requests it hits; absent: all, until it is removed. */
  readonly count?: number;
  /** How many matching requests pass before. */
  readonly skip?: number;
  /** Waits before answering, with any kind. */
  readonly delayMs?: number;
  readonly action: FaultAction;
}

export type Fault = Required<FaultInput>;

export type FaultTable = ReturnType<typeof createFaultTable>;

export function createFaultTable() {
  let faults: (Fault & { seen: number; pattern: RegExp })[] = [];
  return {
    add({ server = '*', route = '**', count = Infinity, skip = 0, delayMs = 0, action }: FaultInput): void {
      faults.push({ server, route, count, skip, delayMs, action, seen: 0, pattern: pathPattern(route) });
    },
    clear() {
      faults = [];
    },
    /** The first fault that applies to a request, counted as used; null without one. */
    take(server: string, path: string): Fault | null {
      for (const fault of faults) {
        if (fault.server !== '*' && fault.server !== server) continue;
        if (!fault.pattern.test(path) || fault.seen >= fault.skip + fault.count) continue;
        fault.seen += 1;
        if (fault.seen > fault.skip) return fault;
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

const hugeBytes = 64 * 1_048_576;

/** Valid JSON with 64 MiB of white space before its last brace; compressed it stays small. */
export function* hugeBody(body: string): Generator<Buffer> {
  const filler = Buffer.alloc(65_536, 0x20);
  yield Buffer.from(body.slice(0, -1));
  for (let sent = 0; sent < hugeBytes; sent += filler.length) yield filler;
  yield Buffer.from(body.slice(-1));
}

export function hugeCompressedBody(body: string): Buffer {
  // The default level takes twice the time.
  return gzipSync(body.slice(0, -1) + ' '.repeat(hugeBytes) + body.slice(-1), { level: 1 });
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
