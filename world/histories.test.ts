import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { History } from './history.ts';
import { run } from './run.ts';

// Histories that once broke a promise; each is named by what would be lost.

const folder = join(import.meta.dirname, 'histories');

test.for(readdirSync(folder))('%s', async (file) => {
  // Written by this program.
  const history = JSON.parse(readFileSync(join(folder, file), 'utf8')) as History;
  const { violation } = await run(history, { unwatched: ['no-block'] });
  expect(violation).toBeNull();
});
