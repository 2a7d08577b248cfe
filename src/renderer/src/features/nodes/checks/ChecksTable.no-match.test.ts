import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import { sampleNodes } from '../../../testing/sample-health.ts';
import ChecksTable from './ChecksTable.svelte';

it('says that no check matches also where there is one', async () => {
  const report = sampleNodes(testNowMs)[0]?.report;
  if (report == null) throw new Error('the sample has a report');
  const only = { ...report, checks: report.checks.slice(0, 1) };
  const { user } = await renderInApp(ChecksTable, { report: only, chosen: null, onchoose: () => undefined });
  await user.type(screen.getByRole('searchbox', { name: 'Find a check' }), 'nothing like this');
  expect(screen.getByText('No checks match.')).toBeTruthy();
});
