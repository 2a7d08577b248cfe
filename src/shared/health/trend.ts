/** A figure at a moment. */
export interface Point {
  atMs: number;
  value: number;
}

/** When a fitted line crosses a threshold, with a confidence interval. */
export interface Crossing {
  atMs: number;
  earliestMs: number;
  latestMs: number;
}

/**
 * Limits for a fit to be shown. Each rejects a different kind of noise that looks like a trend; the truth table in the
 * tests has a series for each.
 */
export const fitLimits = {
  fewestPoints: 24,
  shortestSpanMs: 12 * 3_600_000,
  /** Kendall's tau, ties included: nearly all pairs of points change in the same direction. */
  leastMonotony: 0.65,
  /** Minimum ratio of the change along the line to the spread of the points around it. */
  leastChangeToSpread: 4,
  /** Minimum ratio of the smaller to the larger of the changes from the first to the second and to the last third. */
  leastSteadiness: 0.4,
  /**
   * By how much the last three points may be better than the line, as a multiple of the spread and as a share of the change:
   * where room was made, the figure does not go on as before. What has become worse is still told.
   */
  mostAhead: { spreads: 4, ofChange: 0.05 },
  /** Longest forecast, as a multiple of the observed span. */
  longestLookAhead: 6,
  /** Maximum ratio of the range from earliest to latest to the time until the crossing. */
  widestRange: 1.5,
} as const;

/** Standard normal quantile for 99 %, because real series are less random than the theory assumes. */
const z = 2.576;
/** Converts the median absolute deviation to the standard deviation of normal noise. */
const madToSigma = 1.4826;

/**
 * When a figure that goes on as before falls (`falling`) or rises to a threshold, seen from the last point. Robust: the
 * slope is the median of the slopes of all pairs (Theil–Sen), with a confidence interval by ranks, widened if residuals
 * are correlated. `thresholdSpread` is the uncertainty of the threshold. Null if the fit does not meet `fitLimits`, the
 * threshold is already passed, or the figure moves away from it. Points may be in any order.
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

  // Negating a rising figure reduces it to the falling case.
  const sign = direction === 'falling' ? 1 : -1;
  const fit = fitLine(sorted.map(({ atMs, value }) => ({ atMs: atMs - last.atMs, value: value * sign })));
  if (fit === null || fit.highSlope >= 0) return null;
  if (fit.monotony > -fitLimits.leastMonotony) return null;
  const change = -fit.slope * spanMs;
  if (change < fitLimits.leastChangeToSpread * fit.sigma) return null;
  const { spreads, ofChange } = fitLimits.mostAhead;
  if (fit.ahead > Math.max(spreads * fit.sigma, ofChange * change)) return null;

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
  /** Value of the line at time zero, which is the last point. */
  level: number;
  levelSpread: number;
  /** Standard deviation of the points around the line. */
  sigma: number;
  /** By how much the last three points are above the line. */
  ahead: number;
  monotony: number;
  steadiness: number;
}

function fitLine(points: readonly Point[]): Line | null {
  const pairs = (points.length * (points.length - 1)) / 2;
  // Typed arrays for speed: there is one slope per pair of points.
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
  const sigma = sigmaOf(residuals);
  // Correlated residuals carry less information than independent ones.
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
    ahead: medianOf(residuals.slice(-3)),
    monotony: concordance / pairs,
    steadiness: steadinessOf(points.map(({ value }) => value)),
  };
}

/** 1 for a straight line, less for a bend, 0 where the direction turns. */
function steadinessOf(values: readonly number[]): number {
  const third = Math.floor(values.length / 3);
  const middle = medianOf(values.slice(third, -third));
  const before = middle - medianOf(values.slice(0, third));
  const after = medianOf(values.slice(-third)) - middle;
  if (before * after <= 0) return 0;
  return Math.min(before / after, after / before);
}

/**
 * Autocorrelation of the residuals at lag one, limited to 0 to 0.9. Around a fitted line it is underestimated, the more
 * so with few points; this is corrected.
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

/** Null when it is outside of the values. */
function quantile(sorted: ArrayLike<number>, fraction: number): number | null {
  if (!(fraction >= 0 && fraction <= 1) || sorted.length === 0) return null;
  const place = fraction * (sorted.length - 1);
  const low = sorted[Math.floor(place)] ?? 0;
  const high = sorted[Math.ceil(place)] ?? 0;
  return low + (high - low) * (place - Math.floor(place));
}

/** Standard deviation of normal noise with these residuals, which outliers hardly move. */
export function sigmaOf(residuals: readonly number[]): number {
  return madToSigma * medianOf(residuals.map(Math.abs));
}

/** The middle value, or the mean of the two in the middle; 0 of none. */
export const medianOf = (values: readonly number[]): number =>
  quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  ) ?? 0;
