import type { Tone } from '../text/tone.ts';

/** One span of a strip: a shape, and the sentence that is read out for it. */
export interface StripSpan {
  /** Null before the node was watched; such spans are at the start. */
  tone: Tone | null;
  words: string;
}

/** Height of each shape as a share of the strip; what is well is full, and what failed has a gap of its own. */
const heights: Readonly<Record<Tone, number>> = {
  gone: 1,
  fail: 1,
  stalled: 0.74,
  warn: 0.56,
  pass: 1,
  idle: 0.3,
  paused: 0.3,
  running: 0.3,
  none: 0,
};

/** The parts of a bar below and above its gap, so that colour is not the only sign: a failure is an exclamation mark. */
const gaps: Partial<Record<Tone, readonly [foot: number, head: number]>> = {
  fail: [0.2, 0.66],
  gone: [0.25, 0.25],
};

/** Bars of one tone as one path. Edges fall on whole pixels, so that all bars are equally sharp. */
export function barPath(spans: readonly StripSpan[], tone: Tone, width: number, height: number): string {
  const gap = width / spans.length >= 4 ? 1 : 0;
  const tall = tone === 'none' ? 1 : Math.max(2, Math.round(height * heights[tone]));
  let path = '';
  spans.forEach((span, index) => {
    if (span.tone !== tone) return;
    const left = spanLeft(index, spans.length, width);
    // At least one pixel, also where there are more spans than pixels.
    const wide = Math.max(1, spanLeft(index + 1, spans.length, width) - left - gap);
    const [foot, head] = gaps[tone] ?? [1, 0];
    const [low, high] = [Math.ceil(tall * foot), Math.floor(tall * head)];
    path += `M${left} ${height}v${-low}h${wide}v${low}z`;
    if (high > 0) path += `M${left} ${height - tall + high}v${-high}h${wide}v${high}z`;
  });
  return path;
}

/** The left edge of a span, in whole pixels. */
export function spanLeft(index: number, count: number, width: number): number {
  return Math.round((index * width) / count);
}

/** The span after a key press, or null when the key means nothing here. */
export function spanAfterKey(key: string, index: number, count: number): number | null {
  const last = count - 1;
  const moves: Readonly<Record<string, number>> = {
    ArrowLeft: index - 1,
    ArrowDown: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index + 1,
    PageDown: index - 10,
    PageUp: index + 10,
    Home: 0,
    End: last,
  };
  const next = moves[key];
  return next === undefined ? null : Math.min(last, Math.max(0, next));
}
