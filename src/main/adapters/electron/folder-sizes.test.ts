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
