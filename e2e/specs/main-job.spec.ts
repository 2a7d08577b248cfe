import { Watchkeeper } from '../pages/watchkeeper.ts';
import { expect, test } from '../fixtures.ts';
import { passTimeUntil } from '../pass-time.ts';

test.describe('with a history of more than a thousand', () => {
  test.use({ serviceOptions: { scale: 1 } });
  test('a watched address: chains, whole history, complete transaction; and all of it again offline', async ({
    profile,
    service,
  }) => {
    const { examples, apiKey } = service.ready;
    await profile.useService(service);
    const first = await profile.launch();
    let app = new Watchkeeper(first.page);

    await app.saveKey(apiKey);
    await app.watchAddress(examples.address.toLowerCase(), 'Treasury');

    // Its chains are found, indexed and not indexed told apart, and the history fills page by page to its first row.
    const watched = first.page.getByRole('complementary', { name: 'Watched addresses' });
    await expect(watched.getByText('C-Chain (sample)')).toBeVisible();
    await expect(watched.getByText('not indexed')).toBeVisible();
    await expect(app.progress).toContainText('complete back to the first transaction');
    await app.settled();
    // What is shown, and what is hidden as spam, is told.
    const { shown, hidden } = await app.matching();
    expect(hidden).toBeGreaterThan(0);
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

    // A row says whether it is the partial view of the list or complete; those on the screen are completed by themselves.
    // A message to another chain has every part that there is.
    const row = app.timeline
      .getByRole('row')
      .filter({ hasText: /Exchanged.*Crosschain Messenger/ })
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
      'Gas and fee',
      'Method',
      'Cross-chain message',
      'Network token',
      'Where this is from',
    ]) {
      await expect(app.drawer.getByRole('heading', { name: section })).toBeVisible();
    }
    await first.page.keyboard.press('Escape');
    await expect(app.drawer).toBeHidden();
    await expect(app.timeline.getByRole('row').filter({ hasText: 'Complete' }).first()).toBeVisible();

    // Quit, stop the service, start: everything is there, with its age, and offline is said calmly.
    await first.quit();
    await service.stop();
    const second = await profile.launch();
    app = new Watchkeeper(second.page);
    await app.go('Activity');
    await expect(app.timeline).toHaveAttribute('aria-rowcount', String(shown + 1));
    await expect(app.connection).toContainText(/As of \d/);
    const kept = app.timeline
      .getByRole('row')
      .filter({ hasText: 'Exchanged' })
      .filter({ hasText: 'Complete' })
      .first();
    await kept.click();
    await expect(app.drawer.getByRole('list', { name: 'Transfers' })).toBeVisible();
    await expect(app.drawer.getByRole('heading', { name: 'Where this is from' })).toBeVisible();
    await app.drawer.getByRole('button', { name: 'Fetch again' }).click();
    await expect(app.drawer).toContainText('No connection to the service');
    await expect(app.drawer.getByRole('list', { name: 'Transfers' })).toBeVisible();
    await expect(app.connection).toContainText(/As of .*offline/);
  });
});

test('a node: every check, a failure with its history, and the last report without the node', async ({
  profile,
  service,
}) => {
  const [node] = service.ready.nodes;
  if (node === undefined) throw new Error('The sample service has no node.');
  await profile.useService(service);
  const first = await profile.launch({ clock: 'held' });
  let app = new Watchkeeper(first.page);

  const intervalMs = 10_000;
  await app.addNode(node.name, node.url, 'every 10 seconds');
  const panel = app.node(node.name);
  await expect(panel.getByRole('region', { name: 'State of the node' })).toContainText('Healthy');
  await expect(app.checks.getByRole('row').filter({ hasText: 'diskspace' })).toContainText('Passing');

  // A check fails: its error, the number of failures and their history appear, and when it recovers the end does.
  service.control.changeNode(node.name, { periodMs: intervalMs });
  // The app asks by itself, as time goes by.
  const untilState = (words: string) =>
    passTimeUntil(
      (moment) =>
        expect(panel.getByRole('region', { name: 'State of the node' })).toContainText(words, moment),
      { app: first, service, stepMs: intervalMs },
    );
  service.control.changeCheck(node.name, 'diskspace', {
    error: 'only 2% of disk space left',
  });
  await untilState('Unhealthy');
  const failing = app.checks.getByRole('row').filter({ hasText: 'diskspace' });
  await expect(failing).toContainText('Failing');
  await expect(failing).toContainText('only 2% of disk space left');
  const history = panel.getByRole('table', { name: 'Failure history' });
  await expect(history).toContainText('only 2% of disk space left');
  service.control.changeCheck(node.name, 'diskspace', null);
  await untilState('Healthy');

  // Without the node: unreachable is said, and the last report stays, with its age.
  await first.quit();
  await service.stop();
  const second = await profile.launch();
  app = new Watchkeeper(second.page);
  await app.go('Nodes');
  const kept = app.node(node.name);
  await expect(kept.getByRole('region', { name: 'State of the node' })).toContainText('Unreachable');
  await expect(app.checks.getByRole('row').filter({ hasText: 'diskspace' })).toBeVisible();
  await expect(kept.getByRole('table', { name: 'Failure history' })).toContainText(
    'only 2% of disk space left',
  );
  await expect(kept.getByRole('slider', { name: /diskspace/ })).toBeVisible();
});
