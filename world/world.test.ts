import { expect, test } from 'vitest';
import { run } from './run.ts';
import { historyOf } from './seeds.ts';

// How long a step takes is no matter for tests that run beside others; `npm run test:world` watches it.
const options = { unwatched: ['no-block'] } as const;

test('the same history gives the same trace, another one another', async () => {
  const [first, again, other] = [
    await run(historyOf('1'), options),
    await run(historyOf('1'), options),
    await run(historyOf('2'), options),
  ];
  expect(again.trace).toBe(first.trace);
  expect(other.trace).not.toBe(first.trace);
  expect(again.steps).toBeGreaterThan(100);
});

test.for(Array.from({ length: 40 }, (_none, seed) => String(seed)))('seed %s', async (seed) => {
  const { violation } = await run(historyOf(seed), options);
  expect(violation).toBeNull();
});
