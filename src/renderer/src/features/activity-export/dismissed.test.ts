import { cleanup, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import type { ActivityExportStatus } from '../../../../shared/activity/types.ts';
import { renderInApp, testNowMs } from '../../testing/render.ts';
import { fullWorld } from '../../testing/sample-world.ts';
import ExportProgress from './ExportProgress.svelte';

const done: ActivityExportStatus = {
  ...{ state: 'done', rowsWritten: 5, totalCount: 5 },
  ...{ path: '/home/me/activity.csv', error: null },
};
const told = () => screen.queryByText('5 transactions written to');

it('the result of an export that was dismissed does not come back with the view', async () => {
  const { app, bridge, user } = await renderInApp(ExportProgress, {});
  bridge.emit('activityExport.changed', done);
  await user.click(await screen.findByRole('button', { name: 'Dismiss' }));
  expect(told()).toBeNull();
  const status = app.activityExport;
  cleanup();
  const world = fullWorld(testNowMs);
  world.snapshot.activityExport = status;
  const again = await renderInApp(ExportProgress, {}, { world });
  expect(again.app.activityExport).toBe(status);
  expect(told()).toBeNull();
});

it('a later export to the same file is told, too', async () => {
  const { bridge, user } = await renderInApp(ExportProgress, {});
  bridge.emit('activityExport.changed', done);
  await user.click(await screen.findByRole('button', { name: 'Dismiss' }));
  bridge.emit('activityExport.changed', { ...done, state: 'running', rowsWritten: 0 });
  await expect.poll(() => screen.queryByRole('button', { name: 'Cancel' })).not.toBeNull();
  bridge.emit('activityExport.changed', done);
  await expect.poll(told).not.toBeNull();
});
