import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { Watchkeeper } from '../pages/watchkeeper.ts';
import { expectAccessible } from '../accessible.ts';

const historyRoute = '/v1/chains/*/addresses/*/transactions';

test('what was removed is put back with its past, and nothing is left of it when the offer is over', async ({
  running,
  service,
}) => {
  const { page } = running;
  const app = new Watchkeeper(page);
  const [node] = service.ready.nodes;
  if (node === undefined) throw new Error('The sample service has no node.');
  await app.addNode(node.name, node.url, 'Every 5 minutes');
  await expect(app.nodeState(node.name)).toContainText('Healthy');
  const reports = () =>
    page.evaluate(async () => {
      const use = await window.watchkeeper.invoke('nodes.historyUse', undefined);
      return use.ok ? use.value.map(({ pollCount }) => pollCount) : null;
    });
  const before = await reports();
  const remove = async () => {
    await page.getByRole('button', { name: 'Remove node' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove node' }).click();
    await expect(page.getByText('Node removed.')).toBeVisible();
    await expect(page.getByText('No nodes yet')).toBeVisible();
  };
  await remove();
  expect(await reports()).toEqual([]);
  await expectAccessible(page, 'an offer to undo');
  await page.keyboard.press('Control+z');
  await expect(page.getByText('Restored.')).toBeVisible();
  await expect(app.nodeState(node.name)).toContainText('Healthy');
  expect((await reports())?.[0]).toBeGreaterThanOrEqual(before?.[0] ?? Infinity);

  await app.watchAddress(service.account('thirty'), 'Savings');
  await expect(app.progress).toContainText('complete back to the first transaction');
  // From here on the service does not answer at all.
  service.control.addFault({ server: 'data', action: { kind: 'hang' } });
  await app.stopWatching('Savings', 'Delete them');
  await expect(page.getByText('No addresses yet')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => app.matching().then(({ shown, hidden }) => shown + hidden)).toBe(30);
  await expect(app.watched).toContainText('Savings');
});

test('back and forward go through views, filters and what was opened, by keys, mouse and palette', async ({
  running,
  service,
}) => {
  const { page } = running;
  const app = new Watchkeeper(page);
  await app.watchAddress(service.account('thirty'), 'Savings');
  await app.row().waitFor();
  await app.completed();
  await app.filterBy('Status', ['Success']);
  await app.row().click();
  await expect(app.drawer).toBeVisible();
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(app.drawer).toBeHidden();
  await page.keyboard.press('Alt+ArrowLeft');
  const pill = page.getByRole('button', { name: /^Status/ });
  await expect(pill).toBeHidden();
  // What the address showed when it was added, then all of them, then the first view.
  await page.keyboard.press('Alt+ArrowLeft');
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(page).toHaveTitle(/^Overview/);
  for (const button of [4, 4, 4, 4]) {
    await page.evaluate(
      (which) => window.dispatchEvent(new MouseEvent('mouseup', { button: which })),
      button,
    );
  }
  await expect(app.drawer).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(pill.first()).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('back previous');
  await page.keyboard.press('Enter');
  await expect(pill).toBeHidden();
});

test('what is under way is listed from every view, and is cancelled there', async ({ running, service }) => {
  const { page } = running;
  const app = new Watchkeeper(page);
  service.control.addFault({ route: historyRoute, action: { kind: 'hang' } });
  await app.watchAddress(service.account('thirty'), 'Savings');
  await app.go('Settings');
  await page.getByRole('button', { name: /running$/ }).click();
  const list = page.getByRole('dialog', { name: 'Running tasks' });
  await expect(list).toContainText('Fetching history for Savings');
  await expectAccessible(page, 'what is under way', list);
  await list.getByRole('button', { name: 'Cancel: Fetching history for Savings' }).click();
  await expect(page.getByRole('button', { name: /running$/ })).toHaveCount(0);
});

test('a list is as wide after a restart as it was made; settings are found by their words', async ({
  profile,
}) => {
  const first = await profile.launch();
  await new Watchkeeper(first.page).go('Explore');
  const widthIn = async (page: Page) => {
    const box = await page.getByRole('complementary', { name: 'Queries' }).boundingBox();
    return box?.width;
  };
  await first.page.getByRole('separator').focus();
  for (let times = 0; times < 5; times += 1) await first.page.keyboard.press('ArrowRight');
  await expect.poll(() => widthIn(first.page)).toBe(272 + 5 * 16);
  const edge = await first.page.getByRole('separator').boundingBox();
  if (edge === null) throw new Error('There is no edge.');
  await first.page.mouse.move(edge.x + 4, 400);
  await first.page.mouse.down();
  await first.page.mouse.move(edge.x + 4 - 32, 400, { steps: 4 });
  await first.page.mouse.up();
  await expect.poll(() => widthIn(first.page)).toBe(272 + 3 * 16);
  await first.quit();

  const { page } = await profile.launch();
  await new Watchkeeper(page).go('Explore');
  await expect.poll(() => widthIn(page)).toBe(272 + 3 * 16);

  await new Watchkeeper(page).go('Settings');
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('dark');
  await expect(page.getByRole('heading', { name: 'Appearance' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'API key' })).toBeHidden();
  await expectAccessible(page, 'settings that were searched');
});

test('a link to an incident opens it where it was, and says when there is no such incident', async ({
  running,
  service,
}) => {
  const { app: electron, page } = running;
  const app = new Watchkeeper(page);
  const [node] = service.ready.nodes;
  if (node === undefined) throw new Error('The sample service has no node.');
  service.control.changeNode(node.name, { periodMs: 200 });
  service.control.changeCheck(node.name, 'database', { error: 'closed by hand' });
  await app.addNode(node.name, node.url, 'Every 5 minutes');
  await expect(async () => {
    await app.pollNow();
    await expect(app.nodeState(node.name)).toContainText('Unhealthy', { timeout: 300 });
  }).toPass({ intervals: [50] });
  await app.showPart('Incidents');
  await app.incidents.getByRole('row').filter({ hasText: 'closed by hand' }).getByRole('button').click();
  const drawer = page.getByRole('dialog').filter({ hasText: 'closed by hand' });
  await expect(drawer).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('link to this incident');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Link copied.')).toBeVisible();
  const link = await electron.evaluate(({ clipboard }) => clipboard.readText());
  expect(link).toMatch(/^watchkeeper:\/\/nodes\/[\da-f-]{36}\/incidents\/[\da-f-]{36}$/);

  const open = (url: string) =>
    electron.evaluate(({ app: shell }, text) => shell.emit('second-instance', {}, [text]), url);
  await page.keyboard.press('Escape');
  await app.go('Overview');
  await open(link);
  await expect(drawer).toContainText('First error');
  await open(`${link.slice(0, -4)}0000`);
  await expect(drawer).toBeHidden();
  await expect(page.getByText('This incident isn’t stored here.')).toBeVisible();
  await app.go('Overview');
  await open(`watchkeeper://incidents/${'<b>'.repeat(3_000)}`);
  await expect(page.getByText('This link doesn’t point to an incident.')).toBeVisible();
  const list = page.getByRole('article', { name: 'Incidents for all nodes' });
  await expect(list).toContainText('closed by hand');
});

test('columns of the timeline are made wider and narrower, never leave the window, and are as they were', async ({
  running,
  service,
}) => {
  const { app: electron, page } = running;
  const app = new Watchkeeper(page);
  await app.watchAddress(service.account('thirty'), 'Savings');
  await app.row().waitFor();
  const size = (width: number | null) =>
    electron.evaluate(({ BrowserWindow }, wanted) => {
      const [window] = BrowserWindow.getAllWindows();
      const before = window?.getContentSize() ?? [];
      window?.setContentSize(wanted ?? 1_280, 840);
      return before;
    }, width);
  const [usualWidth] = await size(1_920);
  const cell = app.timeline.locator('[data-cell="counterparty"]').first();
  const widthOf = async () => Math.round((await cell.boundingBox())?.width ?? 0);
  const edge = page.getByRole('separator', { name: 'Width of Counterparty' });
  await expect(edge).toBeVisible();
  await expect.poll(() => page.evaluate(() => window.innerWidth)).toBe(1_920);
  const usual = await widthOf();
  await edge.focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(widthOf).toBe(usual - 16);
  await expect(edge).toHaveAttribute('aria-valuenow', String(usual - 16));
  // The window of another test may take the pointer away, which ends the drag where it is; then it is dragged again.
  await expect(async () => {
    const box = await edge.boundingBox();
    if (box === null) throw new Error('There is no edge.');
    const leftPx = (await widthOf()) - (usual - 56);
    await page.mouse.move(box.x + 4, box.y + 8);
    await page.mouse.down();
    await page.mouse.move(box.x + 4 - leftPx, box.y + 8, { steps: 4 });
    await page.mouse.up();
    await expect.poll(widthOf, { timeout: 2_000 }).toBe(usual - 56);
  }).toPass();
  await expectAccessible(page, 'columns with other widths', app.timeline);

  // Much too wide for a small window: what is kept is only a wish.
  await edge.press('End');
  for (const width of [1_920, 1_600, 960]) {
    await size(width);
    await expect.poll(() => page.evaluate(() => window.innerWidth)).toBe(width);
    const isOutside = () =>
      app.timeline.evaluate((grid) => {
        const edges = [...grid.querySelectorAll('[data-cell]')].map(
          (cell) => cell.getBoundingClientRect().right,
        );
        return grid.scrollWidth > grid.clientWidth || Math.max(...edges) > window.innerWidth;
      });
    await expect.poll(isOutside).toBe(false);
  }
  await size(1_920);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('reset column');
  await page.keyboard.press('Enter');
  await expect.poll(widthOf).toBe(usual);
  await size(usualWidth ?? null);
});
