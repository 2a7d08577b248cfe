import { fireEvent, screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { ok } from '../../../shared/errors.ts';
import { describeError } from '../features/errors/error-words.ts';
import type { FakeBridge } from '../testing/fake-bridge.ts';
import { renderInApp, testNowMs } from '../testing/render.ts';
import { sampleAlerts } from '../testing/sample-alerts.ts';
import { emptyWorld, fullWorld } from '../testing/sample-world.ts';
import OverviewView from './OverviewView.svelte';

describe('OverviewView', () => {
  it('begins with the open incidents, before the nodes', async () => {
    await renderInApp(OverviewView, {});
    await screen.findByRole('heading', { name: /^Open incidents/ });
    const titles = screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent.trim());
    expect(titles[0]).toMatch(/^Open incidents/);
    expect(titles[1]).toBe('Nodes');
  });

  it('has the open alerts first, and neither those that are acknowledged nor past ones', async () => {
    const { bridge, user, navigation } = await renderInApp(
      OverviewView,
      {},
      { prepare: (fake) => fake.answer('alerts.list', () => ok(sampleAlerts(testNowMs))) },
    );
    const panel = await screen.findByRole('region', { name: /^Open alerts/ });
    const titles = screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent.trim());
    expect(titles[0]).toMatch(/^Open alerts/);
    expect(within(panel).getAllByRole('article')).toHaveLength(1);
    await user.click(within(panel).getByRole('button', { name: 'Acknowledge' }));
    expect(bridge.argsOf('alerts.act')).toEqual([{ key: 'a', action: 'acknowledge' }]);
    await user.click(within(panel).getByRole('button', { name: 'All alerts' }));
    expect(navigation.view).toBe('alerts');
  });

  it('has them while nothing is watched too', async () => {
    const world = emptyWorld(testNowMs);
    const prepare = (fake: FakeBridge) => fake.answer('alerts.list', () => ok(sampleAlerts(testNowMs)));
    await renderInApp(OverviewView, {}, { world, prepare });
    expect(await screen.findByRole('region', { name: /^Open alerts/ })).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Welcome to Watchkeeper' })).toBeTruthy();
  });

  it('breaks no figure of its addresses in the middle, however many chains stand beside it', async () => {
    await renderInApp(OverviewView, {});
    const table = await screen.findByRole('table', { name: 'Addresses' });
    const [head, row] = within(table).getAllByRole('row');
    for (const cell of [...(head?.children ?? []), ...(row?.children ?? [])].filter((_, at) => at % 4 > 1))
      expect(cell.classList, cell.textContent).toContain('nowrap');
  });

  it('keeps the chains of an address in sight where they cannot be asked for', async () => {
    const world = fullWorld(testNowMs);
    const error = { code: 'unreachable', message: 'No route.' } as const;
    // The list was never read as a whole.
    for (const entry of world.snapshot.watchlist)
      Object.assign(entry, { chainsError: error, chainsFetchedAtMs: null });
    const name = world.snapshot.watchlist[0]?.chains[0]?.name ?? '';
    await renderInApp(OverviewView, {}, { world });
    const [, row] = within(await screen.findByRole('table', { name: 'Addresses' })).getAllByRole('row');
    expect(row?.textContent).toContain(describeError(error, 'service').title);
    expect(row?.textContent).toContain(name);
  });

  it('has the menu of a row in its activity, as the timeline has', async () => {
    await renderInApp(OverviewView, {});
    const table = await screen.findByRole('grid', { name: 'Recent activity' });
    const [, row] = await within(table).findAllByRole('row');
    if (row === undefined) throw new Error('no row');
    await fireEvent.contextMenu(row);
    expect((await screen.findAllByRole('menuitem', { name: /^Open/ })).length).toBeGreaterThan(0);
  });
});
