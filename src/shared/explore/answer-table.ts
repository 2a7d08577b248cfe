import { findEndpoint } from '../endpoints/registry.ts';
import { isObject } from '../json.ts';
import type { RunTarget } from './types.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The rows of the table that an answer is shown and exported as: the items of a list, the items of several lists, or
 * the checks of a node. Null for an answer that is a single record.
 */
export function tableOf(target: RunTarget, data: unknown): unknown[] | null {
  if (!isObject(data)) return null;
  if (target.kind === 'node') return checksOf(data);
  const endpoint = findEndpoint(target.endpointId);
  const items = endpoint?.paging ? data[endpoint.paging.itemsKey] : undefined;
  const page: readonly unknown[] = Array.isArray(items) ? items : [];
  if (endpoint?.paging) return [...page];
  // An answer with several lists, such as the chains of an address: all items, each with the name of its list.
  const lists = Object.entries(data).flatMap(([list, values]): [string, readonly unknown[]][] =>
    Array.isArray(values) ? [[list, values]] : [],
  );
  if (endpoint?.view !== 'table' || lists.length === 0) return null;
  return lists.flatMap(([list, values]) =>
    values.map((value) => (isObject(value) ? { list, ...value } : { list, value })),
  );
}

/** The report in a node's answer; with JSON-RPC it is in `result`. */
export const reportOf = (data: JsonObject): JsonObject => (isObject(data['result']) ? data['result'] : data);

/** The checks of a health report as rows, with each check's message last; null when there are none. */
function checksOf(data: JsonObject): unknown[] | null {
  const { checks } = reportOf(data);
  if (!isObject(checks) || Object.keys(checks).length === 0) return null;
  return Object.entries(checks).map(([check, value]) => {
    if (!isObject(value)) return { check, value };
    const { message, ...others } = value;
    return { check, ...others, ...(message === undefined ? {} : { message }) };
  });
}
