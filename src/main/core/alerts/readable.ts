import type { Log } from '../ports.ts';

/** Without what cannot be read, which must not silence all other alerts: one that is still open is sent again. */
export function readable<T>(stored: readonly (T | null)[], log: Log): T[] {
  const all = stored.filter((one) => one !== null);
  if (all.length < stored.length) log.warn('alerts.unreadable', { count: stored.length - all.length });
  return all;
}
