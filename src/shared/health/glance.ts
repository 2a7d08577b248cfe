import { cleanText } from '../text.ts';
import type { Json } from '../json.ts';
import { describeValue, walkMessage } from './message.ts';
import { chainOf } from './scope.ts';
import type { ChainHeight, CheckReport } from './types.ts';
import { measuresOf, type Measure } from './worst-values.ts';

/** What an operator looks for first, as far as the messages of a report have it, with units; null where they do not. */
export interface Glance {
  /** Share of the stake that is connected, of the chain that has least. */
  stake: string | null;
  peers: number | null;
  freeDisk: string | null;
}

const stakeKey = /^percent_?connected$/i;
const peersKey = /^(connected_?)?peers$/i;
const freeKey = /^(avail|free)/i;
const isLookedFor = (key: string): boolean => [stakeKey, peersKey, freeKey].some((one) => one.test(key));

/** Found by how keys are spelled, as everywhere; no check is known by its name. */
export function glanceOf(checks: readonly CheckReport[]): Glance {
  let stake: Measure | null = null;
  let peers: number | null = null;
  let freeDisk: string | null = null;
  for (const { message } of checks) {
    const free: Measure[] = [];
    for (const measure of measuresOf(message, isLookedFor)) {
      const key = measure.path.at(-1) ?? '';
      if (stakeKey.test(key) && measure.value < (stake?.value ?? Infinity)) stake = measure;
      if (peersKey.test(key)) peers ??= measure.value;
      if (freeKey.test(key)) free.push(measure);
    }
    const bytes = free.find(({ kind }) => kind === 'bytes');
    const share = free.find(({ kind }) => kind === 'percent');
    // Without bytes it may be free memory, or anything.
    if (bytes !== undefined) freeDisk ??= share === undefined ? bytes.text : `${bytes.text} (${share.text})`;
  }
  return { stake: stake?.text ?? null, peers, freeDisk };
}

/** Newest height of a chain in words: of what it has accepted, else the highest that its message names. */
function heightOf(message: Json | null): string | null {
  const heights = walkMessage(message).leaves.flatMap(({ path, value }) => {
    const { kind, text } = describeValue(value, path);
    if (kind !== 'height') return [];
    return [
      { text, height: BigInt(text.replaceAll(',', '')), isAccepted: /accept/i.test(path.at(-1) ?? '') },
    ];
  });
  const accepted = heights.filter(({ isAccepted }) => isAccepted);
  let newest: (typeof heights)[number] | undefined;
  for (const one of accepted.length > 0 ? accepted : heights) {
    if (newest === undefined || one.height > newest.height) newest = one;
  }
  return newest?.text ?? null;
}

/**
 * The heights in a report, with what is known from reports before of how long they have stood still. Counted by the times of
 * the runs: while a check does not run, nobody knows whether its chain goes on.
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

/** What fails, the worst first: what is of the whole node before what is of one chain, and what fails longest before the rest. */
export function worstErrors(checks: readonly CheckReport[]): SharedError[] {
  const isOfChain = (check: CheckReport) => Number(chainOf(check.name, check.message) !== null);
  const sinceMs = (check: CheckReport) => check.firstFailureAtMs ?? Infinity;
  const failing = checks
    .filter(({ state }) => state === 'fail')
    .sort((a, b) => isOfChain(a) - isOfChain(b) || compare(sinceMs(a), sinceMs(b)));
  const byError = new Map<string, string[]>();
  for (const check of failing) {
    const error = cleanText(check.error ?? '', 300);
    const same = byError.get(error);
    if (same === undefined) byError.set(error, [check.name]);
    else same.push(check.name);
  }
  return [...byError].map(([error, names]) => ({ error, checks: names }));
}

const compare = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0);
