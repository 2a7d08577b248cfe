import {
  badRecording,
  damaged,
  RecordingReader,
  tooLarge,
} from '../../../../shared/health/recording-lines.ts';
import type { HealthStore, RecordingFacts } from '../../../core/health-ports.ts';
import { saveEpisode } from '../health/health-record.ts';
import { createHealthStore, requireNodeRef } from '../health/health.ts';
import { dayMs } from '../../../../shared/time.ts';
import { dayOf } from '../health/history/day.ts';
import { blockSpanMs } from '../health/history/stored-polls.ts';
import { SqlFailure, type SqlDatabase } from '../sqlite/sql.ts';
import type { Synchronous } from '../store-ports.ts';

/** Largest store of a recording: more than any packed one needs, less than would be noticed. */
const mostPages = 131_072;

export interface ReadRecording {
  /** Lines of text, each with the number of bytes up to its end. */
  lines: AsyncIterable<{ text: string; textBytes: number }>;
  /** The id to give the node in the store. */
  id: string;
  onStep: (polls: number, share: number) => void;
}

/**
 * Reads a recording into an empty store and packs it hour by hour, like live polls. Throws `bad-response` for an
 * invalid or incomplete recording; the store must not be used then.
 */
export async function readRecording(
  database: SqlDatabase,
  { lines, id, onStep }: ReadRecording,
): Promise<RecordingFacts> {
  database.pragma(`max_page_count = ${mostPages}`);
  const store = createHealthStore(database);
  const reader = new RecordingReader();
  let facts: RecordingFacts | null = null;
  let polls = 0;
  let hour = 0;
  let isWhole = false;
  try {
    for await (const { text, textBytes } of lines) {
      if (isWhole) throw badRecording('It is damaged: there is data after its end.');
      if (facts === null) {
        const { nodeName, fromMs, toMs, chainChecks } = reader.head(text);
        facts = { nodeName, fromMs, toMs, chainChecks, reportCount: 0, textBytes };
        begin(store, id, facts);
        continue;
      }
      facts.textBytes = textBytes;
      const line = reader.next(text);
      if ('end' in line) isWhole = true;
      else if ('mark' in line) store.putIncidentMark(id, line.mark);
      else if ('episode' in line)
        database.transaction((writer) => saveEpisode(writer, requireNodeRef(writer, id), line.episode));
      else {
        const { polledAtMs, reportJson } = line.poll;
        const pollHour = Math.floor(polledAtMs / blockSpanMs);
        if (pollHour !== hour) pack(store, pollHour * blockSpanMs);
        hour = pollHour;
        store.recordPoll({ ...line.poll, nodeId: id, episodes: [] });
        polls += 1;
        if (reportJson !== null && polledAtMs >= facts.fromMs) facts.reportCount += 1;
        onStep(polls, (polledAtMs - facts.fromMs) / (facts.toMs - facts.fromMs + 1));
      }
    }
    if (facts === null || !isWhole) throw badRecording('The file is incomplete.');
    // Late enough that the last day counts as over.
    pack(store, facts.toMs + 3 * dayMs);
    return facts;
  } catch (cause) {
    if (cause instanceof SqlFailure && cause.kind === 'disk-full') throw badRecording(tooLarge);
    if (cause instanceof SqlFailure && cause.kind === 'value') throw badRecording(damaged);
    throw cause;
  }
}

function begin(store: Synchronous<HealthStore>, id: string, { nodeName, fromMs }: RecordingFacts): void {
  store.putNode({
    id,
    name: nodeName,
    url: '',
    intervalMs: null,
    tags: [],
    headerNames: [],
    certificate: null,
    paused: true,
    addedAtMs: fromMs,
    previousNodeId: null,
    tagChecks: [],
  });
}

/** Packs all hours before `nowMs` and computes the days that are over; removes nothing. */
function pack(store: Synchronous<HealthStore>, nowMs: number): void {
  const keepAll = {
    keepDays: dayOf(nowMs) + mostDays,
    keepBytesPerNode: Number.MAX_SAFE_INTEGER,
    recoverAfter: 1,
  };
  while (store.maintain({ nowMs, ...keepAll }));
}

/** From 1970 back to the earliest `Date`. */
const mostDays = 100_000_000;
