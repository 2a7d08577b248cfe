import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { catalogue } from '../../../state/catalogue.ts';
import ExploreView from '../../../views/ExploreView.svelte';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import { fullWorld } from '../../../testing/sample-world.ts';

it('nodes of one name are told apart by their addresses', async () => {
  const world = fullWorld(testNowMs);
  for (const { node } of world.snapshot.nodes.slice(0, 2)) node.name = 'validator';
  const hosts = world.snapshot.nodes.slice(0, 2).map(({ node }) => new URL(node.url).host);
  const { explore } = await renderInApp(ExploreView, {}, { world });
  explore.choose(catalogue.find(({ isNodeCall }) => isNodeCall)?.id ?? '');
  for (const host of hosts)
    expect(await screen.findByRole('option', { name: `validator · ${host}` })).toBeTruthy();
});

it('a node that is watched at two addresses can be chosen', async () => {
  const world = fullWorld(testNowMs);
  for (const status of world.snapshot.nodes) status.nodeId = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg';
  const form = catalogue.find(({ params }) => Object.values(params).some(({ kind }) => kind === 'node-id'));
  const { explore, user } = await renderInApp(ExploreView, {}, { world });
  explore.choose(form?.id ?? '');
  await user.click(await screen.findByRole('button', { name: 'Choose a node' }));
  expect(screen.getAllByRole('option', { name: /NodeID-7X/ })).toHaveLength(1);
});
