import { screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import type { NodeStatus } from '../../../../shared/health/types.ts';
import { sampleNodes } from '../../testing/sample-health.ts';
import { renderInApp, testNowMs } from '../../testing/render.ts';
import NodePanel from './NodePanel.svelte';

function status(id: string): NodeStatus {
  const found = sampleNodes(testNowMs).find(({ node }) => node.id === id);
  if (found === undefined) throw new Error('no such node');
  return found;
}

describe('NodePanel', () => {
  it('gives the state with its reason, and how old it is', async () => {
    await renderInApp(NodePanel, { status: status('n2') });
    const banner = screen.getByRole('region', { name: 'State of the node' });
    expect(banner.textContent).toContain('Unhealthy');
    expect(banner.textContent).toContain('2 of 8 checks fail');
    expect(banner.textContent).toContain('11 s ago');
  });

  it('lists every check with state, error, decoded message, time, duration and failures, the failing ones first', async () => {
    await renderInApp(NodePanel, { status: status('n2') });
    const table = screen.getByRole('table', { name: 'Checks' });
    const rows = within(table).getAllByRole('row').slice(1);
    expect(rows).toHaveLength(8);
    const first = rows[0]?.textContent ?? '';
    for (const part of [
      'C',
      'Failing',
      'block processing too long: 54m47.7s > 30s',
      '54 min 47.7 s',
      '51,199,870',
      '12 s ago',
      'took 2 min 30.212 s',
      '109 failures',
      'since 2026-09-16 13:10',
    ]) {
      expect(first).toContain(part);
    }
  });

  it('reads out the past of the node and of each check', async () => {
    await renderInApp(NodePanel, { status: status('n2') });
    const strip = await screen.findByRole('slider', { name: 'Past results of C, last 24 hours' });
    expect(strip.getAttribute('aria-valuetext')).toMatch(
      /^2026-09-16 14:00 – 14:15 · Failing, 4 of 30 runs failed: block/,
    );
    expect(screen.getAllByRole('slider')).toHaveLength(9);
  });

  it('asks for a longer past', async () => {
    const { bridge, user } = await renderInApp(NodePanel, { status: status('n1') });
    await user.click(screen.getByRole('radio', { name: '30 d' }));
    await screen.findByRole('slider', { name: 'Past results of the node, last 30 days' });
    const asked = bridge.argsOf('nodes.strips').at(-1);
    expect(asked).toMatchObject({ id: 'n1', cellCount: 90 });
    expect((asked?.toMs ?? 0) - (asked?.fromMs ?? 0)).toBe(30 * 86_400_000);
  });

  it('lists the failures of a chosen check', async () => {
    const { bridge, user } = await renderInApp(NodePanel, { status: status('n2') });
    const table = await screen.findByRole('table', { name: 'Failure history' });
    expect(within(table).getAllByRole('row')).toHaveLength(4);
    await user.click(
      within(screen.getByRole('table', { name: 'Checks' })).getByRole('button', { name: 'network' }),
    );
    await expect.poll(() => bridge.argsOf('nodes.episodes').at(-1)?.check).toBe('network');
    expect(await screen.findByRole('heading', { name: 'Failure history of network' })).toBeTruthy();
  });

  it('keeps the last report of a node that is out of reach, with its age and the reason', async () => {
    await renderInApp(NodePanel, { status: status('n4') });
    expect(screen.getByText('The node cannot be reached')).toBeTruthy();
    expect(screen.getByText('connect ECONNREFUSED 192.168.1.77:9650')).toBeTruthy();
    expect(screen.getByRole('region', { name: 'State of the node' }).textContent).toContain('5 h ago');
    expect(within(screen.getByRole('table', { name: 'Checks' })).getAllByRole('row')).toHaveLength(9);
  });

  it('tells that a check has not run yet, which is no failure', async () => {
    await renderInApp(NodePanel, { status: status('n3') });
    const row = screen.getByRole('row', { name: /router/ });
    expect(row.textContent).toContain('Not run yet');
    expect(row.textContent).toContain('not known');
  });

  it('warns when another node answers at the address', async () => {
    const changed = { ...status('n1'), previousNodeId: 'NodeID-before' };
    await renderInApp(NodePanel, { status: changed });
    expect(screen.getByText('Another node answers at this address')).toBeTruthy();
  });

  it('polls on demand', async () => {
    const { bridge, user } = await renderInApp(NodePanel, { status: status('n1') });
    await user.click(screen.getByRole('button', { name: 'Poll now' }));
    expect(bridge.argsOf('nodes.poll')).toEqual([{ id: 'n1' }]);
  });
});
