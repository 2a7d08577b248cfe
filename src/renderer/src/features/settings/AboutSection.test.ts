import { screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { renderInApp } from '../../testing/render.ts';
import AboutSection from './AboutSection.svelte';

describe('AboutSection', () => {
  it('says where the data is, to be copied and to be shown', async () => {
    const { bridge, user } = await renderInApp(AboutSection, {});
    const path = '/home/me/.config/Watchkeeper';
    expect(screen.getByText(path)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Copy data folder path' }));
    expect(bridge.argsOf('app.copyText')).toEqual([{ text: path }]);
    await user.click(screen.getByRole('button', { name: 'Show in folder' }));
    // The window names no path: the main process knows the only one.
    expect(bridge.argsOf('app.showDataFolder')).toEqual([undefined]);
  });

  it('opens the sample data', async () => {
    const { bridge, user } = await renderInApp(AboutSection, {});
    await user.click(screen.getByRole('button', { name: 'Open sample data' }));
    expect(bridge.argsOf('app.openSample')).toEqual([undefined]);
  });
});
