import { expect, test } from '../fixtures.ts';
import { Watchkeeper } from '../pages/watchkeeper.ts';
import { Spoken } from '../spoken.ts';

// What a screen reader is given, from the accessibility tree: messages over dialogs are in messages.spec.ts.

test('a row and a cell are read out as the arrow keys come to them, with what the pointer would explain', async ({
  running,
  service,
}) => {
  const { page } = running;
  const app = new Watchkeeper(page);
  await app.watchAddress(service.account('thirty'), 'Savings');
  await app.row().waitFor();
  await app.completed();
  await app.timeline.focus();
  const focus = async () => (await Spoken.of(page)).focus;
  await page.keyboard.press('ArrowDown');
  const [, second] = await app.timeline.locator('[data-place]').all();
  const words = ((await second?.innerText()) ?? '').split('\n')[0] ?? '';
  await expect.poll(focus).toMatch(/^row "/);
  expect(await focus()).toContain('Savings');
  expect(await focus()).toContain('selected');
  await page.keyboard.press('ArrowRight');
  await expect.poll(focus).toMatch(/^gridcell "/);
  expect(await focus()).toContain(words.trim());
  for (let press = 0; press < 8; press += 1) await page.keyboard.press('ArrowRight');
  // Each press leads to another cell, up to the last.
  await expect.poll(focus).toContain('Complete');
  for (let press = 0; press < 12; press += 1) await page.keyboard.press('ArrowLeft');
  await expect.poll(focus).toMatch(/^row "/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  const tips = page.locator('.tip-bubble');
  for (let press = 0; press < 8 && !(await tips.isVisible()); press += 1)
    await page.keyboard.press('ArrowRight');
  await expect(tips).toBeVisible();
});

test('what the pointer explains is explained at F1 too, on the panel of a node and in a drawer, and is read out', async ({
  running,
  service,
}) => {
  const { page } = running;
  const app = new Watchkeeper(page);
  const [node] = service.ready.nodes;
  if (node === undefined) throw new Error('The sample service has no node.');
  const tips = page.locator('.tip-bubble');
  /** Goes through all tips once, and returns them. */
  const explained = async (where: string) => {
    const all = page.locator(
      `${where} [data-tip]:not(button *, a *, button, a, [role=grid] *, [role=slider], summary)`,
    );
    const found: string[] = [];
    for (let place = await all.count(); place > 0; place -= 1) {
      await page.keyboard.press('F1');
      await expect(tips).toBeVisible();
      found.push(await tips.innerText());
    }
    return found;
  };
  await app.addNode(node.name, node.url, 'Every 5 minutes');
  await expect(page.getByRole('region', { name: 'State of the node' })).toContainText('Healthy');
  await expect(page.getByText(/ runs?$|%/).first()).toBeVisible();
  await page.getByRole('heading', { level: 2, name: node.name }).click();
  const ofNode = await explained('body');
  expect(ofNode.join('\n')).toMatch(/\d\d:\d\d:\d\d/);
  expect(ofNode.join('\n')).toContain('NodeID-');
  await app.watchAddress(service.ready.examples.address, 'Treasury');
  await expect(app.progress).toContainText('complete back to the first transaction');
  await app.row('Swapped').click();
  await expect(app.drawer.getByRole('heading', { name: 'Gas and fee' })).toBeVisible();
  await page.keyboard.press('F1');
  await expect(app.drawer.locator(':focus')).toHaveAttribute('data-tip');
  expect((await Spoken.of(page)).focus).not.toBe('nothing');
  const ofDrawer = await explained('dialog');
  expect(ofDrawer.join('\n')).toContain(
    await app.drawer.locator('[data-tip^="0x"]').first().getAttribute('data-tip'),
  );
});

test('nothing is read out while the time passes and rows come in; the end of it is', async ({
  running,
  service,
}) => {
  const { page } = running;
  const app = new Watchkeeper(page);
  const [node] = service.ready.nodes;
  if (node === undefined) throw new Error('The sample service has no node.');
  const live = async () => (await Spoken.of(page)).live.filter((text) => !/^\w+: $/.test(text));
  // Three pages, and then one that never comes.
  service.control.addFault({
    route: '/v1/chains/*/addresses/*/transactions',
    skip: 3,
    action: { kind: 'hang' },
  });
  await app.watchAddress(service.ready.examples.address, 'Treasury');
  await expect(app.progress).toContainText('fetching');
  await expect.poll(live).toContainEqual('polite: Fetching');
  expect((await live()).join()).not.toMatch(/ago|just now|\d of \d/);
  await app.stopFetching();
  await expect.poll(live).not.toContainEqual('polite: Fetching');
  expect((await live()).join()).not.toMatch(/ago|just now/);
});

test('a failure is read out at once, with what to do', async ({ running, service }) => {
  const { page } = running;
  const app = new Watchkeeper(page);
  service.control.addFault({ server: 'data', action: { kind: 'status', status: 500 } });
  await app.watchAddress(service.account('thirty'), 'Savings');
  const title = 'returned an error (status 500)';
  await expect(page.getByText(title).first()).toBeVisible({ timeout: 120_000 });
  const { live } = await Spoken.of(page);
  expect(live.filter((text) => text.includes(title))).not.toEqual([]);
});

test('the focus stays near when what had it goes', async ({ running, service }) => {
  const { page } = running;
  const app = new Watchkeeper(page);
  const [node] = service.ready.nodes;
  if (node === undefined) throw new Error('The sample service has no node.');
  await app.addNode(node.name, node.url, 'Every 5 minutes');
  await page.getByRole('button', { name: 'Remove node' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Node removed.')).toBeVisible();
  const focused = () => page.evaluate(() => document.activeElement?.tagName);
  await expect.poll(focused).not.toBe('BODY');
  await app.watchAddress(service.account('thirty'), 'Savings');
  await app.row().waitFor();
  // The menu’s button is gone with its address.
  await page.getByRole('button', { name: 'Actions for Savings', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Stop watching' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Stop watching' }).press('Enter');
  await expect(page.getByText('No addresses yet')).toBeVisible();
  await expect.poll(focused).not.toBe('BODY');
});
