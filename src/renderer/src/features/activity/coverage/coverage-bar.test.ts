import { describe, expect, it } from 'vitest';
import { neverSynced } from '../../../testing/sample-world.ts';
import { barParts, barWords, blocksText, newestBlock } from './coverage-bar.ts';

const interval = (fromBlock: string, toBlock: string) => ({ fromBlock, toBlock });
const kinds = (covered: Parameters<typeof barParts>[0], newest: bigint) =>
  barParts(covered, newest).map(({ kind, from, to }) => [kind, from, to]);

describe('the bar of a list', () => {
  it('ends at the newest block that any list knows', () => {
    const syncs = [
      { ...neverSynced, covered: [interval('0', '80')] },
      { ...neverSynced, covered: [interval('10', '100')] },
      neverSynced,
    ];
    expect(newestBlock(syncs)).toBe(100n);
    expect(newestBlock([neverSynced])).toBe(0n);
  });

  it('shows what is covered, holes between, what is older, and what is newer than the list', () => {
    expect(kinds([interval('20', '40'), interval('60', '90')], 100n)).toEqual([
      ['older', 0, 0.2],
      ['covered', 0.2, 0.4],
      ['hole', 0.4, 0.6],
      ['covered', 0.6, 0.9],
      ['newer', 0.9, 1],
    ]);
  });

  it('is one piece when all is covered, and empty when nothing is', () => {
    expect(kinds([interval('0', '100')], 100n)).toEqual([['covered', 0, 1]]);
    expect(kinds([], 100n)).toEqual([]);
    expect(kinds([interval('0', '5')], 0n)).toEqual([]);
  });

  it('holds block numbers beyond what a double holds', () => {
    const newest = 2n ** 70n;
    const parts = barParts([interval('0', String(newest - 1n))], newest);
    expect(parts.at(-1)?.interval).toEqual(interval(String(newest - 1n), String(newest)));
  });

  it('is said in a sentence', () => {
    expect(barWords(barParts([interval('0', '100')], 100n))).toBe('No gaps.');
    expect(barWords(barParts([interval('2000', '4000'), interval('4001', '9000')], 9000n))).toBe(
      '1 gap: block 4,000. Older blocks aren’t verified yet.',
    );
    expect(barWords(barParts([interval('0', '9000')], 10_000n))).toBe('No gaps. Verified up to block 8,999.');
    const odd = ['1', '3', '5', '7', '9'].map((from) => interval(from, String(Number(from) + 1)));
    expect(barWords(barParts(odd, 10n))).toMatch(/^4 gaps: block 2; block 4; block 6, and more\./);
    expect(barWords([])).toBe('No blocks verified as complete yet.');
    expect(blocksText(interval('1200', '3400'))).toBe('blocks 1,200 to 3,399');
  });
});
