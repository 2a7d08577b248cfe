import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import * as z from 'zod/mini';
import { AppFailure } from '../errors.ts';
import { jsonOrNull, parseExactJson } from '../json.ts';
import type { RecordedPoll } from './check-run.ts';
import {
  checkName,
  count,
  epochMs,
  failureEpisode,
  incidentMark,
  longestName,
  parseStoredReport,
  recordedPoll,
  toStoredReport,
} from './stored.ts';
import type { FailureEpisode, IncidentMark } from './types.ts';

/**
 * A recording consists of lines of JSON: a head, the episodes of its span and the user's notes on them, its polls in
 * order of time, and an end with a count and a digest of all lines before it. It contains the node's name and what the
 * node reported, but no address and no headers.
 */
const recordingFormat = 'watchkeeper-recording';
const recordingVersion = 4;

/** Recordings beyond these limits are neither written nor read. */
export const recordingLimits = {
  polls: 250_000,
  /** For one node; the same limit applies to notes. */
  episodes: 100_000,
  /** Distinct names of checks. */
  checkNames: 20_000,
  fileBytes: 128 * 1_048_576,
  /** Size of the text; in total for all open recordings. */
  textBytes: 512 * 1_048_576,
  lineBytes: 16 * 1_048_576,
  /** Values in a line, counted by commas and brackets: many small ones take far more memory than their text. */
  partsInLine: 500_000,
  checksInReport: 5_000,
} as const;

const head = z.object({
  format: z.literal(recordingFormat),
  version: z.literal(recordingVersion),
  nodeName: z.string().check(z.maxLength(200)),
  fromMs: epochMs,
  toMs: epochMs,
  /** Checks that belonged to a chain. */
  chainChecks: z.array(checkName).check(z.maxLength(recordingLimits.checksInReport)),
});

const line = z.union([
  z.strictObject({
    poll: z.extend(recordedPoll, {
      runs: recordedPoll.shape.runs.check(z.maxLength(2 * recordingLimits.checksInReport)),
    }),
  }),
  z.strictObject({ episode: failureEpisode }),
  z.strictObject({ mark: incidentMark }),
  z.strictObject({ end: z.object({ lines: count, sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }) }),
]);

export type RecordingHead = Omit<z.infer<typeof head>, 'format' | 'version'>;

/** A line of a recording after its head. */
export type RecordingLine =
  { poll: RecordedPoll } | { episode: FailureEpisode } | { mark: IncidentMark } | { end: { lines: number } };

/** Digest and counts of the lines so far, computed by writer and reader alike. */
class Lines {
  readonly #digest = sha256.create();
  readonly #names = new Set<string>();
  count = 0;
  bytes = 0;
  polls = 0;
  episodes = 0;
  marks = 0;

  add(text: string): void {
    const bytes = utf8ToBytes(text);
    this.count += 1;
    this.bytes += bytes.length;
    this.#digest.update(bytes);
  }

  /** Counts a line; false when a limit is exceeded. */
  take(taken: RecordingLine): boolean {
    if ('poll' in taken) this.polls += 1;
    if ('episode' in taken) this.episodes += 1;
    if ('mark' in taken) this.marks += 1;
    for (const { check } of 'poll' in taken ? taken.poll.runs : []) this.#names.add(check);
    return (
      this.polls <= recordingLimits.polls &&
      Math.max(this.episodes, this.marks) <= recordingLimits.episodes &&
      this.#names.size <= recordingLimits.checkNames
    );
  }

  sha256(): string {
    return bytesToHex(this.#digest.clone().digest());
  }
}

/** Produces the lines of a recording, with line ends. Throws `invalid-params` beyond the limits. */
export class RecordingWriter {
  readonly #lines = new Lines();

  head(given: RecordingHead): string {
    return this.#line({ format: recordingFormat, version: recordingVersion, ...given });
  }

  /** A line after the head. */
  line(given: Exclude<RecordingLine, { end: unknown }>): string {
    if (!this.#lines.take(given)) throw tooMuch();
    return this.#line('poll' in given ? { poll: toLine(given.poll) } : given);
  }

  /** The last line. */
  end(): string {
    return this.#line({ end: { lines: this.#lines.count, sha256: this.#lines.sha256() } });
  }

  #line(value: object): string {
    const text = `${JSON.stringify(value)}\n`;
    this.#lines.add(text);
    if (this.#lines.bytes > recordingLimits.textBytes || isTooLong(text)) throw tooMuch();
    return text;
  }
}

/** Keeps all the fields of a recording, and only these; drops a report that cannot be parsed. */
function toLine(poll: RecordedPoll): Record<keyof RecordedPoll, unknown> {
  const { polledAtMs, state, reason, reportedNodeId, reportJson, runs, isFirst } = poll;
  const isReport = parseStoredReport(reportJson) !== null;
  return {
    polledAtMs,
    state,
    reason,
    reportedNodeId,
    reportJson: isReport ? reportJson : null,
    runs,
    isFirst,
  };
}

/** Parses the lines of a recording one by one. Throws `bad-response` with a message for the user. */
export class RecordingReader {
  readonly #lines = new Lines();
  #head: RecordingHead | null = null;
  #lastMs = Number.NEGATIVE_INFINITY;

  /** The first line. */
  head(text: string): RecordingHead {
    if (isTooLong(text)) throw badRecording(tooLarge);
    const value = parsed(text);
    const named = z.safeParse(z.object({ format: z.literal(recordingFormat), version: z.int() }), value);
    if (!named.success) throw badRecording(foreign);
    if (named.data.version !== recordingVersion) {
      throw badRecording(
        'It was written by another version of the app, in a format that this version can’t read.',
      );
    }
    const given = z.safeParse(head, value);
    if (!given.success || given.data.toMs < given.data.fromMs) throw badRecording(damaged);
    this.#lines.add(`${text}\n`);
    this.#head = given.data;
    return given.data;
  }

  /** A further line; none may follow `end`. */
  next(text: string): RecordingLine {
    if (isTooLong(text)) throw badRecording(tooLarge);
    const given = z.safeParse(line, parsed(text));
    if (!given.success || this.#head === null) throw badRecording(damaged);
    if ('end' in given.data) {
      const { lines, sha256: digest } = given.data.end;
      if (lines !== this.#lines.count || digest !== this.#lines.sha256()) {
        throw badRecording('It was changed or damaged: its checksum doesn’t match.');
      }
      return given.data;
    }
    this.#lines.add(`${text}\n`);
    const read = given.data;
    if ('poll' in read && read.poll.reportJson !== null) checkReport(read.poll.reportJson);
    if (!this.#lines.take(read)) throw badRecording(tooLarge);
    if ('poll' in read && !this.#isNext(read.poll.polledAtMs, this.#head)) throw badRecording(damaged);
    return read;
  }

  /** Polls must be in order, and none after the span; those before it tell the state at its start. */
  #isNext(atMs: number, { toMs }: RecordingHead): boolean {
    const isIn = atMs >= this.#lastMs && atMs <= toMs;
    this.#lastMs = atMs;
    return isIn;
  }
}

const foreign = 'It isn’t a recording.';
export const damaged = 'It’s damaged: a line isn’t valid.';
export const tooLarge = 'It’s too large to be a recording.';

export function badRecording(words: string): AppFailure {
  const message = `Couldn’t read the file. ${words}`;
  return new AppFailure({ code: 'bad-response', message, issues: [] });
}

/** Whether a line would take too much memory to parse. */
function isTooLong(text: string): boolean {
  const { lineBytes, partsInLine } = recordingLimits;
  if (text.length <= partsInLine) return false;
  let parts = 0;
  for (let at = 0; at < text.length && parts <= partsInLine; at += 1) {
    if (isPart.has(text.charCodeAt(at))) parts += 1;
  }
  return text.length > lineBytes || parts > partsInLine;
}

const isPart: ReadonlySet<number> = new Set([',', '[', '{'].map((letter) => letter.charCodeAt(0)));

function tooMuch(): AppFailure {
  const message = 'This time range has more data than a recording can hold. Choose a shorter one.';
  return new AppFailure({ code: 'invalid-params', message, issues: ['fromMs'] });
}

/** Null, which is no line and no report, also where nesting would overflow the stack. */
const parsed = (text: string): unknown => jsonOrNull(() => parseExactJson(text));

function checkReport(reportJson: string): void {
  const report = toStoredReport(parsed(reportJson));
  if (report === null || report.checks.length > recordingLimits.checksInReport) throw badRecording(damaged);
  const names = new Set(report.checks.map(({ name }) => name));
  if (names.size < report.checks.length) throw badRecording(damaged);
  for (const { name, ranAtMs, firstFailureAtMs, contiguousFailures, durationNs } of report.checks) {
    const isBounded =
      name.length <= longestName &&
      isTime(ranAtMs) &&
      isTime(firstFailureAtMs) &&
      (contiguousFailures === null || Number.isSafeInteger(contiguousFailures)) &&
      (durationNs === null || isDuration(durationNs));
    if (!isBounded) throw badRecording(damaged);
  }
}

function isTime(ms: number | null): boolean {
  return ms === null || (Number.isInteger(ms) && Math.abs(ms) <= 8.64e15);
}

/** Limits durations to 64 bits: parsing numbers of any length could take arbitrarily long. */
const isDuration = (text: string): boolean => /^\d{1,19}$/.test(text) && BigInt(text) < 2n ** 63n;
