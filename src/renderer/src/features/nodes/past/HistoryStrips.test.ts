import { screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, it } from 'vitest';
import type { NodeStatus } from '../../../../../shared/health/types.ts';
import { sampleNodes } from '../../../testing/sample-health.ts';
import { fullWorld } from '../../../testing/sample-world.ts';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import NodePanel from '../panel/NodePanel.svelte';

function status(id: string): NodeStatus {
  const found = sampleNodes(testNowMs).find(({ node }) => node.id === id);
  if (found === undefined) throw new Error('no such node');
  return found;
}

describe('HistoryStrips in the panel of a node', () => {
  it('asks for the past when a cell of it is over, and not each second', async () => {
    const { bridge, setNow } = await renderInApp(NodePanel, { status: status('n1') });
    await expect.poll(() => bridge.argsOf('nodes.strips')).toHaveLength(1);
    const uptimes = bridge.argsOf('nodes.uptime').length;
    for (const seconds of [1, 2, 50]) {
      setNow(testNowMs + seconds * 1_000);
      await tick();
    }
    expect(bridge.argsOf('nodes.strips')).toHaveLength(1);
    expect(bridge.argsOf('nodes.uptime')).toHaveLength(uptimes);
  });

  it('says how much of the span was planned work', async () => {
    const world = fullWorld(testNowMs);
    const { settings } = world.snapshot;
    const planned = [
      { nodeId: 'n1', fromMs: testNowMs - 7_200_000, untilMs: testNowMs - 1_800_000 },
      { nodeId: 'n2', fromMs: testNowMs - 7_200_000, untilMs: testNowMs },
    ];
    world.snapshot.settings = { ...settings, alerts: { ...settings.alerts, planned } };
    await renderInApp(NodePanel, { status: status('n1') }, { world });
    expect((await screen.findByText(/^Planned work covers/)).textContent).toContain(
      'covers 29 min 7 s (49.3',
    );
  });

  it('counts planned work in the time that uptime counts: not before the node was watched, and nothing to come', async () => {
    const known = status('n1');
    const added = { ...known, node: { ...known.node, addedAtMs: testNowMs - 3_600_000 } };
    const world = fullWorld(testNowMs);
    world.snapshot.nodes = [added];
    const { settings } = world.snapshot;
    const planned = [{ nodeId: 'n1', fromMs: testNowMs - 1_800_000, untilMs: testNowMs + 7_200_000 }];
    world.snapshot.settings = { ...settings, alerts: { ...settings.alerts, planned } };
    const { user } = await renderInApp(NodePanel, { status: added }, { world });
    await user.click(await screen.findByRole('radio', { name: '1 y' }));
    const words = async () => (await screen.findByText(/^Planned work covers/)).textContent;
    await expect.poll(words).toContain('covers 30 min (50%) of this period');
  });

  it('asks for the past again after each poll', async () => {
    const known = status('n1');
    const { bridge, rerender } = await renderInApp(NodePanel, { status: known });
    await expect.poll(() => bridge.argsOf('nodes.strips')).toHaveLength(1);
    bridge.emit('past.changed', { nodeId: 'another' });
    bridge.emit('past.changed', { nodeId: 'n1' });
    await expect.poll(() => bridge.argsOf('nodes.strips')).toHaveLength(2);
    // Something else about the node, but no poll.
    await rerender({ status: { ...known, heldBackCount: 3 } });
    await screen.findByText('Delayed requests');
    expect(bridge.argsOf('nodes.strips')).toHaveLength(2);
  });

  it('keeps the past while another tab is shown, and reads it again only after a poll', async () => {
    const { bridge, user } = await renderInApp(NodePanel, { status: status('n1') });
    const reads = () => bridge.argsOf('nodes.strips').length;
    const visit = async () => {
      await user.click(screen.getByRole('radio', { name: 'Incidents' }));
      await screen.findByRole('table', { name: 'Incidents' });
      return () => user.click(screen.getByRole('radio', { name: 'Health' }));
    };
    await screen.findAllByRole('slider');
    const back = await visit();
    await back();
    await screen.findAllByRole('slider');
    expect(reads()).toBe(1);
    const backAgain = await visit();
    bridge.emit('past.changed', { nodeId: 'n1' });
    await backAgain();
    await screen.findAllByRole('slider');
    expect(reads()).toBe(2);
  });

  it('shows the answer to the last of many polls, though it does not read after each', async () => {
    const { bridge } = await renderInApp(NodePanel, { status: status('n1') });
    await screen.findAllByRole('slider');
    for (let poll = 0; poll < 100; poll += 1) bridge.emit('past.changed', { nodeId: 'n1' });
    await expect.poll(() => bridge.argsOf('nodes.strips').length).toBe(3);
  });

  it('asks for the strips of some checks only, and for more on demand', async () => {
    const known = status('n1');
    const [like] = known.report?.checks ?? [];
    if (like === undefined) throw new Error('the sample has checks');
    const checks = Array.from({ length: 90 }, (_, index) => ({ ...like, name: `check-${index}` }));
    const world = fullWorld(testNowMs);
    const giant = { ...known, report: { healthy: true, checks, notes: [] } };
    world.snapshot.nodes = [giant];
    const { bridge, user } = await renderInApp(NodePanel, { status: giant }, { world });
    await screen.findByText('40 of 90');
    const sliders = screen.getAllByRole('slider');
    expect(sliders).toHaveLength(41);
    // One stop of the Tab key for all names and one for all strips; up and down go on from there.
    const names = [...document.querySelectorAll<HTMLElement>('[aria-label="Status over time"] .choose')];
    const stops = (all: HTMLElement[]) => all.flatMap((one, index) => (one.tabIndex === 0 ? [index] : []));
    expect([stops(names), stops(sliders)]).toEqual([[0], [0]]);
    sliders[0]?.focus();
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}');
    expect(document.activeElement).toBe(sliders[1]);
    expect([stops(names), stops(sliders)]).toEqual([[1], [1]]);
    await user.click(screen.getByRole('button', { name: 'Show more checks' }));
    await expect.poll(() => screen.getAllByRole('slider').length).toBe(91);
    expect(bridge.argsOf('nodes.strips').map(({ limit }) => limit)).toEqual([41, 161]);
  });
});
