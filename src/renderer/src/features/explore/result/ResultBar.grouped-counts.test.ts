import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { ok } from '../../../../../shared/errors.ts';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import { SampleRuns } from '../../../testing/sample-runs.ts';
import ResultBar from './ResultBar.svelte';

it('counts of pages and long waits are written as all counts', async () => {
  const runs = new SampleRuns(testNowMs, () => undefined);
  const target = { kind: 'endpoint', endpointId: 'latest-transactions', params: {} } as const;
  const run = { ...runs.start(target, 'one'), pageCount: 1_204 };
  const page = runs.page(run.id, 0);
  if (!page.ok) throw new Error('the sample has a page');
  const { bridge, explore } = await renderInApp(ResultBar, { run });
  bridge.answer('runs.page', () => ok({ ...page.value, durationMs: 41_204 }));
  explore.open({ ...run, pageCount: 1 });
  expect(await screen.findByText(/^showing 1 of 1,204 pages$/)).toBeTruthy();
  expect(screen.getByText('HTTP status 200 in 41,204 ms')).toBeTruthy();
});
