import { screen } from '@testing-library/svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderInApp } from '../../testing/render.ts';
import AppearanceSection from './AppearanceSection.svelte';

afterEach(() => vi.restoreAllMocks());

describe('AppearanceSection', () => {
  it('shows how dates and numbers are written, and changes it', async () => {
    const { bridge, user } = await renderInApp(AppearanceSection, {});
    expect(screen.getByText('2026-09-16 14:05:07 · 1,204.5')).toBeTruthy();
    await user.click(screen.getByRole('radio', { name: 'ISO 8601' }));
    expect(bridge.argsOf('settings.update')).toEqual([{ notation: 'iso' }]);
  });

  it('switches keys that are a single letter off', async () => {
    const { app, user } = await renderInApp(AppearanceSection, {});
    await user.click(screen.getByRole('checkbox', { name: /^Single-key shortcuts/ }));
    expect(app.settings).toMatchObject({ letterKeys: false, privacy: false });
  });

  it.each([
    ['Linux', 'Ctrl K'],
    ['Macintosh', '⌘K'],
  ])('on %s names %s as the keys that always work', async (system, keys) => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(`Mozilla/5.0 (${system})`);
    await renderInApp(AppearanceSection, {});
    expect(screen.getByText(new RegExp(`${keys} always works`))).toBeTruthy();
  });
});
