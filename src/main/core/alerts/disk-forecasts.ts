import { figureOf } from '../../../shared/health/figures.ts';
import type { Forecast, NodeStatus } from '../../../shared/health/types.ts';
import { hourMs } from '../../../shared/time.ts';
import type { Clock, Log } from '../ports.ts';

export interface DiskForecastDeps {
  forecasts: (call: { id: string }) => Promise<readonly Forecast[]>;
  clock: Clock;
  log: Log;
}

/** When the disks of nodes will be full; made again after an hour, from reports in which all checks pass. */
export class DiskForecasts {
  readonly #deps: DiskForecastDeps;
  readonly #known = new Map<string, { atMs: number; forecasts: readonly Forecast[] }>();

  constructor(deps: DiskForecastDeps) {
    this.#deps = deps;
  }

  /** Null while nothing is known. */
  async of({ node: { id }, state }: NodeStatus): Promise<readonly Forecast[] | null> {
    const { forecasts, clock, log } = this.#deps;
    const known = this.#known.get(id) ?? null;
    const atMs = clock.monotonicMs();
    if (state !== 'healthy' || (known !== null && atMs - known.atMs < hourMs))
      return known?.forecasts ?? null;
    try {
      const all = await forecasts({ id });
      const ofDisks = all.filter(({ field }) =>
        ['freeBytes', 'freeShare'].includes(figureOf(field.split('.').at(-1) ?? '') ?? ''),
      );
      this.#known.set(id, { atMs, forecasts: ofDisks });
      return ofDisks;
    } catch (cause) {
      log.error('alerts.forecast', cause);
      return known?.forecasts ?? null;
    }
  }
}
