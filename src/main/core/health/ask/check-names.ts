import type { HealthReport } from '../../../../shared/health/types.ts';
import { counted } from '../../../../shared/text.ts';

/** When each check of a node was last reported, in that order: the most recent one is last. */
export type CheckNames = ReadonlyMap<string, number>;

/** Twice as many as one report may have. */
const mostNames = 10_000;
/** A name that was not reported for this long no longer counts towards the limit. */
const retiredAfterMs = 86_400_000;

/**
 * Leaves checks with new names out of a report once the node has reported too many names; returns the updated names
 * too. A name is kept for a year with all its runs, so a node that keeps making up new ones could fill the store.
 */
export function boundNames(
  names: CheckNames,
  report: HealthReport,
  atMs: number,
): { names: CheckNames; report: HealthReport } {
  const known = new Map(names);
  for (const [name, seenMs] of known) {
    if (atMs - seenMs < retiredAfterMs) break;
    known.delete(name);
  }
  // Only new names can be left out: known ones already have their place.
  const fresh = report.checks.filter(({ name }) => !known.has(name));
  const leftOut = new Set(fresh.slice(mostNames - known.size).map(({ name }) => name));
  for (const { name } of report.checks) {
    if (leftOut.has(name)) continue;
    known.delete(name);
    known.set(name, atMs);
  }
  if (leftOut.size === 0) return { names: known, report };
  const note =
    `The node has reported ${mostNames.toLocaleString('en-US')} different check names within a day; ` +
    `${counted(leftOut.size, 'check')} with other names ${leftOut.size === 1 ? 'is' : 'are'} left out.`;
  const checks = report.checks.filter(({ name }) => !leftOut.has(name));
  return { names: known, report: { ...report, checks, notes: [...report.notes, note] } };
}
