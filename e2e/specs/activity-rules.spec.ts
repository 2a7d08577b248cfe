import { fieldOf, type ChoiceField, type RangeField } from '../../src/shared/activity/filter.ts';
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

// `Object.entries` loses the type of the keys.
const entriesOf = <Key extends string, Value>(record: Readonly<Record<Key, Value>>) =>
  Object.entries(record) as [Key, Value][];

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
  for (const [rule, text] of entriesOf(hiddenBy)) {
    const { word } = hiddenWords[rule];
    await app.filterBy('Hidden because', [word]);
    await shows(1);
    await expect(app.row(text)).toContainText(word);
    await app.clearFilters();
  }
  await app.timeline.focus();
  await page.keyboard.press('h');
  await expect.poll(() => app.matching()).toMatchObject({ shown: 4, hidden: 5 });
  await expect(app.row('10,000 GOLD')).toContainText('Looks like Friend');
  const odd = app.row('2 GOLD');
  await expect(odd).toContainText('Not fully decoded');

  // What could not be read is shown as it came.
  await odd.dblclick();
  await expect(app.drawer).toContainText('Parts that couldn’t be decoded');
  await expect(app.drawer).toContainText('erc20Transfers[1]');
  await expect(app.drawer).toContainText('the net effect may be incomplete');
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
  // Why a row is hidden is filtered by above.
  const choices: Readonly<
    Record<Exclude<ChoiceField, 'hidden'>, [value: string | RegExp, matching: number]>
  > = {
    address: [/Mine/, all],
    chain: [/./, all],
    kind: ['NFT transfer', 1],
    direction: ['Out', 2],
    token: [/MANY/, 1],
    counterparty: [/0xabcd/i, 2],
    method: ['approve', 1],
    status: ['Failed', 1],
    tag: ['savings', all],
    completeness: ['Not fully decoded', 1],
  };
  for (const [field, [value, matching]] of entriesOf(choices)) {
    await app.filterBy(fieldOf[field].name, [value]);
    await shows(matching);
    await app.clearFilters();
  }
  await app.filterBy('Kind', ['NFT transfer'], true);
  await shows(all - 1);
  await app.clearFilters();
  const ranges: Readonly<Record<RangeField, [from: string, to: string, matching: number]>> = {
    amount: ['10000', '10000', 1],
    // 2 COIN at 3 EUR.
    value: ['5.9', '6.1', 1],
    block: ['991', '992', 2],
    time: ['2025-06-01T00:00', '2025-06-08T00:00', 2],
  };
  for (const [field, [from, to, matching]] of entriesOf(ranges)) {
    await app.filterByRange(fieldOf[field].name, from, to);
    await shows(matching);
    await app.clearFilters();
  }
});
