import { screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { everything } from '../../../../shared/activity/filter.ts';
import { ok, type Result } from '../../../../shared/errors.ts';
import { renderInApp } from '../../testing/render.ts';
import ExportDialog from './ExportDialog.svelte';

describe('ExportDialog', () => {
  it('writes what the filter shows, or everything with what is hidden', async () => {
    const { bridge, navigation, user } = await renderInApp(
      ExportDialog,
      {},
      { prepare: (fake) => fake.answer('activity.export', () => ok(null)) },
    );
    const filter = { ...everything, text: 'usdc' };
    navigation.filter = filter;
    const begin = screen.getByRole('button', { name: 'Save as…' });
    await user.click(begin);
    await user.click(screen.getByRole('radio', { name: /^All stored transactions/ }));
    await user.click(screen.getByRole('radio', { name: /JSON Lines/ }));
    await user.click(begin);
    expect(bridge.argsOf('activity.export')).toEqual([
      { filter, format: 'csv' },
      { filter: { ...everything, showHidden: true }, format: 'jsonl' },
    ]);
  });

  it('is closed once it is written, and says at the end how it went', async () => {
    const written = Promise.withResolvers<{ path: string; count: number }>();
    const { bridge, messages, navigation, user } = await renderInApp(ExportDialog, {});
    navigation.open({ kind: 'export-activity' });
    bridge.answer('activity.export', async () => ok(await written.promise));
    await user.click(screen.getByRole('button', { name: 'Save as…' }));
    bridge.emit('activityExport.changed', { kind: 'save', done: 0, share: 0 });
    await expect.poll(() => navigation.dialog).not.toBeNull();
    bridge.emit('activityExport.changed', { kind: 'save', done: 100, share: 0.5 });
    await expect.poll(() => navigation.dialog).toBeNull();
    expect(messages.list).toEqual([]);
    written.resolve({ path: '/home/me/activity.csv', count: 200 });
    const text = 'Saved 200 transactions to /home/me/activity.csv';
    await expect.poll(() => messages.list).toMatchObject([{ kind: 'done', text }]);
  });

  it.each([
    [{ code: 'cancelled', message: 'Nothing was kept.' }, { text: 'Export cancelled. No file was saved.' }],
    [{ code: 'storage', message: 'The disk is full.' }, { error: { message: 'The disk is full.' } }],
  ] as const)('that was closed still says how it ended: %o', async (error, told) => {
    const ended = Promise.withResolvers<Result<never>>();
    const { bridge, messages, navigation, user } = await renderInApp(ExportDialog, {});
    navigation.open({ kind: 'export-activity' });
    bridge.answer('activity.export', () => ended.promise);
    await user.click(screen.getByRole('button', { name: 'Save as…' }));
    navigation.closeDialog();
    ended.resolve({ ok: false, error });
    await expect.poll(() => messages.list).toMatchObject([told]);
  });

  it('does not speak of another export while the user chooses its file', async () => {
    const chosen = Promise.withResolvers<null>();
    const { bridge, app, user } = await renderInApp(ExportDialog, {});
    bridge.answer('activity.export', async () => {
      bridge.emit('activityExport.changed', { kind: 'save', done: 0, share: 0 });
      return ok(await chosen.promise);
    });
    await user.click(screen.getByRole('button', { name: 'Save as…' }));
    await expect.poll(() => app.activityExport).not.toBeNull();
    expect(screen.queryByText('Another export is in progress.')).toBeNull();
    chosen.resolve(null);
    // Of one that was begun elsewhere it does.
    await expect.poll(() => screen.queryByText('Another export is in progress.')).not.toBeNull();
  });
});
