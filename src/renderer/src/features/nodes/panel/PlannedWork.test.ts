import { screen, within } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import { err, type Result } from '../../../../../shared/errors.ts';
import type { Settings } from '../../../../../shared/settings.ts';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import { sampleNodes } from '../../../testing/sample-health.ts';
import { sampleIncidents } from '../../../testing/sample-past.ts';
import { Clock } from '../../../ui/text/clock.svelte.ts';
import PlannedWork from './PlannedWork.svelte';

describe('PlannedWork', () => {
  it('plans work from now or a time on, and ends it', async () => {
    const [incident] = sampleIncidents(testNowMs);
    const [status] = sampleNodes(testNowMs);
    if (incident === undefined || status === undefined) throw new Error('there are samples');
    const { app, bridge, user } = await renderInApp(PlannedWork, { status });
    const last = () => bridge.argsOf('settings.update').at(-1)?.alerts?.planned ?? [];
    await user.click(screen.getByText('Plan work on this node'));
    const form = within(screen.getByRole('form', { name: 'Plan work' }));
    await user.clear(form.getByLabelText('Maximum duration in hours'));
    await user.type(form.getByLabelText('Maximum duration in hours'), '0');
    expect(form.getByRole('button', { name: 'Plan' })).toHaveProperty('disabled', true);
    await user.clear(form.getByLabelText('Maximum duration in hours'));
    await user.type(form.getByLabelText('Maximum duration in hours'), '3');
    await user.click(form.getByRole('button', { name: 'Plan' }));
    const [work] = last();
    expect((work?.untilMs ?? 0) - (work?.fromMs ?? 0)).toBe(3 * 3_600_000);
    const began = { ...incident, nodeId: status.node.id, startedAtMs: work?.fromMs ?? 0 };
    expect(app.isPlanned(began)).toBe(true);
    expect(app.isPlanned({ ...began, startedAtMs: testNowMs - 3_600_000 })).toBe(false);
    await user.click(await screen.findByRole('button', { name: 'End planned work' }));
    expect((last()[0]?.untilMs ?? 0) - testNowMs).toBeLessThan(60_000);
  });

  it('is cancelled alone by a double press', async () => {
    const [status] = sampleNodes(testNowMs);
    if (status === undefined) throw new Error('there are samples');
    const { app, user } = await renderInApp(PlannedWork, { status });
    const work = (hours: number) => ({
      nodeId: status.node.id,
      fromMs: testNowMs + hours * 3_600_000,
      untilMs: testNowMs + (hours + 1) * 3_600_000,
    });
    await app.updateSettings({ alerts: { ...app.settings.alerts, planned: [work(1), work(5)] } });
    const [first] = await screen.findAllByRole('button', { name: 'Cancel' });
    if (first === undefined) throw new Error('there is one');
    await user.dblClick(first);
    expect(app.settings.alerts.planned).toEqual([work(5)]);
  });

  it('takes an empty time for now, however often the clock goes on while it is looked at', async () => {
    const [status] = sampleNodes(testNowMs);
    if (status === undefined) throw new Error('there are samples');
    let nowMs = testNowMs;
    const clock = vi.spyOn(Clock.prototype, 'nowMs', 'get').mockImplementation(() => (nowMs += 1));
    const { user } = await renderInApp(PlannedWork, { status });
    await user.click(screen.getByText('Plan work on this node'));
    expect(screen.queryByText(/^Enter a future time/)).toBeNull();
    expect(screen.getByRole('button', { name: 'Plan' })).toHaveProperty('disabled', false);
    clock.mockRestore();
  });

  it('plans once on a double press, however fast the answer is, and keeps the time until it is planned', async () => {
    const [status] = sampleNodes(testNowMs);
    if (status === undefined) throw new Error('there are samples');
    const { app, bridge, user } = await renderInApp(PlannedWork, { status });
    const form = () => within(screen.getByRole('form', { name: 'Plan work' }));
    const planAt = async (time: string) => {
      await user.click(screen.getByText('Plan work on this node'));
      await user.type(form().getByLabelText('From'), time);
      await user.dblClick(form().getByRole('button', { name: 'Plan' }));
    };
    await planAt('22:00');
    expect(app.settings.alerts.planned.map(({ fromMs }) => new Date(fromMs).getUTCHours())).toEqual([22]);
    const held = Promise.withResolvers<Result<Settings>>();
    bridge.answer('settings.update', () => held.promise);
    await planAt('23:00');
    expect(bridge.argsOf('settings.update')).toHaveLength(2);
    held.resolve(err({ code: 'storage', message: 'The disk is full.' }));
    const plan = form().getByRole('button', { name: 'Plan' });
    await expect.poll(() => plan.getAttribute('aria-busy')).toBe('false');
    expect(form().getByLabelText<HTMLInputElement>('From').value).toBe('23:00');
  });
});
