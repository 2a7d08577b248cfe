import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { err } from '../../../shared/errors.ts';
import type { InvokeChannel } from '../../../shared/ipc/contract.ts';
import { renderInApp, testNowMs } from '../testing/render.ts';
import { fullWorld } from '../testing/sample-world.ts';
import NodesView from './NodesView.svelte';
import OverviewView from './OverviewView.svelte';

it.each([
  ['the strip of a tile', OverviewView, 'nodes.strips'],
  ['the newest report', NodesView, 'nodes.reportAt'],
  ['the last answer', NodesView, 'nodes.received'],
  ['forecasts', NodesView, 'nodes.forecasts'],
] as const)('%s that could not be read is read again when that is wanted', async (_what, view, channel) => {
  const world = fullWorld(testNowMs);
  const [status] = world.snapshot.nodes;
  if (status === undefined) throw new Error('The world has no node.');
  world.snapshot.nodes = [{ ...status, state: 'healthy' }];
  const { bridge, user } = await renderInApp<Record<string, never>>(
    view,
    {},
    {
      world,
      prepare: (fake) => {
        // The failure is the same whatever is asked.
        fake.answer(channel as InvokeChannel, () => err({ code: 'storage', message: 'The disk is full.' }));
      },
    },
  );
  if (channel === 'nodes.received') await user.click(await screen.findByText('Last answer, as received'));
  await expect.poll(() => bridge.argsOf(channel)).toHaveLength(1);
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  await expect.poll(() => bridge.argsOf(channel)).toHaveLength(2);
});
