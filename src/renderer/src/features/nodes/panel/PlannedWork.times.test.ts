import { screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import { sampleNodes } from '../../../testing/sample-health.ts';
import PlannedWork from './PlannedWork.svelte';

async function open() {
  const [status] = sampleNodes(testNowMs);
  if (status === undefined) throw new Error('there are samples');
  const rendered = await renderInApp(PlannedWork, { status });
  const { app, user } = rendered;
  const planAt = async (time: string, hours: string) => {
    await user.click(screen.getByText('Plan work on this node'));
    const form = within(screen.getByRole('form', { name: 'Plan work' }));
    await user.type(form.getByLabelText('From'), time);
    await user.clear(form.getByLabelText('Maximum duration in hours'));
    await user.type(form.getByLabelText('Maximum duration in hours'), hours);
    await user.click(form.getByRole('button', { name: 'Plan' }));
  };
  const times = () => app.settings.alerts.planned.map(({ fromMs }) => new Date(fromMs).toISOString());
  return { ...rendered, planAt, times };
}

describe('planned work', () => {
  it('that begins at a time for which some is planned already is shown beside it, and is taken back alone', async () => {
    const { app, planAt, user } = await open();
    await planAt('22:00', '2');
    await planAt('22:00', '4');
    expect(screen.getAllByText('Upcoming planned work')).toHaveLength(2);
    const [first] = screen.getAllByRole('button', { name: 'Cancel' });
    if (first !== undefined) await user.click(first);
    expect(app.settings.alerts.planned.map(({ fromMs, untilMs }) => (untilMs - fromMs) / 3_600_000)).toEqual([
      4,
    ]);
  });

  it.each([
    ['22:00', '2026-09-16T22:00:00.000Z'],
    ['9:30', '2026-09-17T09:30:00.000Z'],
    ['today 22:00', '2026-09-16T22:00:00.000Z'],
  ])('from %j on begins then', async (time, begins) => {
    const { planAt, times } = await open();
    await planAt(time, '2');
    expect(times()).toEqual([begins]);
  });

  it.each(['yesterday 22:00', 'today 9:30'])('from %j on would lie in the past', async (time) => {
    const { planAt, times } = await open();
    await planAt(time, '2');
    expect(times()).toEqual([]);
    expect(screen.getByText(/^Enter a future time/)).toBeTruthy();
  });
});
