import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { Watchkeeper } from '../pages/watchkeeper.ts';

test('a list that is dropped is offered to be added, and what is pasted outside of a field to be looked up', async ({
  running,
  service,
}) => {
  const { page } = running;
  const app = new Watchkeeper(page);
  await app.go('Activity');
  // Longer than the fields of the window once allowed.
  const long = 'Once '.repeat(50).trim();
  const list = `${service.account('one')} ${long}\n${service.account('empty')} Never`;
  const isTaken = await page.evaluate((text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], 'list.txt', { type: 'text/plain' }));
    const options = { dataTransfer, bubbles: true, cancelable: true };
    return ['dragover', 'drop'].map((name) => !document.body.dispatchEvent(new DragEvent(name, options)));
  }, list);
  expect(isTaken).toEqual([true, true]);
  const dialog = page.getByRole('dialog', { name: 'Watch several addresses' });
  await expect(dialog.getByRole('textbox', { name: 'Addresses' })).toHaveValue(list);
  await dialog.getByRole('button', { name: 'Add addresses' }).click();
  await expect(dialog).toContainText('2 added');
  await page.keyboard.press('Escape');
  await app.chooseFor(long, 'Pause');
  await expect(app.watched).toContainText('paused');

  const hash = `0x${'ab'.repeat(32)}`;
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    document.body.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, hash);
  const form = page.getByRole('form', { name: 'Look up' });
  await expect(form.getByLabel('Address, block or transaction')).toHaveValue(hash);
  await expect(form.getByRole('button', { name: 'Look up transaction' })).toBeVisible();
});

test('many addresses at once: each line is told about, and a mistyped one gets its right spelling', async ({
  running,
  service,
}) => {
  const { page } = running;
  const app = new Watchkeeper(page);
  const [one, thirty, empty] = [service.account('one'), service.account('thirty'), service.account('empty')];
  const mistyped = thirty.replace(/[A-F]/, (letter) => letter.toLowerCase());
  expect(mistyped).not.toBe(thirty);

  await app.go('Activity');
  await page.getByRole('button', { name: 'Watch an address' }).first().click();
  await page.getByRole('button', { name: 'Add several…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Watch several addresses' });
  const lines = [`${one} Once`, `${mistyped} Savings`, 'my wallet', `${one} Once`, empty.toLowerCase()];
  await dialog.getByRole('textbox', { name: 'Addresses' }).fill(lines.join('\n'));
  await dialog.getByRole('button', { name: 'Add addresses' }).click();

  await expect(dialog).toContainText('2 added, 1 already watched, 2 invalid.');
  const told = dialog.getByRole('list', { name: 'Lines that weren’t added' }).getByRole('listitem');
  await expect(told).toHaveText([
    /^2 .*wrong checksum/s,
    /^3 .*my wallet.*not an address/s,
    /^4 .*already watched/s,
  ]);
  await expect(told.first()).toContainText(thirty);
  await expect(app.watched).not.toContainText('Savings');

  await told.first().getByRole('button', { name: 'Use corrected address' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Addresses' })).toHaveValue(
    new RegExp(`${thirty} Savings`),
  );
  await dialog.getByRole('button', { name: 'Add addresses' }).click();
  await expect(dialog).toContainText('1 added');
  await page.keyboard.press('Escape');
  await expect(app.watched).toContainText('Once');
  await expect(app.watched).toContainText('Savings');
  await expect(app.watched).toContainText(`${empty.slice(0, 8)}…`);
  await expect(app.watched).toContainText('The service found no chains with activity for this address');
});

test('label, tags, colour and pause are kept, filter the timeline, and go to another computer in a file', async ({
  profile,
  otherProfile,
  service,
}) => {
  const [thirty, one, busy] = [service.account('thirty'), service.account('one'), service.account('busy')];
  await profile.useService(service);
  const first = await profile.launch();
  let app = new Watchkeeper(first.page);
  await app.watchAddress(one, 'Once');
  await app.watchAddress(thirty, 'Savings');
  // One that is paused from the beginning: not even its chains are asked for.
  await first.page.getByRole('button', { name: 'Actions for the address list' }).click();
  await first.page.getByRole('menuitem', { name: 'Add several…' }).click();
  let dialog = first.page.getByRole('dialog', { name: 'Watch several addresses' });
  await dialog
    .getByRole('textbox', { name: 'Addresses' })
    .fill(`address,label,tags,paused\n${busy},Exchange,"hot;theirs",true`);
  await dialog.getByRole('button', { name: 'Add addresses' }).click();
  await expect(dialog).toContainText('1 added.');
  await first.page.keyboard.press('Escape');

  await app.chooseFor('Savings', 'Edit label, tags and colour');
  const editing = first.page.getByRole('dialog', { name: 'Edit address' });
  await editing.getByLabel('Label').fill('Cold store');
  await editing.getByLabel('Tags').fill('cold, mine');
  await editing.getByRole('radio', { name: 'teal' }).check();
  await editing.getByRole('button', { name: 'Save' }).click();
  await expect(app.watched).toContainText('cold, mine');

  // Everything: that of the paused address is not meant.
  const all = app.watched.getByRole('button', { name: /^All addresses/ });
  await expect(all).toHaveText(/31/);
  await all.click();
  await app.openCoverage();
  await first.page.getByRole('button', { name: 'Fetch all, all addresses' }).click();
  const planned = first.page.getByRole('dialog', { name: 'Fetch all: all addresses' });
  await planned.getByRole('button', { name: 'Fetch all' }).click();
  await expect(planned).toBeHidden();
  await first.page.keyboard.press('Escape');

  // By tag: its own rows, and with "is not" those of all others.
  await app.filterBy('Tag', ['cold']);
  await expect(first.page.getByRole('button', { name: 'Tag is cold', exact: true })).toBeVisible();
  await expect.poll(async () => sum(await app.matching())).toBe(30);
  await app.clearFilters();
  await app.filterBy('Tag', ['cold'], true);
  await expect.poll(async () => sum(await app.matching())).toBe(1);
  await app.clearFilters();

  const file = join(profile.dir, 'addresses.csv');
  await first.saveTo(file);
  await first.page.getByRole('button', { name: 'Actions for the address list' }).click();
  await first.page.getByRole('menuitem', { name: 'Save list as CSV' }).click();
  await expect(first.page.getByText(`Saved the address list to ${file}`)).toBeVisible();
  expect((await readFile(file, 'utf8')).split('\r\n')).toEqual([
    'address,label,tags,colour,paused',
    `${one},Once,,,false`,
    `${thirty},Cold store,cold;mine,teal,false`,
    `${busy},Exchange,hot;theirs,,true`,
    '',
  ]);
  await first.quit();

  const second = await profile.launch();
  app = new Watchkeeper(second.page);
  await app.go('Activity');
  await expect(app.watched).toContainText('cold, mine');
  await expect(app.watched).toContainText(/Exchange\s*paused/);
  await app.chooseFor('Cold store', 'Edit label, tags and colour');
  await expect(second.page.getByRole('radio', { name: 'teal' })).toBeChecked();
  await second.page.keyboard.press('Escape');
  const asked = service.requestsTo('data').map(({ url }) => url.toLowerCase());
  expect(asked.filter((url) => url.includes(thirty.toLowerCase())).length).toBeGreaterThan(4);
  expect(asked.filter((url) => url.includes(busy.toLowerCase()))).toEqual([]);
  await second.quit();

  // On another computer, and there the pause ends.
  await service.limitChains(busy, ['43113']);
  await otherProfile.useService(service);
  const third = await otherProfile.launch();
  app = new Watchkeeper(third.page);
  await app.go('Activity');
  await third.page.getByRole('button', { name: 'Watch an address' }).first().click();
  await third.page.getByRole('button', { name: 'Add several…' }).click();
  dialog = third.page.getByRole('dialog', { name: 'Watch several addresses' });
  await dialog.getByLabel('File with addresses').setInputFiles(file);
  await dialog.getByRole('button', { name: 'Add addresses' }).click();
  await expect(dialog).toContainText('3 added.');
  await third.page.keyboard.press('Escape');
  await expect(app.watched).toContainText('cold, mine');
  await expect(app.watched).toContainText(/Exchange\s*paused/);
  await app.chooseFor('Exchange', 'Resume');
  await expect(app.watched).toContainText('Fuji C-Chain (sample)');
});

test('a name in the book stands in the timeline, in its search and in the drawer', async ({
  running,
  service,
}) => {
  const { page } = running;
  const app = new Watchkeeper(page);
  await app.watchAddress(service.account('thirty'), 'Savings');
  await expect(app.progress).toContainText('complete back to the first transaction');
  await app.completed();
  const row = app.row(/0x[0-9a-f]{6}…/i);
  await app.chooseForRow(row, 'Name counterparty…');
  const dialog = page.getByRole('dialog', { name: 'Name an address' });
  await dialog.getByLabel('Name', { exact: true }).fill('Aunt Rosa');
  await dialog.getByRole('button', { name: 'Save name' }).click();
  await expect(app.row('Aunt Rosa')).toBeVisible();

  await app.search.fill('aunt rosa');
  await expect.poll(async () => sum(await app.matching())).toBeLessThan(30);
  await app.row('Aunt Rosa').click();
  await expect(app.drawer.getByRole('button', { name: /^Aunt Rosa/ }).first()).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Actions for the address list' }).click();
  await page.getByRole('menuitem', { name: 'Address book' }).click();
  await page.getByRole('button', { name: 'Edit name Aunt Rosa' }).click();
  await page.getByRole('button', { name: 'Remove name' }).click();
  await page.keyboard.press('Escape');
  await app.search.fill('');
  await expect(app.row()).toBeVisible();
  await expect(app.timeline).not.toContainText('Aunt Rosa');
});

test('chains: not indexed is told apart, a new one is marked; what is kept of an address comes back at once', async ({
  running,
  service,
}) => {
  const app = new Watchkeeper(running.page);
  const address = service.account('thirty');
  const chains = `/v1/address/${address}/chains`;
  const demo = await service.answerTo(`/v1/address/${service.ready.examples.address}/chains`);
  // The field is part of every answer to this question.
  const { indexedChains } = demo as { indexedChains: { chainId: string; chainName: string }[] };
  const [main, harbour] = indexedChains;
  if (main === undefined || harbour === undefined) throw new Error('The demo account has no chains.');

  service.answerInstead(chains, { indexedChains: [main], unindexedChains: ['515515'] });
  await app.watchAddress(address, 'Savings');
  await expect(app.watched).toContainText(main.chainName);
  await expect(app.watched.getByRole('button', { name: '515515' })).toContainText('not indexed');
  await expect(app.watched.getByText('new', { exact: true })).toBeHidden();
  await expect(app.progress).toContainText('complete back to the first transaction');

  service.control.clearFaults();
  service.answerInstead(chains, { indexedChains: [main, harbour], unindexedChains: ['515515'] });
  await app.chooseFor('Savings', 'Check for new chains');
  const marked = app.watched.getByRole('button', { name: harbour.chainName });
  await expect(marked).toContainText('new');
  await expect(app.watched.getByText('new', { exact: true })).toHaveCount(1);
  await expect.poll(async () => sum(await app.matching())).toBe(30);

  // From here on the service does not answer at all.
  service.control.clearFaults();
  await app.stopWatching('Savings', 'Keep them');
  await expect(running.page.getByText('No addresses yet')).toBeVisible();
  service.control.addFault({ server: 'data', action: { kind: 'hang' } });
  await app.watchAddress(address, 'Again');
  await expect.poll(async () => sum(await app.matching())).toBe(30);
  await app.stopWatching('Again', 'Delete them');
  await app.watchAddress(address, 'Anew');
  await expect(
    running.page.getByRole('status').filter({ hasText: 'Finding chains for this address…' }),
  ).toBeVisible();
  await expect(app.timeline).toBeHidden();
});

const sum = ({ shown, hidden }: { shown: number; hidden: number }) => shown + hidden;
