import { Watchkeeper } from '../pages/watchkeeper.ts';
import { expect, test } from '../fixtures.ts';
import type { RunningApp } from '../running-app.ts';
import type { SampleService } from '../sample-service.ts';

const sum = ({ shown, hidden }: { shown: number; hidden: number }) => shown + hidden;

/** Two of the three chains of the demo account: rows of every kind, and fetched within seconds. */
async function watchDemo({ page }: RunningApp, service: SampleService): Promise<Watchkeeper> {
  const app = new Watchkeeper(page);
  const { address } = service.ready.examples;
  await service.limitChains(address, ['802117', '907731']);
  await app.watchAddress(address, 'Treasury');
  await expect(app.progress).toContainText('complete back to the first transaction');
  await app.settled();
  return app;
}

test('pills and text: is, is not, any of, ranges; hidden rows are counted; a saved view outlives the run', async ({
  profile,
  service,
}) => {
  await profile.useService(service);
  const first = await profile.launch();
  let app = await watchDemo(first, service);
  const { page } = first;
  const count = async () => sum(await app.matching());
  const total = await count();

  // Is and is not are each other's rest; any of two is both.
  await app.filterBy('Chain', [/Harbor/]);
  await expect.poll(count).toBeLessThan(total);
  const harbour = await count();
  await expect(app.timeline).not.toContainText('Meridian Games');
  await app.clearFilters();
  await expect.poll(count).toBe(total);
  await app.filterBy('Chain', [/Harbor/], true);
  await expect.poll(count).toBe(total - harbour);
  await app.clearFilters();
  await app.filterBy('Kind', ['Swap', 'NFT transfer']);
  await expect(
    page.getByRole('button', { name: /^Kind is (Swap or NFT|NFT transfer or Swap)/ }),
  ).toBeVisible();
  const both = await count();
  expect(both).toBeLessThan(total);
  await app.clearFilters();
  await app.filterBy('Kind', ['Swap']);
  await expect.poll(count).toBeLessThan(both);
  const exchanges = await count();
  expect(exchanges).toBeGreaterThan(0);

  // Pills add up, and a second value joins the first in the same pill.
  await app.filterBy('Status', ['Success'], true);
  await expect.poll(count).toBeLessThan(exchanges);
  await app.clearFilters();

  // A range of amounts of one token, and of blocks.
  await app.filterByRange('Amount', '1', '10', /LUM\.b/);
  await expect(page.getByRole('button', { name: 'Amount from 1 to 10 LUM.b', exact: true })).toBeVisible();
  await expect.poll(count).toBeLessThan(total);
  await expect(app.row('LUM.b')).toBeVisible();
  await app.clearFilters();
  await app.filterByRange('Block', '0', '1');
  await expect(page.getByText('No transactions match')).toBeVisible();
  await app.clearFilters();

  // The text is looked for in names, tokens, methods and hashes; rows that are hidden are counted all the same.
  await app.search.fill('lum.b');
  await expect.poll(count).toBeLessThan(total);
  expect((await app.matching()).shown).toBeGreaterThan(0);
  await app.search.fill('');
  await expect.poll(count).toBe(total);
  const before = await app.matching();
  expect(before.hidden).toBeGreaterThan(0);
  await app.timeline.focus();
  await page.keyboard.press('h');
  const showing = page.getByRole('button', { name: 'Hide these rows again' });
  await expect(showing).toHaveAttribute('aria-pressed', 'true');
  await expect(app.timeline).toHaveAttribute('aria-rowcount', String(total + 1));
  await page.keyboard.press('h');
  await expect(app.timeline).toHaveAttribute('aria-rowcount', String(before.shown + 1));

  // Saved under a name, and there again after a restart.
  await app.filterBy('Chain', [/Harbor/]);
  await expect.poll(count).toBe(harbour);
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  const views = page.getByRole('dialog', { name: 'Saved views' });
  await views.getByLabel('Name for this view').fill('Harbour only');
  await views.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(views.getByRole('button', { name: 'Harbour only', exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await first.quit();
  const second = await profile.launch();
  app = new Watchkeeper(second.page);
  await app.go('Activity');
  await app.row().waitFor();
  await expect.poll(count).toBe(total);
  await second.page.getByRole('button', { name: 'Views', exact: true }).click();
  await second.page.getByRole('button', { name: 'Harbour only', exact: true }).click();
  await expect.poll(count).toBe(harbour);
});

test('by keyboard: search, filter, rows and cells, copies; days are named', async ({ running, service }) => {
  const { page } = running;
  const { keyboard } = page;
  const app = await watchDemo(running, service);
  await app.completed();
  const copied = await running.catchCopies();
  const selected = app.timeline.getByRole('row', { selected: true });

  await keyboard.press('/');
  await expect(app.search).toBeFocused();
  await keyboard.type('swapped nothing');
  await keyboard.press('Escape');
  await expect(app.search).toHaveValue('');
  await keyboard.press('Enter');
  await expect(app.timeline).toBeFocused();
  await keyboard.press('f');
  await expect(page.getByRole('dialog', { name: 'Add filter' })).toBeVisible();
  await keyboard.type('kind');
  await keyboard.press('Enter');
  await expect(page.getByRole('listbox', { name: 'Values for “Kind”' })).toBeVisible();
  await keyboard.press('Escape');
  await expect(app.timeline).toBeFocused();

  await expect(selected).toHaveAttribute('aria-rowindex', '2');
  await keyboard.press('ArrowDown');
  await expect(selected).toHaveAttribute('aria-rowindex', '3');
  await keyboard.press('c');
  await expect(page.getByText('Row copied.').first()).toBeVisible();
  const cells = (await copied()).at(-1)?.split('\t') ?? [];
  expect(cells).toHaveLength(11);
  expect(cells[0]).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  expect(cells[2]).toBe(service.ready.examples.address);
  expect(cells[10]).toMatch(/^0x[0-9a-f]{64}$/);
  // Right twice, from the left edge of the row: what happened alone.
  await keyboard.press('ArrowRight');
  await keyboard.press('ArrowRight');
  await keyboard.press('Shift+C');
  await expect(page.getByText('Cell copied.').first()).toBeVisible();
  expect((await copied()).at(-1)).toBe(cells[3]);
  await keyboard.press('Enter');
  await expect(app.drawer).toBeVisible();
  await expect(app.drawer).toContainText(/0x[0-9a-f]{6}/);
  await keyboard.press('Escape');
  await expect(app.timeline).toBeFocused();

  // The head names the day that is on top; further down the newest row of each day carries the date.
  const date = /(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d/;
  const day = app.timeline.getByRole('columnheader', { name: /^Time, from / });
  const newest = await day.innerText();
  await expect(app.timeline.getByRole('row').nth(1)).not.toContainText(date);
  const dated = app.timeline.locator('[data-place]').filter({ hasText: date });
  await expect
    .poll(async () => {
      await keyboard.press('PageDown');
      return await dated.count();
    })
    .toBeGreaterThan(0);
  await keyboard.press('End');
  await expect(day).not.toHaveText(newest);
  const { shown } = await app.matching();
  await expect(selected).toHaveAttribute('aria-rowindex', String(shown + 1));
  await expect(selected).toBeInViewport();
});

test('the menu of a row: explorer after a click alone, Explore, hiding a row and a token and taking it back', async ({
  running,
  service,
}) => {
  const { page } = running;
  const app = new Watchkeeper(page);
  const opened = await running.catchExternal();
  await app.watchAddress(service.account('thirty'), 'Savings');
  await expect(app.progress).toContainText('complete back to the first transaction');
  await app.completed();
  await app.settled();
  const { shown, hidden } = await app.matching();
  const copied = await running.catchCopies();

  const token = app.row(/[+-][\d.,…]+ (SUSD|LUM\.b|WHOLE|PTS|QUIET)/);
  const first = app.row('Success');
  await app.chooseForRow(first, 'Copy hash');
  await expect.poll(copied).toEqual([expect.stringMatching(/^0x[0-9a-f]{64}$/)]);
  const txHash = (await copied())[0] ?? '';
  expect(await opened()).toEqual([]);
  await app.chooseForRow(first, 'Open in the chain’s explorer');
  await expect.poll(opened).toEqual([`https://43114.chains.sample.example/explorer/tx/${txHash}`]);

  // One row: hidden, counted, taken back.
  await app.chooseForRow(first, 'Hide this row');
  await expect.poll(() => app.matching()).toEqual({ shown: shown - 1, hidden: hidden + 1 });
  await app.timeline.focus();
  await page.keyboard.press('h');
  const mine = app.row('Hidden by you');
  await expect(mine).toBeVisible();
  await app.chooseForRow(mine, 'Undo hiding this row');
  await expect(app.timeline.getByText('Hidden by you')).toHaveCount(0);
  await page.keyboard.press('h');
  await expect.poll(() => app.matching()).toEqual({ shown, hidden });

  // All rows of one token.
  await app.chooseForRow(token, /^Hide token /);
  await expect.poll(async () => (await app.matching()).shown).toBeLessThan(shown);
  await page.keyboard.press('h');
  await app.chooseForRow(app.row('Hidden by you'), /^Undo hiding token /);
  await page.keyboard.press('h');
  await expect.poll(() => app.matching()).toEqual({ shown, hidden });

  await app.chooseForRow(app.row('Success'), 'Query in Explore');
  await expect(page.getByRole('heading', { level: 1, name: 'Explore' })).toBeVisible();
  await expect(page.getByRole('form', { name: 'Parameters' }).getByLabel(/txHash/)).toHaveValue(txHash);
});

test('an explorer that is not https is not offered', async ({ running, service }) => {
  const { page } = running;
  const app = new Watchkeeper(page);
  const address = service.account('one');
  const path = `/v1/address/${address}/chains`;
  // The field is part of every answer to this question.
  const { indexedChains } = (await service.answerTo(path)) as { indexedChains: object[] };
  service.answerInstead(path, {
    indexedChains: indexedChains.map((chain) => ({ ...chain, explorerUrl: 'http://explorer.example' })),
    unindexedChains: [],
  });
  await app.watchAddress(address, 'Once');
  await app.row('Success').getByText('Success').click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: 'Query in Explore' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Open in the chain’s explorer' })).toHaveCount(0);
});

test.describe('with more rows than are completed by themselves', () => {
  test.use({ serviceOptions: { scale: 1 } });

  test('what is partial is counted, and completed for a filter when the user says so', async ({
    running,
    service,
  }) => {
    const { page } = running;
    const app = await watchDemo(running, service);
    await app.completed();
    await app.filterBy('Kind', ['New contract', 'Swap']);
    const button = page.getByRole('button', { name: 'Make available offline…' });
    await app.filterBy('Chain', [/Meridian/]);
    await app.filterBy('Completeness', ['Partial']);
    // The rows on the screen are completed meanwhile, so the figure goes down by itself.
    await expect(page.getByText(/^\d+ transactions? without full details$/)).toBeVisible();
    service.control.clearRequests();
    await button.click();
    const dialog = page.getByRole('dialog', { name: /^Make \d+ transactions available offline\?$/ });
    await expect(dialog).toContainText(/\d calls? \(one per transaction\), using about [\d,]+ units\./);
    await dialog.getByRole('button', { name: 'Make available', exact: true }).click();
    await expect(page.getByText('No transactions match')).toBeVisible();
    const details = service.requestsTo('data').filter(({ url }) => /\/transactions\/0x/.test(url));
    const asked = details.map(({ url }) => url);
    expect(asked.length).toBeGreaterThan(10);
    expect(new Set(asked).size).toBe(asked.length);
  });
});

test.describe('at the busiest address', () => {
  test.use({ serviceOptions: { scale: 1 } });
  test('a history of 20,000: from end to end with the rows of one screen', async ({ running, service }) => {
    const { page } = running;
    const app = new Watchkeeper(page);
    const address = service.account('busy');
    service.control.setLimits(false);
    await service.limitChains(address, ['43114']);
    // The timeline is made of the first list; the others would only take their time.
    service.control.addFault({
      route: '/v1/chains/*/addresses/*/transactions:*',
      action: { kind: 'status', status: 200, body: { transactions: [] } },
    });
    await app.watchAddress(address, 'Exchange');
    await expect(app.row()).toBeVisible();
    // Meanwhile another view is shown: to draw the rows anew with each of two hundred pages takes as long as to fetch them.
    await app.go('Explore');
    await page.getByRole('button', { name: / running$/ }).waitFor({ state: 'hidden' });
    await app.go('Activity');
    await expect(app.progress).toContainText('complete back to the first transaction');
    await app.settled();
    const { shown, hidden } = await app.matching();
    expect(shown + hidden).toBeGreaterThanOrEqual(20_000);

    const selected = app.timeline.getByRole('row', { selected: true });
    await app.timeline.focus();
    const newest = await app.row().innerText();
    await page.keyboard.press('End');
    await expect(selected).toHaveAttribute('aria-rowindex', String(shown + 1));
    await expect(selected).toContainText('Exchange');
    await expect(selected).toBeInViewport();
    expect(await app.timeline.getByRole('row').count()).toBeLessThanOrEqual(60);
    await page.keyboard.press('Home');
    await expect(app.timeline.getByRole('row').nth(1)).toBeVisible();
    await expect.poll(() => selected.innerText()).toContain(newest.split('\n')[0] ?? '');
  });
});
