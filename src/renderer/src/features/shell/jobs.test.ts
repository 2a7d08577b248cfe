import { screen, within } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { renderInApp } from '../../testing/render.ts';
import { sampleAddresses } from '../../testing/sample-world.ts';
import JobsPill from './JobsPill.svelte';
import { jobsOf } from './jobs.ts';

const quiet = {
  completion: { partialCount: 0, waitingCount: 0, isAll: false, doneCount: 0, error: null },
  watchlist: [],
};

it('lists what is under way with how far it is, and cancels each by its own call', async () => {
  const { app, bridge, explore, user } = await renderInApp(JobsPill, {});
  Object.assign(app, quiet);
  expect(jobsOf(app, explore)).toEqual([]);
  const [treasury] = bridge.world.snapshot.watchlist;
  const [chain] = treasury?.chains ?? [];
  if (treasury === undefined || chain === undefined) throw new Error('The world is empty.');
  app.watchlist = [{ ...treasury, chains: [{ ...chain, sync: { ...chain.sync, state: 'running' } }] }];
  app.completion = { partialCount: 9, waitingCount: 3, isAll: true, doneCount: 1, error: null };
  app.activityExport = { kind: 'save', done: 5, share: 0.5 };
  app.recordingTask = { kind: 'save', done: 7, share: 0.25 };
  const state = { at: 'downloading', version: '9.9.9', share: 0.429 } as const;
  app.updates = { host: 'updates.example', obstacle: null, state };
  const target = {
    kind: 'endpoint',
    endpointId: 'chain-transactions',
    params: { chainId: '43114' },
  } as const;
  const run = await bridge.invoke('runs.start', { target, pages: 'one' });
  if (!run.ok) throw new Error(run.error.message);
  bridge.emit('run.changed', { ...run.value, state: 'running', pageCount: 2 });
  await user.click(await screen.findByRole('button', { name: '6 tasks running' }));
  const list = within(screen.getByRole('dialog', { name: 'Running tasks' }));
  expect(
    list.getAllByRole('listitem').map(({ textContent }) => textContent.replaceAll(/\s+/g, ' ').trim()),
  ).toEqual([
    expect.stringMatching(/^Fetching history for Treasury .*fetching/),
    'Fetching transaction details 1 of 4 Cancel',
    'Exporting activity 5 transactions Cancel',
    'Saving the recording 7 polls Cancel',
    'Downloading version 9.9.9 42% Cancel',
    expect.stringMatching(/2 pages, [\d.]+ K?B Cancel$/),
  ]);
  expect(list.getAllByRole<HTMLProgressElement>('progressbar').map(({ value }) => value)).toEqual([
    25, 50, 25, 42,
  ]);
  for (const button of list.getAllByRole('button')) await user.click(button);
  expect(bridge.argsOf('activity.cancel')).toEqual([
    { scope: { address: sampleAddresses.treasury, chainId: null } },
  ]);
  expect(bridge.argsOf('activity.completeAll')).toMatchObject([{ run: false }]);
  for (const channel of [
    'activity.cancelExport',
    'recordings.cancel',
    'updates.cancel',
    'runs.cancel',
  ] as const) {
    expect(bridge.argsOf(channel)).toHaveLength(1);
  }
});

it('says that completing waits while there is no connection', async () => {
  const { app, explore } = await renderInApp(JobsPill, {});
  const completion = { partialCount: 13, waitingCount: 13, isAll: true, doneCount: 0, error: null };
  Object.assign(app, quiet, { completion, connection: { ...app.connection, state: 'offline' } });
  expect(jobsOf(app, explore).map(({ note }) => note)).toEqual(['13 transactions waiting for a connection']);
});

it('is not there while nothing is under way, and does not open by itself', async () => {
  const { app, user } = await renderInApp(JobsPill, {});
  const task = { kind: 'open', done: 1, share: 0 } as const;
  Object.assign(app, quiet, { recordingTask: task });
  await user.click(await screen.findByRole('button', { name: '1 task running' }));
  app.recordingTask = null;
  await expect.poll(() => screen.queryByRole('button')).toBeNull();
  app.recordingTask = task;
  await screen.findByRole('button', { name: '1 task running' });
  expect(screen.queryByRole('dialog')).toBeNull();
});
