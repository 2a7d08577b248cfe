import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { expect, test } from '../fixtures.ts';
import { Watchkeeper } from '../pages/watchkeeper.ts';
import { passTimeUntil } from '../pass-time.ts';

test.use({ serviceOptions: { scale: 0.02, nodes: [{ name: 'harbor-1', scenario: 'healthy' }] } });

async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  // It listens, so its address is no path.
  return (server.address() as AddressInfo).port;
}

test('a webhook and a heartbeat reach their addresses; the heartbeat ends with the polling', async ({
  profile,
  service,
}) => {
  await profile.useService(service);
  const received: { url: string; body: string }[] = [];
  const receiver = createHttpServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ url: request.url ?? '', body });
      response.end();
    });
  });
  const origin = `http://127.0.0.1:${await listen(receiver)}`;
  try {
    const running = await profile.launch({ clock: 'held' });
    const { page } = running;
    const app = new Watchkeeper(page);
    for (const { name, url } of service.ready.nodes) await app.addNode(name, url);
    await expect(app.nodeState('harbor-1')).toContainText('Healthy');
    await app.go('Settings');
    for (const channel of ['webhook', 'heartbeat']) {
      const form = page.getByRole('form', { name: channel, exact: false });
      await form.getByLabel('URL').fill(`${origin}/secret-${channel}`);
      await form.getByRole('button', { name: `Save ${channel}` }).click();
      await expect(form).toContainText(`A URL at ${origin} is saved.`);
    }
    await expect(page.getByText('secret-webhook')).toBeHidden();
    const beats = () => received.filter(({ url }) => url === '/secret-heartbeat').length;
    const pass = { app: running, service, stepMs: 15_000 };
    await passTimeUntil(async (moment) => expect.poll(beats, moment).toBeGreaterThan(1), pass);

    service.control.addFault({ server: 'node:harbor-1', action: { kind: 'drop' } });
    const told = () => received.filter(({ url }) => url === '/secret-webhook');
    await passTimeUntil(async (moment) => expect.poll(told, moment).toHaveLength(1), pass);
    expect(JSON.parse(told()[0]?.body ?? '')).toMatchObject({
      version: 1,
      title: 'harbor-1 isn’t responding',
      link: expect.stringContaining('watchkeeper://'),
    });

    // Nobody watches it any more.
    await app.go('Nodes');
    await app.node('harbor-1').getByRole('button', { name: 'Edit node' }).click();
    await page.getByLabel('Pause').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(app.nodeState('harbor-1')).toContainText('Paused');
    const before = beats();
    for (let step = 0; step < 12; step += 1) await running.passTime(15_000);
    expect(beats()).toBe(before);
  } finally {
    receiver.close();
  }
});

test('figures for Prometheus are read while their port is free; the next start says that it is taken', async ({
  profile,
  service,
}) => {
  await profile.useService(service);
  const other = createServer();
  const port = await listen(other);
  const first = await profile.launch();
  await new Watchkeeper(first.page).go('Settings');
  const form = first.page.getByRole('form', { name: 'Prometheus metrics' });
  await form.getByLabel('Port').fill(String(port));
  await form.getByRole('button', { name: 'Switch on' }).click();
  await expect(form).toContainText(`Port ${port} is in use by another program`);
  other.close();
  await once(other, 'close');
  await form.getByRole('button', { name: 'Switch on' }).click();
  await expect(form).toContainText(`Served at http://127.0.0.1:${port}/metrics, no token required`);
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(await answer.text()).toContain('watchkeeper_incidents_open 0');
  await first.quit();

  await listen(other, port);
  const second = await profile.launch();
  const notice = second.page.getByText(`port ${port} is in use by another program`);
  await expect(notice).toBeVisible();
  await new Watchkeeper(second.page).go('Settings');
  await second.page.getByRole('button', { name: 'Switch off' }).click();
  await expect(notice).toBeHidden();
  other.close();
});
