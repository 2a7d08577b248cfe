import { createHash } from 'node:crypto';

/** One request that reached one of the service's servers. */
export interface RequestRecord {
  readonly id: number;
  /** `data`, `metrics`, `elsewhere`, or `node:` and the node's name. */
  readonly server: string;
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  readonly host: string;
  /** Key headers that were present, lower case, each with the first 16 hexadecimal digits of its value's SHA-256. */
  readonly keyHeaders: Readonly<Record<string, string>>;
  readonly receivedAtMs: number;
  /** Null until answered; stays null for connections that were dropped or never answered. */
  status: number | null;
  durationMs: number | null;
  /** The kind of fault that was applied. */
  fault: string | null;
}

export type RequestLog = ReturnType<typeof createRequestLog>;

/** Any header that could carry a key; the app must send only its own, and only to the right origin. */
const keyHeaderPattern = /key|token|authorization|cookie|secret/;

export function keyHeadersOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const found = Object.entries(headers).filter(([name]) => keyHeaderPattern.test(name));
  return Object.fromEntries(found.map(([name, value]) => [name, keyHash([value].flat().join())]));
}

/** Identifies a key in the log without storing it. */
export function keyHash(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 16);
}

/** Keeps the newest `limit` records. */
export function createRequestLog(limit: number) {
  let records: RequestRecord[] = [];
  let nextId = 1;
  return {
    begin(request: Omit<RequestRecord, 'id' | 'status' | 'durationMs' | 'fault'>): RequestRecord {
      const record: RequestRecord = { ...request, id: nextId, status: null, durationMs: null, fault: null };
      nextId += 1;
      records.push(record);
      // Trimmed rarely and by half, so that this costs little at thousands of requests a second.
      if (records.length > 2 * limit) records = records.slice(-limit);
      return record;
    },
    /** All kept records with an id above `afterId`, oldest first. */
    list: (afterId = 0): readonly RequestRecord[] =>
      records.slice(-limit).filter((record) => record.id > afterId),
    clear() {
      records = [];
    },
  };
}
