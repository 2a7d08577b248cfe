import { hiddenWords, type SpamRule } from '../../src/shared/activity/spam-types.ts';
import { expect, test } from '../fixtures.ts';
import { friend, me, serveMadeHistory } from '../made-history.ts';
import { Watchkeeper } from '../pages/watchkeeper.ts';
import type { RunningApp } from '../running-app.ts';
import type { SampleService } from '../sample-service.ts';

/** What is in the row that each rule hides. */
const hiddenBy: Readonly<Record<SpamRule, string>> = {
  'zero-value': 'GOLD',
  'look-alike': 'COIN',
  'lure-text': 'Visit claim.example',
  'remote-media': 'Cat',
  'fan-out': 'MANY',
};

/** All nine rows are on the screen and complete, the hidden ones too. */
async function showAll({ page }: RunningApp, service: SampleService) {
  await serveMadeHistory(service);
  const app = new Watchkeeper(page);
  const count = page.getByRole('group', { name: 'Matching transactions' });
  const shows = (rows: number) => expect(count).toContainText(new RegExp(`^\\s*${rows} transaction`));
  await app.watchAddress(friend, 'Friend');
  await app.watchAddress(me, 'Mine');
  await expect(app.progress).toContainText('complete back to the first transaction', { timeout: 30_000 });
  await app.settled();
  await app.timeline.focus();
  await page.keyboard.press('h');
  await shows(9);
  await app.completed();
  return { app, shows };
}

test('every rule of spam hides its row; what I sent and what could not be read stay in sight', async ({
  running,
  service,
}) => {
  const { page } = running;
  const { app, shows } = await showAll(running, service);
  // `Object.keys` loses the type of the keys.
  for (const rule of Object.keys(hiddenBy) as SpamRule[]) {
    const { word } = hiddenWords[rule];
    await app.filterBy('Hidden because', [word]);
    await shows(1);
    await expect(app.row(hiddenBy[rule])).toContainText(word);
    await app.clearFilters();
  }
  await app.timeline.focus();
  await page.keyboard.press('h');
  await expect.poll(() => app.matching()).toMatchObject({ shown: 4, hidden: 5 });
  await expect(app.row('10,000 GOLD')).toContainText('Looks like Friend');
  const odd = app.row('2 GOLD');
  await expect(odd).toContainText('Only partly decoded');

  // What could not be read is shown as it came.
  await odd.dblclick();
  await expect(app.drawer).toContainText('What couldn’t be decoded');
  await expect(app.drawer).toContainText('erc20Transfers[1]');
  await expect(app.drawer).toContainText('this may be incomplete');
});

test('every column can be filtered by, and the opposite of a pill is the rest', async ({
  running,
  service,
}) => {
  const { page } = running;
  const { app, shows } = await showAll(running, service);
  await app.chooseFor('Mine', 'Edit label, tags and colour');
  const dialog = page.getByRole('dialog', { name: 'Edit address' });
  await dialog.getByLabel('Tags').fill('savings');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });

  const all = 9;
  const choices: [column: string, value: string | RegExp, matching: number][] = [
    ['Address', /Mine/, all],
    ['Chain', /./, all],
    ['Kind', 'NFT transfer', 1],
    ['Direction', 'Out', 2],
    ['Token', /MANY/, 1],
    ['Counterparty', /0xabcd/i, 2],
    ['Method', 'approve', 1],
    ['Status', 'Failed', 1],
    ['Tag', 'savings', all],
    ['Completeness', 'Only partly decoded', 1],
  ];
  for (const [column, value, matching] of choices) {
    await app.filterBy(column, [value]);
    await shows(matching);
    await app.clearFilters();
  }
  await app.filterBy('Kind', ['NFT transfer'], true);
  await shows(all - 1);
  await app.clearFilters();
  const ranges: [column: string, from: string, to: string, matching: number][] = [
    ['Amount', '10000', '10000', 1],
    // 2 COIN at 3 EUR.
    ['Historical value', '5.9', '6.1', 1],
    ['Block', '991', '992', 2],
    ['Time', '2025-06-01T00:00', '2025-06-08T00:00', 2],
  ];
  for (const [column, from, to, matching] of ranges) {
    await app.filterByRange(column, from, to);
    await shows(matching);
    await app.clearFilters();
  }
});
