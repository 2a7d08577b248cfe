import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { err } from '../../../shared/errors.ts';
import type { FakeBridge } from '../testing/fake-bridge.ts';
import { renderInApp, testNowMs } from '../testing/render.ts';
import { fullWorld } from '../testing/sample-world.ts';
import NodesView from './NodesView.svelte';
import OverviewView from './OverviewView.svelte';

const failed = err({ code: 'storage', message: 'The disk is full.' } as const);

it.each([
  ['nodes.strips', OverviewView, (fake: FakeBridge) => fake.answer('nodes.strips', () => failed)],
  ['nodes.reportAt', NodesView, (fake: FakeBridge) => fake.answer('nodes.reportAt', () => failed)],
  ['nodes.received', NodesView, (fake: FakeBridge) => fake.answer('nodes.received', () => failed)],
  ['nodes.forecasts', NodesView, (fake: FakeBridge) => fake.answer('nodes.forecasts', () => failed)],
] as const)('%s that failed is asked again when that is wanted', async (channel, view, prepare) => {
  const world = fullWorld(testNowMs);
  const [status] = world.snapshot.nodes;
  if (status === undefined) throw new Error('The world has no node.');
  world.snapshot.nodes = [{ ...status, state: 'healthy' }];
  const { bridge, user } = await renderInApp<Record<string, never>>(view, {}, { world, prepare });
  if (channel === 'nodes.received') await user.click(await screen.findByText('Last response, as received'));
  await expect.poll(() => bridge.argsOf(channel)).toHaveLength(1);
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  await expect.poll(() => bridge.argsOf(channel)).toHaveLength(2);
});
