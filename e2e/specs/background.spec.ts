import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '../../src/main/adapters/storage/sqlite/database.ts';
import { loadDriver } from '../../src/main/adapters/storage/sqlite/load-driver.ts';
import { migrate } from '../../src/main/adapters/storage/opening/migrate.ts';
import { NotificationServer } from '../notification-server.ts';
import { expect, test } from '../fixtures.ts';
import { Watchkeeper } from '../pages/watchkeeper.ts';
import { passTimeUntil } from '../pass-time.ts';
import type { RunningApp } from '../running-app.ts';

test.use({ serviceOptions: { scale: 0.02, nodes: [{ name: 'harbor-1', scenario: 'healthy' }] } });

test('without a window it goes on: a node dies, one notification; a kill, nothing twice; a click opens the incident', async ({
  profile,
  service,
}) => {
  const server = await NotificationServer.start();
  try {
    await profile.useService(service);
    const first = await profile.launch({ clock: 'held', env: server.env });
    const app = new Watchkeeper(first.page);
    // A name that would be markup in the body of a notification.
    const name = 'harbor <1>';
    for (const { url } of service.ready.nodes) await app.addNode(name, url);
    await expect(app.nodeState(name)).toContainText('Healthy');
    // Asked once; from then on it is a setting.
    expect(await first.closeWindow(2)).toEqual({ questions: 1 });
    expect((await first.windows()).windows).toBe(1);
    expect(await first.closeWindow(0)).toEqual({ questions: 1 });
    await expect.poll(() => first.windows()).toEqual({ windows: 0, renderers: 0 });

    service.control.addFault({ server: 'node:harbor-1', action: { kind: 'drop' } });
    const told = (count: number, running: RunningApp) =>
      passTimeUntil(async (moment) => expect.poll(() => server.notified.length, moment).toBe(count), {
        ...{ app: running, service },
        stepMs: 15_000,
      });
    await told(1, first);
    expect(server.notified[0]?.title).toBe(`${name} isn’t responding`);

    // What the server has taken is not told again after a kill, once that is stored.
    const store = openDatabase(loadDriver(['node:sqlite']), join(profile.dir, 'store.sqlite'), {
      access: 'read-only',
      busyTimeoutMs: 1_000,
    });
    const messages = () => JSON.stringify(store.all('SELECT message_json FROM alert_message'));
    await expect.poll(messages).toContain('accepted');
    store.close();
    await first.kill();
    const second = await profile.launch({ clock: 'held', env: server.env });
    await expect(second.page.getByRole('button', { name: 'Alerts, 1 open' })).toBeVisible();
    expect(await second.closeWindow(0)).toEqual({ questions: 0 });
    await expect.poll(() => second.windows()).toEqual({ windows: 0, renderers: 0 });
    for (let step = 0; step < 8; step += 1) await second.passTime(15_000);
    expect(server.notified).toHaveLength(1);
    service.control.clearFaults();
    await told(2, second);
    expect(server.notified[1]?.title).toMatch(/^harbor <1>: alert ended after \d+ min$/);
    expect(server.notified[1]?.body).toBe('The alert was: harbor &lt;1&gt; isn’t responding.');

    const opening = second.app.waitForEvent('window');
    server.click(2);
    const page = await opening;
    await expect(page.getByRole('dialog', { name: `${name} didn’t respond` })).toBeVisible();
    expect((await second.windows()).windows).toBe(1);
  } finally {
    await server.stop();
  }
});

test('where nothing can be watched a start without a window shows one, which says why', async ({
  profile,
  service,
}) => {
  await profile.useService(service);
  // As sound as a file can be, but without something that the app reads of it at once.
  const file = join(profile.dir, 'store.sqlite');
  const store = openDatabase(loadDriver(['node:sqlite']), file, { access: 'read-write', busyTimeoutMs: 0 });
  migrate(store);
  store.transaction((writer) => writer.run('ALTER TABLE health_node RENAME COLUMN node_json TO other'));
  store.close();
  const { page } = await profile.launch({ args: ['--background'] });
  await expect(page.getByRole('alert')).toContainText('Couldn’t save or read data');
  // What was opened is closed again: otherwise the next try could keep things in memory only.
  await rm(file);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome to Watchkeeper' })).toBeVisible();
  await expect(page.getByText('kept in memory only')).toBeHidden();
});

test('a test notification says that the server has taken it; a server that hangs is named, and holds up nothing', async ({
  profile,
  service,
}) => {
  const server = await NotificationServer.start();
  try {
    await profile.useService(service);
    const { page } = await profile.launch({ env: server.env });
    const app = new Watchkeeper(page);
    await app.go('Settings');
    const send = page.getByRole('button', { name: 'Send a test' });
    await send.click();
    await expect(page.getByText('The system accepted the test notification')).toBeVisible();
    expect(server.notified.map(({ title }) => title)).toEqual(['Watchkeeper can reach you']);
    server.hang();
    // Electron itself would wait for it for minutes, and the main process with it.
    await send.click();
    await expect(page.getByText('notification server isn’t responding')).toBeVisible();
  } finally {
    await server.stop();
  }
});

test('what nobody caught ends the app at once, behind no dialog; the log says where, and the next start has everything', async ({
  profile,
  service,
}) => {
  await profile.useService(service);
  const first = await profile.launch();
  for (const { name, url } of service.ready.nodes) await new Watchkeeper(first.page).addNode(name, url);
  const program = first.app.process();
  const ended = first.app.waitForEvent('close');
  await first.app.evaluate(() => {
    setImmediate(() => {
      throw new RangeError('told by a stranger');
    });
  });
  await ended;
  expect(program.exitCode).toBe(1);
  const log = await readFile(join(profile.dir, 'logs', 'main.log'), 'utf8');
  expect(log).toMatch(/error app\.crashed ref="\w+" RangeError at /);
  expect(log).not.toContain('stranger');
  const app = new Watchkeeper((await profile.launch()).page);
  await app.go('Nodes');
  await expect(app.nodeState('harbor-1')).toContainText('Healthy');
});

test('what is typed in a form is not lost with the window without a question', async ({
  profile,
  service,
}) => {
  await profile.useService(service);
  const running = await profile.launch();
  const { page } = running;
  await page.evaluate(() => window.watchkeeper.invoke('settings.update', { whenClosed: 'keep' }));
  await page.getByRole('button', { name: 'Add a node' }).click();
  const url = page.getByRole('dialog').getByLabel('URL');
  // By keys: Chromium lets only a page that was used ask.
  await url.pressSequentially('http://10.1.2.3:9650');
  await running.closeWindow(0);
  await expect(url).toHaveValue('http://10.1.2.3:9650');
  await page.keyboard.press('Tab');
  // Nor with the app: the question is answered as before.
  await page.evaluate(() => window.watchkeeper.invoke('app.quit', undefined));
  await expect(url).toHaveValue('http://10.1.2.3:9650');
  await page.keyboard.press('Tab');
  expect((await running.windows()).windows).toBe(1);
  // Nor where the page is loaded again, but for a yes.
  expect(await running.reloadWindow(0)).toBe('asked');
  await expect(url).toHaveValue('http://10.1.2.3:9650');
  await page.keyboard.press('Tab');
  expect(await running.reloadWindow(1)).toBe('asked');
  await expect(url).toBeHidden();
  expect(await running.reloadWindow(0)).toBe('loaded');
  await page.getByRole('button', { name: 'Add a node' }).click();
  await url.pressSequentially('http://10.1.2.3:9650');
  await running.closeWindow(1);
  await expect.poll(() => running.windows()).toEqual({ windows: 0, renderers: 0 });
});

test('what was removed is deleted once no window can undo it: its page begins anew, or it is closed', async ({
  profile,
  service,
}) => {
  await profile.useService(service);
  const running = await profile.launch();
  const { page } = running;
  const app = new Watchkeeper(page);
  const [node] = service.ready.nodes;
  const nodes = () => {
    const file = join(profile.dir, 'store.sqlite');
    const store = openDatabase(loadDriver(['node:sqlite']), file, {
      access: 'read-only',
      busyTimeoutMs: 1_000,
    });
    try {
      return store.all('SELECT node_id FROM health_node').length;
    } finally {
      store.close();
    }
  };
  const remove = async () => {
    await app.addNode('harbor-1', node?.url ?? '');
    expect(nodes()).toBe(1);
    await page.getByRole('button', { name: 'Remove node' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove node' }).click();
    await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  };
  await remove();
  await page.reload();
  await expect.poll(nodes).toBe(0);
  await remove();
  await running.closeWindow(0);
  await expect.poll(nodes).toBe(0);
  expect(await running.windows()).toEqual({ windows: 0, renderers: 0 });
});
