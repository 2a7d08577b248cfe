// How metrics are called, and the units of their values, for forms, axes and columns.
import { formatDecimal, parseDecimal } from '../../../../shared/amounts.ts';
import type { RunTarget } from '../../../../shared/explore/types.ts';
import { localNumbers } from '../../ui/text/format.ts';

const words: Readonly<Record<string, string>> = {
  tx: 'transaction',
  txs: 'transactions',
  avg: 'average',
  max: 'highest',
  gps: 'gas per second',
  tps: 'transactions per second',
  icm: 'cross-chain',
  src: 'source',
  dest: 'destination',
};

/** `validatorWeight` as `Validator weight`, `avgTps` as `Average transactions per second`. */
export function metricLabel(metric: string): string {
  const parts = metric
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(' ')
    .map((part) => words[part] ?? part);
  const label = parts.join(' ');
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** The unit of a metric's values. */
export interface MetricUnit {
  name: string;
  /** How many of their digits are a fraction of it. */
  decimals: number;
}

const primaryNetwork = '11111111111111111111111111111111LpoYY';

/**
 * The unit of what was asked; null for counts, and where no unit is known. Weights are in billionths of the token that is
 * staked, which is known for the primary network alone.
 */
export function unitOf(target: RunTarget): MetricUnit | null {
  const { metric = '', subnetId } = target.kind === 'endpoint' ? target.params : {};
  if (metric.endsWith('Weight'))
    return { name: subnetId === primaryNetwork ? 'AVAX' : 'staked tokens', decimals: 9 };
  if (metric.endsWith('Gps')) return { name: 'gas per second', decimals: 0 };
  if (metric.endsWith('Tps')) return { name: 'per second', decimals: 0 };
  return /gasUsed$/i.test(metric) ? { name: 'gas', decimals: 0 } : null;
}

/** A value in its unit, to the last digit; as it came where it has no unit. */
export function inUnit(value: string, unit: MetricUnit | null): string {
  if (unit === null || unit.decimals === 0) return value;
  const parsed = parseDecimal(value);
  if (parsed === null) return value;
  return localNumbers(formatDecimal({ ...parsed, scale: parsed.scale + unit.decimals }));
}
