import { describeValue } from './message.ts';
import { parseStoredReport } from './stored.ts';
import { crossingOf, type Crossing, type Point } from './trend.ts';
import type { Forecast } from './types.ts';
import { measuresOf, type Measure } from './worst-values.ts';

/** What forecasts need of the report of one moment. */
export interface ForecastSample {
  atMs: number;
  /** Figures that have a threshold; null unless every check passes. */
  figures: readonly SampledFigure[] | null;
}

interface SampledFigure extends Measure {
  check: string;
}

/**
 * Figures with a threshold that means something. A key is recognised by what it is called in messages of nodes; what is
 * not listed has no forecast, because nobody could say when it becomes bad. Thresholds are the ones that nodes are shipped
 * with; docs/incidents.md says where each comes from.
 */
const foreseen: readonly {
  key: RegExp;
  direction: 'falling' | 'rising';
  threshold: number;
}[] = [
  // The node warns below it; it stops at 3 %.
  { key: /^available.*percent(age)?$/i, direction: 'falling', threshold: 10 },
  { key: /^connectedPeers$/i, direction: 'falling', threshold: 0 },
  { key: /^sendFailRate$/i, direction: 'rising', threshold: 0.25 },
  { key: /^processing(Blocks|Vtxs|Txs)?$/i, direction: 'rising', threshold: 256 },
];

/** Below this share of free disk the node warns. */
const diskWarning = 0.1;
/** Spans that are looked at, longest first: a change of pace a few days ago must not hide what goes on since. */
const spansMs = [7 * 86_400_000, 2 * 86_400_000] as const;
/** Free bytes; their threshold follows from the percentage beside them. */
const freeBytes = /^available.*bytes$/i;
/** Figures of one check and of one node: a stranger chooses how many there are, and each costs about five milliseconds. */
const mostFigures = { check: 8, node: 64 } as const;

/** What a stored report says; one that cannot be read says nothing. */
export function forecastSample(atMs: number, reportJson: string): ForecastSample {
  const report = parseStoredReport(reportJson);
  const isGreen =
    report !== null &&
    report.healthy &&
    report.checks.length > 0 &&
    report.checks.every(({ state }) => state === 'pass');
  if (!isGreen) return { atMs, figures: null };
  const figures: SampledFigure[] = [];
  for (const { name, message } of report.checks) {
    const room = Math.min(mostFigures.check, mostFigures.node - figures.length);
    if (room === 0) break;
    for (const measure of measuresOf(message, hasThreshold).slice(0, room))
      figures.push({ check: name, ...measure });
  }
  return { atMs, figures };
}

function hasThreshold(key: string): boolean {
  return freeBytes.test(key) || foreseen.some((each) => each.key.test(key));
}

/**
 * Forecasts out of the reports of the last days, soonest first. Only reports in which every check passes count, and only
 * while the last one does; a figure is foreseen only where the fit is good (`trend.ts`), and always with its range. Free
 * bytes are forecast where the percentage beside them says how large the disk is, else until none is free.
 */
export function forecastsOf(samples: readonly ForecastSample[]): Forecast[] {
  const sorted = [...samples].sort((a, b) => a.atMs - b.atMs);
  const last = sorted.at(-1);
  if (last?.figures == null) return [];
  const figures = new Map<string, Figure>();
  // A figure that the last report lacks is not going on.
  for (const { check, ...measure } of last.figures) {
    figures.set(keyOf(check, measure.field), { check, measure, points: [] });
  }
  for (const sample of sorted) {
    for (const { check, field, value } of sample.figures ?? []) {
      figures.get(keyOf(check, field))?.points.push({ atMs: sample.atMs, value });
    }
  }
  return [...figures.values()]
    .flatMap((figure) => forecastOf(figure, figures) ?? [])
    .sort((a, b) => a.atMs - b.atMs);
}

interface Figure {
  check: string;
  measure: Measure;
  points: Point[];
}

function forecastOf(figure: Figure, figures: ReadonlyMap<string, Figure>): Forecast | null {
  const { check, measure, points } = figure;
  const limit = limitOf(figure, figures);
  if (limit === null) return null;
  const crossing = longestCrossing(points, limit);
  if (crossing === null) return null;
  return {
    check,
    field: measure.field,
    label: measure.label,
    now: measure.text,
    threshold: describeValue(limit.shown, measure.path).text,
    ...crossing,
  };
}

function longestCrossing(points: readonly Point[], { threshold, direction, spread }: Limit): Crossing | null {
  const lastMs = points.at(-1)?.atMs ?? 0;
  for (const spanMs of spansMs) {
    const recent = points.filter(({ atMs }) => lastMs - atMs <= spanMs);
    const crossing = crossingOf(recent, threshold, direction, spread);
    if (crossing !== null) return crossing;
  }
  return null;
}

interface Limit {
  threshold: number;
  direction: 'falling' | 'rising';
  /** How far the threshold may be off. */
  spread: number;
  /** As it is shown: whole where the figure is. */
  shown: number;
}

function limitOf(figure: Figure, figures: ReadonlyMap<string, Figure>): Limit | null {
  const key = figure.measure.path.at(-1) ?? '';
  if (freeBytes.test(key)) return diskLimit(figure, figures);
  const known = foreseen.find((each) => each.key.test(key));
  if (known === undefined) return null;
  // Bytes say the same with more digits.
  if (figure.measure.kind === 'percent' && bytesBeside(figure, figures)) return null;
  return { ...known, spread: 0, shown: known.threshold };
}

/** The share below which the node warns, in bytes, where a percentage stands beside them. */
function diskLimit(figure: Figure, figures: ReadonlyMap<string, Figure>): Limit {
  const percent = figures.get(keyOf(figure.check, beside(figure.measure, /bytes$/i, 'Percentage')));
  const byTime = new Map(percent?.points.map(({ atMs, value }) => [atMs, value]));
  const sizes = figure.points
    .flatMap(({ atMs, value }) => {
      const share = byTime.get(atMs) ?? 0;
      return share > 0 && share <= 100 ? [{ size: (value / share) * 100, share }] : [];
    })
    .sort((a, b) => a.size - b.size);
  const middle = sizes[Math.floor(sizes.length / 2)];
  if (middle === undefined) return { threshold: 0, direction: 'falling', spread: 0, shown: 0 };
  const threshold = middle.size * diskWarning;
  // The percentage is a whole number: the size is known to half of one.
  return {
    threshold,
    direction: 'falling',
    spread: threshold / (2 * middle.share),
    shown: Math.round(threshold),
  };
}

function bytesBeside(figure: Figure, figures: ReadonlyMap<string, Figure>): boolean {
  const { field } = figure.measure;
  const bytes = beside(figure.measure, /percent(age)?$/i, 'Bytes');
  return bytes !== field && figures.has(keyOf(figure.check, bytes));
}

/** The field with another unit in its name. */
function beside({ field }: Measure, unit: RegExp, other: string): string {
  return field.replace(unit, other);
}

function keyOf(check: string, field: string): string {
  return `${check}\n${field}`;
}
