import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { endpoints } from '../../src/shared/endpoints/registry.ts';
import { nodeCalls } from '../../src/shared/health/node-calls.ts';
import { expectAccessible } from '../accessible.ts';
import { expect, test } from '../fixtures.ts';
import { Watchkeeper } from '../pages/watchkeeper.ts';

const definitions = Object.values(endpoints).sort((a, b) => a.number - b.number);

test('every endpoint and every node call through its form; and all answers again offline', async ({
  profile,
  service,
}) => {
  const { examples, apiKey, nodes } = service.ready;
  await profile.useService(service);
  const first = await profile.launch();
  let app = new Watchkeeper(first.page);
  await app.saveKey(apiKey);
  const [node] = nodes;
  if (node === undefined) throw new Error('the sample service has no node');
  await app.addNode(node.name, node.url);

  /** What is shown as received. */
  const readAnswer = async (): Promise<string> => {
    await app.showAs('JSON');
    return (await app.result.getByRole('group', { name: 'Response as received' }).textContent()) ?? '';
  };

  await app.go('Explore');
  for (const { number, title, view } of definitions) {
    await test.step(title, async () => {
      await app.choose(title);
      for (const [name, value] of Object.entries(examples.endpoints[number] ?? {})) {
        await app.fillParameter(name, value);
      }
      await app.run();
      await expect(app.result.getByRole('group', { name: 'Progress' })).toContainText('status 200');
      if (view === 'record') {
        const record = app.result.getByRole('group', { name: 'Record' });
        await expect(record.getByRole('term').first()).toBeVisible();
      } else {
        await expect(app.result.getByRole('table', { name: 'Rows' }).getByRole('row').nth(1)).toBeVisible();
      }
    });
  }
  expect(nodeCalls).toHaveLength(7);
  for (const { title, protocol } of nodeCalls) {
    await test.step(title, async () => {
      await app.choose(title);
      await app.run();
      await expect(app.result.getByRole('group', { name: 'Progress' })).toContainText('status 200');
      await app.showAs('Record');
      // Liveness has no checks: its record is the answer itself.
      await expect(app.result.getByRole('group', { name: 'Record' })).toContainText(
        title.startsWith('Liveness') ? 'healthy' : 'check',
      );
      await expect.poll(readAnswer).toContain('"healthy": true');
      expect((await readAnswer()).includes('"jsonrpc"')).toBe(protocol === 'rpc');
    });
  }
  const asked = definitions.length + nodeCalls.length;
  let past = await app.pastQueries();
  await expect(past.getByRole('listitem')).toHaveCount(asked);
  const received = await storedAnswers(first.page);
  expect(received).toHaveLength(asked);

  await first.quit();
  await service.stop();
  const second = await profile.launch();
  app = new Watchkeeper(second.page);
  await app.go('Explore');
  past = await app.pastQueries();
  await expect(past.getByRole('listitem')).toHaveCount(asked);
  expect(await storedAnswers(second.page)).toEqual(received);
  // All are there; of each way to show one, one is opened, the oldest last.
  const ofView = (view: 'series' | 'record') => definitions.filter((one) => one.view === view).slice(0, 1);
  const opened = [
    ...nodeCalls.slice(0, 1),
    ...ofView('series'),
    ...ofView('record'),
    ...definitions.slice(0, 1),
  ];
  expect(opened).toHaveLength(4);
  for (const { title } of opened) {
    await test.step(`${title}, offline`, async () => {
      const entry = past.getByRole('listitem').filter({ has: second.page.getByText(title, { exact: true }) });
      await entry.getByRole('button').first().click();
      await expect(second.page.getByRole('heading', { name: title, exact: true })).toBeVisible();
      await expect(app.result.getByRole('group', { name: 'Progress' })).toContainText(
        /fetched .*ago|just now/,
      );
    });
  }
  const whole = JSON.parse(received.at(-1) ?? '') as unknown;
  await expect.poll(async () => JSON.parse(await readAnswer()) as unknown).toEqual(whole);

  // A past query is found by what it asked for, and asked again in vain: what was known stays.
  await second.page.getByRole('searchbox', { name: 'Find a past query' }).fill(examples.txHash);
  await expect(past.getByRole('listitem')).toHaveCount(1);
  await past.getByRole('button', { name: /^Transaction/ }).click();
  await app.result.getByRole('button', { name: 'Run again' }).click();
  await expect(app.result).toContainText('No connection to the service');
  await expect(past.getByRole('listitem')).toHaveCount(2);

  // Removed for good.
  await past
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await second.page.getByRole('menuitem', { name: 'Remove' }).click();
  await expect(past.getByRole('listitem')).toHaveCount(1);
});

/** The answers of all past queries, newest first, as the window gets them. */
async function storedAnswers(page: Page) {
  return await page.evaluate(async () => {
    const { invoke } = window.watchkeeper;
    const listed = await invoke('runs.list', {
      filter: { text: '', states: [], asked: null, fromMs: null, beforeMs: null },
      offset: 0,
      limit: 100,
    });
    if (!listed.ok) throw new Error(listed.error.message);
    const pages = listed.value.runs.map(({ id }) => invoke('runs.text', { runId: id, index: 0 }));
    return (await Promise.all(pages)).map((page) => {
      if (!page.ok) throw new Error(page.error.message);
      return page.value;
    });
  });
}

test.describe('with a list of more than a thousand', () => {
  test.use({ serviceOptions: { scale: 1 } });
  test('a long list: page by page, to its end, cancelled, sorted, by the record; and what it mentions', async ({
    profile,
    running,
    service,
  }) => {
    const app = new Watchkeeper(running.page);
    const { examples } = service.ready;
    const progress = app.result.getByRole('group', { name: 'Progress' });
    const table = app.result.getByRole('table', { name: 'Rows' });
    await app.go('Explore');
    await app.choose('Transactions for an address');
    await expect(running.page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();
    await expect(running.page.getByText('Fill in chainId, address.')).toBeVisible();
    await app.fillParameter('chainId', examples.chainId);
    await app.fillParameter('address', examples.address);
    await app.fillParameter('pageSize', '500');
    await expect(running.page.getByText('Must be from 1 to 100.')).toBeVisible();
    await app.fillParameter('pageSize', '100');
    await app.run();
    await expect(table).toHaveAttribute('aria-rowcount', '101');
    await app.result.getByRole('button', { name: 'Next page' }).click();
    await expect(table).toHaveAttribute('aria-rowcount', '201');

    service.control.addFault({
      route: '/v1/chains/*/addresses/*/transactions',
      delayMs: 2_000,
      action: { kind: 'delay' },
    });
    await app.result.getByRole('button', { name: 'All pages' }).click();
    await expect(progress).toContainText('Fetching…');
    await app.result.getByRole('button', { name: 'Cancel' }).click();
    await expect(app.result.getByRole('button', { name: 'Next page' })).toBeVisible();
    service.control.clearFaults();
    await app.result.getByRole('button', { name: 'All pages' }).click();
    await expect(progress).toContainText('Complete');
    const total = /([\d,]+) rows/.exec((await progress.textContent()) ?? '')?.[1]?.replaceAll(',', '');
    expect(Number(total)).toBeGreaterThan(1_000);
    await expect(table).toHaveAttribute('aria-rowcount', String(Number(total) + 1));
    expect(await table.getByRole('row').count()).toBeLessThan(150);

    // Saved where the user says, which here is a given place: the system's dialog cannot be operated.
    const file = join(profile.dir, 'rows.csv');
    await running.saveTo(file);
    await app.result.getByRole('button', { name: 'Save CSV' }).click();
    await expect(running.page.getByText(/^Saved [\d,]+ rows to/)).toBeVisible();
    expect((await readFile(file, 'utf8')).split(examples.chainId).length).toBeGreaterThan(Number(total));

    // Its columns have the edges of the timeline's: they are where the columns end, and stay over the head.
    const header = table.getByRole('columnheader', { name: 'txHash', exact: true });
    const edge = app.result.getByRole('separator', { name: 'Width of txHash' });
    const boxOf = async (part: Locator) => (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const usualWidth = Math.round((await boxOf(header)).width);
    await edge.focus();
    await running.page.keyboard.press('ArrowRight');
    await expect.poll(async () => Math.round((await boxOf(header)).width)).toBe(usualWidth + 16);
    await header.hover();
    await running.page.mouse.wheel(300, 900);
    const scroller = app.result.getByRole('group', { name: 'Rows' });
    await expect
      .poll(() => scroller.evaluate((part) => [part.scrollLeft, part.scrollTop]))
      .toEqual([300, 900]);
    const [head, end] = [await boxOf(header), await boxOf(edge)];
    expect(end.y).toBeCloseTo((await boxOf(table.getByRole('row').first())).y, 0);
    expect(end.x + end.width / 2).toBeCloseTo(head.x + head.width, 0);
    await edge.dblclick();
    await expect.poll(async () => Math.round((await boxOf(header)).width)).toBe(usualWidth);

    await running.page.mouse.wheel(-300, -900);
    await expect.poll(() => scroller.evaluate((part) => [part.scrollLeft, part.scrollTop])).toEqual([0, 0]);

    // Sorted exactly: the largest amount has more digits than a double.
    const sortByValue = table.getByRole('columnheader', { name: 'nativeTransaction.value' });
    const column =
      (await sortByValue.count()) > 0
        ? sortByValue
        : table.getByRole('columnheader', { name: /value$/ }).first();
    await column.getByRole('button').click();
    await column.getByRole('button').click();
    await expect(column).toHaveAttribute('aria-sort', 'descending');

    // The sorted rows may still move into their places, and a row that moves under the pointer is not clicked.
    await expect(async () => {
      const mentions = table.getByRole('button', { name: /^Query transaction/ });
      await mentions.first().click({ timeout: 2_000 });
      const form = running.page.getByRole('heading', { name: 'Transaction', exact: true });
      await expect(form).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await app.run();
    const record = app.result.getByRole('group', { name: 'Record' });
    await expect(record).toContainText('networkTokenDetails');
    await record
      .getByRole('button', { name: /^Query address/ })
      .first()
      .click();
    const dialog = running.page.getByRole('dialog', { name: 'Use this address in a query' });
    await dialog.getByRole('button', { name: /^Chains for an address/ }).click();
    await app.run();
    await expect(table.getByRole('row').nth(1)).toBeVisible();
  });
});

/** The share of a chart's columns in which anything is drawn in the colour of a series. */
async function drawnColumns(chart: Locator, swatches: Locator): Promise<number> {
  const colours = await swatches.evaluateAll((all) =>
    all.map((one) => getComputedStyle(one).color.match(/\d+/g)?.map(Number) ?? []),
  );
  return await chart.locator('canvas').evaluate((element, wanted) => {
    const { width, height } = element as HTMLCanvasElement;
    const context = (element as HTMLCanvasElement).getContext('2d');
    const parts = context?.getImageData(0, 0, width, height).data ?? [];
    const columns = new Set<number>();
    for (let at = 0; at < parts.length; at += 4) {
      // At the edges of a line little of the colour is laid on, and it comes back rounded.
      if ((parts[at + 3] ?? 0) <= 100) continue;
      const isOf = (colour: number[]) =>
        colour.every((part, place) => Math.abs((parts[at + place] ?? 0) - part) <= 6);
      if (wanted.some(isOf)) columns.add((at / 4) % width);
    }
    return columns.size / width;
  }, colours);
}

test('a chart with its table, curl without the key, an error in words', async ({ running, service }) => {
  const app = new Watchkeeper(running.page);
  const { examples, apiKey } = service.ready;
  const violations: string[] = [];
  running.page.on('console', (message) => {
    if (/content security policy|trusted/i.test(message.text())) violations.push(message.text());
  });
  await app.saveKey(apiKey);
  await app.go('Explore');

  await app.choose('Cross-chain messages over time');
  for (const [name, value] of Object.entries(examples.endpoints[17] ?? {}))
    await app.fillParameter(name, value);
  await app.run();
  const chart = app.result.getByRole('img', { name: /^Chart of/ });
  await expect(chart).toBeVisible();
  await expect(app.result.getByRole('table', { name: 'Rows' })).toContainText('20');
  await expect(app.result.getByRole('list', { name: 'About the chart' })).toContainText('over yet when');
  const swatches = running.page.getByRole('list', { name: 'Series' }).locator('.swatch');
  await expect.poll(() => drawnColumns(chart, swatches)).toBeGreaterThan(0.5);
  await app.result.getByText('Bars', { exact: true }).click();
  // On some days nothing has happened.
  await expect.poll(() => drawnColumns(chart, swatches)).toBeGreaterThan(0.1);
  expect(await drawnColumns(chart, swatches)).toBeLessThan(0.9);
  expect(violations).toEqual([]);

  await app.choose('Transaction');
  await app.fillParameter('chainId', examples.chainId);
  await app.fillParameter('txHash', `0x${'1'.repeat(64)}`);
  await app.run();
  await expect(app.result.getByText('The service has no record of this')).toBeVisible();
  // It does not touch the line below.
  const notice = await app.notice('The service has no record of this').boundingBox();
  const below = await app.result.locator('details', { hasText: 'Attempts' }).boundingBox();
  expect((below?.y ?? 0) - (notice?.y ?? 0) - (notice?.height ?? 0)).toBeGreaterThan(16);
  const copies = await running.catchCopies();
  await app.result.getByRole('button', { name: 'Copy as curl' }).click();
  await expect(running.page.getByText(/Copied as curl/)).toBeVisible();
  const copied = (await copies()).at(-1) ?? '';
  expect(copied).toContain('x-service-api-key: <API_KEY>');
  expect(copied).toContain(`/v1/chains/${examples.chainId}/transactions/0x1111`);
  expect(copied).not.toContain(apiKey);
  await app.result.getByText('Attempts').click();
  await expect(app.result.getByRole('table', { name: 'Attempts' })).toContainText('404');

  // With a key the service tells its limits.
  await expect(running.page.getByRole('group', { name: 'Calls left' })).toContainText(/\d%/);
});

test('axe finds nothing serious in Explore, light or dark', async ({ running, service }) => {
  const app = new Watchkeeper(running.page);
  const { page } = running;
  const { examples } = service.ready;
  const ask = async (title: string, number: number) => {
    await app.choose(title);
    for (const [name, value] of Object.entries(examples.endpoints[number] ?? {})) {
      await app.fillParameter(name, value);
    }
    await app.run();
    await expect(app.result.getByRole('group', { name: 'Progress' })).toContainText('status 200');
  };
  await app.go('Explore');
  await app.choose('Transactions for an address');
  await expectAccessible(page, 'a form');
  await ask('Transactions for an address', 1);
  await app.result.getByText('Attempts').click();
  await expect(app.result.getByRole('table', { name: 'Attempts' })).toBeVisible();
  await expectAccessible(page, 'a table');
  await app.result.getByRole('button', { name: /^Columns/ }).click();
  await expectAccessible(page, 'its columns');
  await page.keyboard.press('Escape');
  await app.result
    .getByRole('button', { name: /^Query address/ })
    .first()
    .click();
  await expectAccessible(page, 'a mention');
  await page.keyboard.press('Escape');
  await app.showAs('Record');
  await expectAccessible(page, 'a record');
  await ask('Rolling window metrics for a chain', 15);
  await expectAccessible(page, 'rolling windows');
  await ask('Cross-chain messages over time', 17);
  await expectAccessible(page, 'a chart');
  await app.pastQueries();
  await expectAccessible(page, 'past queries');
});
