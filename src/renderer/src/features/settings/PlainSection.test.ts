import { screen } from '@testing-library/svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderInApp } from '../../testing/render.ts';
import PlainSection from './PlainSection.svelte';

afterEach(() => vi.restoreAllMocks());

describe('a section that only chooses and switches', () => {
  it('chooses how often new activity is looked for', async () => {
    const { bridge, user } = await renderInApp(PlainSection, { title: 'Activity' });
    const chosen = () => screen.getAllByRole<HTMLInputElement>('radio').find(({ checked }) => checked)?.value;
    expect(chosen()).toBe('5');
    await user.click(screen.getByText('Never'));
    await user.click(screen.getByText('1 h'));
    expect(bridge.argsOf('settings.update')).toEqual([
      { activityCheckMinutes: 0 },
      { activityCheckMinutes: 60 },
    ]);
  });

  it('shows how dates and numbers are written, and changes it', async () => {
    const { bridge, user } = await renderInApp(PlainSection, { title: 'Appearance' });
    expect(screen.getByText('2026-09-16 14:05:07 · 1,204.5')).toBeTruthy();
    await user.click(screen.getByRole('radio', { name: 'ISO 8601' }));
    expect(bridge.argsOf('settings.update')).toEqual([{ notation: 'iso' }]);
  });

  it('switches keys that are a single letter off', async () => {
    const { app, user } = await renderInApp(PlainSection, { title: 'Appearance' });
    await user.click(screen.getByRole('checkbox', { name: /^Single-key shortcuts/ }));
    expect(app.settings).toMatchObject({ letterKeys: false, privacy: false });
  });

  it.each([
    ['Linux', 'Ctrl K', true],
    ['Macintosh', '⌘K', false],
  ])('on %s names %s as the keys that always work; closing the window has an effect: %s', async (...of) => {
    const [system, keys, isOffered] = of;
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(`Mozilla/5.0 (${system})`);
    await renderInApp(PlainSection, { title: 'Appearance' });
    expect(screen.getByText(new RegExp(`${keys} always works`))).toBeTruthy();
    await renderInApp(PlainSection, { title: 'Background' });
    expect(screen.queryByText('When you close the window') !== null).toBe(isOffered);
    expect(screen.getByRole('checkbox', { name: /^Start at login/ })).toBeTruthy();
  });
});
