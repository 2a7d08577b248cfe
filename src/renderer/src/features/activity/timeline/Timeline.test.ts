import { fireEvent, screen } from '@testing-library/svelte';
import type { ComponentProps } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { everything } from '../../../../../shared/activity/filter.ts';
import type { ActivityRow } from '../../../../../shared/activity/types.ts';
import { ok } from '../../../../../shared/errors.ts';
import { ActivityList } from '../../../state/activity-list.ts';
import type { FakeBridge } from '../../../testing/fake-bridge.ts';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import { fullWorld } from '../../../testing/sample-world.ts';
import { setElementSize } from '../../../testing/window-size.ts';
import Timeline from './Timeline.svelte';

const million = 1_000_000;

/** Rows a minute apart; what is at a place is known without storing it. */
function longHistory(bridge: FakeBridge, totalCount = million): void {
  const [like] = fullWorld(testNowMs).rows;
  if (like === undefined) throw new Error('an empty sample world');
  const rowAt = (place: number): ActivityRow => ({
    ...like,
    id: place,
    timestampMs: testNowMs - place * 60_000,
  });
  bridge.answer('activity.rows', ({ offset, limit }) =>
    ok({
      rows: Array.from({ length: Math.max(0, Math.min(limit, totalCount - offset)) }, (_, n) =>
        rowAt(offset + n),
      ),
      offset,
      totalCount,
      hiddenCount: 0,
      partialCount: 0,
      unrankedCount: 0,
    }),
  );
}

async function open(totalCount = million, props: Partial<ComponentProps<typeof Timeline>> = {}) {
  const spies = { onopen: vi.fn(), onshow: vi.fn(), onmenu: vi.fn() };
  const list = new ActivityList();
  list.show();
  const rendered = await renderInApp(
    Timeline,
    { label: 'Transactions', list, ...spies, ...props },
    { prepare: (bridge) => longHistory(bridge, totalCount) },
  );
  await list.setFilter(everything);
  const grid = screen.getByRole('grid', { name: 'Transactions' });
  grid.focus();
  const places = () =>
    [...grid.querySelectorAll<HTMLElement>('[data-place]')].map((row) => Number(row.dataset['place']));
  await expect.poll(() => places().length).toBeGreaterThan(0);
  const activeRow = () => {
    const id = grid.getAttribute('aria-activedescendant');
    return id === null ? null : document.getElementById(id);
  };
  return { ...rendered, ...spies, list, grid, places, activeRow };
}

beforeEach(() => setElementSize(1_320, 831));
afterEach(() => setElementSize(0, 0));

describe('Timeline', () => {
  it('has at most sixty rows for a million, on a page that a browser can draw', async () => {
    const { grid, places } = await open();
    expect(places().length).toBeLessThanOrEqual(60);
    expect(grid.getAttribute('aria-rowcount')).toBe('1000001');
    const body = grid.querySelector<HTMLElement>('.head + [role="rowgroup"]');
    expect(Number.parseFloat(body?.style.height ?? '')).toBeLessThanOrEqual(15_000_000);
  });

  it('ends a fee after the digits that count, and has all of them in its tip', async () => {
    const { grid } = await open(50);
    const fee = () => grid.querySelector<HTMLElement>('[data-cell="fee"] .amount');
    await expect.poll(() => fee()?.textContent.trim()).toBe('0.005785… AVAX');
    expect(fee()?.dataset['tip']).toMatch(/^0\.005785\d{6,} AVAX$/);
  });

  it('goes to the last row at once, shows it loaded, and back to the first', async () => {
    const { user, places, activeRow, list } = await open();
    await user.keyboard('{End}');
    await expect.poll(() => activeRow()?.dataset['place']).toBe('999999');
    await expect.poll(() => activeRow()?.textContent.includes('Loading')).toBe(false);
    expect(places().length).toBeLessThanOrEqual(60);
    expect(list.at(999_999)?.id).toBe(999_999);
    await user.keyboard('{Home}');
    await expect.poll(() => activeRow()?.dataset['place']).toBe('0');
  });

  it('moves by rows and pages, and stops at both ends', async () => {
    const { user, activeRow } = await open(50);
    await user.keyboard('{ArrowUp}{ArrowDown}{ArrowDown}{PageDown}');
    await expect.poll(() => activeRow()?.dataset['place']).toBe('21');
    await user.keyboard('{PageDown}{PageDown}{PageDown}');
    await expect.poll(() => activeRow()?.dataset['place']).toBe('49');
  });

  it('jumps where the scroll bar is dragged', async () => {
    const { grid, places, list } = await open();
    grid.scrollTop = 7_499_600;
    await fireEvent.scroll(grid);
    await expect.poll(() => Math.abs((places()[0] ?? 0) - 500_000)).toBeLessThan(100);
    const first = Math.min(...places()) + 5;
    await expect.poll(() => list.at(first)?.id).toBe(first);
  });

  it('has heads that ask for an order by mouse and keyboard, and say which it is', async () => {
    const onorder = vi.fn();
    const { user, onopen } = await open(50, { onorder, order: { by: 'amount', ascending: false } });
    const sorts = screen.getAllByRole('columnheader').map((head) => head.getAttribute('aria-sort'));
    expect(sorts).toEqual(['none', null, null, null, null, 'descending', 'none', null, null, null]);
    await user.click(screen.getByRole('button', { name: 'Amount' }));
    screen.getByRole('button', { name: 'Fee' }).focus();
    await user.keyboard('{Enter}');
    expect(onorder.mock.calls).toEqual([['amount'], ['fee']]);
    expect(onopen).not.toHaveBeenCalled();
  });

  it('gives each row its day where days are not beside each other', async () => {
    const { grid } = await open(50, { order: { by: 'fee', ascending: true } });
    const rows = [...grid.querySelectorAll('[data-place]')];
    expect(rows.every((row) => row.querySelector('.day') !== null)).toBe(true);
    expect(screen.getByRole('columnheader', { name: 'Time' })).toBeTruthy();
  });

  it('opens a row by Enter and by a click', async () => {
    const { user, grid, onopen } = await open();
    await user.keyboard('{ArrowDown}{Enter}');
    expect(onopen).toHaveBeenLastCalledWith(expect.objectContaining({ id: 1 }));
    const third = grid.querySelector<HTMLElement>('[data-place="3"] .kind');
    if (third === null) throw new Error('no row');
    await user.click(third);
    expect(onopen).toHaveBeenLastCalledWith(expect.objectContaining({ id: 3 }));
  });

  it('begins each day with its date, and has the day of the top row in its head', async () => {
    const { grid, user } = await open();
    expect(grid.querySelector('.head')?.textContent).toContain('Wed 16 Sep');
    // The first row need not say it again.
    expect(grid.querySelectorAll('.day')).toHaveLength(0);
    // 14:05 has 845 minutes before it.
    for (let page = 0; page < 45; page += 1) await user.keyboard('{PageDown}');
    await expect.poll(() => grid.querySelectorAll('.day').length).toBeGreaterThan(0);
    expect(grid.querySelector('.day')?.textContent).toContain('Tue 15 Sep');
    expect(grid.querySelector('.day')?.closest('[data-place]')?.getAttribute('data-place')).toBe('846');
  });

  it('that has no head of its own says the day in its first row', async () => {
    const { grid } = await open(3, { fit: true });
    expect(grid.querySelector('.day')?.closest('[data-place]')?.getAttribute('data-place')).toBe('0');
    expect(grid.querySelectorAll('.day')).toHaveLength(1);
  });

  it('has the cell as its active one that the arrows have gone to, and the row again', async () => {
    const { user, activeRow } = await open();
    expect(activeRow()?.getAttribute('role')).toBe('row');
    await user.keyboard('{ArrowDown}{ArrowRight}{ArrowRight}');
    await expect.poll(() => activeRow()?.dataset['cell']).toBe('chain');
    expect(activeRow()?.closest('[data-place]')?.getAttribute('data-place')).toBe('1');
    await user.keyboard('{ArrowDown}');
    await expect.poll(() => activeRow()?.closest('[data-place]')?.getAttribute('data-place')).toBe('2');
    expect(activeRow()?.dataset['cell']).toBe('chain');
    await user.keyboard('{ArrowLeft}{ArrowLeft}');
    await expect.poll(() => activeRow()?.getAttribute('role')).toBe('row');
  });

  it('copies the row, or the cell that the arrows have gone to', async () => {
    const { user, bridge, messages, list } = await open();
    await user.keyboard('c');
    await expect.poll(() => messages.list).toMatchObject([{ text: 'Row copied.' }]);
    expect(bridge.argsOf('app.copyText')[0]?.text.split('\t')).toContain(list.at(0)?.txHash);
    await user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}{Shift>}C{/Shift}');
    await expect.poll(() => messages.list.at(-1)).toMatchObject({ text: 'Cell copied.' });
    expect(bridge.argsOf('app.copyText')[1]?.text).toBe(list.at(0)?.address);
  });

  it('asks for a menu by key, by its button and by the pointer, which tells the cell', async () => {
    const { user, grid, onmenu } = await open();
    await user.keyboard('{ContextMenu}');
    expect(onmenu).toHaveBeenLastCalledWith(expect.objectContaining({ id: 0 }), expect.anything(), null);
    const row = grid.querySelector<HTMLElement>('[data-place="2"]');
    await user.click(row?.querySelector('[data-menu]') ?? grid);
    expect(onmenu).toHaveBeenLastCalledWith(expect.objectContaining({ id: 2 }), expect.anything(), null);
    await fireEvent.contextMenu(row?.querySelector('.chain') ?? grid);
    expect(onmenu).toHaveBeenLastCalledWith(expect.objectContaining({ id: 2 }), expect.anything(), 'chain');
  });

  it('tells which rows are on the screen, once they rest there', async () => {
    const { onshow, user } = await open();
    await expect.poll(() => onshow.mock.calls.length).toBe(1);
    const ids = onshow.mock.calls[0]?.[0] as number[];
    expect(ids.slice(0, 3)).toEqual([0, 1, 2]);
    expect(ids.length).toBeLessThan(25);
    await user.keyboard('{End}');
    await expect.poll(() => (onshow.mock.calls.at(-1)?.[0] as number[]).at(-1)).toBe(999_999);
  });

  it('makes a column wider for the whole table at once, keeps that, and has it as usual again', async () => {
    vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(200);
    const { user, grid, bridge, app, activeRow } = await open();
    const template = () => grid.parentElement?.style.getPropertyValue('--widths') ?? '';
    const usual = template();
    const edge = screen.getByRole('separator', { name: 'Width of Counterparty' });
    edge.focus();
    await user.keyboard('{ArrowRight}{ArrowDown}');
    expect(template()).toContain('minmax(118px, 216px)');
    expect(bridge.argsOf('settings.update')).toEqual([{ columnWidths: { counterparty: 216 } }]);
    await expect.poll(() => app.settings.columnWidths).toEqual({ counterparty: 216 });
    // The keys of the table are for its rows.
    expect(activeRow()?.dataset['place']).toBe('0');
    await user.dblClick(edge);
    await expect.poll(template).toBe(usual);
    await expect.poll(() => app.settings.columnWidths).toEqual({});
  });

  it('has no edges in a table that only fits a page', async () => {
    await open(8, { fit: true });
    expect(screen.queryAllByRole('separator')).toEqual([]);
  });
});
