import type { Json } from '../json.ts';
import { parseGoDuration } from './go-duration.ts';
import { describeValue, walkMessage, type MessageValue } from './message.ts';
import type { Incident } from './types.ts';

/** Which way a number gets worse; `unknown` where its name does not tell. */
export type WorseWay = 'less' | 'more' | 'unknown';

const worseWhenLess = /avail|free|remain|connected|peers?$|percent|success|uptime/i;
const worseWhenMore =
  /disconnect|process|pending|outstanding|queue|backlog|fail|error|drop|missing|lost|behind|lag|used|longest|since|late|latency|unreachable/i;

/**
 * Which way the number under this key is worse. By the words in the key, never by a list of fields: what is disconnected,
 * fails or waits is worse when it is more; what is free, connected or succeeds when it is less; durations when longer.
 * Heights and unknown words have no worse way.
 */
export function worseWayOf(key: string, kind: MessageValue['kind']): WorseWay {
  if (kind === 'height') return 'unknown';
  if (worseWhenMore.test(key)) return 'more';
  if (worseWhenLess.test(key)) return 'less';
  return kind === 'duration' ? 'more' : 'unknown';
}

/** Numbers of a message by path, with the words for them. A Go duration counts in nanoseconds. */
export interface Measure extends Omit<MessageValue, 'path'> {
  path: readonly string[];
  /** As `MessageValue.path`. */
  field: string;
  value: number;
}

/** The numbers in a message under the keys that are wanted; digits that a double cannot hold are as near as a double comes. */
export function measuresOf(message: Json | null, wants: (key: string) => boolean = () => true): Measure[] {
  const measures: Measure[] = [];
  for (const { path, value } of walkMessage(message).leaves) {
    if (!wants(path.at(-1) ?? '')) continue;
    const number = numberOf(value);
    if (number === null) continue;
    const described = describeValue(value, path);
    measures.push({ ...described, path, field: described.path, value: number });
  }
  return measures;
}

function numberOf(value: Json): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return null;
  if (/^-?\d{1,400}(\.\d{1,40})?$/.test(value)) {
    const number = Number(value);
    return Number.isFinite(number) ? number : null;
  }
  const durationNs = /[a-zµμ]$/.test(value) ? parseGoDuration(value) : null;
  return durationNs === null ? null : Number(durationNs);
}

interface Range {
  check: string;
  label: string;
  way: WorseWay;
  low: Measure;
  high: Measure;
}

/** Collects the extreme values of messages over time; what it returns depends on the messages alone, not on how often asked. */
export class WorstValues {
  readonly #ranges = new Map<string, Range>();

  add(check: string, message: Json | null): void {
    for (const measure of measuresOf(message)) {
      const key = `${check}\n${measure.field}`;
      const range = this.#ranges.get(key);
      if (range === undefined) {
        // A stranger chooses how many fields there are.
        if (this.#ranges.size >= mostFields) continue;
        const way = worseWayOf(measure.path.at(-1) ?? '', measure.kind);
        this.#ranges.set(key, { check, label: measure.label, way, low: measure, high: measure });
      } else if (measure.value < range.low.value) range.low = measure;
      else if (measure.value > range.high.value) range.high = measure;
    }
  }

  /** The worst value of each field, or its range where no way is the worse one; in the order of first sight. */
  list(): Incident['worst'] {
    return [...this.#ranges.values()].map(({ check, label, way, low, high }) => {
      const isOne = low.text === high.text;
      const value =
        way === 'less' || isOne ? low.text : way === 'more' ? high.text : `${low.text} to ${high.text}`;
      return { check, label: label === '' ? 'message' : label, value };
    });
  }
}

const mostFields = 100;
