import { figureOf, withoutUnit, type FigureName } from './figures.ts';
import { describeValue } from './message.ts';
import { parseStoredReport } from './stored.ts';
import { crossingOf, type Crossing, type Point } from './trend.ts';
import type { Forecast } from './types.ts';
import { measuresOf, type Measure } from './worst-values.ts';

/** The parts of one report that forecasts need. */
export interface ForecastSample {
  atMs: number;
  /** Figures that have a threshold; null unless all checks pass. */
  figures: readonly SampledFigure[] | null;
}

interface SampledFigure extends Measure {
  check: string;
}

/**
 * Thresholds of figures; null where the figure beside it tells it. Others get no forecast, since it is unknown at which
 * value they are bad. The thresholds are the defaults of nodes; docs/incidents.md has their sources.
 */
const foreseen: Partial<Record<FigureName, { direction: 'falling' | 'rising'; threshold: number } | null>> = {
  // The node warns below 10 %, and stops at 3 %.
  freeShare: { direction: 'falling', threshold: 10 },
  freeBytes: null,
  peers: { direction: 'falling', threshold: 0 },
  failedSends: { direction: 'rising', threshold: 0.25 },
  processing: { direction: 'rising', threshold: 256 },
};

/** The node warns when less than this share of the disk is free. */
const diskWarning = 0.1;
/** Spans to fit, longest first: a change of pace a few days ago must not hide the trend since then. */
const spansMs = [7 * 86_400_000, 2 * 86_400_000] as const;
/** Limits for one check and one node: messages are untrusted, and each figure takes about five milliseconds. */
const mostFigures = { check: 8, node: 64 } as const;

/** Extracts the figures from a stored report; one that cannot be parsed has none. */
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
  const figure = figureOf(key);
  return figure !== null && figure in foreseen;
}

/**
 * Forecasts from the reports of the last days, soonest first. Uses only reports in which all checks pass, and only if
 * the last one is among them; a figure is forecast only if the fit is good (`trend.ts`), and always with a range. Free
 * bytes are forecast to the warning level if a percentage tells the size of the disk, otherwise until none is free.
 */
export function forecastsOf(samples: readonly ForecastSample[]): Forecast[] {
  const sorted = [...samples].sort((a, b) => a.atMs - b.atMs);
  const last = sorted.at(-1);
  if (last?.figures == null) return [];
  const figures = new Map<string, Figure>();
  // A figure that is missing from the last report is no longer current.
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
  /** Uncertainty of the threshold. */
  spread: number;
  /** The value to show: a whole number if the figure is one. */
  shown: number;
}

function limitOf(figure: Figure, figures: ReadonlyMap<string, Figure>): Limit | null {
  const name = nameOf(figure);
  if (name === 'freeBytes') return diskLimit(figure, figures);
  // The bytes next to it are more precise.
  if (name === 'freeShare' && beside(figure, 'freeBytes', figures) !== null) return null;
  const known = name === null ? null : foreseen[name];
  if (known === null || known === undefined) return null;
  return { ...known, spread: 0, shown: known.threshold };
}

/** The warning level in bytes, if there is a percentage next to the figure. */
function diskLimit(figure: Figure, figures: ReadonlyMap<string, Figure>): Limit {
  const percent = beside(figure, 'freeShare', figures);
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
  // The percentage is a whole number, so the size of the disk is known to half a percent only.
  return {
    threshold,
    direction: 'falling',
    spread: threshold / (2 * middle.share),
    shown: Math.round(threshold),
  };
}

const nameOf = ({ measure }: Figure): FigureName | null => figureOf(measure.path.at(-1) ?? '');

/** The same figure of the same check in another unit. */
function beside(
  { check, measure }: Figure,
  name: FigureName,
  figures: ReadonlyMap<string, Figure>,
): Figure | null {
  const isBeside = (other: Figure) =>
    other.check === check &&
    nameOf(other) === name &&
    withoutUnit(other.measure.field) === withoutUnit(measure.field);
  return [...figures.values()].find(isBeside) ?? null;
}

const keyOf = (check: string, field: string): string => `${check}\n${field}`;
