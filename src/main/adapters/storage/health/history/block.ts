import type { CheckRun, RecordedPoll } from '../../../../../shared/health/check-run.ts';
import { pack } from './packed.ts';
import type { RowList } from './rows.ts';
import { unpack, withRows } from './unpacked.ts';

/**
 * A block of history: a node's polls of one hour, or a single poll while that hour lasts, with runs and reports.
 * Nothing is lost. `core` holds what strips, uptime and searches need, `texts` the reports.
 */

export interface HistoryPoll extends RecordedPoll {
  /** The report differs from the one before in more than its times. */
  isChange: boolean;
}

/** A poll without its report. */
export interface CorePoll extends Omit<HistoryPoll, 'reportJson' | 'runs'> {
  hasReport: boolean;
  runs: CoreRuns;
}

const runFields = [
  'check',
  'state',
  'ranAtMs',
  'contiguousFailures',
  'firstFailureAtMs',
  'error',
] as const satisfies readonly (keyof CheckRun)[];
export type CoreRuns = RowList<CheckRun>;

/** The runs of a list of rows, as they were packed. */
export function runsOf({ rows: { fields }, from, to }: CoreRuns): CheckRun[] {
  return Array.from({ length: to - from }, (_, at) => {
    const row = from + at;
    return {
      check: fields.check.at(row),
      state: fields.state.at(row),
      ranAtMs: fields.ranAtMs.at(row),
      contiguousFailures: fields.contiguousFailures.at(row),
      firstFailureAtMs: fields.firstFailureAtMs.at(row),
      error: fields.error.at(row),
    };
  });
}

export interface Block {
  core: Uint8Array;
  texts: Uint8Array;
}

/** Packs polls into a block, in the given order: with `pack`, or with `packLoosely` while the hour lasts. */
export function packBlock(polls: readonly HistoryPoll[], packAll = pack): Block {
  return {
    core: packAll(polls.map(withoutReport)),
    texts: packAll(polls.map(({ reportJson }) => valueOf(reportJson))),
  };
}

const runList = { key: 'runs', names: runFields };

/** Everything but the reports of a block. */
export function unpackCore(core: Uint8Array): CorePoll[] {
  return unpack(core, runList);
}

/** The same of polls that are in no block. */
export function coreOf(polls: readonly HistoryPoll[]): CorePoll[] {
  return withRows(polls.map(withoutReport), runList);
}

function withoutReport({ reportJson, ...core }: HistoryPoll) {
  return { ...core, hasReport: reportJson !== null };
}

/** The reports of a block, in the order of its polls; convert each with `reportText`. */
export function unpackReports(texts: Uint8Array): unknown[] {
  return unpack(texts);
}

/** The report as it was stored. */
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
