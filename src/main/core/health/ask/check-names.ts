import type { HealthReport } from '../../../../shared/health/types.ts';
import { counted } from './name-list.ts';

/** When each check of a node was last reported, the one that was reported last at the end. */
export type CheckNames = ReadonlyMap<string, number>;

/** Twice as many as one report may have. */
const mostNames = 10_000;
/** A name that was not reported for so long makes room for others. */
const retiredAfterMs = 86_400_000;

/**
 * The report with as many new names as the node may still have, and what is known of its names then. A name is kept for a
 * year with all that follows from it, so a node that makes up new ones with every report could fill the store.
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
  // Known ones first: they are there before any new one takes their place.
  const fresh = report.checks.filter(({ name }) => !known.has(name));
  const leftOut = new Set(fresh.slice(mostNames - known.size).map(({ name }) => name));
  for (const { name } of report.checks) {
    if (leftOut.has(name)) continue;
    known.delete(name);
    known.set(name, atMs);
  }
  if (leftOut.size === 0) return { names: known, report };
  const note =
    `The node has reported ${mostNames.toLocaleString('en-US')} different names of checks within a day; ` +
    `${counted(leftOut.size, 'check')} with further ones ${leftOut.size === 1 ? 'is' : 'are'} left out.`;
  const checks = report.checks.filter(({ name }) => !leftOut.has(name));
  return { names: known, report: { ...report, checks, notes: [...report.notes, note] } };
}
