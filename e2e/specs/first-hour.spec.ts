import type { Page } from 'playwright';
import { Watchkeeper } from '../pages/watchkeeper.ts';
import type { FilterPill } from '../../src/shared/activity/filter.ts';
import type { ActivityRow } from '../../src/shared/activity/types.ts';
import { expect, test } from '../fixtures.ts';

// What somebody new wants to know, with the number of steps that it may take: a press of a key or of the mouse, or a text typed
// together with the Enter after it.

/** Counts what is done. */
class Steps {
  count = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async press(key: string): Promise<void> {
    this.count += 1;
    await this.#page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    this.count += 1;
    await this.#page.keyboard.type(text);
    await this.#page.keyboard.press('Enter');
  }

  /** By its middle, with nothing but the mouse. */
  async point(name: string | RegExp, role: 'button' | 'option'): Promise<void> {
    this.count += 1;
    const target = this.#page.getByRole(role, { name, exact: true }).first();
    await target.scrollIntoViewIfNeeded();
    const box = await target.boundingBox();
    if (box === null) throw new Error('It is not there.');
    await this.#page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  }
}

/** When the largest payment within this time was, by what is stored; sizes here are far enough from each other for doubles. */
async function largestPaidAt(page: Page, month: FilterPill): Promise<string> {
  const pills = [month, { field: 'direction' as const, not: false, values: ['out'] }];
  const filter = { pills, text: '', showHidden: false };
  const read = await page.evaluate(
    async (asked) =>
      await window.watchkeeper.invoke('activity.rows', {
        filter: asked,
        offset: 0,
        anchor: null,
        limit: 200,
      }),
    filter,
  );
  if (!read.ok) throw new Error(read.error.message);
  const sizeOf = ({ marks }: ActivityRow) => Math.abs(Number(marks.valueThen ?? NaN));
  const [largest] = read.value.rows
    .filter((row) => sizeOf(row) > 0)
    .sort((one, other) => sizeOf(other) - sizeOf(one));
  if (largest === undefined) throw new Error('Nothing of it has a value.');
  return new Date(largest.timestampMs).toISOString();
}

for (const by of ['keyboard', 'mouse'] as const) {
  test(`the biggest payment of a month is found in five steps by ${by} alone, in an app that is new`, async ({
    running,
    service,
  }) => {
    const { page } = running;
    const app = new Watchkeeper(page);
    await app.watchAddress(service.account('thirty'), 'Savings');
    await expect(app.progress).toContainText('complete back to the first transaction');
    await app.completed();
    await app.settled();
    // A month in which something was paid.
    const paidAt = await app
      .row(/[-−]\d/)
      .locator('time')
      .getAttribute('datetime');
    const day = new Date(paidAt ?? '');
    const month = day.toLocaleDateString('en-GB', { month: 'long', year: 'numeric' });
    const startMs = (count: number) => new Date(day.getFullYear(), day.getMonth() + count).getTime();
    const pill = { field: 'time' as const, not: false, min: String(startMs(0)), max: String(startMs(1) - 1) };
    const steps = new Steps(page);
    if (by === 'keyboard') {
      await app.timeline.focus();
      await steps.press('f');
      await steps.type(month);
      await steps.type('direction: out');
      await steps.press('Escape');
      await steps.press('s');
    } else {
      await steps.point('Add filter', 'button');
      await steps.point(`Time: ${month}`, 'option');
      await steps.point('Direction: Out', 'option');
      await steps.point('Amount', 'button');
    }
    expect(steps.count).toBeLessThanOrEqual(5);
    await expect(page.getByRole('button', { name: `Time ${month}`, exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Direction is Out', exact: true })).toBeVisible();
    await expect(page.getByRole('columnheader', { name: 'Amount' })).toHaveAttribute(
      'aria-sort',
      'descending',
    );
    await expect(page.getByRole('button', { name: 'Largest historical value first' })).toBeVisible();
    const expected = await largestPaidAt(page, pill);
    await expect
      .poll(async () => await app.timeline.locator('[data-place="0"] time').getAttribute('datetime'))
      .toBe(expected);
  });

  test(`a hash is found wherever it is in two steps by ${by} alone, in an app that is new`, async ({
    running,
    service,
  }) => {
    const { page } = running;
    const app = new Watchkeeper(page);
    await app.watchAddress(service.account('thirty'), 'Savings');
    await expect(app.progress).toContainText('complete back to the first transaction');
    const copied = await running.catchCopies();
    await app.chooseForRow(app.row('Success'), 'Copy hash');
    await expect.poll(async () => (await copied()).length).toBe(1);
    const hash = (await copied())[0] ?? '';
    await app.go('Nodes');
    const steps = new Steps(page);
    if (by === 'keyboard') {
      await steps.press('Control+k');
      await page.keyboard.insertText(hash);
      await page.getByRole('option', { name: /^Open transaction/ }).waitFor();
      await steps.press('Enter');
    } else {
      await steps.point(/^Search and commands/, 'button');
      // A text has to come from somewhere: what is typed is not pointed at.
      await page.keyboard.insertText(hash);
      await page.getByRole('option', { name: /^Open transaction/ }).waitFor();
      await steps.point(/^Open transaction/, 'option');
    }
    expect(steps.count).toBe(2);
    await expect(app.drawer).toContainText(hash.slice(0, 6));
  });
}
