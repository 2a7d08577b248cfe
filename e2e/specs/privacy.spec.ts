import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expectAccessible } from '../accessible.ts';
import { expect, test } from '../fixtures.ts';
import { Watchkeeper } from '../pages/watchkeeper.ts';

test('the privacy page counts what leaves, and what is switched off there is not sent', async ({
  running,
  service,
}) => {
  const { page } = running;
  const app = new Watchkeeper(page);
  const { origin } = new URL(service.ready.dataUrl);
  const [node] = service.ready.nodes;
  if (node === undefined) throw new Error('The sample service has no node.');
  const table = page.getByRole('table', { name: 'What leaves this computer' });
  const requestsOf = async (host: string) =>
    Number(
      (await table.getByRole('row', { name: host }).getByRole('cell').first().innerText()).replace(/\D/g, ''),
    );
  const allow = page.getByRole('checkbox', { name: 'Allow: Chain data' });

  await app.addNode(node.name, node.url);
  await app.watchAddress(service.ready.examples.address, 'Treasury');
  await expect(app.progress).toContainText('complete back to the first transaction');
  await app.settled();
  await app.go('Settings');
  await expect.poll(() => requestsOf(origin)).toBeGreaterThanOrEqual(service.requestsTo('data').length);
  await expect.poll(() => requestsOf(new URL(node.url).origin)).toBeGreaterThan(0);
  await expect(table.getByRole('row', { name: 'Other hosts' })).toContainText('No requests refused.');
  await table.getByText('Other hosts').scrollIntoViewIfNeeded();
  await expectAccessible(page, 'Privacy', page.getByRole('region', { name: 'Privacy' }));

  await allow.uncheck();
  await expect(app.connection).toHaveText('Requests off');
  const asked = service.requestsTo('data').length;
  const counted = await requestsOf(origin);
  await app.go('Activity');
  await app.fetchAllChains('Treasury');
  await app.row('Swapped').click();
  await app.drawer.getByRole('button', { name: 'Fetch again' }).click();
  await expect(app.drawer.getByText('“Chain data” is switched off.')).toBeVisible();
  await page.keyboard.press('Escape');
  await app.go('Settings');
  expect(await requestsOf(origin)).toBe(counted);
  expect(service.requestsTo('data')).toHaveLength(asked);

  await allow.check();
  await expect(app.connection).toHaveText('Live');
  expect(service.requestsTo('data').length).toBeGreaterThan(asked);
});

test('diagnostics can be read before they are saved, without a secret and without an address', async ({
  running,
  service,
  profile,
}) => {
  const { page } = running;
  const app = new Watchkeeper(page);
  const [node] = service.ready.nodes;
  if (node === undefined) throw new Error('The sample service has no node.');
  await app.addNode(node.name, node.url);
  await app.watchAddress(service.ready.examples.address, 'Treasury');
  await app.saveKey(service.ready.apiKey);

  const region = page.getByRole('region', { name: 'Diagnostics' });
  const text = region.getByLabel('File contents');
  await region.getByRole('button', { name: 'Show diagnostics' }).click();
  await expect(text).toHaveValue(/^Watchkeeper diagnostics, /);
  const theirs = [service.ready.apiKey, service.ready.examples.address, 'Treasury', node.name, '127.0.0.1'];
  for (const word of theirs) expect(await text.inputValue()).not.toContain(word);
  await expectAccessible(page, 'Diagnostics', region);

  await region.getByRole('checkbox', { name: /^Leave out addresses/ }).uncheck();
  await expect(text).toHaveValue(/Treasury/);
  const [key = '', ...others] = theirs;
  for (const word of others) expect(await text.inputValue()).toContain(word);
  expect(await text.inputValue()).not.toContain(key);
  const path = join(profile.dir, 'diagnostics.txt');
  await running.saveTo(path);
  await region.getByRole('button', { name: 'Save this file…' }).click();
  await expect(page.getByText(`Saved as ${path}`)).toBeVisible();
  expect(await readFile(path, 'utf8')).toBe(await text.inputValue());
});

test('an installed app without its sandbox says so, in the window and in the diagnostics', async ({
  profile,
}) => {
  const installed = ['-r', join(import.meta.dirname, '..', 'packaged.cjs')];
  const { page } = await profile.launch({ args: installed });
  await expect(page.getByText('Watchkeeper is running without its sandbox')).toContainText('--no-sandbox');
  await new Watchkeeper(page).go('Settings');
  await page.getByRole('button', { name: 'Show diagnostics' }).click();
  await expect(page.getByLabel('File contents')).toHaveValue(/sandbox: off/);
});
