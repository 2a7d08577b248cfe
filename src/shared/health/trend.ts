/** A figure at a moment. */
export interface Point {
  atMs: number;
  value: number;
}

/** When a line through the points passes a threshold, and the moments between which it does so with confidence. */
export interface Crossing {
  atMs: number;
  earliestMs: number;
  latestMs: number;
}

/**
 * What makes a fit good enough to be told. Each stops another way of reading a trend into noise; the truth table in the
 * tests has a series for each.
 */
export const fitLimits = {
  fewestPoints: 24,
  shortestSpanMs: 12 * 3_600_000,
  /** Kendall's tau, with ties as they are: nearly all pairs of points go the same way. */
  leastMonotony: 0.65,
  /** The change along the line against the spread of the points around it. */
  leastChangeToSpread: 4,
  /** From the first third to the second and from there to the last it goes on alike: the smaller change to the larger. */
  leastSteadiness: 0.4,
  /** No further ahead than so many times the span that was seen. */
  longestLookAhead: 6,
  /** The range from earliest to latest against the time to the crossing. */
  widestRange: 1.5,
} as const;

/** Standard normal quantile of the range: 99 %, since real series are less random than the theory wants. */
const z = 2.576;
/** Spread of normal noise from its median absolute deviation. */
const madToSigma = 1.4826;

/**
 * When the figure, if it goes on as it did, falls (`falling`) or rises to a threshold, seen from the last point. Robust: the
 * slope is the median of the slopes of all pairs (Theil and Sen), its range by ranks, made wider where neighbouring
 * residuals resemble each other. `thresholdSpread` is how far the threshold itself may be off. Null whenever the fit is not
 * good by `fitLimits`, the threshold is passed already, or the figure moves the other way. Points need not be in order.
 */
export function crossingOf(
  points: readonly Point[],
  threshold: number,
  direction: 'falling' | 'rising',
  thresholdSpread = 0,
): Crossing | null {
  if (points.length < fitLimits.fewestPoints) return null;
  const sorted = [...points].sort((a, b) => a.atMs - b.atMs);
  const first = sorted[0];
  const last = sorted.at(-1);
  if (first === undefined || last === undefined) return null;
  const spanMs = last.atMs - first.atMs;
  if (spanMs < fitLimits.shortestSpanMs) return null;

  // A rising figure is a falling one below zero, so that there is one case.
  const sign = direction === 'falling' ? 1 : -1;
  const fit = fitLine(sorted.map(({ atMs, value }) => ({ atMs: atMs - last.atMs, value: value * sign })));
  if (fit === null || fit.highSlope >= 0) return null;
  if (fit.monotony > -fitLimits.leastMonotony) return null;
  if (-fit.slope * spanMs < fitLimits.leastChangeToSpread * fit.sigma) return null;

  if (fit.steadiness < fitLimits.leastSteadiness) return null;

  const drop = fit.level - threshold * sign;
  const slack = fit.levelSpread + thresholdSpread;
  if (drop - slack <= 0) return null;
  const atMs = drop / -fit.slope;
  const earliestMs = (drop - slack) / -fit.lowSlope;
  const latestMs = (drop + slack) / -fit.highSlope;
  if (latestMs > fitLimits.longestLookAhead * spanMs) return null;
  if (latestMs - earliestMs > fitLimits.widestRange * atMs) return null;
  const from = (ms: number): number => Math.round(last.atMs + ms);
  return { atMs: from(atMs), earliestMs: from(earliestMs), latestMs: from(latestMs) };
}

interface Line {
  slope: number;
  lowSlope: number;
  highSlope: number;
  /** At time zero, which is the last point. */
  level: number;
  levelSpread: number;
  /** Spread of the points around the line. */
  sigma: number;
  monotony: number;
  steadiness: number;
}

function fitLine(points: readonly Point[]): Line | null {
  const pairs = (points.length * (points.length - 1)) / 2;
  // Numbers without objects, sorted without calls: there are as many as pairs of points.
  const allSlopes = new Float64Array(pairs);
  let slopeCount = 0;
  let concordance = 0;
  points.forEach((b, index) => {
    for (let earlier = 0; earlier < index; earlier += 1) {
      const a = points[earlier] ?? b;
      concordance += Math.sign(b.value - a.value);
      if (b.atMs > a.atMs) allSlopes[slopeCount++] = (b.value - a.value) / (b.atMs - a.atMs);
    }
  });
  const slopes = allSlopes.subarray(0, slopeCount).sort();
  const slope = quantile(slopes, 0.5);
  if (slope === null) return null;
  const intercept = medianOf(points.map(({ atMs, value }) => value - slope * atMs));
  const residuals = points.map(({ atMs, value }) => value - slope * atMs - intercept);
  const sigma = madToSigma * medianOf(residuals.map(Math.abs));
  // Neighbours that resemble each other tell less than as many strangers would.
  const alike = likeness(residuals);
  const inflation = Math.sqrt((1 + alike) / (1 - alike));

  const count = points.length;
  const rankSpread = inflation * z * Math.sqrt((count * (count - 1) * (2 * count + 5)) / 18);
  const lowSlope = quantile(slopes, 0.5 - rankSpread / (2 * slopes.length));
  const highSlope = quantile(slopes, 0.5 + rankSpread / (2 * slopes.length));
  if (lowSlope === null || highSlope === null) return null;
  return {
    slope,
    lowSlope,
    highSlope,
    level: intercept,
    levelSpread: (inflation * z * sigma) / Math.sqrt(count),
    sigma,
    monotony: concordance / pairs,
    steadiness: steadinessOf(points.map(({ value }) => value)),
  };
}

/** 1 for a straight line, less where it bends, nothing where it turns. */
function steadinessOf(values: readonly number[]): number {
  const third = Math.floor(values.length / 3);
  const middle = medianOf(values.slice(third, -third));
  const before = middle - medianOf(values.slice(0, third));
  const after = medianOf(values.slice(-third)) - middle;
  if (before * after <= 0) return 0;
  return Math.min(before / after, after / before);
}

/**
 * Correlation of each residual with the next, from 0 to 0.9. Around a fitted line it comes out too small, the more so the
 * fewer points there are; what is missing is added.
 */
function likeness(residuals: readonly number[]): number {
  let own = 0;
  let next = 0;
  for (const [index, residual] of residuals.entries()) {
    own += residual * residual;
    next += residual * (residuals[index + 1] ?? 0);
  }
  if (own === 0) return 0;
  const found = next / own;
  return Math.min(0.9, Math.max(0, found + (1 + 4 * Math.max(0, found)) / residuals.length));
}

/** Null when it lies outside of the values. */
function quantile(sorted: ArrayLike<number>, fraction: number): number | null {
  if (!(fraction >= 0 && fraction <= 1) || sorted.length === 0) return null;
  const place = fraction * (sorted.length - 1);
  const low = sorted[Math.floor(place)] ?? 0;
  const high = sorted[Math.ceil(place)] ?? 0;
  return low + (high - low) * (place - Math.floor(place));
}

function medianOf(values: readonly number[]): number {
  return (
    quantile(
      [...values].sort((a, b) => a - b),
      0.5,
    ) ?? 0
  );
}
