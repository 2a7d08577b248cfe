import type { Page } from 'playwright/test';
import { Watchkeeper } from '../pages/watchkeeper.ts';
import { expect, test } from '../fixtures.ts';
import { passTimeUntil } from '../pass-time.ts';

test.use({ serviceOptions: { scale: 1 } });

// What the app is for, from the first start to the review without a network. Its pictures lie beside the report.
test('the main job: a key, an address and its history, a transaction, a node and its failure; and all of it again offline', async ({
  profile,
  service,
}, testInfo) => {
  const { examples, apiKey, nodes } = service.ready;
  const [node] = nodes;
  if (node === undefined) throw new Error('The sample service has no node.');
  let pictures = 0;
  const picture = async (page: Page, name: string) => {
    pictures += 1;
    const path = testInfo.outputPath(`${pictures}-${name}.png`);
    await page.screenshot({ path });
    testInfo.attachments.push({ name, path, contentType: 'image/png' });
  };

  await profile.useService(service);
  const first = await profile.launch({ clock: 'held' });
  let app = new Watchkeeper(first.page);
  let shown = 0;

  await test.step('the first start asks for a key and for something to watch', async () => {
    await picture(first.page, 'first-start');
    await app.saveKey(apiKey);
    await app.watchAddress(examples.address.toLowerCase(), 'Treasury');
  });

  await test.step('its chains are found, and the timeline fills page by page to its first row', async () => {
    const watched = first.page.getByRole('complementary', { name: 'Watched addresses' });
    await expect(watched.getByText('C-Chain (sample)')).toBeVisible();
    await expect(watched.getByText('not indexed')).toBeVisible();
    await expect(app.progress).toContainText('complete back to the first transaction');
    await app.settled();
    // What is shown, and what is hidden as spam, is told.
    const matching = await app.matching();
    shown = matching.shown;
    expect(matching.hidden).toBeGreaterThan(0);
    expect(shown).toBeGreaterThan(1_000);
    await expect(app.timeline).toHaveAttribute('aria-rowcount', String(shown + 1));
    // The list is virtual: a few rows of thousands are in the page.
    expect(await app.timeline.getByRole('row').count()).toBeLessThanOrEqual(60);

    // Every page was asked for once.
    const requests = service.requestsTo('data');
    const pages = requests.filter(({ url }) => url.includes('/addresses/')).map(({ url }) => url);
    expect(pages.length).toBeGreaterThan(10);
    expect(new Set(pages).size).toBe(pages.length);
    expect(requests.every(({ keyHeaders }) => Object.keys(keyHeaders).length === 1)).toBe(true);
    await picture(first.page, 'timeline');
  });

  await test.step('a row is complete or partial, and opens as a transaction in all its parts', async () => {
    // Those on the screen are completed by themselves. A message to another chain has every part that there is.
    const row = app.timeline
      .getByRole('row')
      .filter({ hasText: /Swapped.*Crosschain Messenger/ })
      .first();
    await expect(row).toContainText('Complete');
    await app.timeline.press('End');
    await expect(app.timeline.getByRole('row').filter({ hasText: 'Partial' }).first()).toBeVisible();
    await app.timeline.press('Home');
    await row.click();
    for (const list of ['Net effect', 'Transfers', 'Internal transactions']) {
      await expect(app.drawer.getByRole('list', { name: list })).toBeVisible();
    }
    for (const section of [
      ...['Gas and fee', 'Method', 'Cross-chain message', 'Network token', 'Source of this data'],
    ]) {
      await expect(app.drawer.getByRole('heading', { name: section })).toBeVisible();
    }
    await picture(first.page, 'transaction');
    await first.page.keyboard.press('Escape');
    await expect(app.drawer).toBeHidden();
    await expect(app.timeline.getByRole('row').filter({ hasText: 'Complete' }).first()).toBeVisible();
  });

  const error = 'only 2% of disk space left';
  await test.step('a node is added; a check fails, with its error and its history, and recovers', async () => {
    const intervalMs = 15_000;
    await app.addNode(node.name, node.url, 'Every 15 seconds');
    const panel = app.node(node.name);
    const state = panel.getByRole('region', { name: 'State of the node' });
    await expect(state).toContainText('Healthy');
    const check = app.checks.getByRole('row').filter({ hasText: 'diskspace' });
    await expect(check).toContainText('Passing');

    service.control.changeNode(node.name, { periodMs: intervalMs });
    // The app asks by itself, as time goes by.
    const untilState = (words: string) =>
      passTimeUntil((moment) => expect(state).toContainText(words, moment), {
        app: first,
        service,
        stepMs: intervalMs,
      });
    service.control.changeCheck(node.name, 'diskspace', { error });
    await untilState('Unhealthy');
    await expect(check).toContainText('Failing');
    await expect(check).toContainText(error);
    await picture(first.page, 'failing-check');
    await expect(panel.getByRole('table', { name: 'Failure history' })).toContainText(error);
    service.control.changeCheck(node.name, 'diskspace', null);
    await untilState('Healthy');
  });

  await test.step('quit; without service and node, everything is there, with its age', async () => {
    await first.quit();
    await service.stop();
    const second = await profile.launch();
    app = new Watchkeeper(second.page);
    await app.go('Activity');
    await expect(app.timeline).toHaveAttribute('aria-rowcount', String(shown + 1));
    await expect(app.connection).toContainText(/As of \d/);
    const exchanged = app.timeline.getByRole('row').filter({ hasText: 'Swapped' });
    await exchanged.filter({ hasText: 'Complete' }).first().click();
    await expect(app.drawer.getByRole('list', { name: 'Transfers' })).toBeVisible();
    await expect(app.drawer.getByRole('heading', { name: 'Source of this data' })).toBeVisible();
    await app.drawer.getByRole('button', { name: 'Fetch again' }).click();
    await expect(app.drawer).toContainText('No connection to the service');
    await expect(app.drawer.getByRole('list', { name: 'Transfers' })).toBeVisible();
    await expect(app.connection).toContainText(/As of .*offline/);
    await picture(second.page, 'offline-transaction');
    await second.page.keyboard.press('Escape');

    await app.go('Nodes');
    const kept = app.node(node.name);
    await expect(kept.getByRole('region', { name: 'State of the node' })).toContainText('Unreachable');
    await expect(app.checks.getByRole('row').filter({ hasText: 'diskspace' })).toBeVisible();
    await expect(kept.getByRole('table', { name: 'Failure history' })).toContainText(error);
    await expect(kept.getByRole('slider', { name: /diskspace/ })).toBeVisible();
    await picture(second.page, 'offline-node');
  });
});
