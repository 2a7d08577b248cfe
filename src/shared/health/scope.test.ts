import { describe, expect, it } from 'vitest';
import type { Json } from '../json.ts';
import { chainChecksOf, chainOf } from './scope.ts';

const blockchainId = '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5';

describe('chainOf', () => {
  it.each<[string, Json | null, string | null]>([
    ['C', null, 'C'],
    ['P', 'text', 'P'],
    [blockchainId, null, blockchainId],
    ['my-game', { engine: { consensus: {}, vm: null }, networking: {} }, 'my-game'],
    ['my-game', { consensus: {}, percentConnected: 1 }, 'my-game'],
    ['network', { connectedPeers: 3, sendFailRate: 0 }, null],
    ['bootstrapped', [blockchainId], null],
    ['bootstrapped', null, null],
    ['diskspace', { availableDiskBytes: 1 }, null],
    ['futureupgrade', null, null],
    ['', null, null],
    ['c', null, null],
    ['hostile', JSON.parse('{"__proto__":{"engine":1}}') as Json, null],
    [`0${blockchainId}`, null, null],
  ])('%s %j: %s', (check, message, chain) => {
    expect(chainOf(check, message)).toBe(chain);
  });

  it('finds the checks of chains in a report', () => {
    const check = (name: string, message: Json | null) => ({
      name,
      state: 'pass' as const,
      error: null,
      message,
      ranAtMs: null,
      durationNs: null,
      contiguousFailures: null,
      firstFailureAtMs: null,
    });
    const checks = [check('network', {}), check('C', null), check('game', { engine: {} })];
    expect(chainChecksOf({ healthy: true, checks, notes: [] })).toEqual(['C', 'game']);
    expect(chainChecksOf(null)).toEqual([]);
  });
});
