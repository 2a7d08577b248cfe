import { screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import type { WatchedAddress } from '../../../../shared/activity/types.ts';
import { ok } from '../../../../shared/errors.ts';
import { renderInApp, testNowMs } from '../../testing/render.ts';
import { emptyWorld, fullWorld } from '../../testing/sample-world.ts';
import { viewList } from '../../views/view-list.ts';
import Shell from './Shell.svelte';

describe('Shell', () => {
  it('lists the views and marks where one is', async () => {
    const { user } = await renderInApp(Shell, { views: viewList });
    const rail = screen.getByRole('navigation', { name: 'Views' });
    expect(within(rail).getByRole('button', { name: 'Overview' }).getAttribute('aria-current')).toBe('page');
    await user.click(within(rail).getByRole('button', { name: 'Settings' }));
    expect(screen.getByRole('heading', { level: 1, name: 'Settings' })).toBeTruthy();
    expect(document.title).toBe('Settings – Watchkeeper');
  });

  it('welcomes who has nothing yet', async () => {
    await renderInApp(Shell, { views: viewList }, { world: emptyWorld(testNowMs) });
    expect(screen.getByRole('heading', { name: 'Welcome to Watchkeeper' })).toBeTruthy();
    expect(screen.queryByText('Sample data')).toBeNull();
  });

  it('marks sample data as such', async () => {
    await renderInApp(Shell, { views: viewList });
    expect(screen.getByText('Sample data')).toBeTruthy();
  });

  it('says at all times that everything is sample data, and closes it', async () => {
    const { bridge, user } = await renderInApp(
      Shell,
      { views: viewList },
      { prepare: (fake) => fake.answer('app.isSample', () => ok(true)) },
    );
    const banner = screen.getByRole('region', { name: 'Sample data' });
    expect(banner.textContent).toMatch(/Nothing is\s+fetched\s+from outside this computer/);
    expect(within(banner).getByRole('status').textContent).toBe('');
    expect(document.title).toBe('Overview – Sample data – Watchkeeper');
    await user.click(within(banner).getByRole('button', { name: 'Close sample data' }));
    expect(bridge.argsOf('app.quit')).toEqual([undefined]);
  });

  it.each([
    [{ state: 'online', lastAnswerAtMs: testNowMs, error: null }, 'Live'],
    [{ state: 'offline', lastAnswerAtMs: testNowMs - 3_600_000, error: null }, 'As of 13:05 (offline)'],
    [
      { state: 'offline', lastAnswerAtMs: testNowMs - 86_400_000, error: null },
      'As of 2026-09-15 14:05 (offline)',
    ],
    [{ state: 'offline', lastAnswerAtMs: null, error: null }, 'Offline'],
    [{ state: 'unknown', lastAnswerAtMs: null, error: null }, 'Not connected yet'],
    [{ state: 'off', lastAnswerAtMs: testNowMs, error: null }, 'Requests off'],
  ] as const)('says of the connection %o: %s', async (connection, words) => {
    const world = fullWorld(testNowMs);
    world.snapshot.connection = connection;
    await renderInApp(Shell, { views: viewList }, { world });
    expect(screen.getByRole('status', { name: 'Connection' }).textContent).toContain(words);
  });

  it('shows a notice of the store until it is dismissed, and a new one again', async () => {
    const world = fullWorld(testNowMs);
    world.snapshot.storage = { state: 'ready', notKept: false, notices: ['The store was set aside.'] };
    const { bridge, user } = await renderInApp(Shell, { views: viewList }, { world });
    expect(screen.getByText('The store was set aside.').parentElement?.textContent).toMatch(
      /^The local store had a problem/,
    );
    await user.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText('The store was set aside.')).toBeNull();
    bridge.emit('storage.changed', { state: 'memory', notKept: false, notices: ['Nothing can be written.'] });
    expect(await screen.findByText('Nothing is being saved')).toBeTruthy();
  });

  it('says that nothing is being saved while the disk is full, and no longer once there is room', async () => {
    const world = fullWorld(testNowMs);
    const notices = ['The disk is full. No new data has been saved since 2026-09-16 14:05 UTC.'];
    world.snapshot.storage = { state: 'ready', notKept: true, notices };
    const { bridge } = await renderInApp(Shell, { views: viewList }, { world });
    expect(screen.getByText('Nothing is being saved')).toBeTruthy();
    bridge.emit('storage.changed', {
      state: 'ready',
      notKept: false,
      notices: ['The app is saving new data again.'],
    });
    expect(await screen.findByText('The app is saving new data again.')).toBeTruthy();
    expect(screen.queryByText('Nothing is being saved')).toBeNull();
  });

  it('says of the store alone that it cannot be used, not of what else the app has to say', async () => {
    const world = fullWorld(testNowMs);
    const others = ['Watchkeeper is running without its sandbox.'];
    world.snapshot.storage = { state: 'failed', notKept: false, notices: ['It is locked.'], others };
    await renderInApp(Shell, { views: viewList }, { world });
    expect(screen.getByText('It is locked.').parentElement?.textContent).toMatch(/^The local store can’t/);
    expect(screen.getByText(/its sandbox/).parentElement?.textContent).toMatch(
      /^The app needs your attention/,
    );
  });

  it('hides amounts and labels at a key press', async () => {
    const { bridge, user } = await renderInApp(Shell, { views: viewList });
    await user.keyboard('p');
    expect(bridge.argsOf('settings.update')).toEqual([{ privacy: true }]);
  });

  describe('when a view cannot be drawn', () => {
    /** As one would come from a main process that lets a repetition through. */
    function repeated(watchlist: readonly WatchedAddress[]): WatchedAddress[] {
      return watchlist.map((entry) => ({ ...entry, unindexedChainIds: ['7', '7'] }));
    }

    it('tells it at the edge of the view with what the log knows it by, and the rest goes on', async () => {
      const world = fullWorld(testNowMs);
      world.snapshot.watchlist = repeated(world.snapshot.watchlist);
      const { bridge, user } = await renderInApp(Shell, { views: viewList }, { world });
      await user.keyboard('2');
      const notice = await screen.findByRole('alert');
      expect(notice.textContent).toContain('Activity couldn’t be shown');
      await expect.poll(() => notice.textContent).toContain('“a-reference”');
      expect(bridge.argsOf('app.drawingFailed')).toMatchObject([
        {
          where: 'Activity',
          error: { name: 'Svelte error', stack: expect.stringContaining('each_key') as string },
        },
      ]);
      const rail = screen.getByRole('navigation', { name: 'Views' });
      await user.click(within(rail).getByRole('button', { name: 'Settings' }));
      expect(screen.getByRole('heading', { level: 1, name: 'Settings' })).toBeTruthy();
      expect(screen.queryByText(/couldn’t be shown/)).toBeNull();
    });

    it('draws it again by itself when one comes back to it, and at a press when what is wrong has gone', async () => {
      const { app, bridge, user } = await renderInApp(Shell, { views: viewList });
      const good = app.watchlist;
      await user.keyboard('2');
      expect(screen.getByRole('complementary', { name: 'Watched addresses' })).toBeTruthy();
      bridge.emit('watchlist.changed', repeated(good));
      expect(await screen.findByText('Activity couldn’t be shown')).toBeTruthy();
      bridge.emit('watchlist.changed', good);
      await user.click(screen.getByRole('button', { name: 'Try again' }));
      expect(screen.getByRole('complementary', { name: 'Watched addresses' })).toBeTruthy();
      bridge.emit('watchlist.changed', repeated(good));
      expect(await screen.findByText('Activity couldn’t be shown')).toBeTruthy();
      bridge.emit('watchlist.changed', good);
      await user.keyboard('1');
      await user.keyboard('2');
      expect(screen.getByRole('complementary', { name: 'Watched addresses' })).toBeTruthy();
    });
  });
});
