import type { RecordedPoll } from '../../../../../shared/health/check-run.ts';
import { pack } from './packed.ts';

/**
 * A block of history: a node's polls of one hour, or a single poll while that hour lasts, with runs and reports.
 * Nothing is lost. `core` holds what strips, uptime and searches need, `texts` the reports.
 */

export interface HistoryPoll extends RecordedPoll {
  /** The report differs from the one before in more than its times. */
  isChange: boolean;
}

/** A poll without its report. */
export interface CorePoll extends Omit<HistoryPoll, 'reportJson'> {
  hasReport: boolean;
}

/** Packs polls into a block, in the given order: with `pack`, or with `packLoosely` while the hour lasts. */
export function packBlock(polls: readonly HistoryPoll[], packAll = pack) {
  return {
    core: packAll(polls.map(coreOf)),
    texts: packAll(polls.map(({ reportJson }) => valueOf(reportJson))),
  };
}

export function coreOf({ reportJson, ...core }: HistoryPoll): CorePoll {
  return { ...core, hasReport: reportJson !== null };
}

/** The report as it was stored, from what `texts` has of it. */
export function reportText(report: unknown): string {
  return typeof report === 'string' ? report : JSON.stringify(report);
}

/** The parsed report; the text itself if it could not be restored exactly from the parsed form. */
function valueOf(reportJson: string | null): unknown {
  if (reportJson === null) return null;
  try {
    const report: unknown = JSON.parse(reportJson);
    const isValue = typeof report === 'object' && report !== null && JSON.stringify(report) === reportJson;
    return isValue ? report : reportJson;
  } catch {
    // Any text may be stored, and is kept as it is.
    return reportJson;
  }
}
