import type { Json } from '../json.ts';
import { formatDurationNs, parseGoDuration } from './go-duration.ts';
import { cleanText, counted } from '../text.ts';

/** A value from a check's message, formatted for display. */
export interface MessageValue {
  /** Keys from the top, joined by dots; empty when the message itself is the value. */
  path: string;
  /** The last key as words, without its unit, which is in `text`. */
  label: string;
  /** The value with its unit. */
  text: string;
  kind: 'bytes' | 'percent' | 'duration' | 'height' | 'plain';
}

export interface DescribedMessage {
  values: MessageValue[];
  /** False when something was too deep, too long or too much to list; it is in the raw message only. */
  complete: boolean;
}

const limits = { depth: 8, values: 200, listedItems: 10, keyLength: 80, textLength: 400 } as const;

/**
 * Lists the values in a check's message, of any shape, in their order. Units are inferred from a key's spelling
 * (`…Bytes`, `percent…`, `…Percentage`, `…FailRate`, `…Height`) and from the format of durations; other values are
 * shown as they are.
 */
export function describeMessage(message: Json | null): DescribedMessage {
  const { leaves, complete } = walkMessage(message);
  const described: DescribedMessage = { values: [], complete };
  for (const { path, value } of leaves) described.values.push(describeLeaf(value, path, described));
  return described;
}

/** Values without information, which are not shown. */
const saysNothing: ReadonlySet<string> = new Set(['null', 'empty', 'none', '']);

/**
 * Sorts values by how they explain an error: first those whose names are mentioned in it ("connected to 60%":
 * `percentConnected`), then the others in their order; empty ones are left out.
 */
export function explaining(values: readonly MessageValue[], error: string | null): MessageValue[] {
  const words = new Set(
    (error ?? '')
      .toLowerCase()
      .match(/[a-z]{5,}/g)
      ?.map((word) => word.slice(0, 7)),
  );
  const score = ({ path }: MessageValue): number => {
    const name = (path.split('.').at(-1) ?? '').toLowerCase();
    return [...words].filter((word) => name.includes(word)).length;
  };
  return values
    .filter(({ text }) => !saysNothing.has(text))
    .map((value) => ({ value, score: score(value) }))
    .sort((a, b) => b.score - a.score)
    .map(({ value }) => value);
}

/** A raw value from a message with its path; entries of lists are counted from 1. */
export interface MessageLeaf {
  path: readonly string[];
  /** A scalar, a list of scalars, or something empty or too deep. */
  value: Json;
}

/** The raw values in a message: the same ones, in the same order, as `describeMessage` lists. */
export function walkMessage(message: Json | null): { leaves: MessageLeaf[]; complete: boolean } {
  const walked = { leaves: [], complete: true };
  if (message !== null) walk(message, [], walked);
  return walked;
}

/** Formats a value at this path, as `describeMessage` does. */
export function describeValue(value: Json, path: readonly string[]): MessageValue {
  return describeLeaf(value, path, { complete: true });
}

function walk(
  value: Json,
  path: readonly string[],
  into: { leaves: MessageLeaf[]; complete: boolean },
): void {
  const entries = isContainer(value) && !isScalarList(value) ? Object.entries(value) : [];
  if (entries.length === 0) {
    into.leaves.push({ path, value });
    return;
  }
  if (path.length >= limits.depth) {
    into.complete = false;
    into.leaves.push({ path, value });
    return;
  }
  for (const [key, inner] of entries) {
    if (into.leaves.length >= limits.values) {
      into.complete = false;
      return;
    }
    walk(inner, [...path, Array.isArray(value) ? String(Number(key) + 1) : key], into);
  }
}

function describeLeaf(value: Json, path: readonly string[], into: { complete: boolean }): MessageValue {
  if (!isContainer(value)) return describeScalar(value, path, into);
  if (isScalarList(value)) return plain(path, listText(value, into));
  const count = Object.keys(value).length;
  return plain(path, count === 0 ? 'empty' : counted(count, 'entry', 'entries'));
}

const isScalarList = (value: Json): value is Scalar[] => Array.isArray(value) && !value.some(isContainer);

function pathText(path: readonly string[]): string {
  return path.map((key) => cleanText(key, limits.keyLength)).join('.');
}

type Scalar = string | number | boolean | null;

function isContainer(value: Json): value is Json[] | { [key: string]: Json } {
  return typeof value === 'object' && value !== null;
}

function listText(items: readonly Scalar[], into: { complete: boolean }): string {
  if (items.length === 0) return 'none';
  const listed = items
    .slice(0, limits.listedItems)
    .map((item) => cleanText(String(item), limits.keyLength))
    .join(', ');
  if (items.length <= limits.listedItems) return listed;
  into.complete = false;
  return `${listed} and ${items.length - limits.listedItems} more`;
}

function describeScalar(value: Scalar, path: readonly string[], into: { complete: boolean }): MessageValue {
  const key = path.at(-1) ?? '';
  const unit = unitOf(key, value);
  if (unit !== null) return { path: pathText(path), ...unit };
  const text = String(value);
  if (text.length > limits.textLength) into.complete = false;
  return plain(path, cleanText(text, limits.textLength));
}

function plain(path: readonly string[], text: string): MessageValue {
  return { path: pathText(path), label: labelOf(path.at(-1) ?? ''), text, kind: 'plain' };
}

/** Null if the key implies no unit, or the value does not fit it. */
function unitOf(key: string, value: Scalar): Pick<MessageValue, 'label' | 'text' | 'kind'> | null {
  if (/bytes$/i.test(key)) {
    const bytes = wholeNumber(value);
    if (bytes !== null) {
      return { label: labelOf(key.replace(/bytes$/i, '') || key), text: bytesText(bytes), kind: 'bytes' };
    }
  }
  if (/height$/i.test(key)) {
    const height = wholeNumber(value);
    if (height !== null) return { label: labelOf(key), text: grouped(height), kind: 'height' };
  }
  if (/.percent(age)?$/i.test(key)) {
    const percent = numberOf(value);
    if (percent !== null && percent >= 0 && percent <= 100) {
      const label = labelOf(key.replace(/percent(age)?$/i, ''));
      return { label, text: percentText(percent), kind: 'percent' };
    }
  } else if (/^percent.|(fail|failure|error|drop|success)rate$/i.test(key)) {
    const fraction = numberOf(value);
    if (fraction !== null && fraction >= 0 && fraction <= 1) {
      return {
        label: labelOf(key.replace(/^percent./i, (start) => start.slice(-1).toLowerCase())),
        text: percentText(fraction * 100),
        kind: 'percent',
      };
    }
  }
  if (typeof value === 'string' && /[a-zµμ]$/.test(value)) {
    const durationNs = parseGoDuration(value);
    if (durationNs !== null) {
      return { label: labelOf(key), text: formatDurationNs(durationNs), kind: 'duration' };
    }
  }
  return null;
}

/** Numbers too large for a double are given as digits. */
function wholeNumber(value: Scalar): bigint | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null;
  return typeof value === 'string' && /^\d{1,40}$/.test(value) ? BigInt(value) : null;
}

function numberOf(value: Scalar): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d{1,20}(\.\d{1,40})?$/.test(value) ? Number(value) : null;
}

function bytesText(bytes: bigint): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
  let step = 0;
  while (step + 1 < units.length && bytes >= 1024n ** BigInt(step + 1)) step += 1;
  if (step === 0) return `${bytes} B`;
  // Rounded down, so that free space is never overstated.
  const tenths = (bytes * 10n) / 1024n ** BigInt(step);
  return `${grouped(tenths / 10n)}.${tenths % 10n} ${units[step] ?? ''}`;
}

/** Two decimals, but 0% and 100% only if exact. */
function percentText(percent: number): string {
  if (percent > 0 && percent < 0.01) return '< 0.01%';
  if (percent < 100 && percent > 99.99) return '> 99.99%';
  return `${Number(percent.toFixed(2))}%`;
}

const grouped = (value: bigint): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',');

/** `lastAcceptedHeight` becomes `last accepted height`; keys that do not look like identifiers stay as they are. */
function labelOf(key: string): string {
  if (!/^[a-z][A-Za-z0-9_ -]{0,39}$/.test(key)) return cleanText(key, limits.keyLength);
  return key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[_ -]+/)
    .filter((word) => word !== '')
    .map((word) => (/^[A-Z][A-Z0-9]+$/.test(word) ? word : word.toLowerCase()))
    .join(' ');
}
