import { describe, expect, it, onTestFinished } from 'vitest';
import type { RunTarget } from '../../../../shared/explore/types.ts';
import { setNotation } from '../../ui/text/notation.svelte.ts';
import { inUnit, metricLabel, unitOf } from './metric-words.ts';

const asked = (params: Record<string, string>): RunTarget => ({
  kind: 'endpoint',
  endpointId: 'staking-metrics',
  params,
});

describe('metrics in words', () => {
  it.each([
    ['validatorWeight', 'Validator weight'],
    ['avgTps', 'Average transactions per second'],
    ['maxGasPrice', 'Highest gas price'],
    ['perNodeDailyFeesPaid', 'Per node daily fees paid'],
    ['mainnet', 'Mainnet'],
  ])('%s is %s', (metric, label) => {
    expect(metricLabel(metric)).toBe(label);
  });

  it('has weights in the token that is staked, and names it where it is known', () => {
    const subnetId = '11111111111111111111111111111111LpoYY';
    expect(unitOf(asked({ metric: 'validatorWeight', subnetId }))).toEqual({ name: 'AVAX', decimals: 9 });
    expect(unitOf(asked({ metric: 'validatorWeight' }))?.name).toBe('staked tokens');
    expect(unitOf(asked({ metric: 'validatorCount' }))).toBeNull();
    expect(unitOf(asked({ metric: 'maxGps' }))?.name).toBe('gas per second');
  });

  it('loses no digit, and leaves alone what has no unit', () => {
    const weight = unitOf(asked({ metric: 'delegatorWeight' }));
    expect(inUnit('215000000000000001', weight)).toBe('215,000,000.000000001');
    expect(inUnit('12.5', weight)).toBe('0.0000000125');
    // As a double that is exact.
    expect(inUnit('1e+21', weight)).toBe('1,000,000,000,000');
    expect(inUnit('215', null)).toBe('215');
  });

  it('has amounts in the user’s notation', () => {
    setNotation('de-DE');
    onTestFinished(() => setNotation(null));
    expect(inUnit('1234500000000', unitOf(asked({ metric: 'delegatorWeight' })))).toBe('1.234,5');
  });
});
