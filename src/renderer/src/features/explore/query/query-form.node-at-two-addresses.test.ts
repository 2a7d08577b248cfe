import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { catalogue } from '../../../state/catalogue.ts';
import ExploreView from '../../../views/ExploreView.svelte';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import { fullWorld } from '../../../testing/sample-world.ts';

it('nodes of one name are told apart by their addresses', async () => {
  const world = fullWorld(testNowMs);
  // Behind one host, too.
  const paths = ['proxy.example/first', 'proxy.example/second'];
  paths.forEach((path, index) => {
    const { node } = world.snapshot.nodes[index] ?? {};
    if (node !== undefined) Object.assign(node, { name: 'validator', url: `https://${path}` });
  });
  const { explore } = await renderInApp(ExploreView, {}, { world });
  explore.choose(catalogue.find(({ isNodeCall }) => isNodeCall)?.id ?? '');
  for (const path of paths)
    expect(await screen.findByRole('option', { name: `validator · ${path}` })).toBeTruthy();
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
