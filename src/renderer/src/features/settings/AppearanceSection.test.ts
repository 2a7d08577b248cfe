import { screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { renderInApp } from '../../testing/render.ts';
import AppearanceSection from './AppearanceSection.svelte';

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
});
