import { describe, expect, it } from 'vitest';
import type { CheckReport } from '../../../../../shared/health/types.ts';
import { chooseChecks, usualChoice, type CheckChoice } from './check-rows.ts';

const check = (name: string, part: Partial<CheckReport> = {}): CheckReport => ({
  name,
  state: 'pass',
  error: null,
  message: null,
  ranAtMs: 1_000,
  durationNs: '5',
  contiguousFailures: null,
  firstFailureAtMs: null,
  ...part,
});

const checks = [
  check('network', { ranAtMs: 3_000 }),
  check('C', { state: 'fail', contiguousFailures: 4, error: 'too slow', durationNs: '900' }),
  check('database', { ranAtMs: null, durationNs: null }),
  check('P', { state: 'stalled' }),
  check('bootstrapped', { state: 'pending' }),
  check('disk', { state: 'fail', contiguousFailures: 9 }),
  check('X', { state: 'unknown' }),
];
const names = (choice: Partial<CheckChoice>): string[] =>
  chooseChecks(checks, { ...usualChoice, ...choice }, new Map([['disk', 'Harbor']])).map(
    (row) => row.check.name,
  );

describe('the rows of the checks', () => {
  it('begin with what needs attention, equal ones by name', () => {
    expect(names({})).toEqual(['C', 'disk', 'P', 'X', 'bootstrapped', 'database', 'network']);
  });

  it.each([
    ['name', false, ['C', 'P', 'X', 'bootstrapped', 'database', 'disk', 'network']],
    ['failures', true, ['disk', 'C', 'P', 'X', 'bootstrapped', 'database', 'network']],
    ['ran', true, ['network', 'C', 'P', 'X', 'bootstrapped', 'disk', 'database']],
  ] as const)('by %s, descending %s', (order, descending, expected) => {
    expect(names({ order, descending })).toEqual(expected);
  });

  it('can be only those that do not pass, or contain a text', () => {
    expect(names({ onlyFailing: true })).toEqual(['C', 'disk', 'P', 'X', 'bootstrapped']);
    expect(names({ text: ' SLOW ' })).toEqual(['C']);
    expect(names({ text: 'chain' })).toEqual(['C', 'P', 'X']);
    expect(names({ text: 'harbor' })).toEqual(['disk']);
    expect(names({ text: 'nothing' })).toEqual([]);
  });

  it('know the chain of a check', () => {
    const chains = chooseChecks(checks, usualChoice, new Map()).map((row) => row.chain);
    expect(chains).toEqual(['C', null, 'P', 'X', null, null, null]);
  });
});
