import { figureOf } from '../../../shared/health/figures.ts';
import { AppFailure } from '../../../shared/errors.ts';
import type { Forecast, NodeStatus } from '../../../shared/health/types.ts';
import { hourMs } from '../../../shared/time.ts';
import type { Ports } from '../ports.ts';

export interface DiskForecastDeps extends Pick<Ports, 'clock' | 'log'> {
  forecasts: (call: { id: string }) => Promise<readonly Forecast[]>;
}

/**
 * When the disks of nodes will be full; made again after an hour, from reports in which all checks pass. What it returns says
 * what is known now, which is never waited for; null while nothing is.
 */
export function createDiskForecasts({ forecasts, clock, log }: DiskForecastDeps) {
  /** By node. Null until the first is made. */
  const known = new Map<string, { atMs: number; forecasts: readonly Forecast[] | null }>();

  async function make(id: string, atMs: number): Promise<void> {
    try {
      const all = await forecasts({ id });
      const ofDisks = all.filter(({ field }) =>
        ['freeBytes', 'freeShare'].includes(figureOf(field.split('.').at(-1) ?? '') ?? ''),
      );
      known.set(id, { atMs, forecasts: ofDisks });
    } catch (cause) {
      const isRemoved = cause instanceof AppFailure && cause.error.code === 'not-found';
      if (!isRemoved) log.error('alerts.forecast', cause);
    }
  }

  return ({ node: { id }, state }: NodeStatus): readonly Forecast[] | null => {
    const last = known.get(id) ?? { atMs: -Infinity, forecasts: null };
    const atMs = clock.monotonicMs();
    if (state === 'healthy' && atMs - last.atMs >= hourMs) {
      known.set(id, { ...last, atMs });
      void make(id, atMs);
    }
    return last.forecasts;
  };
}
