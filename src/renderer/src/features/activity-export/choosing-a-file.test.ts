import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { ok } from '../../../../shared/errors.ts';
import { renderInApp } from '../../testing/render.ts';
import ExportDialog from './ExportDialog.svelte';
import ExportProgress from './ExportProgress.svelte';

const choosing = { state: 'running', rowsWritten: 0, totalCount: 0, path: null, error: null } as const;

it('while the user chooses the file, the dialog does not speak of another export', async () => {
  const chosen = Promise.withResolvers<null>();
  const { bridge, app, user } = await renderInApp(ExportDialog, {});
  bridge.answer('activity.export', async () => {
    bridge.emit('activityExport.changed', choosing);
    return ok(await chosen.promise);
  });
  await user.click(screen.getByRole('button', { name: 'Save as…' }));
  await expect.poll(() => app.activityExport.state).toBe('running');
  expect(screen.queryByText('Another export is running.')).toBeNull();
  chosen.resolve(null);
  // Of one that was begun elsewhere it does.
  await expect.poll(() => screen.queryByText('Another export is running.')).not.toBeNull();
});

it('while the user chooses the file, nothing is said to be written', async () => {
  const { bridge, app } = await renderInApp(ExportProgress, {});
  bridge.emit('activityExport.changed', choosing);
  await expect.poll(() => app.activityExport.state).toBe('running');
  expect(screen.getByRole('status').textContent).toBe('');
});
