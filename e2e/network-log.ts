import { readFile } from 'node:fs/promises';

/** One entry of a log that Chromium writes with `--log-net-log`. */
interface NetworkEvent {
  type: string;
  /** The request, socket or task it is about. */
  sourceId: number;
  params: Readonly<Record<string, unknown>>;
}

/** Reads such a log; it may have been cut off when the app was killed. */
export async function readNetworkLog(path: string): Promise<NetworkEvent[]> {
  const [head = '', ...lines] = (await readFile(path, 'utf8')).split('\n');
  // The first line begins the object that all others belong to.
  const { constants } = JSON.parse(`${head.replace(/,$/, '')}}`) as { constants: LogConstants };
  const names = new Map(Object.entries(constants.logEventTypes).map(([name, id]) => [id, name]));
  return lines.flatMap((line) => {
    const text = /^\{.*\}(?=,?$|\],?$)/.exec(line)?.[0];
    if (text === undefined) return [];
    const { type, source, params = {} } = JSON.parse(text) as LogLine;
    return [{ type: names.get(type) ?? String(type), sourceId: source.id, params }];
  });
}

interface LogConstants {
  logEventTypes: Record<string, number>;
}

interface LogLine {
  type: number;
  source: { id: number };
  params?: Record<string, unknown>;
}

/** Fields that name a host without a scheme. */
const hostFields: ReadonlySet<string> = new Set(['host', 'hostname', 'qname', 'address', 'destination']);

/**
 * Every host that the log names, with its port where it has one: of requests, names that were looked up, and connections.
 * A UDP socket that has sent nothing only tells how the computer would route to that address.
 */
export function hostsIn(events: readonly NetworkEvent[]): string[] {
  const senders = new Set(
    events.filter(({ type }) => type === 'UDP_BYTES_SENT').map(({ sourceId }) => sourceId),
  );
  const sent = events.filter(({ type, sourceId }) =>
    /^(UDP_|SOCKET_CONNECT$)/.test(type) ? senders.has(sourceId) && !type.endsWith('LOCAL_ADDRESS') : true,
  );
  return [...new Set(sent.flatMap(({ params }) => textsOf(params)))].toSorted();
}

function textsOf(value: unknown, field = ''): string[] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, inner]) =>
      textsOf(inner, Array.isArray(value) ? field : name),
    );
  }
  if (typeof value !== 'string') return [];
  const named = [...value.matchAll(/\b(?:https?|wss?|ftp):\/\/([^/?#;\s"]+)/g)].map(([, host = '']) => host);
  return named.length === 0 && hostFields.has(field) && value !== '' ? [value] : named;
}
