import { expectAccessible } from '../accessible.ts';
import { fill, openTransaction } from '../filled-app.ts';
import { expect, test } from '../fixtures.ts';
import { Watchkeeper } from '../pages/watchkeeper.ts';

// The second one is for what goes wrong.
const nodes = ['harbor-1', 'pier-2'].map((name) => ({ name, scenario: 'healthy' }));

test.describe('with two nodes', () => {
  test.use({ serviceOptions: { scale: 0.02, nodes } });

  test('axe finds nothing serious in any view, drawer and dialog, and in what goes wrong, light or dark', async ({
    running,
    service,
  }) => {
    const { page } = running;
    const app = new Watchkeeper(page);
    await expect(page.getByRole('heading', { name: 'Welcome to Watchkeeper' })).toBeVisible();
    await expectAccessible(page, 'Overview, empty');
    for (const [key, dialog] of [
      ['a', 'Watch an address'],
      ['n', 'Add a node'],
      ['?', 'Keyboard shortcuts'],
      ['Control+k', 'Search and commands'],
    ] as const) {
      await page.keyboard.press(key);
      await expect(page.getByRole('dialog', { name: dialog })).toBeVisible();
      await expectAccessible(page, dialog, page.getByRole('dialog'));
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toBeHidden();
    }
    await app.go('Activity');
    await expectAccessible(page, 'Activity, empty');
    await app.go('Nodes');
    await expectAccessible(page, 'Nodes, empty');

    const node = await fill(app, service);
    await expectAccessible(page, 'Activity');
    await openTransaction(app);
    await expectAccessible(page, 'Transaction', app.drawer);
    await page.keyboard.press('Escape');
    await app.go('Nodes');
    await expect(app.node(node).getByRole('slider').first()).toBeVisible();
    await expectAccessible(page, 'Nodes');
    await app.go('Overview');
    await expect(page.getByRole('table', { name: 'Addresses' })).toBeVisible();
    await expectAccessible(page, 'Overview');

    await app.go('Settings');
    await expectAccessible(page, 'Settings');
    await page.getByRole('radio', { name: /Custom/ }).check();
    await page.getByLabel('Chain data URL').fill('http://chain.example');
    await page.getByLabel('Chain metrics URL').fill('https://metrics.example');
    await expect(page.getByText('Not encrypted', { exact: true })).toBeVisible();
    await expectAccessible(page, 'an unencrypted service');
    await page.getByRole('button', { name: 'Save service' }).click();
    const question = page.getByRole('dialog', { name: 'Send the API key unencrypted?' });
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await expectAccessible(page, 'the question about it', question);
    await page.keyboard.press('Escape');
    await expect(question).toBeHidden();
    await page.getByRole('button', { name: 'Discard changes' }).click();

    // With an error on it: a wrong address, a service that fails, and a node that answers to other names alone.
    await page.keyboard.press('a');
    await page.keyboard.type('0x123');
    await page.keyboard.press('Enter');
    await expect(page.getByText('This isn’t an address')).toBeVisible();
    await expectAccessible(page, 'a wrong address', page.getByRole('dialog'));
    await page.keyboard.press('Escape');
    service.control.addFault({ server: 'data', action: { kind: 'status', status: 500 } });
    await app.go('Activity');
    await app.fetchAllChains('Treasury');
    await expect(app.notice('The service returned an error (status 500)')).toBeVisible();
    await expectAccessible(page, 'Activity with an error');
    const other = service.ready.nodes[1];
    if (other === undefined) throw new Error('The sample service has one node only.');
    service.control.changeNode(other.name, { rejectHosts: true });
    await app.addNode(other.name, other.url);
    await expect(app.nodeState(other.name)).toContainText('Unknown');
    await expectAccessible(page, 'Nodes with an error');
  });
});

test('everything is done by keyboard alone', async ({ running, service }) => {
  const { page } = running;
  const app = new Watchkeeper(page);
  const { keyboard } = page;
  const [node] = service.ready.nodes;
  if (node === undefined) throw new Error('The sample service has no node.');
  const focused = page.locator(':focus');
  /** Goes on with Tab, as far as a person would have the patience to. */
  const tabTo = async (name: string | RegExp) => {
    for (let presses = 0; presses < 60; presses += 1) {
      await keyboard.press('Tab');
      const accessible = (await focused.count()) === 0 ? '' : await accessibleName();
      if (typeof name === 'string' ? accessible === name : name.test(accessible)) return;
    }
    throw new Error(`Tab does not lead to "${String(name)}".`);
  };
  const accessibleName = async () => {
    const snapshot = await focused.ariaSnapshot();
    return /"((?:[^"\\]|\\.)*)"/.exec(snapshot)?.[1] ?? '';
  };

  // An address: from the rail to the view, by its button to the dialog, with Enter to the list.
  await expect(page.getByRole('heading', { name: 'Welcome to Watchkeeper' })).toBeVisible();
  await tabTo('Activity');
  await keyboard.press('Enter');
  await expect(page.getByText('No addresses yet')).toBeVisible();
  await tabTo('Watch an address');
  await keyboard.press('Enter');
  await expect(page.getByLabel('Address', { exact: true })).toBeFocused();
  await keyboard.type(service.ready.examples.address.toLowerCase());
  await keyboard.press('Tab');
  await keyboard.type('Treasury');
  await keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(app.progress).toContainText('complete back to the first transaction');

  // The timeline: one stop of the Tab key, arrows within, Enter opens, Escape comes back to the row.
  await tabTo('Transactions');
  await expect(app.timeline).toBeFocused();
  const selected = app.timeline.getByRole('row', { selected: true });
  await expect(selected).toHaveAttribute('aria-rowindex', '2');
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  await expect(selected).toHaveAttribute('aria-rowindex', '4');
  await keyboard.press('End');
  await keyboard.press('Home');
  await keyboard.press('PageDown');
  await expect(selected).toHaveAttribute('aria-rowindex', '12');
  await keyboard.press('ArrowUp');
  await expect(selected).toHaveAttribute('aria-rowindex', '11');
  await expect(selected).toBeInViewport();
  const id = await selected.getAttribute('id');
  await expect(app.timeline).toHaveAttribute('aria-activedescendant', id ?? '');
  await keyboard.press('Enter');
  await expect(app.drawer).toBeVisible();
  await expect(app.drawer.locator(':focus')).toBeVisible();
  await keyboard.press('Escape');
  await expect(app.drawer).toBeHidden();
  await expect(app.timeline).toBeFocused();
  await expect(selected).toHaveAttribute('aria-rowindex', '11');

  // A node, by the shortcut; its strip is read with the arrow keys, each moment in words.
  await keyboard.press('n');
  await expect(page.getByLabel('URL')).toBeFocused();
  await keyboard.type(node.url);
  await keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('region', { name: 'State of the node' })).toContainText('Healthy');
  // The last hour is shown; of a week, a cell lasts longer than this test.
  await tabTo('1 h');
  await keyboard.press('ArrowRight');
  await keyboard.press('ArrowRight');
  await tabTo(/^Past check results for the node, last 7 days/);
  const now = await focused.getAttribute('aria-valuetext');
  expect(now).toContain('Healthy');
  await keyboard.press('ArrowLeft');
  const earlier = await focused.getAttribute('aria-valuetext');
  expect(earlier).toContain('Not watched yet');
  await expect(page.getByText(`Node · ${earlier ?? ''}`)).toBeVisible();
  await keyboard.press('End');
  await expect(focused).toHaveAttribute('aria-valuetext', now ?? '');
  await keyboard.press('Home');
  await expect(focused).toHaveAttribute('aria-valuenow', '0');

  // The palette.
  await keyboard.press('Control+k');
  await expect(page.getByRole('combobox')).toBeFocused();
  await keyboard.type('settings');
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('nothing moves for a person who asked for that', async ({ running, service }) => {
  const { page } = running;
  const app = new Watchkeeper(page);
  // A run that never ends, so that its spinner is on the screen.
  service.control.addFault({
    route: '/v1/chains/*/addresses/*/transactions',
    skip: 2,
    action: { kind: 'hang' },
  });
  await app.watchAddress(service.ready.examples.address, 'Treasury');
  await expect(app.progress).toContainText('fetching');
  await app.timeline.getByRole('row').nth(1).click();
  await expect(app.drawer).toBeVisible();

  const moving = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('*')]
        .map((element) => {
          const style = getComputedStyle(element);
          const longestS = (text: string) =>
            Math.max(
              ...text.split(',').map((part) => parseFloat(part) * (part.trim().endsWith('ms') ? 1e-3 : 1)),
            );
          const animatesS = style.animationName === 'none' ? 0 : longestS(style.animationDuration);
          const changesS = style.transitionProperty === 'none' ? 0 : longestS(style.transitionDuration);
          return {
            name: element.getAttribute('class') ?? element.tagName,
            seconds: Math.max(animatesS, changesS),
          };
        })
        .filter(({ seconds }) => seconds > 0.001)
        .map(({ name }) => name),
    );
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect((await moving()).length).toBeGreaterThan(1);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await moving()).toEqual([]);
});
