import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileOpener, type OpenDialog } from './file-opener.ts';
import { createFileSaver } from './file-saver.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchkeeper-open-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const limits = { fileBytes: 100_000, textBytes: 200_000, lineBytes: 150_000 };

function opener(answer: { canceled: boolean; filePaths: string[] } = { canceled: true, filePaths: [] }) {
  const asked: Parameters<OpenDialog['showOpenDialog']>[0][] = [];
  const dialog: OpenDialog = {
    showOpenDialog: async (options) => {
      asked.push(options);
      return answer;
    },
  };
  return { asked, files: createFileOpener(dialog, () => folder) };
}

async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const collected: string[] = [];
  for await (const line of lines) collected.push(line);
  return collected;
}

async function read(bytes: Uint8Array | string, given = limits): Promise<string[]> {
  const path = join(folder, 'a.jsonl.gz');
  await writeFile(path, bytes);
  return collect(opener().files.readLines(path, given));
}

describe('opening a file', () => {
  it('asks for one and takes no for an answer', async () => {
    const { asked, files } = opener();
    expect(await files.choose('jsonl.gz')).toBeNull();
    expect(asked).toEqual([
      {
        defaultPath: folder,
        filters: [{ name: 'Recording', extensions: ['gz'] }],
        properties: ['openFile'],
      },
    ]);
    const chosen = opener({ canceled: false, filePaths: ['/x/y.jsonl.gz'] });
    expect(await chosen.files.choose('jsonl.gz')).toBe('/x/y.jsonl.gz');
  });

  it('gives the lines that were saved, wherever the pieces were cut', async () => {
    const path = join(folder, 'b.jsonl.gz');
    const text = Array.from({ length: 5_000 }, (_, index) => `line ${index} ü`).join('\n');
    async function* pieces(): AsyncGenerator<string> {
      for (let at = 0; at < text.length; at += 777) yield text.slice(at, at + 777);
    }
    const saver = createFileSaver(
      { showSaveDialog: async () => ({ canceled: true, filePath: '' }) },
      () => folder,
    );
    await saver.write(path, pieces(), 'gzip');
    expect(await collect(opener().files.readLines(path, limits))).toEqual(text.split('\n'));
    expect(await read(gzipSync('a\nb\n'))).toEqual(['a', 'b']);
    expect(await read(gzipSync(''))).toEqual([]);
  });

  const large = 'It is larger than any recording can be.';
  const damaged = 'It is no recording, or it is damaged.';
  it.each<[string, () => Promise<string[]>, string]>([
    ['no compressed file', () => read('plain text'), damaged],
    ['an empty file', () => read(''), 'It is cut off.'],
    ['a cut file', () => read(gzipSync('a\nb'.repeat(1_000)).subarray(0, 30)), 'It is cut off.'],
    ['bytes that are no text', () => read(gzipSync(Uint8Array.of(0xff, 0xfe, 0x0a))), damaged],
    ['a file beyond the limit', () => read(gzipSync('x'), { ...limits, fileBytes: 5 }), large],
    ['a small file that grows', () => read(gzipSync('\n'.repeat(10_000_000))), large],
    ['a line without end', () => read(gzipSync('x'.repeat(160_000))), large],
  ])('refuses %s', async (_, reading, words) => {
    await expect(reading()).rejects.toMatchObject({
      error: { code: 'bad-response', message: `The file could not be read. ${words}` },
    });
  });

  it('says in words what the disk refused', async () => {
    const missing = collect(opener().files.readLines(join(folder, 'none'), limits));
    await expect(missing).rejects.toMatchObject({
      error: { code: 'storage', message: 'The file could not be read. It is not there any more.' },
    });
    await expect(collect(opener().files.readLines(folder, limits))).rejects.toMatchObject({
      error: { code: 'storage', message: 'The file could not be read. It is no file.' },
    });
  });
});
