import { screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import type { NodeStatus } from '../../../../shared/health/types.ts';
import { renderInApp, testNowMs } from '../../testing/render.ts';
import { sampleNodes } from '../../testing/sample-health.ts';
import NodeTile from './NodeTile.svelte';

function status(id: string): NodeStatus {
  const found = sampleNodes(testNowMs).find(({ node }) => node.id === id);
  if (found === undefined) throw new Error(`no node ${id}`);
  return found;
}

describe('the past in the tile of a node', () => {
  it('is the shortest range that is known by half', async () => {
    const { bridge } = await renderInApp(NodeTile, { status: status('n1') });
    await screen.findByRole('slider', { name: 'Past results of Frankfurt 1, last hour' });
    expect(await screen.findByText('1 h ago')).toBeTruthy();
    expect(bridge.argsOf('nodes.strips')).toMatchObject([{ cellCount: 30, limit: 1 }]);
  });

  it('says since when a node is watched that was just added', async () => {
    const known = status('n1');
    const fresh = { ...known, node: { ...known.node, addedAtMs: testNowMs - 5 * 60_000 } };
    const { bridge } = await renderInApp(NodeTile, { status: fresh });
    expect(await screen.findByText('Watched since 2026-09-16 14:00')).toBeTruthy();
    expect(bridge.argsOf('nodes.uptime')).toEqual([]);
  });
});
