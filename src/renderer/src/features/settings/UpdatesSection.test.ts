import { screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import type { UpdateStatus } from '../../../../shared/updates.ts';
import { renderInApp, testNowMs } from '../../testing/render.ts';
import { emptyWorld } from '../../testing/sample-world.ts';
import UpdatesSection from './UpdatesSection.svelte';

const version = '9.9.9';

/** The section of a build that knows a place, while “Notify” is chosen. */
async function renderSection(updates: Partial<UpdateStatus> = {}, choice: 'off' | 'notify' = 'notify') {
  const world = emptyWorld(testNowMs);
  world.snapshot.settings = { ...world.snapshot.settings, updates: choice };
  world.snapshot.updates = {
    host: 'updates.example',
    obstacle: null,
    state: { at: 'idle' },
    ...updates,
  };
  return await renderInApp(UpdatesSection, {}, { world });
}

const text = () => document.body.textContent.replaceAll(/\s+/g, ' ');
const button = (name: string) => screen.queryByRole<HTMLButtonElement>('button', { name });
const radio = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name });

describe('UpdatesSection', () => {
  it('says when the build knows no place, and then there is nothing to choose', async () => {
    await renderSection({ host: null }, 'off');
    expect(text()).toContain('This build has no update server.');
    for (const name of ['Off', 'Notify', 'Automatic']) expect(radio(name).disabled).toBe(true);
    expect(screen.queryAllByRole('button')).toEqual([]);
  });

  it('says whom it asks and what each choice does, and sets the choice', async () => {
    const { bridge, user } = await renderSection({}, 'off');
    expect(radio('Off').checked).toBe(true);
    expect(text()).toContain('From updates.example.');
    expect(text()).toMatch(
      /Off: The app never checks for updates.*Notify: Checks for a newer version when the app starts and once a day.*Automatic: Also downloads/,
    );
    expect(button('Check now')?.disabled).toBe(true);
    await user.click(radio('Automatic'));
    expect(bridge.argsOf('settings.update')).toEqual([{ updates: 'automatic' }]);
  });

  it.each([
    [{ at: 'idle' }, 'Not checked since the app started.', 'Check now'],
    [{ at: 'newest', askedAtMs: testNowMs }, 'You have the latest version. Checked 14:05', 'Check now'],
    [{ at: 'available', version }, 'Version 9.9.9 is available.', 'Download and install'],
    [
      { at: 'available', version, error: { code: 'unreachable', message: 'Nothing there.' } },
      /Version 9\.9\.9 is available\..*Can’t reach the update server/,
      'Download and install',
    ],
    [{ at: 'downloading', version, share: 0.429 }, 'Downloading version 9.9.9: 42%.', null],
    [{ at: 'downloading', version, share: null }, 'Downloading version 9.9.9.', null],
    [{ at: 'ready', version }, 'will be installed when you quit the app.', null],
    [
      { at: 'failed', version: null, error: { code: 'unreachable', message: 'Nothing there.' } },
      'Can’t reach the update server',
      'Check now',
    ],
  ] as const)('%o is said in words', async (state, words, action) => {
    await renderSection({ state });
    expect(text()).toMatch(words);
    if (action === null) expect(screen.queryAllByRole('button')).toEqual([]);
    else expect(button(action)?.disabled).toBe(false);
  });

  it('reads out that a version is being downloaded, and not each share of it', async () => {
    const state = { at: 'downloading', version, share: 0.1 } as const;
    const { app, bridge } = await renderSection({ state });
    const status = screen.getByRole('status');
    const spoken = status.textContent;
    expect(spoken).toBe('Downloading version 9.9.9.');
    bridge.emit('updates.changed', { ...app.updates, state: { ...state, share: 0.2 } });
    await expect.poll(text).toContain('Downloading version 9.9.9: 20%.');
    expect(status.textContent).toBe(spoken);
    bridge.emit('updates.changed', { ...app.updates, state: { at: 'newest', askedAtMs: testNowMs } });
    await expect.poll(() => status.textContent).toBe('You have the latest version.');
  });

  it('asks, and downloads what is there', async () => {
    const { bridge, user } = await renderSection({ state: { at: 'available', version } });
    await user.click(screen.getByRole('button', { name: 'Check now' }));
    await user.click(screen.getByRole('button', { name: 'Download and install' }));
    expect(bridge.argsOf('updates.ask')).toHaveLength(1);
    expect(bridge.argsOf('updates.download')).toHaveLength(1);
  });

  it('says why a copy cannot replace itself, and offers no download then', async () => {
    await renderSection({ obstacle: 'unsigned', state: { at: 'available', version } });
    expect(text()).toMatch(/this copy isn’t signed.*“Automatic” works like “Notify”/);
    expect(button('Download and install')).toBeNull();
  });
});
