import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folderSizes } from './folder-sizes.ts';

it('adds up what is in each folder, by its name', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'watchkeeper-sizes-'));
  try {
    await mkdir(join(folder, 'services', 'one'), { recursive: true });
    await writeFile(join(folder, 'store.sqlite'), 'x'.repeat(10));
    await writeFile(join(folder, 'services', 'one', 'store.sqlite'), 'x'.repeat(20));
    await writeFile(join(folder, 'services', 'notes'), 'x'.repeat(5));
    expect(await folderSizes(folder)).toEqual({ 'store.sqlite': 10, services: 25 });
  } finally {
    await rm(folder, { recursive: true });
  }
});

it.skipIf(process.platform !== 'linux')('counts what it can where a folder cannot be read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'watchkeeper-sizes-'));
  try {
    await writeFile(join(folder, 'store.sqlite'), 'x'.repeat(10));
    // Deeper than a path can be: who runs this may read everything else.
    const dig =
      "const name = '0'.repeat(200); for (let i = 0; i < 25; i += 1) { fs.mkdirSync(name); process.chdir(name); }";
    await mkdir(join(folder, 'deep'));
    execFileSync(process.execPath, ['-e', dig], { cwd: join(folder, 'deep') });
    expect(await folderSizes(folder)).toEqual({ 'store.sqlite': 10, deep: 0 });
  } finally {
    execFileSync('rm', ['-r', folder]);
  }
});
