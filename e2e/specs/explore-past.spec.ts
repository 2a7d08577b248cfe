import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { serviceFolder } from '../../src/main/adapters/storage/opening/service-folder.ts';
import { allMigrations, migrate } from '../../src/main/adapters/storage/opening/migrate.ts';
import { openDatabase } from '../../src/main/adapters/storage/sqlite/database.ts';
import { loadDriver } from '../../src/main/adapters/storage/sqlite/load-driver.ts';
import { expect, test as base } from '../fixtures.ts';
import { Watchkeeper } from '../pages/watchkeeper.ts';
import { SampleService } from '../sample-service.ts';

const test = base.extend<{ other: SampleService }>({
  // Playwright reads the dependencies of a fixture from this pattern, so it has to be one.
  other: async ({}, use) => {
    const service = await SampleService.start();
    await use(service);
    await service.stop();
  },
});

/** Every stored page of every past query, the newest query first, as the window gets them. */
async function storedPages(page: Page) {
  return await page.evaluate(async () => {
    const { invoke } = window.watchkeeper;
    const filter = { text: '', states: [], asked: null, fromMs: null, beforeMs: null };
    const listed = await invoke('runs.list', { filter, offset: 0, limit: 100 });
    if (!listed.ok) throw new Error(listed.error.message);
    const pages = listed.value.runs.flatMap(({ id, pageCount }) =>
      Array.from({ length: pageCount }, async (_, index) => {
        const [read, text] = await Promise.all([
          invoke('runs.page', { runId: id, index }),
          invoke('runs.text', { runId: id, index }),
        ]);
        if (!read.ok || !text.ok) throw new Error('A page cannot be read.');
        return { ...read.value, rawText: text.value };
      }),
    );
    return await Promise.all(pages);
  });
}

const progressOf = (app: Watchkeeper) => app.result.getByRole('group', { name: 'Progress' });

async function useService(app: Watchkeeper, { ready }: SampleService): Promise<void> {
  await app.go('Settings');
  await app.page.getByRole('radio', { name: /Custom/ }).check();
  await app.page.getByLabel('Chain data URL').fill(ready.dataUrl);
  await app.page.getByLabel('Chain metrics URL').fill(ready.metricsUrl);
  // The window starts over once the other service's store is open.
  const startedOver = app.page.waitForEvent('load');
  await app.page.getByRole('button', { name: 'Save service' }).click();
  await startedOver;
}

test('bodies and times of past queries survive another service, a restart, no network and a file', async ({
  other,
  profile,
  service,
}) => {
  const { examples, nodes } = service.ready;
  await profile.useService(service);
  const first = await profile.launch();
  let app = new Watchkeeper(first.page);
  const [node] = nodes;
  if (node === undefined) throw new Error('the sample service has no node');
  await app.addNode(node.name, node.url);
  await app.go('Explore');
  await app.choose('Transactions for an address');
  await app.fillParameter('chainId', examples.chainId);
  await app.fillParameter('address', service.account('thirty'));
  await app.run();
  await app.result.getByRole('button', { name: 'Next page' }).click();
  await expect(progressOf(app)).toContainText('20 rows on 2 pages');
  await app.choose('Health');
  await app.run();
  await expect(progressOf(app)).toContainText('status 200');
  const received = await storedPages(first.page);
  expect(received).toHaveLength(3);

  // Another service while a query is under way: what had come of it stays.
  await app.choose('Latest transactions on a chain');
  await app.fillParameter('chainId', examples.chainId);
  service.control.addFault({
    route: '/v1/chains/*/transactions',
    delayMs: 60_000,
    action: { kind: 'delay' },
  });
  await app.run();
  await useService(app, other);
  await app.go('Explore');
  const host = new URL(service.ready.dataUrl).host;
  let past = await app.pastQueries();
  await expect(past.getByRole('listitem')).toHaveCount(3);
  expect((await storedPages(first.page)).slice(-3)).toEqual(received);
  await expect(past.getByRole('listitem').filter({ hasText: 'Transactions for an address' })).toContainText(
    host,
  );
  await expect(past.getByRole('listitem').filter({ hasText: 'Health' })).not.toContainText(host);
  await first.page.getByRole('searchbox', { name: 'Find a past query' }).fill(`${host} thirty failed`);
  await expect(past.getByRole('listitem')).toHaveCount(0);
  await first.page.getByRole('searchbox', { name: 'Find a past query' }).fill(`${host} partial address`);
  await past.getByRole('button', { name: /^Transactions for an address/ }).click();
  await expect(progressOf(app)).toContainText('To fetch more pages, switch to this service');
  await expect(app.result.getByRole('button', { name: 'Next page' })).toBeHidden();

  await first.quit();
  await service.stop();
  await other.stop();
  const second = await profile.launch();
  app = new Watchkeeper(second.page);
  await app.go('Explore');
  past = await app.pastQueries();
  await expect(past.getByRole('listitem')).toHaveCount(3);
  expect((await storedPages(second.page)).slice(-3)).toEqual(received);

  await past.getByRole('button', { name: /^Transactions for an address/ }).click();
  const file = join(profile.dir, 'answer.json');
  await second.saveTo(file);
  await app.result.getByRole('button', { name: 'Save JSON' }).click();
  await expect(second.page.getByText(/^Saved 20 rows to/)).toBeVisible();
  const text = await readFile(file, 'utf8');
  const { pages } = JSON.parse(text) as { pages: { fetchedAtMs: number }[] };
  const ofList = received.slice(1);
  expect(pages.map(({ fetchedAtMs }) => fetchedAtMs)).toEqual(ofList.map(({ fetchedAtMs }) => fetchedAtMs));
  for (const { rawText } of ofList) expect(text).toContain(rawText);

  // Removed, and the app ends before that can be undone no more: it is gone.
  await past
    .getByRole('button', { name: /^Actions for Health/ })
    .first()
    .click();
  await second.page.getByRole('menuitem', { name: 'Remove' }).click();
  await expect(past.getByRole('listitem')).toHaveCount(2);
  await second.quit();
  const third = await profile.launch();
  app = new Watchkeeper(third.page);
  await app.go('Explore');
  past = await app.pastQueries();
  await expect(past.getByRole('listitem')).toHaveCount(2);
});

test('the queries that an earlier version stored with its services are all there', async ({
  other,
  profile,
  service,
}) => {
  await profile.useService(service);
  for (const { ready } of [service, other]) {
    const folder = join(profile.dir, 'services', serviceFolder(ready.dataUrl));
    await mkdir(folder, { recursive: true });
    const store = openDatabase(loadDriver(['node:sqlite']), join(folder, 'store.sqlite'), {
      access: 'read-write',
      busyTimeoutMs: 0,
    });
    migrate(store, allMigrations.slice(0, 1));
    const run = {
      id: `of ${ready.dataUrl}`,
      target: { kind: 'endpoint', endpointId: 'chain-transactions', params: { chainId: '43114' } },
      origin: new URL(ready.dataUrl).origin,
      searchText: 'latest transactions of a chain\nchain-transactions\nchainid\n43114',
      state: 'complete',
      startedAtMs: 1_790_000_000_000,
      fetchedAtMs: 1_790_000_000_000,
      pageCount: 1,
      rowCount: 0,
      byteLength: 19,
      hasMore: false,
      error: null,
      walk: {
        ...{ baseUrl: ready.dataUrl, nextToken: null, range: null, order: 'unknown', block: null },
        ...{ stored: [], seen: [], restartedAt: null },
      },
    };
    const about = {
      index: 0,
      fetchedAtMs: 1_790_000_000_000,
      httpStatus: 200,
      durationMs: 5,
      byteLength: 19,
    };
    const pageJson = JSON.stringify({ ...about, notes: [], repeatedRows: [] });
    store.transaction((writer) => {
      const values = [run.id, run.startedAtMs, run.searchText, JSON.stringify(run)];
      writer.run(
        'INSERT INTO run (run_id, started_at_ms, search_text, run_json) VALUES (?, ?, ?, ?)',
        values,
      );
      writer.run('INSERT INTO run_page VALUES (1, 0, ?, ?)', [pageJson, '{"transactions":[]}']);
    });
    store.close();
  }
  const { page } = await profile.launch();
  const app = new Watchkeeper(page);
  await app.go('Explore');
  const past = await app.pastQueries();
  await expect(past.getByRole('listitem')).toHaveCount(2);
  expect((await storedPages(page)).map(({ rawText }) => rawText)).toEqual([
    '{"transactions":[]}',
    '{"transactions":[]}',
  ]);
  await expect(past.getByText(new URL(other.ready.dataUrl).host)).toHaveCount(1);
});

test.describe('with tokens that expire', () => {
  test.use({ serviceOptions: { tokenTtlSeconds: 60 } });
  test('a list goes on behind a token that has expired, without a gap', async ({ running, service }) => {
    const app = new Watchkeeper(running.page);
    const { examples } = service.ready;
    await app.go('Explore');
    await app.choose('Transactions for an address');
    await app.fillParameter('chainId', examples.chainId);
    await app.fillParameter('address', service.account('thirty'));
    await app.run();
    await expect(progressOf(app)).toContainText('10 rows on 1 page');
    service.control.advanceClock(120_000);
    await app.result.getByRole('button', { name: 'All pages' }).click();
    await expect(progressOf(app)).toContainText('Complete');
    await expect(progressOf(app)).toContainText('30 rows');

    // A list that cannot be entered at a block says why, and keeps what it has.
    await app.choose('Latest transactions on a chain');
    await app.fillParameter('chainId', examples.chainId);
    await app.run();
    await expect(progressOf(app)).toContainText('10 rows');
    service.control.advanceClock(120_000);
    await app.result.getByRole('button', { name: 'Next page' }).click();
    await expect(app.result).toContainText('no longer accepts the page token');
    await expect(progressOf(app)).toContainText('earlier pages are kept');
  });
});

test('a long list of past queries is scrolled to its end, and stays there when one is asked again', async ({
  running,
  service,
}) => {
  const app = new Watchkeeper(running.page);
  const { chainId } = service.ready.examples;
  await running.page.evaluate(async (chain) => {
    for (let size = 1; size <= 90; size += 1) {
      const params = { chainId: chain, pageSize: String(size) };
      const target = { kind: 'endpoint', endpointId: 'chain-transactions', params } as const;
      const begun = await window.watchkeeper.invoke('runs.start', {
        target: { ...target, params },
        pages: 'one',
      });
      if (!begun.ok) throw new Error(begun.error.message);
    }
  }, chainId);
  await app.go('Explore');
  const past = await app.pastQueries();
  await expect(running.page.getByText('90 queries')).toBeVisible();
  expect(await past.getByRole('listitem').count()).toBeLessThan(60);
  await past.hover();
  await running.page.mouse.wheel(0, 100_000);
  const oldest = past.getByRole('listitem').filter({ hasText: /pageSize 1$|pageSize 1\D/ });
  await expect(oldest).toHaveCount(1);
  await expect(oldest).toHaveAttribute('aria-posinset', '90');
  const topOf = () => past.evaluate((list) => list.parentElement?.scrollTop ?? 0);
  const top = await topOf();
  await oldest.getByRole('button', { name: /^Actions for/ }).click();
  await running.page.getByRole('menuitem', { name: 'Run again' }).click();
  await expect(running.page.getByText('91 queries')).toBeVisible();
  // One row was added above.
  await expect.poll(async () => (await topOf()) - top).toBe(68);
  await expect(past.getByRole('listitem').filter({ hasText: 'pageSize 90' })).toHaveCount(0);
});
