import { once } from 'node:events';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { certificatePrint } from '../../src/shared/health/certificate.ts';
import { authority, companyCertificate } from '../../src/main/adapters/http/testing/certificates.ts';
import { ProxyServer } from '../../src/main/adapters/http/testing/proxy-server.ts';
import { expectAccessible } from '../accessible.ts';
import { expect, test as base } from '../fixtures.ts';
import { Watchkeeper } from '../pages/watchkeeper.ts';
import { selfSigned } from '../untrusted-server.ts';

/** A server with TLS before one without. */
class TlsFront {
  #server: Server | null = null;
  port = 0;

  async start(certificate: { key: string; cert: string }, behind: string): Promise<void> {
    this.#server = createServer(certificate, (asked, response) => {
      const { url = '', method } = asked;
      const { host, ...headers } = asked.headers;
      void host;
      const onward = request(new URL(url, behind), { method: method ?? 'GET', headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
      });
      asked.pipe(onward);
    });
    this.#server.listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
    // It listens on a port.
    this.port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    this.#server?.close();
    this.#server = null;
  }
}

const test = base.extend<{ front: TlsFront }>({
  front: async ({}, use) => {
    const front = new TlsFront();
    await use(front);
    await front.stop();
  },
});

const login = { user: 'e.mployee', password: 'a-password-of-the-company' };

test('a proxy that a PAC file names is asked for a login, and passes on what a company’s authority vouches for', async ({
  profile,
  service,
  front,
}) => {
  await front.start(companyCertificate, service.ready.dataUrl);
  const proxy = await ProxyServer.start({ login: `${login.user}:${login.password}` }, () => front.port);
  const bundle = join(profile.dir, 'authorities.pem');
  const address = 'https://company.example';
  await profile.useService({ ready: { dataUrl: address, metricsUrl: address } });
  await writeFile(bundle, authority);
  const env = { auto_proxy: `${proxy.url}/rules.pac`, SSL_CERT_FILE: bundle };
  const { page } = await profile.launch({ env });
  const app = new Watchkeeper(page);

  await app.watchAddress(service.ready.examples.address, 'Treasury');
  await expect(page.getByText('requires a user name and password (407)').first()).toBeVisible();
  await app.go('Settings');
  const network = page.getByRole('region', { name: 'Network' });
  const form = network.getByRole('form', { name: `Login for ${proxy.url}` });
  await expect(form).toContainText('None');
  await form.getByLabel('User name').fill(login.user);
  await form.getByLabel('Password').fill(login.password);
  await form.getByRole('button', { name: 'Save login' }).click();
  await expect(form).toContainText('In the keychain');
  await expect(form.getByLabel('Password')).toHaveValue('');
  await expectAccessible(page, 'Network', network);

  await app.go('Activity');
  // It is tried again by itself.
  await expect(app.progress).toContainText('complete back to the first transaction');
  expect(proxy.asked[0]).toBe('/rules.pac');
  // After eight seconds Chromium looks whether the rules have changed.
  const forwarded = () => proxy.asked.filter((asked) => asked !== '/rules.pac');
  expect(new Set(forwarded())).toEqual(new Set(['CONNECT company.example:443']));

  await app.go('Settings');
  const table = page.getByRole('table', { name: 'What leaves this computer' });
  await expect(table.getByRole('row', { name: proxy.url })).toContainText(/[1-9]/);
  const logs = await readdir(join(profile.dir, 'logs'));
  for (const file of [...logs.map((name) => join('logs', name)), 'settings.json']) {
    expect(await readFile(join(profile.dir, file), 'utf8')).not.toContain(login.password);
  }

  // Without a proxy the name leads nowhere.
  await network.getByText('None', { exact: true }).first().click();
  const before = forwarded();
  await app.go('Activity');
  await app.fetchAllChains('Treasury');
  await expect(app.connection).toHaveText(/offline/);
  expect(forwarded()).toEqual(before);
  await proxy.stop();
});

test('a node is trusted by the SHA-256 of its certificate, until it shows another one', async ({
  running: { page },
  service,
  front,
}) => {
  const app = new Watchkeeper(page);
  const [node] = service.ready.nodes;
  if (node === undefined) throw new Error('The sample service has no node.');
  await front.start(selfSigned, node.url);
  const url = `https://127.0.0.1:${front.port}`;
  const first = certificatePrint(selfSigned.cert) ?? '';
  const second = certificatePrint(companyCertificate.cert) ?? '';

  await app.go('Nodes');
  await page.getByRole('button', { name: 'Add a node' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add a node' });
  await dialog.getByLabel('URL').fill(url);
  await dialog.getByLabel('Name').fill('Behind TLS');
  await dialog.getByRole('button', { name: 'Test' }).click();
  const found = dialog.getByRole('region', { name: 'Test result' });
  await expect(found).toContainText('is not trusted by this computer');
  await expect(found).toContainText(first);
  await expect(found).not.toContainText('http://');
  await expectAccessible(page, 'Trusting a certificate', dialog);
  await found.getByRole('button', { name: 'Trust this certificate' }).click();
  await expect(dialog.getByLabel('Trusted certificate')).toHaveValue(first);
  await dialog.getByRole('button', { name: 'Add node' }).click();
  const state = page.getByRole('region', { name: 'State of the node' });
  await expect(state).toContainText('Healthy');
  await expect(state).toContainText('Trusted certificate');

  await front.stop();
  await front.start(companyCertificate, node.url);
  await page.getByRole('button', { name: 'Poll now' }).click();
  await expect(page.getByText('is not the one that you trust')).toContainText(second);
});
