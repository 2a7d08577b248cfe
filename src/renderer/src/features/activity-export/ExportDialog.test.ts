import { screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { everything } from '../../../../shared/activity/filter.ts';
import { ok } from '../../../../shared/errors.ts';
import { renderInApp } from '../../testing/render.ts';
import ExportDialog from './ExportDialog.svelte';
import ExportProgress from './ExportProgress.svelte';

const idle = { rowsWritten: 0, totalCount: 0, path: null, error: null } as const;

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
    await user.click(screen.getByRole('radio', { name: /^All stored rows/ }));
    await user.click(screen.getByRole('radio', { name: /JSON Lines/ }));
    await user.click(begin);
    expect(bridge.argsOf('activity.export')).toEqual([
      { filter, format: 'csv' },
      { filter: { ...everything, showHidden: true }, format: 'jsonl' },
    ]);
  });
});

describe('ExportProgress', () => {
  it('shows how far it is, can be cancelled, and says how it ended until that is dismissed', async () => {
    const { bridge, user } = await renderInApp(ExportProgress, {});
    expect(screen.getByRole('status').textContent).toBe('');
    bridge.emit('activityExport.changed', {
      state: 'running',
      rowsWritten: 1_200,
      totalCount: 5_000,
      path: '/home/me/activity.csv',
      error: null,
    });
    await expect.poll(() => screen.queryByText(/1,200 of 5,000 transactions/)).not.toBeNull();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(bridge.argsOf('activity.cancelExport')).toHaveLength(1);
    bridge.emit('activityExport.changed', { ...idle, state: 'cancelled' });
    await expect.poll(() => screen.queryAllByText(/No file was kept/)).toHaveLength(2);
    bridge.emit('activityExport.changed', {
      state: 'done',
      rowsWritten: 1,
      totalCount: 1,
      path: '/home/me/activity.csv',
      error: null,
    });
    await expect.poll(() => screen.queryByText('1 transaction written to')).not.toBeNull();
    await user.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.getByRole('status').textContent).toBe('');
    bridge.emit('activityExport.changed', {
      ...idle,
      state: 'failed',
      error: { code: 'storage', message: 'The disk is full.' },
    });
    await expect.poll(() => screen.queryByRole('alert')).not.toBeNull();
  });
});
