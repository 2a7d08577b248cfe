import type { Json } from '../json.ts';
import { parseGoDuration } from './go-duration.ts';
import { describeValue, walkMessage, type MessageValue } from './message.ts';
import type { Incident } from './types.ts';

/** In which direction a number gets worse; `unknown` when its name does not tell. */
export type WorseWay = 'less' | 'more' | 'unknown';

const worseWhenLess = /avail|free|remain|connected|peers?$|percent|success|uptime/i;
const worseWhenMore =
  /disconnect|process|pending|outstanding|queue|backlog|fail|error|drop|missing|lost|behind|lag|used|longest|since|late|latency|unreachable/i;

/**
 * In which direction a number gets worse, by words in its key rather than a list of fields: more is worse for what is
 * disconnected, fails or waits; less for what is free, connected or succeeds; longer for durations. Unknown for heights
 * and other keys.
 */
export function worseWayOf(key: string, kind: MessageValue['kind']): WorseWay {
  if (kind === 'height') return 'unknown';
  if (worseWhenMore.test(key)) return 'more';
  if (worseWhenLess.test(key)) return 'less';
  return kind === 'duration' ? 'more' : 'unknown';
}

/** A number in a message, with its formatted text. Go durations are in nanoseconds. */
export interface Measure extends Omit<MessageValue, 'path'> {
  path: readonly string[];
  /** As `MessageValue.path`. */
  field: string;
  value: number;
}

/** The numbers in a message whose keys are wanted; ones too large for a double are rounded. */
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

/** Collects extreme values of messages over time; the result depends only on the messages. */
export class WorstValues {
  readonly #ranges = new Map<string, Range>();

  add(check: string, message: Json | null): void {
    for (const measure of measuresOf(message)) {
      const key = `${check}\n${measure.field}`;
      const range = this.#ranges.get(key);
      if (range === undefined) {
        // Messages are untrusted, so the number of fields is limited.
        if (this.#ranges.size >= mostFields) continue;
        const way = worseWayOf(measure.path.at(-1) ?? '', measure.kind);
        this.#ranges.set(key, { check, label: measure.label, way, low: measure, high: measure });
      } else if (measure.value < range.low.value) range.low = measure;
      else if (measure.value > range.high.value) range.high = measure;
    }
  }

  /**
   * The worst value of each field, or its range if neither direction is worse; in order of first occurrence. Without
   * heights, which only rise, and without what was never more than zero, unless less of it is worse.
   */
  list(): Incident['worst'] {
    const told = [...this.#ranges.values()].filter(
      ({ way, low, high }) =>
        high.kind !== 'height' && (way === 'less' || low.value !== 0 || high.value !== 0),
    );
    return told.map(({ check, label, way, low, high }) => {
      const isOne = low.text === high.text;
      const value =
        way === 'less' || isOne ? low.text : way === 'more' ? high.text : `${low.text} to ${high.text}`;
      return { check, label: label === '' ? 'message' : label, value };
    });
  }
}

const mostFields = 100;
