import { expect, it } from 'vitest';
import { figureOf, withoutUnit } from './figures.ts';

it.each([
  ['availableDiskBytes', 'freeBytes'],
  ['freeDiskBytes', 'freeBytes'],
  ['available_bytes', 'freeBytes'],
  ['availableDiskPercentage', 'freeShare'],
  ['freeDiskPercent', 'freeShare'],
  ['percentConnected', 'stake'],
  ['percent_connected', 'stake'],
  ['connectedPeers', 'peers'],
  ['peers', 'peers'],
  ['sendFailRate', 'failedSends'],
  ['processingVtxs', 'processing'],
  ['usedDiskBytes', null],
  ['constructor', null],
])('the key %s of a message stands for %s', (key, figure) => {
  expect(figureOf(key)).toBe(figure);
});

it('figures that tell the same in different units are found by what they have in common', () => {
  expect(withoutUnit('availableDiskBytes')).toBe(withoutUnit('availableDiskPercentage'));
  expect(withoutUnit('availableDiskBytes')).not.toBe(withoutUnit('freeDiskBytes'));
});
