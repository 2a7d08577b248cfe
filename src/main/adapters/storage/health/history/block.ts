import type { CheckState, NodeState } from '../../../../../shared/health/types.ts';
import { SqlFailure } from '../../sqlite/sql.ts';
import { ColumnReader, ColumnWriter } from './columns.ts';
import { readTexts, TextParts, writeTexts } from './json-texts.ts';
import {
  kinds,
  reportKinds,
  takeApart,
  toRun,
  type Entry,
  type HistoryPoll,
  type PollParts,
} from './poll-parts.ts';
import { joinReport } from './report-parts.ts';
import { seal, unseal } from './sealed.ts';
import { checkStates, nodeStates } from './states.ts';

/**
 * A block of history: the polls of a node over a span, with their runs and reports. Everything is kept exactly. The `core`
 * holds what strips, uptime and searches need, the `texts` the messages and what else makes a report.
 */

/** A run without its message. */
export interface CoreRun {
  check: string;
  state: CheckState;
  ranAtMs: number;
  contiguousFailures: number | null;
  firstFailureAtMs: number | null;
  error: string | null;
}

export interface CorePoll {
  polledAtMs: number;
  state: NodeState;
  isChange: boolean;
  hasReport: boolean;
  reason: string;
  reportedNodeId: string | null;
  runs: CoreRun[];
}

export interface Block {
  core: Uint8Array;
  texts: Uint8Array;
}

/** Packs polls, in the order given. */
export function packBlock(polls: readonly HistoryPoll[]): Block {
  const parts = polls.map(takeApart);
  const names = [...new Set(parts.flatMap(({ entries }) => entries.map(({ name }) => name)))];
  const places = new Map(names.map((name, place) => [name, place]));
  const byCheck: Entry[][] = names.map(() => []);
  for (const { entries } of parts)
    for (const entry of entries) byCheck[places.get(entry.name) ?? 0]?.push(entry);
  return { core: packCore(parts, names, places, byCheck), texts: packTexts(parts, byCheck) };
}

/** All but the messages and reports of a block. */
export function unpackCore(core: Uint8Array): CorePoll[] {
  return readCore(core, false).polls;
}

/** Everything in a block, or the polls in it of which `isWanted` says so. */
export function unpackBlock(block: Block, isWanted: (poll: CorePoll) => boolean = () => true): HistoryPoll[] {
  const { polls, byCheck, entries, reportKinds: kindOf } = readCore(block.core, true);
  const reports = readReports(block.texts, kindOf, byCheck);
  return polls.flatMap((poll, at): HistoryPoll[] => {
    if (!isWanted(poll)) return [];
    const { polledAtMs, state, isChange, reason, reportedNodeId } = poll;
    const report = reports[at];
    const own = entries[at] ?? [];
    let reportJson: string | null = null;
    if (report !== undefined && 'whole' in report) reportJson = report.whole;
    else if (report !== undefined) {
      const checks = own.filter(({ kind }) => kind !== kinds.loose);
      reportJson = joinReport({ ...report, checks });
    }
    const runs = own.filter(({ kind }) => kind !== kinds.seen).map(toRun);
    return [{ polledAtMs, state, isChange, reason, reportedNodeId, reportJson, runs }];
  });
}

// ---- Core ------------------------------------------------------------------------------------------------------------

function packCore(
  parts: readonly PollParts[],
  names: readonly string[],
  places: ReadonlyMap<string, number>,
  byCheck: readonly Entry[][],
): Uint8Array {
  const writer = new ColumnWriter();
  writer.json(names);
  writer.count(parts.length);
  writer.numbers(parts.map(({ poll }) => poll.polledAtMs));
  writer.numbers(parts.map(({ poll }) => nodeStates.indexOf(poll.state)));
  writer.numbers(parts.map(({ poll }) => (poll.isChange ? 1 : 0)));
  writer.numbers(parts.map(({ reportKind }) => reportKind));
  writer.texts(parts.map(({ poll }) => poll.reason));
  writeNullableTexts(
    writer,
    parts.map(({ poll }) => poll.reportedNodeId),
  );
  // Which checks a poll has is nearly always the same list.
  const lists = parts.map(({ entries }) => entries.map(({ name }) => places.get(name)).join(' '));
  writer.texts(lists);
  const starts = parts.map(({ entries }) => startOf(entries.find(({ ranAtMs }) => ranAtMs !== null)));
  writer.nullable(starts);
  for (const entries of byCheck) {
    writer.numbers(entries.map(({ kind }) => kind));
    writer.numbers(entries.map(({ state }) => checkStates.indexOf(state)));
    writer.numbers(entries.map(({ durationNs }) => (durationNs === null ? 0 : 1)));
    const durations = entries.map(({ durationNs }) => durationNs).filter((ns) => ns !== null);
    writer.numbers(durations.map((ns) => Number(ns >> 32n)));
    writer.numbers(durations.map((ns) => Number(ns & 0xffff_ffffn)));
    // All checks of a round begin together, so their beginnings tell less than their ends.
    writer.nullable(
      entries.map((entry) => {
        const startMs = startOf(entry);
        return startMs === null ? null : startMs - (starts[entry.poll] ?? 0);
      }),
    );
    writer.numbers(entries.map(({ otherTimeMs }) => otherTimeMs).filter((ms) => ms !== null));
    writer.nullable(entries.map(({ contiguousFailures }) => contiguousFailures));
    writer.nullable(entries.map(({ firstFailureAtMs }) => firstFailureAtMs));
    writeNullableTexts(
      writer,
      entries.map(({ error }) => error),
    );
  }
  return seal(writer.finish());
}

function startOf(entry: Pick<Entry, 'ranAtMs' | 'durationNs'> | undefined): number | null {
  const ranAtMs = entry?.ranAtMs ?? null;
  return ranAtMs === null ? null : ranAtMs - durationMs(entry?.durationNs ?? null);
}

/** Durations whose high half is below this are exact as numbers, and so is their number of milliseconds. */
const shortHigh = 2 ** 19;

/** Rounded in one way on both sides, and never so large that a time would lose a digit. */
function durationMs(durationNs: bigint | null): number {
  return durationNs === null ? 0 : Number(BigInt.asIntN(52, durationNs) / 1_000_000n);
}

interface ReadCore {
  polls: CorePoll[];
  reportKinds: number[];
  /** Of each poll in order. */
  entries: Entry[][];
  byCheck: Entry[][];
}

/** Durations, which cost the most, are left out unless they are wanted. */
function readCore(core: Uint8Array, withDurations: boolean): ReadCore {
  const reader = new ColumnReader(unseal(core));
  const names = reader.list();
  const pollCount = reader.count();
  const times = reader.numbers(pollCount);
  const states = reader.numbers(pollCount);
  const changes = reader.numbers(pollCount);
  const reportKindOf = reader.numbers(pollCount);
  const reasons = reader.texts(pollCount);
  const nodeIds = readNullableTexts(reader, pollCount);
  const lists = reader.texts(pollCount);
  const starts = reader.nullable(pollCount);
  const placesOf = new Map<string, number[]>();
  const pollsOfCheck: number[][] = names.map(() => []);
  for (const [poll, list] of lists.entries()) {
    const places = placesOf.get(list) ?? (list === '' ? [] : list.split(' ').map(Number));
    placesOf.set(list, places);
    for (const place of places) pollsOfCheck[place]?.push(poll);
  }
  const byCheck = names.map((name, place) =>
    readCheck(reader, name, pollsOfCheck[place] ?? [], starts, withDurations),
  );
  const next = names.map(() => 0);
  const entries = lists.map((list) =>
    (placesOf.get(list) ?? []).map((place) => {
      const at = next[place] ?? 0;
      next[place] = at + 1;
      const entry = byCheck[place]?.[at];
      if (entry === undefined) throw new SqlFailure('corrupt', 'a block of history lacks a run');
      return entry;
    }),
  );
  const polls = times.map((polledAtMs, at): CorePoll => {
    const state = nodeStates[states[at] ?? -1];
    if (state === undefined) throw new SqlFailure('corrupt', 'a block of history has an unknown state');
    return {
      polledAtMs,
      state,
      isChange: changes[at] === 1,
      hasReport: reportKindOf[at] !== reportKinds.none,
      reason: reasons[at] ?? '',
      reportedNodeId: nodeIds[at] ?? null,
      runs: (entries[at] ?? []).filter(({ kind }) => kind !== kinds.seen).map(toCoreRun),
    };
  });
  return { polls, reportKinds: reportKindOf, entries, byCheck };
}

function readCheck(
  reader: ColumnReader,
  name: string,
  polls: readonly number[],
  starts: readonly (number | null)[],
  withDurations: boolean,
): Entry[] {
  const length = polls.length;
  const kindOf = reader.numbers(length);
  const states = reader.numbers(length);
  const hasDuration = reader.numbers(length);
  const durationCount = hasDuration.filter((flag) => flag === 1).length;
  const high = reader.numbers(durationCount);
  const low = reader.numbers(durationCount);
  const lags = reader.nullable(length);
  const otherTimes = reader.numbers(kindOf.filter(hasOtherTime).length);
  const counts = reader.nullable(length);
  const firstFailures = reader.nullable(length);
  const errors = readNullableTexts(reader, length);
  let duration = 0;
  let otherTime = 0;
  return polls.map((poll, at): Entry => {
    const state = checkStates[states[at] ?? -1];
    if (state === undefined) throw new SqlFailure('corrupt', 'a block of history has an unknown state');
    let durationNs: bigint | null = null;
    let tookMs = 0;
    if (hasDuration[at] === 1) {
      const parts = [high[duration] ?? 0, low[duration] ?? 0] as const;
      const isShort = parts[0] >= 0 && parts[0] < shortHigh;
      if (withDurations || !isShort) durationNs = (BigInt(parts[0]) << 32n) | BigInt(parts[1]);
      tookMs = isShort ? Math.floor((parts[0] * 2 ** 32 + parts[1]) / 1e6) : durationMs(durationNs);
      duration += 1;
    }
    const kind = kindOf[at] ?? kinds.seen;
    const lagMs = lags[at] ?? null;
    return {
      name,
      state,
      error: errors[at] ?? null,
      messageJson: null,
      ranAtMs: lagMs === null ? null : (starts[poll] ?? 0) + lagMs + tookMs,
      durationNs,
      contiguousFailures: counts[at] ?? null,
      firstFailureAtMs: firstFailures[at] ?? null,
      layout: '',
      poll,
      kind,
      otherTimeMs: hasOtherTime(kind) ? (otherTimes[otherTime++] ?? null) : null,
    };
  });
}

function hasOtherTime(kind: number): boolean {
  return kind === kinds.runAtOtherTime || kind === kinds.loose;
}

function toCoreRun(entry: Entry): CoreRun {
  const { name, state, contiguousFailures, firstFailureAtMs, error } = entry;
  const ranAtMs = entry.otherTimeMs ?? entry.ranAtMs ?? 0;
  return { check: name, state, ranAtMs, contiguousFailures, firstFailureAtMs, error };
}

// ---- Texts -----------------------------------------------------------------------------------------------------------

function packTexts(parts: readonly PollParts[], byCheck: readonly Entry[][]): Uint8Array {
  const body = new ColumnWriter();
  const reports = parts.map(({ report }) => report).filter((report) => report !== null);
  body.numbers(reports.map(({ healthy }) => (healthy ? 1 : 0)));
  body.texts(reports.map(({ notesJson }) => notesJson));
  body.texts(
    parts
      .filter(({ reportKind }) => reportKind === reportKinds.whole)
      .map(({ poll }) => poll.reportJson ?? ''),
  );
  const layouts = new Map<string, number>();
  const templates = new Map<string, number>();
  const textParts = new TextParts();
  for (const entries of byCheck) {
    body.numbers(
      entries.map(({ layout }) => {
        const place = layouts.get(layout) ?? layouts.size;
        layouts.set(layout, place);
        return place;
      }),
    );
    body.numbers(entries.map(({ messageJson }) => (messageJson === null ? 0 : 1)));
    const messages = entries.map(({ messageJson }) => messageJson).filter((text) => text !== null);
    writeTexts(body, messages, textParts, templates);
  }
  const head = new ColumnWriter();
  head.json([...layouts.keys()]);
  head.json([...templates.keys()]);
  head.append(body);
  return seal(head.finish());
}

/** The reports without their checks, whose messages are put into `byCheck`; undefined for a poll without one. */
function readReports(
  texts: Uint8Array,
  kindOf: readonly number[],
  byCheck: readonly Entry[][],
): ({ healthy: boolean; notesJson: string } | { whole: string } | undefined)[] {
  const reader = new ColumnReader(unseal(texts));
  const layouts = reader.list();
  const templates = reader.list();
  const wholeCount = kindOf.filter((kind) => kind === reportKinds.whole).length;
  const partsCount = kindOf.filter((kind) => kind === reportKinds.parts).length;
  const healthy = reader.numbers(partsCount);
  const notes = reader.texts(partsCount);
  const whole = reader.texts(wholeCount);
  for (const entries of byCheck) {
    const layoutOf = reader.numbers(entries.length);
    const hasMessage = reader.numbers(entries.length);
    const messages = readTexts(reader, hasMessage.filter((flag) => flag === 1).length, templates);
    let next = 0;
    for (const [at, entry] of entries.entries()) {
      entry.layout = layouts[layoutOf[at] ?? 0] ?? '';
      if (hasMessage[at] === 1) entry.messageJson = messages[next++] ?? null;
    }
  }
  let nextParts = 0;
  let nextWhole = 0;
  return kindOf.map((kind) => {
    if (kind === reportKinds.none) return undefined;
    if (kind === reportKinds.whole) return { whole: whole[nextWhole++] ?? '' };
    const at = nextParts++;
    return { healthy: healthy[at] === 1, notesJson: notes[at] ?? '' };
  });
}

// ---- Columns that may be null ----------------------------------------------------------------------------------------

function writeNullableTexts(writer: ColumnWriter, values: readonly (string | null)[]): void {
  writer.numbers(values.map((value) => (value === null ? 0 : 1)));
  writer.texts(values.filter((value) => value !== null));
}

function readNullableTexts(reader: ColumnReader, length: number): (string | null)[] {
  const flags = reader.numbers(length);
  const values = reader.texts(flags.filter((flag) => flag === 1).length);
  let at = 0;
  return flags.map((flag) => (flag === 1 ? (values[at++] ?? '') : null));
}
