import { expect, test } from '../fixtures.ts';
import { expectAccessible } from '../accessible.ts';
import { Watchkeeper } from '../pages/watchkeeper.ts';
import type { RunningApp } from '../running-app.ts';
import type { SampleService } from '../sample-service.ts';
import { Spoken } from '../spoken.ts';

/** Opens the drawer of an exchange, and gives the counterparty a name in it. */
async function nameCounterparty({ page }: RunningApp, service: SampleService): Promise<Watchkeeper> {
  const app = new Watchkeeper(page);
  await app.watchAddress(service.ready.examples.address, 'Treasury');
  await expect(app.progress).toContainText('complete back to the first transaction');
  await app.row('Swapped').click();
  await expect(app.drawer.getByRole('heading', { name: 'Gas and fee' })).toBeVisible();
  await chooseForCounterparty(app, 'Name this address…');
  await page.getByLabel('Name', { exact: true }).fill('Mallow');
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect(app.drawer.getByRole('button', { name: 'Mallow' }).first()).toBeVisible();
  return app;
}

async function chooseForCounterparty(app: Watchkeeper, item: string): Promise<void> {
  const name = item === 'Name this address…' ? /^(?!.*Treasury).*0x/ : 'Mallow';
  await app.drawer.getByRole('button', { name }).first().click();
  await app.page.getByRole('menuitem', { name: item }).click();
}

async function removeName(app: Watchkeeper): Promise<void> {
  await chooseForCounterparty(app, 'Edit name…');
  await app.page.getByRole('button', { name: 'Remove name' }).click();
}

test('over a drawer a message is seen and read out, and a removal is undone there by button and by key', async ({
  running,
  service,
}) => {
  const { page } = running;
  const app = await nameCounterparty(running, service);
  await removeName(app);
  const undo = page.getByRole('button', { name: 'Undo' });
  // The pointer on it keeps it; what is covered or inert cannot be pointed at.
  await undo.hover();
  await expect.poll(async () => (await Spoken.of(page)).live).toContain('polite: Name removed. Undo');
  const [where] = (await Spoken.of(page)).find('button', 'Undo');
  expect(where).toContain('dialog "Transaction" > region "Messages" > button "Undo"');
  await expectAccessible(page, 'a message over a drawer', app.drawer);
  await undo.click();
  await expect(app.drawer.getByRole('button', { name: 'Mallow' }).first()).toBeVisible();

  await removeName(app);
  await expect(undo).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(app.drawer.getByRole('button', { name: 'Mallow' }).first()).toBeVisible();

  // A second dialog above the drawer: a field in it undoes what was typed, its other parts undo the removal.
  await removeName(app);
  await expect(undo).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox')).toBeFocused();
  await expect
    .poll(async () => (await Spoken.of(page)).find('button', 'Undo')[0])
    .toContain('Search and commands');
  await page.keyboard.press('Control+z');
  await expect(undo).toBeVisible();
  await undo.click();
  await page.keyboard.press('Escape');
  await expect(app.drawer.getByRole('button', { name: 'Mallow' }).first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(app.drawer).toBeHidden();
  await expect(app.timeline).toBeFocused();
  const palette = page.getByRole('combobox', { name: /^Search views/ });
  await page.keyboard.press('Control+k');
  await palette.fill('copy a link');
  await palette.press('Enter');
  // Beside it there may still be what was put back before.
  const politely = async () => (await Spoken.of(page)).live.filter((text) => text.startsWith('polite: '));
  await expect.poll(politely).toContainEqual(expect.stringMatching(/Link copied\.$/));
});

test('a failure over a drawer is seen and read out at once', async ({ running, service }) => {
  const { page } = running;
  const app = await nameCounterparty(running, service);
  await running.app.evaluate(({ clipboard }) => {
    clipboard.writeText = () => {
      throw new Error('The clipboard is taken.');
    };
  });
  await chooseForCounterparty(app, 'Copy address');
  const failure = page.getByRole('region', { name: 'Messages' }).getByRole('alert');
  await expect(failure).toBeVisible();
  const { live } = await Spoken.of(page);
  expect(live.filter((text) => text.startsWith('assertive: '))).toEqual([
    expect.stringContaining('Something went wrong in the app'),
  ]);
  await failure.getByRole('button', { name: 'Dismiss' }).click();
  await expect(failure).toBeHidden();
  await expect(app.drawer).toBeVisible();
});
