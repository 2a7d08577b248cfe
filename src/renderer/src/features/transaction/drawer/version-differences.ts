import { isObject } from '../../../../../shared/json.ts';

/** A difference between two versions of a record. */
export interface Difference {
  /** Where it is: `erc20Transfers[log 3].value`. */
  path: string;
  /** JSON; null where that version lacks it. */
  before: string | null;
  after: string | null;
}

export interface Differences {
  list: Difference[];
  /** Not all differences are listed. */
  isCut: boolean;
}

const maxDifferences = 200;

/**
 * The differences between two parsed records, in the order of the older one. Elements of lists are matched by their log
 * index, else by their place. Absent and null are equal; so are a number and its digits as text.
 */
export function differencesOf(before: unknown, after: unknown): Differences {
  const list: Difference[] = [];
  compare('', before, after, list);
  return { list: list.slice(0, maxDifferences), isCut: list.length > maxDifferences };
}

function compare(path: string, before: unknown, after: unknown, found: Difference[]): void {
  if (found.length > maxDifferences) return;
  if (Array.isArray(before) && Array.isArray(after)) compareLists(path, before, after, found);
  else if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      compare(path === '' ? key : `${path}.${key}`, before[key], after[key], found);
    }
  } else if (textOf(before) !== textOf(after)) {
    found.push({ path, before: jsonOf(before), after: jsonOf(after) });
  }
}

function compareLists(
  path: string,
  before: readonly unknown[],
  after: readonly unknown[],
  found: Difference[],
): void {
  const newer = named(after);
  for (const [name, element] of named(before)) {
    compare(`${path}[${name}]`, element, newer.get(name), found);
    newer.delete(name);
  }
  for (const [name, element] of newer) compare(`${path}[${name}]`, undefined, element, found);
}

/** Elements by their log index, else by their place. Of equal log indexes all but the first count by place. */
function named(list: readonly unknown[]): Map<string, unknown> {
  const names = new Map<string, unknown>();
  for (const [place, element] of list.entries()) {
    const logIndex = isObject(element) ? element['logIndex'] : undefined;
    const name = typeof logIndex === 'number' ? `log ${logIndex}` : String(place);
    names.set(names.has(name) ? `position ${place}` : name, element);
  }
  return names;
}

function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : jsonOf(value);
}

function jsonOf(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}
