import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { Watchkeeper } from '../pages/watchkeeper.ts';
import type { RunningApp } from '../running-app.ts';

/** Cells of CSV by RFC 4180. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  for (const line of text.matchAll(
    /((?:"(?:[^"]|"")*"|[^",\r\n]*)(?:,(?:"(?:[^"]|"")*"|[^",\r\n]*))*)\r\n/g,
  )) {
    const cells = [...(line[1] ?? '').matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)];
    rows.push(cells.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? ''));
  }
  return rows;
}

/** From now on files get no more than this many pieces, until the function that is returned is called. */
async function holdWrites({ app }: RunningApp, pieces: number): Promise<() => Promise<void>> {
  await app.evaluate(async (_electron, count) => {
    const { open } = process.getBuiltinModule('node:fs/promises');
    const handle = await open(process.execPath);
    // Every file that is opened has its methods from there.
    const methods = Object.getPrototypeOf(handle) as typeof handle;
    await handle.close();
    const write = methods.writeFile;
    let letThrough = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    let written = 0;
    methods.writeFile = async function (...args) {
      written += 1;
      if (written > count) await gate;
      await write.apply(this, args);
    };
    Object.assign(globalThis, {
      releaseWrites: () => {
        methods.writeFile = write;
        letThrough();
      },
    });
  }, pieces);
  return async () => {
    await app.evaluate(() => {
      // Put there right above.
      (globalThis as unknown as { releaseWrites: () => void }).releaseWrites();
    });
  };
}

test.describe('of more than two thousand rows', () => {
  test.use({ serviceOptions: { scale: 1 } });

  test('cancelled half-way, an export leaves no file and no part of one, and says so', async ({
    profile,
    running,
    service,
  }) => {
    const { address } = service.ready.examples;
    const { page } = running;
    const app = new Watchkeeper(page);
    await app.watchAddress(address, 'Treasury');
    await expect(app.progress).toContainText('complete back to the first transaction');
    await app.completed();
    await app.settled();
    const { shown, hidden } = await app.matching();
    const total = (shown + hidden).toLocaleString('en-US');
    expect(shown + hidden).toBeGreaterThan(2_000);

    const folder = join(profile.dir, 'exports');
    await mkdir(folder);
    await running.saveTo(join(folder, 'all.jsonl'));
    const release = await holdWrites(running, 10);
    await app.exportActivity('JSON Lines', true);
    await page.getByRole('button', { name: '1 task running' }).click();
    const tasks = page.getByRole('dialog', { name: 'Running tasks' });
    await expect(tasks.getByRole('progressbar', { name: 'Exporting activity' })).toBeVisible();
    await page.keyboard.press('Escape');
    // What is written so far has another name.
    const lines = async () => {
      const [name = '', ...others] = await readdir(folder);
      expect(others).toEqual([]);
      return /\.part$/.test(name)
        ? (await readFile(join(folder, name), 'utf8')).split('\n').length - 1
        : null;
    };
    await expect.poll(lines).toBe(900);

    // One at a time.
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Export activity' });
    await expect(dialog).toContainText('Another export is in progress.');
    await expect(dialog.getByRole('button', { name: 'Save as…' })).toBeDisabled();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: '1 task running' }).click();
    await tasks.getByRole('button', { name: 'Cancel: Exporting activity' }).click();
    await release();
    await expect(page.getByText('Export cancelled. No file was saved.')).toBeVisible();
    expect(await readdir(folder)).toEqual([]);

    // The next one is whole.
    await app.exportActivity('JSON Lines', true);
    await expect(page.getByText(`Saved ${total} transactions to`)).toBeVisible();
    expect(await readdir(folder)).toEqual(['all.jsonl']);
  });
});

test('CSV, JSON Lines and JSON of what is shown and of everything; a cancelled choice writes nothing', async ({
  profile,
  running,
  service,
}) => {
  const { address } = service.ready.examples;
  await service.limitChains(address, ['802117']);
  const { page } = running;
  const app = new Watchkeeper(page);
  // A name like a formula: no spreadsheet may run it.
  await app.watchAddress(address, '=1+1');
  await expect(app.progress).toContainText('complete back to the first transaction');
  await app.completed();
  await app.settled();
  const { shown, hidden } = await app.matching();
  expect(hidden).toBeGreaterThan(0);
  const written = (count: number) =>
    page.getByText(
      `Saved ${count.toLocaleString('en-US')} ${count === 1 ? 'transaction' : 'transactions'} to`,
    );
  const place = (name: string) => join(profile.dir, name);

  await running.saveTo(null);
  await app.exportActivity('CSV', false);
  const dialog = page.getByRole('dialog', { name: 'Export activity' });
  await expect(dialog.getByRole('button', { name: 'Save as…' })).toBeEnabled();
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText(/^Saved /)).toHaveCount(0);

  // What is shown, as CSV: one transaction is one or several lines, nothing hidden among them.
  await running.saveTo(place('shown.csv'));
  await app.exportActivity('CSV', false);
  await expect(written(shown)).toBeVisible();
  const [head = [], ...lines] = readCsv(await readFile(place('shown.csv'), 'utf8'));
  const column = (name: string) => lines.map((cells) => cells[head.indexOf(name)] ?? '');
  expect(new Set(column('tx_hash')).size).toBe(shown);
  expect(new Set(column('hidden_reason'))).toEqual(new Set(['']));
  expect(new Set(column('my_label'))).toEqual(new Set(["'=1+1"]));
  expect(column('amount').every((amount) => /^(-?\d+(\.\d+)?)?$/.test(amount))).toBe(true);
  expect(column('fee').filter((fee) => /^\d+\.\d+$/.test(fee)).length).toBeGreaterThan(10);
  expect(column('fetched_at_utc').every((time) => /^\d{4}-.*Z$/.test(time))).toBe(true);
  expect(new Set(column('complete'))).toEqual(new Set(['true', 'false']));
  for (const cells of lines) expect(cells).toHaveLength(head.length);

  // Everything, as JSON Lines: hidden rows with the reason why.
  await running.saveTo(place('all.jsonl'));
  await app.exportActivity('JSON Lines', true);
  await expect(written(shown + hidden)).toBeVisible();
  const objects = (await readFile(place('all.jsonl'), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { hidden_reason?: string; my_label: string });
  expect(objects).toHaveLength(shown + hidden);
  expect(objects.filter(({ hidden_reason }) => hidden_reason !== undefined)).toHaveLength(hidden);
  // Only a spreadsheet would run it.
  expect(objects[0]?.my_label).toBe('=1+1');

  // What a filter shows, as JSON.
  await app.filterBy('Kind', ['Swap']);
  await expect.poll(async () => (await app.matching()).shown).toBeLessThan(shown);
  const exchanges = (await app.matching()).shown;
  await running.saveTo(place('exchanges.json'));
  await app.exportActivity('JSON', false);
  await expect(written(exchanges)).toBeVisible();
  const list = JSON.parse(await readFile(place('exchanges.json'), 'utf8')) as { kind: string }[];
  expect(list).toHaveLength(exchanges);
  expect(new Set(list.map(({ kind }) => kind))).toEqual(new Set(['exchange']));

  // No half file is left anywhere, and none where the dialog was cancelled.
  const files = (await readdir(profile.dir)).filter((name) => /\.(csv|jsonl|json|part)$/.test(name));
  expect(files.filter((name) => name !== 'settings.json').sort()).toEqual([
    'all.jsonl',
    'exchanges.json',
    'shown.csv',
  ]);
});

test('an export that fails while the window is closed is said by the next window', async ({
  profile,
  service,
}) => {
  await profile.useService(service);
  const running = await profile.launch();
  const app = new Watchkeeper(running.page);
  await app.watchAddress(service.ready.examples.address, 'Treasury');
  await app.settled();
  const folder = join(profile.dir, 'exports');
  await mkdir(folder);
  await running.saveTo(join(folder, 'all.csv'));
  const release = await holdWrites(running, 0);
  await app.exportActivity('CSV', true);
  await expect.poll(() => readdir(folder)).toHaveLength(1);
  await running.closeWindow(0);
  await expect.poll(() => running.windows()).toEqual({ windows: 0, renderers: 0 });
  await rm(folder, { recursive: true });
  const opening = running.app.waitForEvent('window');
  await release();
  await running.app.evaluate(({ app }) => void app.emit('activate'));
  const notice = (await opening).getByText('A file couldn’t be saved or opened while the window was closed.');
  await expect(notice).toContainText('folder');
});
