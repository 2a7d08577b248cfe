import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppFailure } from '../../../shared/errors.ts';
import { createFileSaver, type SaveDialog } from './file-saver.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchkeeper-export-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

function saver(answer: { canceled: boolean; filePath: string } = { canceled: true, filePath: '' }) {
  const asked: Parameters<SaveDialog['showSaveDialog']>[0][] = [];
  const dialog: SaveDialog = {
    showSaveDialog: async (options) => {
      asked.push(options);
      return answer;
    },
  };
  return { asked, files: createFileSaver(dialog, () => folder) };
}

async function* pieces(...texts: (string | Error)[]): AsyncGenerator<string> {
  for (const text of texts) {
    if (text instanceof Error) throw text;
    yield text;
  }
}

describe('saving a file', () => {
  it('asks for a place and takes no for an answer', async () => {
    const { asked, files } = saver();
    expect(await files.choose('rows.csv', 'csv')).toBeNull();
    expect(asked).toEqual([
      { defaultPath: join(folder, 'rows.csv'), filters: [{ name: 'CSV', extensions: ['csv'] }] },
    ]);
    const chosen = saver({ canceled: false, filePath: '/x/y.json' });
    expect(await chosen.files.choose('rows.json', 'json')).toBe('/x/y.json');
  });

  it('replaces what was there, and leaves nothing beside it', async () => {
    const path = join(folder, 'rows.csv');
    await writeFile(path, 'old');
    await saver().files.write(path, pieces('a', 'ü', ''));
    expect(await readFile(path, 'utf8')).toBe('aü');
    expect(await readdir(folder)).toEqual(['rows.csv']);
  });

  it('leaves what was there when the pieces end with an error', async () => {
    const path = join(folder, 'rows.csv');
    await writeFile(path, 'old');
    const failure = new Error('no more');
    await expect(saver().files.write(path, pieces('a', failure))).rejects.toBe(failure);
    expect(await readFile(path, 'utf8')).toBe('old');
    expect(await readdir(folder)).toEqual(['rows.csv']);
  });

  it('tells of a write that failed while the next piece was made, and leaves nothing', async () => {
    const handle = await open(process.execPath);
    // Every file that is opened has its methods from there.
    const methods = Object.getPrototypeOf(handle) as typeof handle;
    await handle.close();
    const write = methods.writeFile;
    methods.writeFile = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    const turns = async function* () {
      for (const text of ['a', 'b', 'c']) {
        yield text;
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const failure: unknown = await saver()
      .files.write(join(folder, 'rows.csv'), turns())
      .catch((cause: unknown) => cause);
    methods.writeFile = write;
    expect(failure).toMatchObject({ error: { message: expect.stringContaining('disk is full') as string } });
    expect(await readdir(folder)).toEqual([]);
  });

  it('says in words what the disk refused', async () => {
    const writing = saver().files.write(join(folder, 'no-such-folder', 'rows.csv'), pieces('a'));
    const failure: unknown = await writing.catch((cause: unknown) => cause);
    expect(failure).toBeInstanceOf(AppFailure);
    expect(failure).toMatchObject({
      error: { code: 'storage', message: expect.stringContaining('folder doesn’t exist') as string },
    });
  });

  it('says so too where the draft cannot be removed either, and takes a name as long as the disk does', async () => {
    const { files } = saver();
    await writeFile(join(folder, 'file'), '');
    await expect(files.write(join(folder, 'file', 'rows.csv'), pieces('a'))).rejects.toBeInstanceOf(
      AppFailure,
    );
    const path = join(folder, `${'n'.repeat(250)}.csv`);
    await files.write(path, pieces('a'));
    expect(await readFile(path, 'utf8')).toBe('a');
  });
});
