import { fireEvent, screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { err, ok } from '../../../../../shared/errors.ts';
import { sampleNodes } from '../../../testing/sample-health.ts';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import Replay from './Replay.svelte';

const props = { id: 'n1', sinceMs: 0, recorded: null, atMs: null };

describe('Replay', () => {
  it('reads out the moment, and steps through the stored reports', async () => {
    const { user } = await renderInApp(Replay, props);
    const slider = await screen.findByRole('slider', { name: 'Replay position' });
    expect(slider.getAttribute('aria-valuetext')).toBe('2026-09-16 14:04:59, Healthy, change 40 of 40');
    expect(screen.getByRole('button', { name: 'Next change' }).hasAttribute('disabled')).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Previous change' }));
    expect(slider.getAttribute('aria-valuetext')).toBe('2026-09-16 13:34:59, Unhealthy, change 39 of 40');
    const changed = await screen.findByRole('region', { name: 'What changed' });
    await expect.poll(() => changed.textContent).toContain('1 of 8 checks fails: Network.');
    const row = within(changed).getByRole('row', { name: /Network/ });
    expect(row.textContent).toContain('connectedPeers');
    expect(row.textContent).toContain('48');
  });

  it('goes where the slider is moved, and shows the checks of that report', async () => {
    const { bridge } = await renderInApp(Replay, props);
    const slider = await screen.findByRole<HTMLInputElement>('slider', { name: 'Replay position' });
    // It is as long as the time itself, so the middle between two changes is still the first of them.
    expect(Number(slider.max) - Number(slider.min)).toBeGreaterThan(6 * 86_400_000);
    await fireEvent.input(slider, { target: { value: `${Date.UTC(2026, 8, 15, 20, 20)}` } });
    expect(slider.getAttribute('aria-valuetext')).toMatch(/^2026-09-15 20:20:00, Unhealthy, change 4 of 40/);
    expect(await screen.findByText('2026-09-15 20:04:59')).toBeTruthy();
    expect(screen.getByText(/^Around this time: 2026-09-15/)).toBeTruthy();
    await expect
      .poll(() => bridge.argsOf('nodes.reportAt').at(-1)?.atMs)
      .toBe(Date.UTC(2026, 8, 15, 20, 4, 59));
    expect(within(screen.getByRole('table', { name: 'Checks' })).getAllByRole('row')).toHaveLength(9);
  });

  it('goes from change to change by the keys', async () => {
    const { user } = await renderInApp(Replay, props);
    const slider = await screen.findByRole('slider', { name: 'Replay position' });
    const isAt = (change: number) =>
      expect(slider.getAttribute('aria-valuetext')).toMatch(new RegExp(`, change ${change} of 40$`));
    slider.focus();
    for (const [key, change] of [
      ['ArrowLeft', 39],
      ['Home', 1],
      ['ArrowRight', 2],
      ['PageUp', 12],
      ['End', 40],
    ] as const) {
      await user.keyboard(`{${key}}`);
      isAt(change);
    }
  });

  it('leaves the keys of the way back to the app', async () => {
    await renderInApp(Replay, props);
    const slider = await screen.findByRole('slider', { name: 'Replay position' });
    expect(await fireEvent.keyDown(slider, { key: 'ArrowLeft', altKey: true })).toBe(true);
    expect(slider.getAttribute('aria-valuetext')).toMatch(/, change 40 of 40$/);
  });

  it('answers what the node said at a time that is typed', async () => {
    const { user, bridge } = await renderInApp(Replay, props);
    const slider = await screen.findByRole('slider', { name: 'Replay position' });
    const field = screen.getByRole('textbox', { name: 'Go to' });
    await user.type(field, 'yesterday 21:00{Enter}');
    expect(slider.getAttribute('aria-valuetext')).toBe('2026-09-15 21:00:00, Healthy, change 5 of 40');
    expect(bridge.argsOf('nodes.reportAt').at(-1)?.atMs).toBe(Date.UTC(2026, 8, 15, 20, 34, 59));
    await user.clear(field);
    await user.type(field, 'some day{Enter}');
    expect(screen.getByText(/^Enter a time such as/)).toBeTruthy();
    expect(field.getAttribute('aria-invalid')).toBe('true');
    // Before the first report that is stored, nothing is said to be known.
    await user.clear(field);
    await user.type(field, 'yesterday 12:00{Enter}');
    expect(await screen.findByText('The app has no stored reports from before this time.')).toBeTruthy();
    expect(screen.queryByRole('table', { name: 'Checks' })).toBeNull();
  });

  it('goes to yesterday’s noon and to an hour before the last incident by a press', async () => {
    const { user, bridge } = await renderInApp(Replay, props);
    const slider = await screen.findByRole('slider', { name: 'Replay position' });
    await user.click(screen.getByRole('button', { name: 'Yesterday 12:00' }));
    await expect.poll(() => bridge.argsOf('nodes.reportAt').at(-1)?.atMs).toBe(Date.UTC(2026, 8, 15, 12));
    await user.click(await screen.findByRole('button', { name: '1 h before the last incident' }));
    expect(slider.getAttribute('aria-valuetext')).toMatch(/^2026-09-1/);
    expect(bridge.argsOf('incidents.list')[0]?.filter.nodeId).toBe('n1');
  });

  it('reads a longer range for a time of before, and does not offer what was never watched', async () => {
    const sinceMs = testNowMs - 40 * 86_400_000;
    const { user, bridge } = await renderInApp(Replay, { ...props, sinceMs });
    const field = await screen.findByRole('textbox', { name: 'Go to' });
    await user.type(field, '2026-08-20{Enter}');
    expect(screen.getByRole<HTMLInputElement>('radio', { name: '30 d' }).checked).toBe(true);
    expect(bridge.argsOf('nodes.moments').at(-1)?.fromMs).toBeLessThan(Date.UTC(2026, 7, 20));
    await user.clear(field);
    await user.type(field, '2026-07-01{Enter}');
    expect(screen.getByText(/^Only reports from 2026-08-07/)).toBeTruthy();
  });

  it('shows the time that it was opened for in another span that is chosen while it is read', async () => {
    const held = Promise.withResolvers<null>();
    const atMs = Date.UTC(2026, 8, 15, 20, 20);
    const { user } = await renderInApp(
      Replay,
      { ...props, atMs },
      {
        prepare: (fake) =>
          fake.answer('nodes.moments', async () => {
            await held.promise;
            return ok({ moments: [{ atMs: atMs - 1, state: 'healthy' }], isCut: false });
          }),
      },
    );
    await user.click(screen.getByRole('radio', { name: '30 d' }));
    held.resolve(null);
    const slider = await screen.findByRole('slider', { name: 'Replay position' });
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/^2026-09-15 20:20:00/);
  });

  it('opens a check of a past run that was no check result as it came', async () => {
    const [node] = sampleNodes(testNowMs);
    const check = node?.report?.checks[0];
    if (check === undefined) throw new Error('no report');
    const odd = { ...check, name: 'odd', state: 'unknown' as const, error: null, message: [{ a: 42 }] };
    const { user } = await renderInApp(Replay, props, {
      prepare: (fake) =>
        fake.answer('nodes.reportAt', ({ atMs }) =>
          ok({
            atMs,
            state: 'unknown',
            reason: 'x',
            report: { healthy: true, checks: [odd], notes: ['odd: not a check result.'] },
            differences: [],
            previousAtMs: null,
          }),
        ),
    });
    const row = await screen.findByRole('row', { name: /^odd/ });
    await user.click(within(row).getByText('Full message'));
    expect(row.textContent.replaceAll(/\s+/g, ' ')).toContain('[ { "a": 42 } ]');
    expect(screen.getByText('odd: not a check result.')).toBeTruthy();
  });

  it('says of a recording, too, what was around the shown time', async () => {
    const span = { fromMs: testNowMs - 86_400_000, toMs: testNowMs };
    const recorded = { id: 'n1', nodeName: 'Frankfurt 1', ...span, reportCount: 40, path: '/x' };
    const { bridge } = await renderInApp(Replay, { ...props, recorded });
    expect(await screen.findByText(/^Around this time: /)).toBeTruthy();
    expect(bridge.argsOf('nodes.strips')).toMatchObject([{ id: 'n1', ...span }]);
  });

  it('says nothing of another range while the past of the chosen one is read, and says so when that fails', async () => {
    const { bridge, user } = await renderInApp(Replay, props);
    await screen.findByText(/^Around this time: /);
    const held = Promise.withResolvers<null>();
    bridge.answer('nodes.strips', async () => {
      await held.promise;
      return err({ code: 'storage', message: 'no room' });
    });
    await user.click(screen.getByRole('radio', { name: '1 y' }));
    await screen.findByRole('slider', { name: 'Replay position' });
    expect(screen.queryByText(/^Around this time: /)).toBeNull();
    held.resolve(null);
    expect(await screen.findByText(/no room/)).toBeTruthy();
  });

  it('saves the span that is shown as a recording', async () => {
    const { bridge, messages, user } = await renderInApp(Replay, props);
    await screen.findByRole('slider', { name: 'Replay position' });
    await user.click(screen.getByRole('button', { name: 'Save recording' }));
    const asked = bridge.argsOf('recordings.save')[0];
    expect(asked?.id).toBe('n1');
    const text = messages.list[0]?.kind === 'done' ? messages.list[0].text : '';
    expect(text).toMatch(/^Saved 40 reports to /);
  });

  it('says when there are more changes than one span may hold, and when there are none', async () => {
    const { bridge, user } = await renderInApp(Replay, props, {
      prepare: (fake) =>
        fake.answer('nodes.moments', () => ok({ moments: [{ atMs: 5, state: 'healthy' }], isCut: true })),
    });
    expect(await screen.findByText(/Only the first 40 changes are shown/)).toBeTruthy();
    bridge.answer('nodes.moments', () => ok({ moments: [], isCut: false }));
    await user.click(screen.getByRole('radio', { name: '24 h' }));
    expect(await screen.findByText(/No reports are stored for this time range/)).toBeTruthy();
  });
});
