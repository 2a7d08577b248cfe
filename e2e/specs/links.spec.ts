import { spawn } from 'node:child_process';
import { once } from 'node:events';
import electronPath from 'electron';
import { expect, test } from '../fixtures.ts';
import { projectDir } from '../running-app.ts';

const hash = `0x${'ab'.repeat(32)}`;

test('a link of another program goes somewhere in the app that runs, asks for nothing, and is refused when it is odd', async ({
  profile,
  service,
}) => {
  await profile.useService(service);
  const running = await profile.launch();
  const { app, page } = running;
  const copied = await running.catchCopies();
  await expect(page).toHaveTitle(/^Overview/);
  const open = async (link: string) => {
    const second = spawn(
      // In plain Node the package's export is the path of the runtime.
      electronPath as unknown as string,
      ['--no-sandbox', `--user-data-dir=${profile.dir}`, projectDir, link],
      { stdio: 'ignore' },
    );
    expect(await once(second, 'exit')).toEqual([0, null]);
  };

  await open('watchkeeper://nodes');
  await expect(page).toHaveTitle(/^Nodes/);
  await open(`watchkeeper://transaction/43114/${hash}`);
  await expect(page).toHaveTitle(/^Activity/);
  const form = page.getByRole('form', { name: 'Look up' });
  await expect(form.getByLabel('Address, block or transaction')).toHaveValue(hash);
  await expect(form.getByLabel('Chain', { exact: true })).toHaveValue('43114');

  const filter = {
    pills: [{ field: 'status', not: false, values: ['failed'] }],
    text: 'rent',
    showHidden: true,
  };
  await open(`watchkeeper://activity?filter=${encodeURIComponent(JSON.stringify(filter))}`);
  await expect(form).toBeHidden();
  const palette = page.getByRole('combobox', { name: /^Search views/ });
  await page.keyboard.press('Control+k');
  await palette.fill('copy a link');
  await palette.press('Enter');
  await expect(page.getByText('Link copied.')).toBeVisible();
  expect((await copied()).at(-1)).toBe(
    `watchkeeper://activity?filter=${encodeURIComponent(JSON.stringify(filter))}`,
  );

  await open('watchkeeper://settings/../nodes');
  // What comes after it is followed, so it has been read and refused by then.
  await open('watchkeeper://overview');
  await expect(page).toHaveTitle(/^Overview/);
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  expect(service.requestsTo('data')).toEqual([]);
});

test('a text counts as copied when the system has taken it, and a refusal is told', async ({ running }) => {
  const { app, page } = running;
  await app.evaluate(({ clipboard }) => {
    clipboard.writeText = () =>
      new Promise((resolve, reject) => {
        const settle = (isTaken: boolean) => {
          Reflect.deleteProperty(globalThis, 'settle');
          if (isTaken) resolve();
          else reject(new Error('refused'));
        };
        Object.assign(globalThis, { settle });
      });
  });
  const settle = (isTaken: boolean) =>
    // Put there above.
    app.evaluate(
      (_electron, is) => (Reflect.get(globalThis, 'settle') as (is: boolean) => void)(is),
      isTaken,
    );
  const copyLink = async () => {
    await page.keyboard.press('ControlOrMeta+k');
    const search = page.getByRole('combobox');
    await search.fill('link to this view');
    await search.press('Enter');
    await expect.poll(() => app.evaluate(() => Reflect.has(globalThis, 'settle'))).toBe(true);
    // Answered later than the call to copy would be, if that did not wait.
    await page.evaluate(() => window.watchkeeper.invoke('app.isSample', undefined));
  };
  const told = page.getByRole('region', { name: 'Messages' });
  await copyLink();
  expect(await told.innerText()).toBe('');
  await settle(true);
  await expect(told).toContainText('Link copied.');
  await copyLink();
  await settle(false);
  await expect(told).toContainText('Something went wrong inside Watchkeeper.');
});
