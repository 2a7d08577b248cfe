import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test as base } from '../fixtures.ts';
import { hostsIn, readNetworkLog } from '../network-log.ts';
import { Watchkeeper, views } from '../pages/watchkeeper.ts';
import { ReleaseServer } from '../release-server.ts';
import type { Profile } from '../running-app.ts';

const folder = join(import.meta.dirname, '..');

const test = base.extend<{ releases: ReleaseServer; theirProxy: { url: string; asked: string[] } }>({
  releases: async ({}, use) => {
    const releases = await ReleaseServer.start();
    await use(releases);
    await releases.stop();
  },
  /** A server that says it is everybody's proxy. */
  theirProxy: async ({}, use) => {
    const asked: string[] = [];
    const server = createServer(({ url = '' }, response) => {
      asked.push(url);
      response.setHeader('content-type', 'application/x-ns-proxy-autoconfig');
      response.end(`function FindProxyForURL() { return 'PROXY ${host}' }`);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // It listens on a port.
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    await use({ url: `http://${host}/proxy.pac`, asked });
    server.close();
  },
});

/** Starts the app as a build that asks this place for updates, with a log of all that Chromium sends. */
async function launch(profile: Profile, place: string, env: Record<string, string>) {
  const resources = join(profile.dir, 'resources');
  await mkdir(resources, { recursive: true });
  await ReleaseServer.name(place, resources);
  const logFile = join(profile.dir, 'network.json');
  const running = await profile.launch({
    args: [
      ...['-r', join(folder, 'other-resources.cjs'), '-r', join(folder, 'socket-log.cjs')],
      `--log-net-log=${logFile}`,
    ],
    env: { OTHER_RESOURCES: resources, ...env },
  });
  return { running, app: new Watchkeeper(running.page), logFile };
}

test('a tour of the whole app names no host but those of its service, its nodes and its updates', async ({
  profile,
  service,
  releases,
  theirProxy,
}) => {
  const [node] = service.ready.nodes;
  if (node === undefined) throw new Error('The sample service has no node.');
  await profile.useService(service);
  // A language whose dictionary Chromium would download.
  const env = { LANG: 'de_DE.UTF-8', auto_proxy: theirProxy.url };
  const { running, app, logFile } = await launch(profile, releases.origin, env);
  const { page } = running;
  const opened = await running.catchExternal();
  await app.addNode(node.name, node.url);
  await app.watchAddress(service.ready.examples.address, 'Treasury');
  await expect(app.progress).toContainText('complete back to the first transaction');
  await app.completed();
  await app.chooseForRow(app.row('Success'), 'Open in the chain’s explorer');
  await expect.poll(opened).toHaveLength(1);
  for (const view of views) await app.go(view);
  await page.getByRole('region', { name: 'Updates' }).getByText('Notify', { exact: true }).click();
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText('Version 9.9.9 is available.');
  const sockets = await running.app.evaluate(() =>
    // Put there by `socket-log.cjs`.
    (globalThis as unknown as { socketLog: () => string[] }).socketLog(),
  );
  await running.quit();
  // Another process writes it, which may end later.
  await expect.poll(() => readFile(logFile, 'utf8')).toMatch(/\}\s*$/);

  const { dataUrl, metricsUrl } = service.ready;
  const ofService = [dataUrl, metricsUrl, node.url].map((url) => new URL(url).host);
  expect(sockets.filter((host) => !ofService.includes(host))).toEqual([]);
  expect(sockets).toEqual(expect.arrayContaining([new URL(dataUrl).host, new URL(node.url).host]));
  const events = await readNetworkLog(logFile);
  const { hostname, host } = new URL(releases.origin);
  expect(hostsIn(events)).toEqual([hostname, host]);
  // Names are looked up by the system alone, as those of the service are: what the log says of the resolver at its end.
  const resolver = /"dns_config":\{[^}]*\}/.exec(await readFile(logFile, 'utf8'))?.[0];
  expect(resolver).toContain('"can_use_insecure_dns_transactions":false');
  expect(resolver).toContain('"can_use_secure_dns_transactions":false');
  expect(theirProxy.asked).toEqual([]);
});
