import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import { sampleNodes } from '../../../testing/sample-health.ts';
import ChecksTable from './ChecksTable.svelte';

it('offers to show as many checks as there are left', async () => {
  const report = sampleNodes(testNowMs)[0]?.report;
  const check = report?.checks[0];
  if (report == null || check === undefined) throw new Error('the sample has a report');
  const checks = Array.from({ length: 230 }, (_, at) => ({ ...check, name: `check ${at}` }));
  const props = { report: { ...report, checks }, chosen: null, onchoose: () => undefined };
  const { user } = await renderInApp(ChecksTable, props);
  await user.click(screen.getByRole('button', { name: 'Show 100 more' }));
  await user.click(screen.getByRole('button', { name: 'Show 30 more' }));
  expect(screen.getAllByRole('row')).toHaveLength(231);
});
