import { screen, within } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { ok } from '../../../../../shared/errors.ts';
import type { Attempt } from '../../../../../shared/explore/types.ts';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import { SampleRuns } from '../../../testing/sample-runs.ts';
import AttemptList from './AttemptList.svelte';

const runs = new SampleRuns(testNowMs, () => undefined);
const run = runs.start({ kind: 'endpoint', endpointId: 'latest-transactions', params: {} }, 'one');

it('of thousands of attempts the newest are shown, and earlier ones when asked', async () => {
  const [attempt] = runs.attempts(run.id);
  if (attempt === undefined) throw new Error('the sample has an attempt');
  const attempts = Array.from({ length: 3_000 }, (_, at): Attempt => ({ ...attempt, rowCount: 7_000 + at }));
  const { user } = await renderInApp(
    AttemptList,
    { run },
    { prepare: (bridge) => bridge.answer('runs.attempts', () => ok(attempts)) },
  );
  await user.click(screen.getByText('Attempts'));
  const table = await screen.findByRole('table', { name: 'Attempts' });
  const rows = () => table.querySelectorAll('tbody tr').length;
  expect(rows()).toBe(200);
  expect(within(table).getByText('9,999')).toBeTruthy();
  expect(screen.getByText('200 of 3,000')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Show earlier attempts' }));
  expect(rows()).toBe(800);
});
