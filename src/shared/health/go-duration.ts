import { largestInteger } from '../integers.ts';

const nanosecondsPerUnit: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n, // U+00B5, what Go writes
  μs: 1_000n, // U+03BC, what Go also reads
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const part = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/y;

/** Go's durations are 64-bit: about 292 years. */
export const largestDurationNs = largestInteger;

/**
 * Parses a duration as Go writes it (`54m47.7s`, `293.098ms`, `-1h2m`, `0s`) to nanoseconds; null for any other text.
 * Exact; like Go, drops digits below a nanosecond. A number needs a unit, except `0`.
 */
export function parseGoDuration(text: string): bigint | null {
  // Go writes at most 26 characters; longer texts are not worth parsing.
  if (text.length === 0 || text.length > 100) return null;
  const sign = /^[-+]/.test(text) ? 1 : 0;
  if (text.slice(sign) === '0') return 0n;
  let total = 0n;
  let at = sign;
  while (at < text.length) {
    part.lastIndex = at;
    const match = part.exec(text);
    if (match === null) return null;
    const [matched, whole = '', fraction = '', unit = ''] = match;
    if (whole === '' && fraction === '') return null;
    const unitNs = nanosecondsPerUnit[unit] ?? 0n;
    total += BigInt(whole || '0') * unitNs;
    total += (BigInt(fraction || '0') * unitNs) / 10n ** BigInt(fraction.length);
    at += matched.length;
  }
  if (at === sign || total > largestDurationNs) return null;
  return text.startsWith('-') ? -total : total;
}

/**
 * Formats a duration, rounded to a thousandth of its unit: `293.098 ms`, `54 min 47.7 s`, `1 h 2 min`, `0 s`. Rounds to
 * seconds from an hour on, and to minutes from a day on.
 */
export function formatDurationNs(ns: bigint): string {
  if (ns < 0n) return `−${formatDurationNs(-ns)}`;
  if (ns === 0n) return '0 s';
  if (ns < 1_000n) return `${ns} ns`;
  for (const [unit, unitNs] of [
    ['µs', 1_000n],
    ['ms', 1_000_000n],
  ] as const) {
    const thousandths = roundTo(ns, unitNs / 1_000n);
    if (thousandths < 1_000_000n) return `${decimal(thousandths)} ${unit}`;
  }
  const milliseconds = roundTo(ns, 1_000_000n);
  if (milliseconds < 60_000n) return `${decimal(milliseconds)} s`;
  if (milliseconds < 3_600_000n) {
    return joined([milliseconds / 60_000n, 'min'], [decimal(milliseconds % 60_000n), 's']);
  }
  const seconds = roundTo(ns, 1_000_000_000n);
  if (seconds < 86_400n) {
    return joined([seconds / 3_600n, 'h'], [(seconds % 3_600n) / 60n, 'min'], [seconds % 60n, 's']);
  }
  const minutes = roundTo(ns, 60_000_000_000n);
  return joined([minutes / 1_440n, 'd'], [(minutes % 1_440n) / 60n, 'h'], [minutes % 60n, 'min']);
}

const roundTo = (ns: bigint, unitNs: bigint): bigint => (ns + unitNs / 2n) / unitNs;

/** Thousandths as a decimal without trailing zeros. */
function decimal(thousandths: bigint): string {
  const fraction = String(thousandths % 1_000n)
    .padStart(3, '0')
    .replace(/0+$/, '');
  return fraction === '' ? `${thousandths / 1_000n}` : `${thousandths / 1_000n}.${fraction}`;
}

function joined(...parts: (readonly [bigint | string, string])[]): string {
  return parts
    .filter(([amount]) => String(amount) !== '0')
    .map(([amount, unit]) => `${amount} ${unit}`)
    .join(' ');
}
