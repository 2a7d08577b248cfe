import type { NodeState } from '../../../../../shared/health/types.ts';
import { isSameResult, type CheckRun } from '../../../../../shared/health/check-run.ts';
import { splitReport, type ReportCheck, type ReportParts } from './report-parts.ts';

/** A poll as it is packed: its report and its runs nearly always say the same, so it is stored once. */

export interface HistoryPoll {
  polledAtMs: number;
  state: NodeState;
  /** The report differs from the one before in more than times. */
  isChange: boolean;
  reason: string;
  reportedNodeId: string | null;
  reportJson: string | null;
  runs: readonly CheckRun[];
}

/** What a check of a report has to do with the runs of its poll. */
export const kinds = {
  /** The run was seen before. */
  seen: 0,
  /** It is a run of this poll. */
  run: 1,
  /** The same, under another time than the node's. */
  runAtOtherTime: 2,
  /** A run of this poll that is not in the report. */
  loose: 3,
} as const;

export interface Entry extends ReportCheck {
  poll: number;
  kind: number;
  /** Of `runAtOtherTime` and `loose`. */
  otherTimeMs: number | null;
}

export const reportKinds = { none: 0, parts: 1, whole: 2 } as const;

export interface PollParts {
  poll: HistoryPoll;
  reportKind: number;
  report: ReportParts | null;
  entries: Entry[];
}

/** The parts of the poll at place `at` of its block. */
export function takeApart(poll: HistoryPoll, at: number): PollParts {
  const report = poll.reportJson === null ? null : splitReport(poll.reportJson);
  const reportKind =
    poll.reportJson === null ? reportKinds.none : report === null ? reportKinds.whole : reportKinds.parts;
  const entries = (report?.checks ?? []).map((check): Entry => ({
    ...check,
    poll: at,
    kind: kinds.seen,
    otherTimeMs: null,
  }));
  return { poll, reportKind, report, entries: withRuns(entries, poll.runs, at) };
}

/** Finds the runs in the report, whose order they keep; those that are not there follow on it. */
function withRuns(entries: readonly Entry[], runs: readonly CheckRun[], poll: number): Entry[] {
  const found = entries.map((entry) => ({ ...entry }));
  let next = 0;
  let at = 0;
  for (; at < runs.length; at += 1) {
    const run = runs[at];
    while (next < found.length && found[next]?.name !== run?.check) next += 1;
    const entry = found[next];
    if (entry === undefined || run === undefined || !isSameResult(entry, run)) break;
    const hasOwnTime = entry.ranAtMs === run.ranAtMs;
    entry.kind = hasOwnTime ? kinds.run : kinds.runAtOtherTime;
    entry.otherTimeMs = hasOwnTime ? null : run.ranAtMs;
    next += 1;
  }
  return [...found, ...runs.slice(at).map((run) => looseEntry(run, poll))];
}

function looseEntry({ check, ranAtMs, ...run }: CheckRun, poll: number): Entry {
  return { ...run, name: check, ranAtMs: null, layout: '', poll, kind: kinds.loose, otherTimeMs: ranAtMs };
}

/** The run that an entry stands for. */
export function toRun(entry: Entry): CheckRun {
  const { name, state, durationNs, contiguousFailures, firstFailureAtMs, error, messageJson } = entry;
  return {
    check: name,
    state,
    ranAtMs: entry.otherTimeMs ?? entry.ranAtMs ?? 0,
    durationNs,
    contiguousFailures,
    firstFailureAtMs,
    error,
    messageJson,
  };
}
