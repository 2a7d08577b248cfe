import { screen, within } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { renderInApp } from '../../testing/render.ts';
import AlertsSection from './AlertsSection.svelte';

it('quiet hours that were saved are no longer called changed, however they were typed', async () => {
  const { app, user } = await renderInApp(AlertsSection, {});
  const hours = within(screen.getByRole('form', { name: 'Quiet hours' }));
  await user.clear(hours.getByLabelText('From'));
  await user.type(hours.getByLabelText('From'), '9:05');
  await user.click(hours.getByRole('button', { name: 'Save quiet hours' }));
  expect(app.settings.alerts.quiet.fromMinute).toBe(545);
  await expect
    .poll(() => hours.queryByRole('button', { name: 'Discard changes' }), { timeout: 2_000 })
    .toBeNull();
  expect(hours.getByLabelText<HTMLInputElement>('From').value).toBe('09:05');
});

it('quiet hours say that they end on the next day, where they do', async () => {
  const { user } = await renderInApp(AlertsSection, {});
  const until = within(screen.getByRole('form', { name: 'Quiet hours' })).getByLabelText('Until');
  const say = async (text: string) => {
    await user.clear(until);
    await user.type(until, text);
    return document.getElementById(until.getAttribute('aria-describedby') ?? '')?.textContent.trim();
  };
  expect(await say('22:01')).toBe('Local time.');
  expect(await say('22:00')).toBe('Local time, on the next day.');
  expect(await say('7:00')).toBe('Local time, on the next day.');
});
