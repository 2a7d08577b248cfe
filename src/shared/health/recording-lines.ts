import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import * as z from 'zod/mini';
import { AppFailure } from '../errors.ts';
import { parseExactJson } from '../json.ts';
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
 * A recording is lines of JSON: what it is, the episodes of its span and what the user said of them, its polls in order of
 * time, then an end with a count and a digest of all lines before it. It has the node's name and what the node said; no
 * address, no header.
 */
const recordingFormat = 'watchkeeper-recording';
const recordingVersion = 4;

/** Beyond these none is written, and none is read. */
export const recordingLimits = {
  polls: 250_000,
  /** Of a node, and as many notes. */
  episodes: 100_000,
  /** Different names of checks. */
  checkNames: 20_000,
  fileBytes: 128 * 1_048_576,
  /** Of the text; of all recordings that are open together. */
  textBytes: 512 * 1_048_576,
  lineBytes: 16 * 1_048_576,
  /** Values in a line, by the commas and brackets that go with them: small ones take many times their text when they are read. */
  partsInLine: 500_000,
  checksInReport: 5_000,
} as const;

const head = z.object({
  format: z.literal(recordingFormat),
  version: z.literal(recordingVersion),
  nodeName: z.string().check(z.maxLength(200)),
  fromMs: epochMs,
  toMs: epochMs,
  /** Checks that were known to be of a chain. */
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

/** One line of a recording after its head. */
export type RecordingLine =
  { poll: RecordedPoll } | { episode: FailureEpisode } | { mark: IncidentMark } | { end: { lines: number } };

/** Digest and counts of the lines so far, which both sides keep. */
class Lines {
  readonly #digest = sha256.create();
  readonly #names = new Set<string>();
  count = 0;
  polls = 0;
  episodes = 0;
  marks = 0;

  add(text: string): void {
    this.count += 1;
    this.#digest.update(utf8ToBytes(text));
  }

  /** False when there are more of them than a recording may have. */
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

/** Writes lines, each with its end. Throws `invalid-params` when there are more than a recording can hold. */
export class RecordingWriter {
  readonly #lines = new Lines();
  #bytes = 0;

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
    this.#bytes += text.length;
    if (this.#bytes > recordingLimits.textBytes || isTooLong(text)) throw tooMuch();
    return text;
  }
}

/** A report that can no longer be read is none; of a stored poll only what a recording has. */
function toLine({ polledAtMs, state, reason, reportedNodeId, reportJson, runs }: RecordedPoll): RecordedPoll {
  const isReport = reportJson !== null && parseStoredReport(reportJson) !== null;
  return { polledAtMs, state, reason, reportedNodeId, reportJson: isReport ? reportJson : null, runs };
}

/** Reads the lines of a recording one after the other. What is none is a thrown `bad-response`, in words for people. */
export class RecordingReader {
  readonly #lines = new Lines();
  #head: RecordingHead | null = null;
  #lastMs = Number.NEGATIVE_INFINITY;

  /** The first line. */
  head(text: string): RecordingHead {
    if (isTooLong(text)) throw badRecording(tooLarge);
    const value = parsed(text, foreign);
    const named = z.safeParse(z.object({ format: z.literal(recordingFormat), version: z.int() }), value);
    if (!named.success) throw badRecording(foreign);
    if (named.data.version !== recordingVersion) {
      throw badRecording(
        'It was written by another version of the app, in a format that this one does not know.',
      );
    }
    const given = z.safeParse(head, value);
    if (!given.success || given.data.toMs < given.data.fromMs) throw badRecording(damaged);
    this.#lines.add(`${text}\n`);
    this.#head = given.data;
    return given.data;
  }

  /** A line that follows; nothing does after `end`. */
  next(text: string): RecordingLine {
    if (isTooLong(text)) throw badRecording(tooLarge);
    const given = z.safeParse(line, parsed(text, damaged));
    if (!given.success || this.#head === null) throw badRecording(damaged);
    if ('end' in given.data) {
      const { lines, sha256: digest } = given.data.end;
      if (lines !== this.#lines.count || digest !== this.#lines.sha256()) {
        throw badRecording('It was changed or damaged: its digest is not right.');
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

  /** In order and in the span; what was known when it began comes first. */
  #isNext(atMs: number, { fromMs, toMs }: RecordingHead): boolean {
    const isIn = atMs >= this.#lastMs && atMs <= toMs && (atMs >= fromMs || this.#lines.polls === 1);
    this.#lastMs = atMs;
    return isIn;
  }
}

const foreign = 'It is no recording.';
export const damaged = 'It is damaged: a line is not as a recording has it.';
export const tooLarge = 'It is larger than any recording can be.';

export function badRecording(words: string): AppFailure {
  const message = `The recording could not be read. ${words}`;
  return new AppFailure({ code: 'bad-response', message, issues: [] });
}

/** A line that would take too much to read. */
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
  const message = 'The span has more than a recording can hold. Choose a shorter one.';
  return new AppFailure({ code: 'invalid-params', message, issues: ['fromMs'] });
}

/** Nesting that would exhaust the stack of a reader is refused as well. */
function parsed(text: string, otherwise: string): unknown {
  try {
    return parseExactJson(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) throw badRecording(otherwise);
    throw cause;
  }
}

function checkReport(reportJson: string): void {
  const report = toStoredReport(parsed(reportJson, damaged));
  if (report === null || report.checks.length > recordingLimits.checksInReport) throw badRecording(damaged);
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

/** Nanoseconds of 64 bits: reading a number of any length would take as long as a stranger likes. */
function isDuration(text: string): boolean {
  return /^\d{1,19}$/.test(text) && BigInt(text) < 2n ** 63n;
}
