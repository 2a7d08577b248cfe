import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { AppFailure } from '../../../../shared/errors.ts';
import { badRecording, recordingLimits, tooLarge } from '../../../../shared/health/recording-lines.ts';

/**
 * The lines of a recording's file, which is untrusted, each with the number of text bytes up to its end. Decompressed
 * as a stream, so that what a small file expands to is never in memory at once. Throws an `AppFailure`: `storage` when
 * reading fails, `bad-response` when the file is larger than `recordingLimits` allow, has more than `textBytes` of
 * text, is truncated, or is not a recording.
 */
export async function* recordingLines(path: string, textBytes: number): AsyncGenerator<Line> {
  try {
    const facts = await stat(path);
    if (!facts.isFile()) throw unreadable('It is not a regular file.');
    if (facts.size > recordingLimits.fileBytes) throw badRecording(tooLarge);
    const file = createReadStream(path);
    const unpacked = createGunzip();
    file.on('error', (cause) => unpacked.destroy(cause));
    try {
      yield* linesOf(file.pipe(unpacked), textBytes);
    } finally {
      file.destroy();
    }
  } catch (cause) {
    throw toFailure(cause);
  }
}

interface Line {
  text: string;
  /** Up to its end. */
  textBytes: number;
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>, mostBytes: number): AsyncGenerator<Line> {
  const { lineBytes } = recordingLimits;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  // Parts of a line that is not complete yet; joined only once, at its end.
  let pieces: string[] = [];
  let lineLength = 0;
  let textBytes = 0;
  for await (const chunk of chunks) {
    textBytes += chunk.byteLength;
    if (textBytes > mostBytes) throw badRecording(tooLarge);
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    const last = others.pop();
    lineLength += first.length;
    pieces.push(first);
    if (last !== undefined) {
      for (const text of [pieces.join(''), ...others]) {
        if (text.length > lineBytes) throw badRecording(tooLarge);
        yield { text, textBytes };
      }
      lineLength = last.length;
      pieces = [last];
    }
    if (lineLength > lineBytes) throw badRecording(tooLarge);
  }
  const text = pieces.join('') + decoder.decode();
  if (text !== '') yield { text, textBytes };
}

const wordsByCode: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'The file no longer exists.'],
  ['EACCES', 'The app is not allowed to read it.'],
  ['EPERM', 'The app is not allowed to read it.'],
]);

const badContents: ReadonlyMap<string, string> = new Map([
  ['Z_DATA_ERROR', 'It isn’t a recording, or it’s damaged.'],
  ['Z_BUF_ERROR', 'The file is incomplete.'],
  ['ERR_ENCODING_INVALID_ENCODED_DATA', 'It isn’t a recording, or it’s damaged.'],
]);

/** Converts an error of the file system or the decompression to an `AppFailure`; returns others unchanged. */
function toFailure(cause: unknown): unknown {
  if (!(cause instanceof Error) || !('code' in cause) || typeof cause.code !== 'string') return cause;
  const content = badContents.get(cause.code);
  if (content !== undefined) return badRecording(content);
  return unreadable(wordsByCode.get(cause.code) ?? `The system reported an error (${cause.code}).`);
}

function unreadable(words: string): AppFailure {
  return new AppFailure({ code: 'storage', message: `Couldn’t read the file. ${words}` });
}
