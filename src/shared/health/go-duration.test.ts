import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDurationNs, parseGoDuration } from './go-duration.ts';

describe('parseGoDuration', () => {
  it.each([
    ['0', 0n],
    ['0s', 0n],
    ['54m47.7s', 3_287_700_000_000n],
    ['293.098ms', 293_098_000n],
    ['1h2m', 3_720_000_000_000n],
    ['2562047h47m16.854775807s', 2n ** 63n - 1n],
    ['-1.5h', -5_400_000_000_000n],
    ['+3us', 3_000n],
    ['1µs', 1_000n],
    ['1μs', 1_000n],
    ['.5s', 500_000_000n],
    ['1.s', 1_000_000_000n],
    ['0.9ns', 0n],
    ['1s1s', 2_000_000_000n],
  ])('%s', (text, ns) => {
    expect(parseGoDuration(text)).toBe(ns);
  });

  it.each([
    '',
    '-',
    '.s',
    's',
    '1',
    '1.5',
    '1 s',
    ' 1s',
    '1s ',
    '1d',
    '1e3s',
    '--1s',
    '1s-1s',
    'NaNs',
    '٣s',
    '2562047h47m16.854775808s',
    `${'1'.repeat(200)}h`,
  ])('%j is none', (text) => {
    expect(parseGoDuration(text)).toBeNull();
  });

  it('reads back every duration that Go can write', () => {
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 63n) + 1n, 2n ** 63n - 1n), (ns) => {
        expect(parseGoDuration(asGoWrites(ns))).toBe(ns);
      }),
    );
  });
});

describe('formatDurationNs', () => {
  it.each([
    [0n, '0 s'],
    [1n, '1 ns'],
    [999n, '999 ns'],
    [1_500n, '1.5 µs'],
    [999_999n, '999.999 µs'],
    [1_000_000n, '1 ms'],
    [293_098_000n, '293.098 ms'],
    [12_345_678n, '12.346 ms'],
    [999_999_999n, '1 s'],
    [47_700_000_000n, '47.7 s'],
    [59_999_600_000n, '1 min'],
    [3_287_700_000_000n, '54 min 47.7 s'],
    [3_599_999_900_000n, '1 h'],
    [3_720_000_000_000n, '1 h 2 min'],
    [3_601_400_000_000n, '1 h 1 s'],
    [86_399_800_000_000n, '1 d'],
    [90_000_000_000_000n, '1 d 1 h'],
    [-1_500n, '−1.5 µs'],
  ])('%s ns', (ns, text) => {
    expect(formatDurationNs(ns)).toBe(text);
  });

  it('never shows more than half a last digit away from the truth', () => {
    const unitNs: Record<string, number> = {
      ns: 1,
      µs: 1e3,
      ms: 1e6,
      s: 1e9,
      min: 6e10,
      h: 3.6e12,
      d: 8.64e13,
    };
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 18n), (ns) => {
        const words = formatDurationNs(ns).split(' ');
        let shown = 0;
        for (let i = 0; i < words.length; i += 2)
          shown += Number(words[i]) * (unitNs[words[i + 1] ?? ''] ?? NaN);
        const allowed = ns < 1_000_000n ? 0.5 : ns < 10n ** 9n ? 500 : ns < 3_600n * 10n ** 9n ? 5e5 : 3e10;
        expect(Math.abs(shown - Number(ns))).toBeLessThanOrEqual(allowed + 200);
      }),
    );
  });
});

function asGoWrites(ns: bigint): string {
  if (ns < 0n) return `-${asGoWrites(-ns)}`;
  const fraction = (value: bigint, digits: number): string =>
    `${value / 10n ** BigInt(digits)}.${String(value % 10n ** BigInt(digits)).padStart(digits, '0')}`.replace(
      /\.?0+$/,
      (zeros) => (zeros.startsWith('.') ? '' : zeros.replace(/0/g, '')),
    );
  if (ns === 0n) return '0s';
  if (ns < 1_000n) return `${ns}ns`;
  if (ns < 1_000_000n) return `${fraction(ns, 3)}µs`;
  if (ns < 1_000_000_000n) return `${fraction(ns, 6)}ms`;
  const hours = ns / 3_600_000_000_000n;
  const minutes = (ns / 60_000_000_000n) % 60n;
  const seconds = `${fraction(ns % 60_000_000_000n, 9)}s`;
  if (hours > 0n) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0n ? `${minutes}m${seconds}` : seconds;
}
