import type { RecordedPoll } from '../../../../../shared/health/check-run.ts';
import { pack, unpack } from './packed.ts';

/**
 * A block of history: the polls of a node within an hour, or one of them while that hour goes on, with their runs and reports.
 * Everything is kept exactly. The `core` holds what strips, uptime and searches need, the `texts` the reports.
 */

export interface HistoryPoll extends RecordedPoll {
  /** The report differs from the one before in more than times. */
  isChange: boolean;
}

/** A poll without its report. */
export interface CorePoll extends Omit<HistoryPoll, 'reportJson'> {
  hasReport: boolean;
}

export interface Block {
  core: Uint8Array;
  texts: Uint8Array;
}

/** Polls as a block, in the order given, by `pack` or, as long as the hour goes on, by `packLoosely`. */
export function packBlock(polls: readonly HistoryPoll[], packAll = pack): Block {
  return {
    core: packAll(polls.map(({ reportJson, ...core }) => ({ ...core, hasReport: reportJson !== null }))),
    texts: packAll(polls.map(({ reportJson }) => valueOf(reportJson))),
  };
}

/** All but the reports of a block. */
export function unpackCore(core: Uint8Array): CorePoll[] {
  return unpack(core);
}

/** The reports of a block, in the order of its polls, each to be read by `reportText`. */
export function unpackReports(texts: Uint8Array): unknown[] {
  return unpack(texts);
}

/** The report as it was stored. */
export function reportText(report: unknown): string {
  return typeof report === 'string' ? report : JSON.stringify(report);
}

/** The report as a value; as text where it could not be written again to the letter. */
function valueOf(reportJson: string | null): unknown {
  if (reportJson === null) return null;
  try {
    const report: unknown = JSON.parse(reportJson);
    const isValue = typeof report === 'object' && report !== null && JSON.stringify(report) === reportJson;
    return isValue ? report : reportJson;
  } catch {
    // Any text may be stored, and stays one.
    return reportJson;
  }
}
