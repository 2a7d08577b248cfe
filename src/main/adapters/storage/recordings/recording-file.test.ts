import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordingLimits } from '../../../../shared/health/recording-lines.ts';
import { createFileSaver } from '../../export/file-saver.ts';
import { recordingLines } from './recording-file.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchkeeper-recording-'));
  path = join(folder, 'a.jsonl.gz');
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const megabyte = 1_048_576;

async function collect(textBytes = 200 * megabyte): Promise<string[]> {
  const collected: string[] = [];
  for await (const { text } of recordingLines(path, textBytes)) collected.push(text);
  return collected;
}

async function read(bytes: Uint8Array | string, textBytes?: number): Promise<string[]> {
  await writeFile(path, bytes);
  return collect(textBytes);
}

describe('the file of a recording', () => {
  it('gives the lines that were saved, wherever the pieces were cut', async () => {
    const text = Array.from({ length: 5_000 }, (_, index) => `line ${index} ü`).join('\n');
    async function* pieces(): AsyncGenerator<string> {
      for (let at = 0; at < text.length; at += 777) yield text.slice(at, at + 777);
    }
    const saver = createFileSaver(
      { showSaveDialog: async () => ({ canceled: true, filePath: '' }) },
      () => folder,
    );
    await saver.write(path, pieces(), 'gzip');
    expect(await collect()).toEqual(text.split('\n'));
    expect(await read(gzipSync('a\nb\n'))).toEqual(['a', 'b']);
    expect(await read(gzipSync(''))).toEqual([]);
  });

  it('counts the bytes of its text', async () => {
    await writeFile(path, gzipSync('ü\nbb\n'));
    const bytes: number[] = [];
    for await (const { textBytes } of recordingLines(path, 100)) bytes.push(textBytes);
    expect(bytes.at(-1)).toBe(6);
  });

  it('is read in a time that grows with its length when it is one long line', async () => {
    await writeFile(path, gzipSync('x'.repeat(recordingLimits.lineBytes), { level: 1 }));
    const before = process.cpuUsage();
    expect((await collect()).map(({ length }) => length)).toEqual([recordingLimits.lineBytes]);
    // Searching the line again with each of its thousand pieces took more than six seconds.
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000);
  });

  const large = 'It’s too large to be a recording.';
  const damaged = 'It isn’t a recording, or it’s damaged.';
  it.each<[string, () => Promise<string[]>, string]>([
    ['no compressed file', () => read('plain text'), damaged],
    ['an empty file', () => read(''), 'The file is incomplete.'],
    ['a cut file', () => read(gzipSync('a\nb'.repeat(1_000)).subarray(0, 30)), 'The file is incomplete.'],
    ['bytes that are no text', () => read(gzipSync(Uint8Array.of(0xff, 0xfe, 0x0a))), damaged],
    ['a small file that grows', () => read(gzipSync('\n'.repeat(100_000)), 90_000), large],
    ['a line without end', () => read(gzipSync('x'.repeat(recordingLimits.lineBytes + 1))), large],
  ])('is refused for %s', async (_, reading, words) => {
    await expect(reading()).rejects.toMatchObject({
      error: { code: 'bad-response', message: `Couldn’t read the file. ${words}` },
    });
  });

  it('is refused for its size before it is read', async () => {
    await writeFile(path, '');
    await truncate(path, recordingLimits.fileBytes + 1);
    await expect(collect()).rejects.toThrow(large);
  });

  it('says in words what the disk refused', async () => {
    await expect(collect()).rejects.toMatchObject({
      error: { code: 'storage', message: 'Couldn’t read the file. The file no longer exists.' },
    });
    path = folder;
    await expect(collect()).rejects.toMatchObject({
      error: { code: 'storage', message: 'Couldn’t read the file. It is not a regular file.' },
    });
  });
});
