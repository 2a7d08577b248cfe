import { describe, expect, it } from 'vitest';
import type { Json } from '../json.ts';
import { measuresOf, worseWayOf, WorstValues } from './worst-values.ts';

const worst = (...messages: (Json | null)[]): Record<string, string> => {
  const values = new WorstValues();
  for (const message of messages) values.add('a', message);
  return Object.fromEntries(values.list().map(({ label, value }) => [label, value]));
};

describe('worseWayOf', () => {
  it.each([
    ['connectedPeers', 'plain', 'less'],
    ['availableDiskBytes', 'bytes', 'less'],
    ['availableDiskPercentage', 'percent', 'less'],
    ['percentConnected', 'percent', 'less'],
    ['successRate', 'percent', 'less'],
    ['disconnectedValidators', 'plain', 'more'],
    ['percentDisconnected', 'percent', 'more'],
    ['sendFailRate', 'percent', 'more'],
    ['processingBlocks', 'plain', 'more'],
    ['longestProcessingBlock', 'duration', 'more'],
    ['timeSinceLastMsgReceived', 'duration', 'more'],
    ['anything', 'duration', 'more'],
    ['memoryUsedBytes', 'bytes', 'more'],
    ['lastAcceptedHeight', 'height', 'unknown'],
    ['pendingHeight', 'height', 'unknown'],
    ['peer', 'plain', 'less'],
    ['peersAsked', 'plain', 'unknown'],
    ['gasPrice', 'plain', 'unknown'],
    ['sizeBytes', 'bytes', 'unknown'],
  ] as const)('%s (%s): %s', (key, kind, way) => {
    expect(worseWayOf(key, kind)).toBe(way);
  });
});

describe('WorstValues', () => {
  it('keeps the worst value where it is known which way is worse, and else the range', () => {
    expect(
      worst(
        { connectedPeers: 48, longestProcessingBlock: '3s', availableDiskBytes: 2048, odd: 3, height: 10 },
        {
          connectedPeers: 3,
          longestProcessingBlock: '54m47.7s',
          availableDiskBytes: 1024,
          odd: 9,
          height: 12,
        },
        { connectedPeers: 20, longestProcessingBlock: '0s', availableDiskBytes: 4096, odd: 4, height: 11 },
      ),
    ).toEqual({
      'connected peers': '3',
      'longest processing block': '54 min 47.7 s',
      'available disk': '1.0 KiB',
      odd: '3 to 9',
    });
  });

  it('leaves out heights and what was never more than zero, but not a zero that is the worst', () => {
    expect(
      worst(
        { connectedPeers: 0, processingBlocks: 0, outstandingRequests: 0, lastAcceptedHeight: 7 },
        { connectedPeers: 0, processingBlocks: 0, outstandingRequests: 2, lastAcceptedHeight: 9 },
      ),
    ).toEqual({ 'connected peers': '0', 'outstanding requests': '2' });
  });

  it('says a value that stayed the same once', () => {
    expect(worst({ odd: 7 }, { odd: 7 }, null, {})).toEqual({ odd: '7' });
  });

  it('does not take texts for numbers, and takes numbers that a double cannot hold', () => {
    expect(worst({ a: 'none', b: true, c: null, d: [1, 2] })).toEqual({});
    expect(worst({ freeBytes: '18446744073709551615' }, { freeBytes: '18446744073709551614' })).toEqual({
      free: '15.9 EiB',
    });
    expect(worst(5, 6)).toEqual({ message: '5 to 6' });
    expect(worst({ a: '1.25', b: 'v1', c: '1.2.3' }, { a: '-0.5' })).toEqual({ a: '-0.5 to 1.25' });
    expect(measuresOf('9'.repeat(500))).toEqual([]);
  });

  it('reads only the fields that are wanted, by the last word of their path', () => {
    const wanted = measuresOf({ a: 1, b: { a: 2, c: 3 } }, (key) => key === 'a');
    expect(wanted.map(({ path, value }) => [path.join('.'), value])).toEqual([
      ['a', 1],
      ['b.a', 2],
    ]);
  });

  it('stays small whatever a stranger sends', () => {
    const values = new WorstValues();
    for (let round = 0; round < 5; round += 1) {
      values.add(
        `c${round}`,
        Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`k${index}`, round + 1])),
      );
    }
    expect(values.list()).toHaveLength(100);
  });
});
