import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import { sampleNodes } from '../../../testing/sample-health.ts';
import NodeNotes from './NodeNotes.svelte';

it('says that another node answers at a new address only once one has answered there', async () => {
  const [known] = sampleNodes(testNowMs);
  if (known === undefined) throw new Error('there are sample nodes');
  const moved = { ...known, previousNodeId: 'NodeID-before', nodeId: null };
  const { bridge, rerender, user } = await renderInApp(NodeNotes, { status: moved });
  expect(screen.queryByText('A different node now responds at this address')).toBeNull();
  await rerender({ status: { ...moved, nodeId: 'NodeID-another' } });
  expect(screen.getByText('A different node now responds at this address')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(bridge.argsOf('nodes.accept')).toEqual([{ id: known.node.id }]);
});
