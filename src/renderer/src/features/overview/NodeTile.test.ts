import { screen, within } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, it } from 'vitest';
import type { NodeStatus } from '../../../../shared/health/types.ts';
import { renderInApp, testNowMs } from '../../testing/render.ts';
import { sampleNodes } from '../../testing/sample-health.ts';
import { listenForTips } from '../../ui/sign/tip.ts';
import NodeTile from './NodeTile.svelte';

function status(id: string): NodeStatus {
  const found = sampleNodes(testNowMs).find(({ node }) => node.id === id);
  if (found === undefined) throw new Error(`no node ${id}`);
  return found;
}

describe('the past in the tile of a node', () => {
  it('is the shortest range that is known by half', async () => {
    const { bridge } = await renderInApp(NodeTile, { status: status('n1') });
    await screen.findByRole('slider', { name: 'Past check results for Frankfurt 1, last hour' });
    expect(await screen.findByText('1 h ago')).toBeTruthy();
    expect(bridge.argsOf('nodes.strips')).toMatchObject([{ cellCount: 30, limit: 1 }]);
  });

  it('is asked for when a cell is over, and not each second', async () => {
    const { bridge, setNow } = await renderInApp(NodeTile, { status: status('n1') });
    await screen.findByText('1 h ago');
    for (const seconds of [1, 2, 50]) {
      setNow(testNowMs + seconds * 1_000);
      await tick();
    }
    expect(bridge.argsOf('nodes.strips')).toHaveLength(1);
    // 14:06:07.
    setNow(testNowMs + 60_000);
    await expect.poll(() => bridge.argsOf('nodes.strips')).toHaveLength(2);
  });

  it('says since when a node is watched that was just added', async () => {
    const known = status('n1');
    const fresh = { ...known, node: { ...known.node, addedAtMs: testNowMs - 5 * 60_000 } };
    const { bridge } = await renderInApp(NodeTile, { status: fresh });
    expect(await screen.findByText('Watched since 2026-09-16 14:00')).toBeTruthy();
    expect(bridge.argsOf('nodes.uptime')).toEqual([]);
  });
});

describe('an explanation in the tile of a node', () => {
  it('stays open while new reports come in', async () => {
    const known = { ...status('n2'), heights: [height('51,199,870')] };
    const end = listenForTips();
    const { rerender, user } = await renderInApp(NodeTile, { status: known });
    await user.hover(screen.getByText('C-Chain height'));
    const bubble = () => document.querySelector('.tip-bubble[data-shown]')?.textContent;
    await expect.poll(bubble).toBe('Latest height on C-Chain · C');
    await rerender({ status: { ...known, heights: [height('51,199,871')] } });
    expect(screen.getByText('51,199,871')).toBeTruthy();
    expect(bubble()).toBe('Latest height on C-Chain · C');
    end();
  });
});

function height(digits: string): NodeStatus['heights'][number] {
  return { check: 'C', height: digits, sinceMs: testNowMs - 30_000, ranAtMs: testNowMs };
}

describe('what an operator looks for in the tile of a node', () => {
  const facts = (container: HTMLElement) =>
    [...container.querySelectorAll('dt')].map((term) =>
      [term, term.nextElementSibling].map((part) => part?.textContent.trim().replace(/\s+/g, ' ')).join(': '),
    );

  it('is what the messages of the last report say', async () => {
    const known = status('n2');
    const heights = [
      { check: 'C', height: '51,199,870', sinceMs: testNowMs - 56 * 60_000, ranAtMs: testNowMs - 60_000 },
      { check: 'P', height: '14,882,019', sinceMs: testNowMs - 30_000, ranAtMs: testNowMs },
    ];
    const { rerender } = await renderInApp(NodeTile, { status: { ...known, heights } });
    const tile = screen.getByRole('article', { name: 'Ashburn 2' });
    expect(facts(tile)).toEqual([
      'Connected stake: 71%',
      'Peers: 1,204',
      'Free disk: 61.5 GiB (7%)',
      'C-Chain height: 51,199,870unchanged for 55 min',
      'P-Chain height: 14,882,019',
    ]);
    const errors = within(tile).getAllByRole('listitem');
    expect(errors.map((item) => item.textContent.trim().replace(/\s+/g, ' '))).toEqual([
      'Disk space remaining available disk space percentage (7%) is below the warning threshold (10%)',
      'C-Chain block processing too long: 54m47.7s > 30s',
    ]);
    const many = Array.from({ length: 6 }, (_, index) => ({
      check: `c${index}`,
      height: '1',
      sinceMs: 0,
      ranAtMs: 0,
    }));
    await rerender({ status: { ...known, heights: many } });
    expect(facts(tile)).toHaveLength(7);
    expect(within(tile).getByText('and 2 more chains')).toBeTruthy();
  });

  it('is nothing where there was no report', async () => {
    await renderInApp(NodeTile, { status: { ...status('n1'), report: null, reportAtMs: null } });
    const tile = screen.getByRole('article', { name: 'Frankfurt 1' });
    expect(facts(tile)).toEqual([]);
    expect(tile.textContent).toContain('No report yet');
  });

  it('names checks together that fail for one reason, and counts what does not fit', async () => {
    const known = status('n2');
    const [like] = known.report?.checks ?? [];
    if (like === undefined) throw new Error('the sample has checks');
    const failing = (name: string, error: string) => ({ ...like, name, error, state: 'fail' as const });
    const checks = [
      ...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => failing(name, 'no stake')),
      ...['u', 'v', 'w', 'x', 'y', 'z'].map((name) => failing(name, `no ${name}`)),
    ];
    await renderInApp(NodeTile, { status: { ...known, report: { healthy: false, checks, notes: [] } } });
    const tile = screen.getByRole('article', { name: 'Ashburn 2' });
    expect(within(tile).getByText('a, b, c, d and 2 more')).toBeTruthy();
    expect(within(tile).getByText('and 4 more failing checks')).toBeTruthy();
  });

  it('does not name as failing now what failed in an old report', async () => {
    const known = status('n2');
    const { rerender } = await renderInApp(NodeTile, { status: known });
    const tile = screen.getByRole('article', { name: 'Ashburn 2' });
    expect(within(tile).queryByText('Failing in the last report:')).toBeNull();
    for (const changed of [{ state: 'unreachable' as const }, { node: { ...known.node, paused: true } }]) {
      await rerender({ status: { ...known, ...changed } });
      expect(within(tile).getByText('Failing in the last report:')).toBeTruthy();
    }
  });

  it('says of an old report that it is one', async () => {
    await renderInApp(NodeTile, { status: status('n4') });
    expect(screen.getByRole('article', { name: 'Basement' }).textContent).toMatch(/Report from\s+5 h ago/);
  });
});
