import * as z from 'zod/mini';
import { orAdd } from '../or-add.ts';
import { cleanText } from '../text.ts';
import { maxOddParts } from './fields.ts';

export type Path = readonly PropertyKey[];

export type TolerantRead<T> =
  | {
      ok: true;
      data: T;
      notes: string[];
      /** Paths of array elements that were left out, by their positions in the original value. */
      droppedElements: Path[];
      /** The paths and reasons of the notes; limited in number like the notes. */
      leftOut: { path: Path; why: string }[];
    }
  | { ok: false; notes: string[] };

/** Further notes are only counted. */
const maxNotes = 50;

/** Each pass goes up at most one level, and no schema has this many levels. */
const maxPasses = 24;

/**
 * Decodes a value by a schema and leaves out what does not match: first the invalid value itself, then, if its absence
 * is an issue too, what contains it. Fails if that is the whole value, or one of its fields in `kept`. Modifies `value`.
 */
export function dropOddParts<T>(
  schema: z.ZodMiniType<T>,
  value: unknown,
  kept: readonly string[] = [],
): TolerantRead<T> {
  const leftOut: { path: Path; why: string }[] = [];
  const notes = (failure: string[] = []) => {
    const lines = leftOut
      .map(({ path, why }) => `${writePath(path)}: left out because ${why}.`)
      .concat(failure);
    const more = lines.length - maxNotes;
    return more > 0 ? [...lines.slice(0, maxNotes), `and ${more} more.`] : lines;
  };
  const positions = new Map<unknown[], number[]>();
  const droppedElements: Path[] = [];
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const result = z.safeParse(schema, value);
    if (result.success) {
      const { data } = result;
      return { ok: true, data, notes: notes(), droppedElements, leftOut: leftOut.slice(0, maxNotes) };
    }
    if (result.error.issues.length > maxOddParts) break;
    const elements = new Map<unknown[], Set<number>>();
    for (const issue of result.error.issues) {
      const place = offendingPlace(value, issue.path);
      if (place === null || (place.path.length === 1 && kept.includes(String(place.key)))) {
        const path = writePath(originalPath(value, issue.path, positions));
        return { ok: false, notes: notes([`${path}: ${expected(issue)}.`]) };
      }
      const path = originalPath(value, place.path, positions);
      if (Array.isArray(place.container)) {
        const indices = orAdd(elements, place.container, () => new Set<number>());
        const index = Number(place.key);
        if (indices.has(index)) continue;
        indices.add(index);
        droppedElements.push(path);
      } else if (Object.hasOwn(place.container, place.key)) {
        Reflect.deleteProperty(place.container, place.key);
      } else {
        continue;
      }
      leftOut.push({ path, why: describeIssue(issue, place) });
    }
    for (const [array, indices] of elements) removeElements(array, indices, positions);
  }
  return { ok: false, notes: notes(['Too many parts of the response are invalid.']) };
}

interface Place {
  container: object;
  key: PropertyKey;
  path: Path;
  /** True if the value itself is invalid; false if something that it requires is missing. */
  isItself: boolean;
  value: unknown;
}

/** What must be removed to resolve the issue; null if that is the whole value. */
function offendingPlace(root: unknown, issuePath: Path): Place | null {
  const chain: unknown[] = [root];
  for (const key of issuePath) {
    const container = chain.at(-1);
    if (!isContainer(container) || !Object.hasOwn(container, key)) break;
    chain.push(Reflect.get(container, key));
  }
  const depth = chain.length - 1;
  if (depth === 0) return null;
  const container = chain[depth - 1];
  const key = issuePath[depth - 1];
  if (!isContainer(container) || key === undefined) return null;
  return {
    container,
    key,
    path: issuePath.slice(0, depth),
    isItself: depth === issuePath.length,
    value: chain[depth],
  };
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Removes elements and records the original positions of the remaining ones. */
function removeElements(array: unknown[], indices: Set<number>, positions: Map<unknown[], number[]>): void {
  const before = positions.get(array) ?? array.map((_element, index) => index);
  positions.set(
    array,
    before.filter((_position, index) => !indices.has(index)),
  );
  const kept = array.filter((_element, index) => !indices.has(index));
  array.splice(0, array.length);
  for (const element of kept) array.push(element);
}

/** The path in the original value, before elements were removed. */
function originalPath(root: unknown, path: Path, positions: Map<unknown[], number[]>): Path {
  let container: unknown = root;
  return path.map((key) => {
    const original = Array.isArray(container) ? positions.get(container)?.[Number(key)] : undefined;
    container = isContainer(container) ? Reflect.get(container, key) : undefined;
    return original ?? key;
  });
}

type Issue = z.core.$ZodIssue;

function describeIssue(issue: Issue, place: Place): string {
  if (!place.isItself) return `${writePath(issue.path.slice(place.path.length))} is missing or invalid`;
  return `${excerpt(place.value)} ${expected(issue)}`;
}

/** What the schema expected, as the end of a sentence. */
function expected(issue: Issue): string {
  if (issue.code === 'invalid_type') return `is not ${article(issue.expected)}`;
  if (issue.code === 'invalid_union') {
    const own = issue.errors.flat().find((inner) => inner.code === 'invalid_format');
    if (own !== undefined) return own.message;
    const types = issue.errors
      .flat()
      .flatMap((inner) => (inner.code === 'invalid_type' ? [inner.expected] : []));
    if (types.length > 0) return `is not ${[...new Set(types)].map(article).join(' or ')}`;
  }
  // All other checks of the app's schemas have their own messages.
  return issue.code === 'invalid_union' ? 'doesn’t match the specification' : issue.message;
}

function article(type: string): string {
  if (type === 'int') return 'a whole number';
  return `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type === 'string' ? 'text' : type}`;
}

/** A short, one-line excerpt of an untrusted value. */
function excerpt(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length} ${value.length === 1 ? 'item' : 'items'}`;
  if (isContainer(value)) return 'an object';
  if (typeof value !== 'string') return String(value);
  return `"${cleanText(value, 41)}"`;
}

/** Whether an element of one of the answer's own lists was left out, by a note; one about further notes may be about that. */
export function leavesOutElement(note: string): boolean {
  return /^\w+\[\d+\]: left out|^and \d+ more\.$/.test(note);
}

/** Formats a path for notes. */
export function writePath(path: Path): string {
  if (path.length === 0) return 'response';
  return path
    .map((key, depth) => (typeof key === 'number' ? `[${key}]` : `${depth === 0 ? '' : '.'}${String(key)}`))
    .join('');
}
