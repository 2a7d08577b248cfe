import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import { sampleNodes } from '../../../testing/sample-health.ts';
import ChecksTable from './ChecksTable.svelte';

it('shows four times as many checks at each press, and offers no more than there are', async () => {
  const report = sampleNodes(testNowMs)[0]?.report;
  const check = report?.checks[0];
  if (report == null || check === undefined) throw new Error('the sample has a report');
  const checks = Array.from({ length: 230 }, (_, at) => ({ ...check, name: `check ${at}` }));
  const props = { report: { ...report, checks }, chosen: null, onchoose: () => undefined };
  const { user } = await renderInApp(ChecksTable, props);
  expect(screen.getAllByRole('row')).toHaveLength(101);
  await user.click(screen.getByRole('button', { name: 'Show more checks' }));
  expect(screen.getAllByRole('row')).toHaveLength(231);
  expect(screen.queryByRole('button', { name: 'Show more checks' })).toBeNull();
});
