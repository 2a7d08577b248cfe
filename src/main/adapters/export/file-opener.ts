import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AppFailure } from '../../../shared/errors.ts';
import type { FileOpener, ReadLimits } from '../../core/ports.ts';

/** The part of Electron's `dialog` that asks what to open. */
export interface OpenDialog {
  showOpenDialog(options: {
    defaultPath: string;
    filters: { name: string; extensions: string[] }[];
    properties: 'openFile'[];
  }): Promise<{ canceled: boolean; filePaths: string[] }>;
}

/** The `FileOpener` port. `folder` is where the dialog begins. */
export function createFileOpener(dialog: OpenDialog, folder: () => string): FileOpener {
  return {
    async choose() {
      const { canceled, filePaths } = await dialog.showOpenDialog({
        defaultPath: folder(),
        filters: [{ name: 'Recording', extensions: ['gz'] }],
        properties: ['openFile'],
      });
      return canceled ? null : (filePaths[0] ?? null);
    },
    readLines,
  };
}

async function* readLines(path: string, limits: ReadLimits): AsyncGenerator<string> {
  try {
    const facts = await stat(path);
    if (!facts.isFile()) throw unreadable('It is no file.');
    if (facts.size > limits.fileBytes) throw tooLarge();
    yield* linesOfFile(path, limits);
  } catch (cause) {
    throw toFailure(cause);
  }
}

async function* linesOfFile(path: string, limits: ReadLimits): AsyncGenerator<string> {
  const file = createReadStream(path);
  const text = createGunzip();
  file.on('error', (cause) => text.destroy(cause));
  try {
    yield* linesOf(file.pipe(text), limits);
  } finally {
    file.destroy();
  }
}

/** Decompressed by and by, so that what a small file grows to is never in memory at once. */
async function* linesOf(text: Readable, limits: ReadLimits): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let textBytes = 0;
  for await (const chunk of text) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('a stream of bytes gave something else');
    textBytes += chunk.byteLength;
    if (textBytes > limits.textBytes) throw tooLarge();
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of [...lines, rest]) if (line.length > limits.lineBytes) throw tooLarge();
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}

const wordsByCode: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'It is not there any more.'],
  ['EACCES', 'It may not be read.'],
  ['EPERM', 'It may not be read.'],
  ['EISDIR', 'It is a folder.'],
]);

const badContents: ReadonlyMap<string, string> = new Map([
  ['Z_DATA_ERROR', 'It is no recording, or it is damaged.'],
  ['Z_BUF_ERROR', 'It is cut off.'],
  ['ERR_ENCODING_INVALID_ENCODED_DATA', 'It is no recording, or it is damaged.'],
]);

/** What the file system or the decompression refused, in words; anything else stays what it is. */
function toFailure(cause: unknown): unknown {
  if (!(cause instanceof Error) || !('code' in cause) || typeof cause.code !== 'string') return cause;
  const content = badContents.get(cause.code);
  if (content !== undefined) return badFile(content);
  return unreadable(wordsByCode.get(cause.code) ?? `The disk refused it (${cause.code}).`);
}

function unreadable(words: string): AppFailure {
  return new AppFailure({ code: 'storage', message: `The file could not be read. ${words}` });
}

function badFile(words: string): AppFailure {
  return new AppFailure({
    code: 'bad-response',
    message: `The file could not be read. ${words}`,
    issues: [],
  });
}

function tooLarge(): AppFailure {
  return badFile('It is larger than any recording can be.');
}
