import { cleanText, shortHash } from '../../../../../shared/text.ts';
import type { FieldDifference, Forecast, NodeStatus, Uptime } from '../../../../../shared/health/types.ts';
import { formatCount, formatGrowing, formatPlural, localNumbers } from '../../../ui/text/format.ts';
import { shortName, type ChainNames } from '../../../../../shared/health/names.ts';
import { dayMs } from '../../../../../shared/time.ts';

/** `99.982%`, rounded down, so that only an uptime without failures is `100%`. */
export const percentOfPpm = (ppm: number): string => localNumbers(`${Math.floor(ppm / 10) / 1_000}%`);

/** `0.4%` of a span; 0% or 100% only if exactly so. */
export function sharePercent(partMs: number, wholeMs: number): string {
  if (partMs <= 0 || wholeMs <= 0) return '0%';
  if (partMs >= wholeMs) return '100%';
  const percent = (partMs / wholeMs) * 100;
  if (percent < 0.1) return localNumbers('< 0.1%');
  if (percent > 99.9) return localNumbers('> 99.9%');
  return localNumbers(`${percent.toFixed(1).replace(/\.0$/, '')}%`);
}

export interface UptimeWords {
  /** `99.982% up`, or `only 12 s known` where more than half is unknown. */
  up: string;
  /** `2% unreachable`; null where it always answered. */
  unreachable: string | null;
  /** `0.4% unknown`; null where all is known, or the known time is named instead. */
  unknown: string | null;
  /** Failed of all runs, for a tooltip. */
  detail: string;
}

/** The uptime of a span with the unknown share. */
export function uptimeWords(uptime: Uptime): UptimeWords {
  const { upMs, downMs, unreachableMs, unknownMs } = uptime;
  const wholeMs = upMs + downMs + unreachableMs + unknownMs;
  const away = unreachableMs === 0 ? '' : `unreachable ${formatLong(unreachableMs)}, `;
  return {
    up: uptime.uptimePpm === null ? knownFor(uptime) : `${percentOfPpm(uptime.uptimePpm)} up`,
    unreachable: unreachableMs === 0 ? null : `${sharePercent(unreachableMs, wholeMs)} unreachable`,
    unknown:
      uptime.uptimePpm === null || unknownMs === 0 ? null : `${sharePercent(unknownMs, wholeMs)} unknown`,
    detail:
      `Up ${formatLong(upMs)}, down ${formatLong(downMs)}, ${away}unknown ${formatLong(unknownMs)}. ` +
      `${formatCount(uptime.failedRuns)} of ${formatPlural(uptime.runs, 'run')} failed.`,
  };
}

/** The words where more than half is unknown. */
function knownFor({ upMs, downMs, unreachableMs }: Uptime): string {
  const knownMs = upMs + downMs + unreachableMs;
  return knownMs === 0 ? 'unknown' : `only ${formatLong(knownMs)} of data`;
}

/** Two units of a span: `2 d 5 h`, `12 min 30 s`. */
export function formatLong(ms: number): string {
  const parts: [number, string][] = [
    [Math.floor(ms / dayMs), 'd'],
    [Math.floor(ms / 3_600_000) % 24, 'h'],
    [Math.floor(ms / 60_000) % 60, 'min'],
    [Math.floor(ms / 1_000) % 60, 's'],
  ];
  const first = parts.findIndex(([amount]) => amount > 0);
  if (first === -1) return '0 s';
  return parts
    .slice(first, first + 2)
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${formatCount(amount)} ${unit}`)
    .join(' ');
}

/** The rule of uptime in short; docs/uptime.md has the full one. */
export const uptimeRule =
  'A check is up after a passing run and down after a failing one, until its next run. If a failing run says when the ' +
  'failures began, the check counts as down from then on. A node is up while it reports that it’s healthy, and ' +
  'unreachable while it doesn’t respond to this computer. Other time counts as unknown, for example while the computer was ' +
  'asleep, the app was closed, the node was paused, or the check hadn’t run yet. ' +
  'Uptime is up / (up + down + unreachable), rounded down.';

const figure =
  /^(?:[<>] )?\d[\d,]*(?:\.\d+)?(?:%| (?:B|[KMGTPE]iB|[nµm]?s|min|h|d))(?: |$)|^\d{1,3}(?:,\d{3})+$/;

/** A value of a message: with a unit or groups of digits in the user's notation, else as the node wrote it. */
export const messageValue = (text: string): string => (figure.test(text) ? localNumbers(text) : text);

/** `engine.connectedPeers 48 → 3`; `none` stands for a value that was or is absent. */
export function differenceWords({ field, before, after }: Omit<FieldDifference, 'label'>): string {
  const name = field === 'message' ? 'message' : field.replace(/^message\./, '');
  return `${name} ${messageValue(before ?? 'none')} → ${messageValue(after ?? 'none')}`;
}

/** The same with words for the field, and long values shortened in the middle: `connected peers 48 → 3`. */
export function differenceInShort({ label, before, after, check }: FieldDifference): string {
  const short = (value: string | null): string | null =>
    value === null ? null : shortHash(cleanText(value, 80), 16, 6);
  return differenceWords({ check, field: label, before: short(before), after: short(after) });
}

/** A height or id that normally changes with every block. */
export function isProgress({ field, before, after }: FieldDifference): boolean {
  return before !== null && after !== null && /^message\b/.test(field) && /(height|id|hash)$/i.test(field);
}

const spanUnits: readonly (readonly [number, string])[] = [
  [dayMs, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
];

/** `in about 9 days (6 to 14)`, in the unit that fits the middle; a range within one unit is left out. */
export function forecastWords({ atMs, earliestMs, latestMs }: Forecast, nowMs: number): string {
  const leftMs = Math.max(0, atMs - nowMs);
  const [sizeMs, unit] = spanUnits.find(([size]) => leftMs >= 2 * size) ?? [60_000, 'minute'];
  const count = (ms: number): number => Math.max(0, Math.round((ms - nowMs) / sizeMs));
  const [about, from, to] = [count(atMs), count(earliestMs), count(latestMs)];
  const range = from === to ? '' : ` (${formatCount(from)} to ${formatCount(to)})`;
  return `in about ${formatPlural(about, unit)}${range}`;
}

/**
 * How often the node is polled, as learned or as chosen by the user. Polling at the user's interval shows a node that
 * runs as often, but not whether it runs more often.
 */
export function periodWords({ periodMs, node }: Pick<NodeStatus, 'periodMs' | 'node'>): string {
  const { intervalMs } = node;
  const learned = periodMs === null ? 'unknown so far' : `every ${seconds(periodMs)}`;
  if (intervalMs === null) return learned;
  const isInTime = periodMs !== null && Math.abs(periodMs / intervalMs - 1) < 0.1;
  return `${isInTime ? 'at least ' : ''}${learned}; polled every ${seconds(intervalMs)}`;
}

/** For a node whose connection does not show when the node ends. */
export const closedWords =
  'The connection to this node closes between polls. If the node stops, the app notices only at its next request, ' +
  'at most 20 s later.';

/** For a node that was due to be asked more often than its budget allows. */
export const heldBackWords =
  'The app sends each node at most 5 requests a minute. Shown here: how many requests ' +
  'this limit has delayed since the app started, for example because connections keep closing.';

function seconds(ms: number): string {
  if (ms >= 60_000) return formatLong(ms);
  return localNumbers(`${Number((ms / 1_000).toFixed(1))} s`);
}

/** `took 5.2 s, usually 0.3 s`. */
export function slowWords(
  { check, nowMs, usualMs }: NodeStatus['slowChecks'][number],
  chains: ChainNames,
): string {
  return `${shortName(check, chains)} took ${seconds(nowMs)}, usually ${seconds(usualMs)}`;
}

/** The size of a history: `12.4 MB`. */
export function formatMegabytes(bytes: number): string {
  const megabytes = bytes / 1e6;
  return localNumbers(megabytes < 0.1 ? '< 0.1 MB' : `${Number(megabytes.toFixed(1))} MB`);
}

/** `4 h`, `for 4 h now`: how long something has lasted or lasts; `at least 4 h` where nothing is known since `heardMs`. */
export function lastedWords(
  startedAtMs: number,
  endedAtMs: number | null,
  nowMs: number,
  heardMs: number | null = null,
): string {
  const ms = Math.max(0, (endedAtMs ?? heardMs ?? nowMs) - startedAtMs);
  if (endedAtMs !== null) return formatLong(ms);
  return heardMs === null ? `for ${formatGrowing(ms)} now` : `at least ${formatLong(ms)}`;
}
