import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import * as z from 'zod/mini';
import { parseExactJson } from '../json.ts';
import { toStoredReport } from './stored-report.ts';
import type { HealthReport } from './types.ts';

/**
 * A recording is lines of JSON: what it is, then one poll a line in order, then an end with a count and a digest of all lines
 * before it. It has the node's name and what the node said; no address, no header.
 */
const recordingFormat = 'watchkeeper-recording';
const recordingVersion = 1;

/** Beyond these none is written, and none is read. */
export const recordingLimits = {
  polls: 250_000,
  fileBytes: 128 * 1_048_576,
  textBytes: 512 * 1_048_576,
  lineBytes: 16 * 1_048_576,
  checksInReport: 5_000,
} as const;

const epochMs = z.int().check(z.gte(-8.64e15), z.lte(8.64e15));
const id = z.string().check(z.minLength(1), z.maxLength(200));
const checkName = z.string().check(z.maxLength(1_000));
const errorText = z.nullable(z.string().check(z.maxLength(100_000)));
const count = z.int().check(z.gte(0));

const poll = {
  atMs: epochMs,
  state: z.enum(['healthy', 'unhealthy', 'starting', 'unreachable', 'unknown', 'stalled']),
  reason: z.string().check(z.maxLength(100_000)),
  /** Header `node-id`. */
  reportedNodeId: z.nullable(z.string().check(z.maxLength(1_000))),
  /** The report as JSON, to the byte as it was stored. */
  reportJson: z.nullable(z.string()),
};

const headSchema = z.object({
  format: z.literal(recordingFormat),
  version: z.literal(recordingVersion),
  nodeName: z.string().check(z.maxLength(200)),
  fromMs: epochMs,
  toMs: epochMs,
  /** Checks that were known to be of a chain. */
  chainChecks: z.array(checkName).check(z.maxLength(recordingLimits.checksInReport)),
  /** The last report before the span. */
  before: z.nullable(z.object(poll)),
  /** Episodes that lasted when the span began, as they were then. */
  open: z
    .array(
      z.object({
        id,
        check: checkName,
        startedAtMs: epochMs,
        startKnownFrom: z.enum(['seen', 'node-reported']),
        failuresSeen: count,
        failuresReported: z.nullable(count),
        firstError: errorText,
        lastError: errorText,
      }),
    )
    .check(z.maxLength(recordingLimits.checksInReport)),
  marks: z
    .array(
      z.object({
        episodeId: id,
        leadEpisodeId: z.nullable(id),
        note: z.string().check(z.maxLength(100_000)),
      }),
    )
    .check(z.maxLength(100_000)),
});

const pollSchema = z.object({
  ...poll,
  /** Ids of the episodes that began with this poll, in the order in which they did. */
  episodeIds: z.array(id).check(z.maxLength(recordingLimits.checksInReport)),
});

const endSchema = z.object({ polls: count, sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)) });

export type RecordingHead = z.infer<typeof headSchema>;
export type RecordingPoll = z.infer<typeof pollSchema>;

/** Writes lines, each with its end, and keeps the digest. */
export class RecordingWriter {
  readonly #digest = sha256.create();
  #polls = 0;

  head(head: Omit<RecordingHead, 'format' | 'version'>): string {
    return this.#line({ format: recordingFormat, version: recordingVersion, ...head });
  }

  poll(line: RecordingPoll): string {
    this.#polls += 1;
    return this.#line(line);
  }

  /** The last line. */
  end(): string {
    return `${JSON.stringify({ polls: this.#polls, sha256: bytesToHex(this.#digest.digest()) })}\n`;
  }

  #line(value: unknown): string {
    const line = `${JSON.stringify(value)}\n`;
    this.#digest.update(utf8ToBytes(line));
    return line;
  }
}

export type ReadLine =
  | { kind: 'head'; head: RecordingHead; before: HealthReport | null }
  | { kind: 'poll'; poll: RecordingPoll; report: HealthReport | null }
  | { kind: 'end' }
  /** In words for people. */
  | { kind: 'refused'; words: string };

/** Reads the lines of a recording one after the other; after `end` or `refused` there is nothing more to read. */
export class RecordingReader {
  readonly #digest = sha256.create();
  #polls = 0;
  #lastMs = Number.NEGATIVE_INFINITY;
  #hasHead = false;

  read(line: string): ReadLine {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (cause) {
      if (cause instanceof SyntaxError) return refused(this.#hasHead ? damaged : foreign);
      throw cause;
    }
    if (!this.#hasHead) return this.#readHead(line, value);
    const end = z.safeParse(endSchema, value);
    if (end.success) return this.#readEnd(end.data);
    this.#digest.update(utf8ToBytes(`${line}\n`));
    const parsed = z.safeParse(pollSchema, value);
    if (!parsed.success || parsed.data.atMs < this.#lastMs) return refused(damaged);
    this.#polls += 1;
    this.#lastMs = parsed.data.atMs;
    if (this.#polls > recordingLimits.polls) return refused('It is larger than any recording can be.');
    const report = readReport(parsed.data.reportJson);
    return report === undefined ? refused(damaged) : { kind: 'poll', poll: parsed.data, report };
  }

  #readHead(line: string, value: unknown): ReadLine {
    const named = z.safeParse(z.object({ format: z.literal(recordingFormat), version: z.int() }), value);
    if (!named.success) return refused(foreign);
    if (named.data.version !== recordingVersion) {
      return refused(
        'It was written by another version of the app, in a format that this one does not know.',
      );
    }
    const parsed = z.safeParse(headSchema, value);
    if (!parsed.success || parsed.data.toMs < parsed.data.fromMs) return refused(damaged);
    const before = readReport(parsed.data.before?.reportJson ?? null);
    if (before === undefined) return refused(damaged);
    this.#hasHead = true;
    this.#lastMs = parsed.data.before?.atMs ?? this.#lastMs;
    this.#digest.update(utf8ToBytes(`${line}\n`));
    return { kind: 'head', head: parsed.data, before };
  }

  #readEnd(end: z.infer<typeof endSchema>): ReadLine {
    const isWhole = end.polls === this.#polls && end.sha256 === bytesToHex(this.#digest.digest());
    return isWhole ? { kind: 'end' } : refused('It was changed or damaged: its digest is not right.');
  }
}

const foreign = 'It is no recording.';
const damaged = 'It is damaged: a line is not as a recording has it.';

function refused(words: string): ReadLine {
  return { kind: 'refused', words };
}

/** Null where none was recorded; undefined for what is no report. */
function readReport(reportJson: string | null): HealthReport | null | undefined {
  if (reportJson === null) return null;
  let value: unknown;
  try {
    // Refuses nesting that would exhaust the stack.
    value = parseExactJson(reportJson);
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
  const report = toStoredReport(value);
  if (report === null || report.checks.length > recordingLimits.checksInReport) return undefined;
  const areTimes = report.checks.every(
    (check) =>
      isTime(check.ranAtMs) &&
      isTime(check.firstFailureAtMs) &&
      (check.contiguousFailures === null || Number.isSafeInteger(check.contiguousFailures)),
  );
  return areTimes ? report : undefined;
}

function isTime(ms: number | null): boolean {
  return ms === null || (Number.isInteger(ms) && Math.abs(ms) <= 8.64e15);
}
