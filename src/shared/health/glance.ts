import { cleanText } from '../text.ts';
import type { Json } from '../json.ts';
import { figureOf } from './figures.ts';
import { describeValue, walkMessage } from './message.ts';
import { chainOf } from './scope.ts';
import type { ChainHeight, CheckReport } from './types.ts';
import { measuresOf, type Measure } from './worst-values.ts';

/** Key figures from the messages of a report, with units; null where there are none. */
export interface Glance {
  /** Connected share of the stake, for the chain where it is lowest. */
  stake: string | null;
  peers: number | null;
  freeDisk: string | null;
}

export function glanceOf(checks: readonly CheckReport[]): Glance {
  let stake: Measure | null = null;
  let peers: number | null = null;
  let freeDisk: string | null = null;
  for (const { message } of checks) {
    const free: Measure[] = [];
    for (const measure of measuresOf(message, (key) => figureOf(key) !== null)) {
      const figure = figureOf(measure.path.at(-1) ?? '');
      if (figure === 'stake' && measure.value < (stake?.value ?? Infinity)) stake = measure;
      if (figure === 'peers') peers ??= measure.value;
      if (figure === 'freeBytes' || figure === 'freeShare') free.push(measure);
    }
    const bytes = free.find(({ kind }) => kind === 'bytes');
    const share = free.find(({ kind }) => kind === 'percent');
    // Without bytes next to it, a percentage may be of memory or anything else.
    if (bytes !== undefined) freeDisk ??= share === undefined ? bytes.text : `${bytes.text} (${share.text})`;
  }
  return { stake: stake?.text ?? null, peers, freeDisk };
}

/** Text of a chain's newest height: the accepted one, or else the highest in its message. */
function heightOf(message: Json | null): string | null {
  const heights = walkMessage(message).leaves.flatMap(({ path, value }) => {
    const { kind, text } = describeValue(value, path);
    if (kind !== 'height') return [];
    return [
      { text, height: BigInt(text.replaceAll(',', '')), isAccepted: /accept/i.test(path.at(-1) ?? '') },
    ];
  });
  const accepted = heights.filter(({ isAccepted }) => isAccepted);
  const [newest] = (accepted.length > 0 ? accepted : heights).sort((a, b) => Number(b.height - a.height));
  return newest?.text ?? null;
}

/**
 * The heights in a report, and since when each has been unchanged, using earlier reports. Uses the times of the runs:
 * while a check does not run, it is unknown whether its chain advances.
 */
export function heightsOf(before: readonly ChainHeight[], checks: readonly CheckReport[]): ChainHeight[] {
  const known = new Map(before.map((height) => [height.check, height]));
  return checks.flatMap(({ name, message, ranAtMs }) => {
    const height = chainOf(name, message) === null || ranAtMs === null ? null : heightOf(message);
    if (height === null || ranAtMs === null) return [];
    const same = known.get(name);
    const stands = same?.height === height && same.sinceMs <= ranAtMs;
    return [{ check: name, height, sinceMs: stands ? same.sinceMs : ranAtMs, ranAtMs }];
  });
}

/** Checks that fail with the same error. */
export interface SharedError {
  checks: string[];
  /** Empty where the node gave none. */
  error: string;
}

/** Errors of failing checks, the worst first: of the whole node before of a chain, then the longest failing. */
export function worstErrors(checks: readonly CheckReport[]): SharedError[] {
  const isOfChain = (check: CheckReport) => Number(chainOf(check.name, check.message) !== null);
  const sinceMs = (check: CheckReport) => check.firstFailureAtMs ?? Infinity;
  const failing = checks
    .filter(({ state }) => state === 'fail')
    .sort((a, b) => isOfChain(a) - isOfChain(b) || sinceMs(a) - sinceMs(b) || 0);
  const byError = Map.groupBy(failing, ({ error }) => cleanText(error ?? '', 300));
  return [...byError].map(([error, same]) => ({ error, checks: same.map(({ name }) => name) }));
}
