import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { History } from './history.ts';
import { run } from './run.ts';
import { historyOf } from './seeds.ts';

test('the same history gives the same trace, another one another', async () => {
  const [first, again, other] = [
    await run(historyOf('1')),
    await run(historyOf('1')),
    await run(historyOf('2')),
  ];
  expect(again.trace).toBe(first.trace);
  expect(other.trace).not.toBe(first.trace);
  expect(again.steps).toBeGreaterThan(100);
});

const folder = join(import.meta.dirname, 'histories');

test.for(readdirSync(folder))('%s: all promises are kept', async (file) => {
  // Written by this program.
  const history = JSON.parse(readFileSync(join(folder, file), 'utf8')) as History;
  expect((await run(history)).violation).toBeNull();
});
