import { describe, expect, it } from 'vitest';
import { hiddenWords, type HiddenReason } from '../../../../shared/activity/spam-types.ts';
import { bitParts } from './row-index/columns.ts';
import { reasonsOfBits } from './verdict.ts';

describe('reasons as bits', () => {
  // What is in stores must mean the same for ever: a row is added here, none is changed.
  const stored: [number, HiddenReason][] = [
    [1, 'zero-value'],
    [2, 'look-alike'],
    [4, 'fan-out'],
    [8, 'lure-text'],
    [16, 'remote-media'],
    [32, 'user'],
  ];

  it.each(stored)('%i is %s', (bits, reason) => {
    expect(reasonsOfBits(bits)).toEqual([reason]);
  });

  it('are there for every reason, and have room in the index of rows', () => {
    expect(stored.map(([, reason]) => reason).sort()).toEqual(Object.keys(hiddenWords).sort());
    expect(stored.reduce((all, [bits]) => all | bits, 0)).toBeLessThanOrEqual(bitParts.reasons.mask);
  });
});
