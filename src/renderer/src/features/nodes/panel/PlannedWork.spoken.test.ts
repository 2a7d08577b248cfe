import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import { sampleNodes } from '../../../testing/sample-health.ts';
import PlannedWork from './PlannedWork.svelte';

it('reads out that work was planned, cancelled and ended', async () => {
  const [status] = sampleNodes(testNowMs);
  if (status === undefined) throw new Error('there are samples');
  const { user } = await renderInApp(PlannedWork, { status });
  const spoken = screen.getByRole('status');
  const plan = async (from: string) => {
    await user.click(screen.getByText('Plan work on this node'));
    if (from !== '') await user.type(screen.getByLabelText('From'), from);
    await user.click(screen.getByRole('button', { name: 'Plan' }));
  };
  expect(spoken.textContent).toBe('No work is planned on this node.');
  await plan('22:00');
  expect(spoken.textContent).toBe('1 period of planned work coming up on this node.');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(spoken.textContent).toBe('No work is planned on this node.');
  await plan('');
  expect(spoken.textContent).toBe('Planned work on this node is under way.');
  await user.click(screen.getByRole('button', { name: 'End planned work' }));
  expect(spoken.textContent).toBe('No work is planned on this node.');
});
