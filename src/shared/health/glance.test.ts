import { describe, expect, it } from 'vitest';
import type { Json } from '../json.ts';
import { glanceOf, heightsOf, worstErrors } from './glance.ts';
import type { CheckReport } from './types.ts';

const check = (name: string, message: Json | null, fields: Partial<CheckReport> = {}): CheckReport => ({
  name,
  state: 'pass',
  error: null,
  message,
  ranAtMs: 1_000,
  durationNs: '1',
  contiguousFailures: null,
  firstFailureAtMs: null,
  ...fields,
});

const chain = (lastAcceptedHeight: Json, percentConnected: Json = 1): Json => ({
  engine: { consensus: { lastAcceptedHeight, lastAcceptedID: 'x', processingBlocks: 0 }, vm: null },
  networking: { disconnectedValidators: [], percentConnected },
});

describe('what is looked for first', () => {
  it('comes from the messages, the least stake of all chains', () => {
    const disk = { availableDiskBytes: 80_792_932_352, availableDiskPercentage: 29 };
    const checks = [
      check('C', chain(5, 0.8)),
      check('P', chain(5, 0.6)),
      check('X', chain(5)),
      check('diskspace', disk),
      check('network', { connectedPeers: 1_263, sendFailRate: 0.1 }),
    ];
    expect(glanceOf(checks)).toEqual({ stake: '60%', peers: 1_263, freeDisk: '75.2 GiB (29%)' });
  });

  it.each<[string, CheckReport[], object]>([
    ['no checks', [], {}],
    ['checks that say nothing', [check('C', null), check('network', 'fine')], {}],
    [
      'an old node, without the share of the disk',
      [check('d', { availableDiskBytes: 1024 })],
      { freeDisk: '1.0 KiB' },
    ],
    ['a chain of an old node', [check('C', { percentConnected: 0.5, consensus: {} })], { stake: '50%' }],
    ['what is free, but no disk', [check('m', { availableWorkers: 4, freePercent: 5 })], {}],
    ['those who are not connected', [check('n', { disconnectedPeers: 4, disconnectedValidators: [] })], {}],
    ['a share that is none', [check('C', { percentConnected: 'much' })], {}],
  ])('is only what is there: %s', (_what, checks, there) => {
    expect(glanceOf(checks)).toEqual({ stake: null, peers: null, freeDisk: null, ...there });
  });
});

describe('heights of chains', () => {
  it('are of chains alone, exact, and of what was accepted', () => {
    const checks = [
      check('C', chain('61000000000000000000000')),
      check('P', { consensus: { lastAcceptedHeight: 7 }, syncTargetHeight: 99 }),
      check('myChain', { engine: { startHeight: 3, topHeight: 4 }, networking: {} }),
      check('X', { engine: { consensus: {} }, networking: {} }),
      check('upgrade', { nextHeight: 5 }),
    ];
    expect(heightsOf([], checks).map((one) => [one.check, one.height])).toEqual([
      ['C', '61,000,000,000,000,000,000,000'],
      ['P', '7'],
      ['myChain', '4'],
    ]);
  });

  it('stand still from the first run that had them to the last', () => {
    const at = (ranAtMs: number, height: number) => [check('C', chain(height), { ranAtMs })];
    const first = heightsOf([], at(1_000, 5));
    expect(first).toEqual([{ check: 'C', height: '5', sinceMs: 1_000, ranAtMs: 1_000 }]);
    const second = heightsOf(first, at(31_000, 5));
    expect(second).toMatchObject([{ sinceMs: 1_000, ranAtMs: 31_000 }]);
    // The same run again: nobody knows whether the chain goes on.
    expect(heightsOf(second, at(31_000, 5))).toEqual(second);
    expect(heightsOf(second, at(61_000, 6))).toMatchObject([{ height: '6', sinceMs: 61_000 }]);
    expect(heightsOf(second, at(500, 5))).toMatchObject([{ sinceMs: 500 }]);
    expect(heightsOf(second, [check('C', chain(5), { ranAtMs: null })])).toEqual([]);
  });
});

describe('the worst errors', () => {
  it('are those of the whole node, then what fails longest; equal ones once', () => {
    const failing = (name: string, error: string | null, firstFailureAtMs: number | null) =>
      check(name, null, { state: 'fail', error, firstFailureAtMs });
    const checks = [
      failing('C', 'stake', 10),
      check('bls', null),
      failing('P', 'stake', 5),
      failing('X', 'stuck', 7),
      failing('disk', 'full', null),
      failing('network', 'no peers\u0000', 50),
      check('router', null, { state: 'stalled', error: 'old' }),
    ];
    expect(worstErrors(checks)).toEqual([
      { error: 'no peers\uFFFD', checks: ['network'] },
      { error: 'full', checks: ['disk'] },
      { error: 'stake', checks: ['P', 'C'] },
      { error: 'stuck', checks: ['X'] },
    ]);
    expect(worstErrors([failing('a', null, 1)])).toEqual([{ error: '', checks: ['a'] }]);
  });
});
