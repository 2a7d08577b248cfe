import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '../../src/main/adapters/storage/sqlite/database.ts';
import { loadDriver } from '../../src/main/adapters/storage/sqlite/load-driver.ts';
import { migrate } from '../../src/main/adapters/storage/opening/migrate.ts';
import { serviceFolder } from '../../src/main/adapters/storage/opening/service-folder.ts';
import { expect, test as base } from '../fixtures.ts';
import { Watchkeeper } from '../pages/watchkeeper.ts';
import type { Profile } from '../running-app.ts';
import { SampleService } from '../sample-service.ts';

/** As a person changes it in Settings. */
const change = async (app: Watchkeeper, other: SampleService) => {
  const { page } = app;
  await app.go('Settings');
  await page.getByRole('radio', { name: /Custom/ }).check();
  await page.getByLabel('Chain data URL').fill(other.ready.dataUrl);
  await page.getByLabel('Chain metrics URL').fill(other.ready.metricsUrl);
  await page.getByRole('button', { name: 'Save service' }).click();
};
const folderOf = (profile: Profile, { ready }: SampleService) =>
  join(profile.dir, 'services', serviceFolder(ready.dataUrl));

/** As sound as a file can be, but without something that the app reads of it at once. */
const breakStore = async (folder: string) => {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'store.sqlite');
  const store = openDatabase(loadDriver(['node:sqlite']), file, { access: 'read-write', busyTimeoutMs: 0 });
  migrate(store);
  store.transaction((writer) => writer.run('ALTER TABLE book_entry RENAME COLUMN entry_json TO other'));
  store.close();
};

const test = base.extend<{ other: SampleService }>({
  // Playwright reads the dependencies of a fixture from this pattern, so it has to be one.
  other: async ({}, use) => {
    const service = await SampleService.start();
    await use(service);
    await service.stop();
  },
});

test('a change to a service whose store is broken is taken back, with the reason, and the one before works on', async ({
  other,
  profile,
  service,
}) => {
  await breakStore(folderOf(profile, other));
  await profile.useService(service);
  const { page } = await profile.launch();
  const app = new Watchkeeper(page);
  await app.watchAddress(service.account('thirty'), 'Savings');
  await expect(app.progress).toContainText('complete back to the first transaction');

  await change(app, other);
  const notice = page
    .getByRole('status')
    .filter({ hasText: `The app couldn’t open the data stored for ${other.ready.dataUrl}` });
  await expect(notice).toContainText(`The service wasn’t changed: ${service.ready.dataUrl} is still in use.`);
  await app.go('Settings');
  await expect(page.getByLabel('Chain data URL')).toHaveValue(service.ready.dataUrl);
  await app.go('Activity');
  await expect(app.watched).toContainText('Savings');
  service.control.clearRequests();
  await app.fetchAllChains('Savings');
  await expect.poll(async () => service.requestsTo('data').length).toBeGreaterThan(0);
  await expect(app.progress).toContainText('complete back to the first transaction');
  expect(other.requestsTo('data')).toEqual([]);
});

test('a start with a service whose store is broken says so, keeps that as it is, and watches nodes and addresses', async ({
  profile,
  service,
}) => {
  await breakStore(folderOf(profile, service));
  await profile.useService(service);
  const { page } = await profile.launch();
  const app = new Watchkeeper(page);
  const notice = page.getByRole('status').filter({ hasText: 'Nothing is being saved' });
  await expect(notice).toContainText(`The app couldn’t open the data stored for ${service.ready.dataUrl}`);
  const [node] = service.ready.nodes;
  if (node === undefined) throw new Error('the sample service has no node');
  await app.addNode(node.name, node.url);
  await expect(app.nodeState(node.name)).toContainText('Healthy');
  await app.watchAddress(service.account('thirty'), 'Savings');
  await expect(app.progress).toContainText('complete back to the first transaction');
});

test('a change to a service that can store nothing says so, and the one before has what it had', async ({
  other,
  profile,
  service,
}) => {
  await mkdir(join(profile.dir, 'services'), { recursive: true });
  await writeFile(folderOf(profile, other), 'in the way');
  await profile.useService(service);
  const { page } = await profile.launch();
  const app = new Watchkeeper(page);
  await app.watchAddress(service.account('thirty'), 'Savings');
  await expect(app.progress).toContainText('complete back to the first transaction');

  await change(app, other);
  const notice = page.getByRole('status').filter({ hasText: 'Nothing is being saved' });
  await expect(notice).toContainText(folderOf(profile, other));
  await app.go('Activity');
  await expect(page.getByRole('main')).toContainText('Watch an address');
  await expect(app.watched).toBeHidden();

  await change(app, service);
  await expect(notice).toBeHidden();
  await app.go('Activity');
  await expect(app.watched).toContainText('Savings');
});

test('what one service has told is kept apart from what another one tells', async ({ running, service }) => {
  const app = new Watchkeeper(running.page);
  await app.watchAddress(service.ready.examples.address, 'Treasury');
  await expect(app.progress).toContainText('complete back to the first transaction');

  const useService = async (url: string) => {
    await app.go('Settings');
    await running.page.getByLabel('Chain data URL').fill(url);
    await running.page.getByRole('button', { name: 'Save service' }).click();
  };
  await useService(service.ready.metricsUrl);
  await expect(running.page.getByRole('heading', { name: 'Welcome to Watchkeeper' })).toBeVisible();

  await useService(service.ready.dataUrl);
  await expect(running.page.getByRole('table', { name: 'Addresses' })).toContainText('Treasury');
  await app.go('Activity');
  await expect(app.progress).toContainText('complete back to the first transaction');
});
