import type { CheckRun } from '../../../../../shared/health/check-run.ts';
import type { NodeState } from '../../../../../shared/health/types.ts';
import { pack, unpack } from './packed.ts';

/**
 * A block of history: the polls of a node over a span, with their runs and reports. Everything is kept exactly. The `core`
 * holds what strips, uptime and searches need, the `texts` the reports, as far as the core does not say the same.
 */

/** A poll without its report. */
export interface CorePoll {
  polledAtMs: number;
  state: NodeState;
  /** The report differs from the one before in more than times. */
  isChange: boolean;
  hasReport: boolean;
  reason: string;
  reportedNodeId: string | null;
  runs: readonly CheckRun[];
}

export interface HistoryPoll extends Omit<CorePoll, 'hasReport'> {
  reportJson: string | null;
}

export interface Block {
  core: Uint8Array;
  texts: Uint8Array;
}

/** Packs polls, in the order given. */
export function packBlock(polls: readonly HistoryPoll[]): Block {
  return {
    core: pack(polls.map(({ reportJson, ...core }) => ({ ...core, hasReport: reportJson !== null }))),
    texts: pack(polls.map(({ reportJson, runs }) => shorten(reportJson, runs))),
  };
}

/** All but the reports of a block. */
export function unpackCore(core: Uint8Array): CorePoll[] {
  return unpack(core);
}

/** Everything in a block, or the polls in it of which `isWanted` says so. */
export function unpackBlock(
  { core, texts }: Block,
  isWanted: (poll: CorePoll) => boolean = () => true,
): HistoryPoll[] {
  const reports = unpack(texts);
  return unpackCore(core).flatMap((poll, at) => {
    if (!isWanted(poll)) return [];
    const { hasReport, ...rest } = poll;
    return [{ ...rest, reportJson: hasReport ? lengthen(reports[at], poll.runs) : null }];
  });
}

/** What the report says of a check, and the run of it nearly always as well. */
const saidTwice = ['state', 'error', 'ranAtMs', 'contiguousFailures', 'firstFailureAtMs'] as const;
/** Stands for what the run says; no report has it there. */
const asRun = true;

/** The report as a value, without what its runs say; as text where it could not be written again to the letter. */
function shorten(reportJson: string | null, runs: readonly CheckRun[]): unknown {
  if (reportJson === null) return null;
  try {
    const report: unknown = JSON.parse(reportJson);
    if (!isRecord(report) || JSON.stringify(report) !== reportJson) return reportJson;
    exchange(report, runs, (field, ofRun) => {
      if (field === asRun) throw new TypeError('no report has that');
      return field === ofRun ? asRun : field;
    });
    return report;
  } catch {
    // Any text may be stored, and stays one.
    return reportJson;
  }
}

function lengthen(report: unknown, runs: readonly CheckRun[]): string {
  if (typeof report === 'string') return report;
  exchange(report, runs, (field, ofRun) => (field === asRun ? ofRun : field));
  return JSON.stringify(report);
}

/** Puts other values where a report says of a check what a run says. */
function exchange(
  report: unknown,
  runs: readonly CheckRun[],
  other: (field: unknown, ofRun: unknown) => unknown,
): void {
  if (!isRecord(report) || !Array.isArray(report['checks'])) return;
  const known = new Map<unknown, CheckRun>(runs.map((run) => [run.check, run]));
  const checks: readonly unknown[] = report['checks'];
  for (const check of checks) {
    if (!isRecord(check)) continue;
    const run = known.get(check['name']);
    if (run === undefined) continue;
    for (const key of saidTwice) if (Object.hasOwn(check, key)) check[key] = other(check[key], run[key]);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
