import { getEventListeners, once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { createServer as createPlainServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { certificatePrint } from '../../../shared/health/certificate.ts';
import type { HttpOutcome, HttpRequest, OutboundWay, Proxy } from '../../core/ports.ts';
import { createHttpClient } from './http-client.ts';
import { createNodeLines } from './node-line.ts';
import { authority, companyCertificate } from './testing/certificates.ts';
import { openNetwork } from './testing/open-network.ts';
import { ProxyServer, type ProxyOptions } from './testing/proxy-server.ts';
import { Transport, type Network } from './transport.ts';
import { createTrust } from './trust.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watchkeeper-trust-'));
  closers.push(() => rmSync(folder, { recursive: true }));
});

async function listen(server: TcpServer | Server): Promise<number> {
  closers.push(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // It listens on a port.
  return (server.address() as AddressInfo).port;
}

const well: RequestListener = ({ url, headers }, response) =>
  response
    .setHeader('content-type', 'application/json')
    .end(`${url} ${headers.host} ${String(headers['x-key'])}`);

/** A server of a company, whose certificate only the company's authority vouches for. */
const company = () => listen(createServer(companyCertificate, well));

const log = { info: () => undefined, warn: () => undefined, error: () => 'ref' };

/** What a computer trusts whose system's bundle, and NODE_EXTRA_CA_CERTS, have these. */
function trust(bundle: string, extra?: string): Network['trusted'] {
  const [systemFile, extraFile] = [join(folder, 'system.pem'), join(folder, 'extra.pem')];
  writeFileSync(systemFile, bundle);
  if (extra !== undefined) writeFileSync(extraFile, extra);
  const NODE_EXTRA_CA_CERTS = extra === undefined ? {} : { NODE_EXTRA_CA_CERTS: extraFile };
  const environment = { SSL_CERT_FILE: systemFile, ...NODE_EXTRA_CA_CERTS };
  return createTrust({ environment, platform: 'linux', log });
}

function get(url: string, network: Partial<Network>, rest: Partial<HttpRequest> = {}): Promise<HttpOutcome> {
  const client = createHttpClient({ ...openNetwork, ...network });
  const limits = { timeoutMs: 5_000, maxBytes: 10_000 };
  return client.send({ method: 'GET', url, headers: { 'x-key': 'one' }, ...limits, ...rest });
}

it('an exchange that has ended is kept by no signal, which may be that of thousands of pages', async () => {
  const port = await listen(createPlainServer(well));
  const transport = new Transport(openNetwork, {});
  const { signal } = new AbortController();
  const exchange = { method: 'GET', headers: {}, certificate: null, signal };
  const answer = await transport.send(new URL(`http://127.0.0.1:${port}`), exchange);
  await once(answer.resume(), 'close');
  await expect.poll(() => getEventListeners(signal, 'abort')).toEqual([]);
});

describe('a certificate', () => {
  it('of a company’s own authority is trusted where the system trusts that', async () => {
    const url = `https://127.0.0.1:${await company()}/a`;
    expect(await get(url, { trusted: trust('') })).toMatchObject({ kind: 'failure', reason: 'tls' });
    expect(await get(url, { trusted: trust(authority) })).toMatchObject({ status: 200 });
  });

  it('of an authority that the system trusts only by now is trusted without a restart', async () => {
    const url = `https://127.0.0.1:${await company()}/`;
    const trusted = trust('');
    expect(await get(url, { trusted })).toMatchObject({ kind: 'failure', reason: 'tls' });
    expect(trusted()).toBe(trusted());
    writeFileSync(join(folder, 'system.pem'), authority);
    expect(await get(url, { trusted })).toMatchObject({ status: 200 });
  });

  it('is trusted by NODE_EXTRA_CA_CERTS, and one there that is damaged spoils no other', async () => {
    const url = `https://localhost:${await company()}/a`;
    const damaged = authority.replace(/MII/g, 'XXX');
    expect(await get(url, { trusted: trust(damaged, `${damaged}\n${authority}`) })).toMatchObject({
      status: 200,
    });
  });

  it('that nobody vouches for is told with its SHA-256, and the server gets no request', async () => {
    let requests = 0;
    const port = await listen(createServer(companyCertificate, () => (requests += 1)));
    const print = certificatePrint(companyCertificate.cert);
    const outcome = await get(`https://127.0.0.1:${port}`, {});
    expect(outcome).toMatchObject({ reason: 'tls', certificate: print });
    expect(outcome).toMatchObject({
      detail: `The certificate of 127.0.0.1:${port} is not trusted by this computer (UNABLE_TO_VERIFY_LEAF_SIGNATURE). Its SHA-256 fingerprint is ${print}.`,
    });
    expect(requests).toBe(0);
  });

  it('proves that a host is there, without a request, where somebody may answer in its place', async () => {
    let requests = 0;
    const port = await listen(createServer(companyCertificate, () => (requests += 1)));
    const connect = (trusted: Network['trusted'], isProven: boolean) => {
      const line = createNodeLines({ ...openNetwork, trusted })(`https://127.0.0.1:${port}`, () => undefined);
      return line.connect(new AbortController().signal, isProven);
    };
    expect(await connect(trust(''), false)).toBeNull();
    expect(await connect(trust(''), true)).toMatchObject({ reason: 'tls' });
    expect(await connect(trust(authority), true)).toBeNull();
    expect(requests).toBe(0);
  });

  it('for another name is not trusted, whoever vouches for it', async () => {
    const port = await company();
    const proxy = await ProxyServer.start({}, () => port);
    closers.push(() => proxy.stop());
    const network = { trusted: trust(authority), proxies: only(proxy) };
    expect(await get('https://company.example/', network)).toMatchObject({ status: 200 });
    const other = await get('https://other.example/', network);
    expect(other).toMatchObject({
      reason: 'tls',
      detail: expect.stringMatching(/ERR_TLS_CERT_ALTNAME_INVALID/),
    });
  });

  it('that is given by its SHA-256 is trusted alone, whoever vouches for another', async () => {
    const url = `https://127.0.0.1:${await company()}/a`;
    const print = certificatePrint(companyCertificate.cert);
    expect(await get(url, {}, { certificate: print })).toMatchObject({ status: 200 });
    const other = certificatePrint(authority);
    const changed = await get(url, { trusted: trust(authority) }, { certificate: other });
    expect(changed).toMatchObject({ reason: 'tls', certificate: print });
    expect(changed).toMatchObject({ detail: expect.stringContaining('is not the one that you trust') });
  });

  it('that is given later is looked at by a line that has a connection already', async () => {
    const url = `https://127.0.0.1:${await company()}`;
    const losses: number[] = [];
    const network = { ...openNetwork, trusted: trust(authority) };
    const line = createNodeLines(network)(url, (idleMs) => losses.push(idleMs));
    closers.push(() => line.close());
    const ask = (certificate: string | null) =>
      line.send({ method: 'GET', url, headers: {}, timeoutMs: 5_000, maxBytes: 1_000, certificate });
    expect(await ask(null)).toMatchObject({ status: 200 });
    expect(line.isKept()).toBe(true);
    expect(await ask(certificatePrint(authority))).toMatchObject({ reason: 'tls' });
    expect(await ask(certificatePrint(companyCertificate.cert))).toMatchObject({ status: 200 });
    expect(losses).toEqual([]);
  });
});

function only({ url }: { url: string }, authorization: string | null = null): Network['proxies'] {
  return { ...openNetwork.proxies, proxiesFor: async () => [{ url, authorization }] };
}

const basic = (login: string) => `Basic ${Buffer.from(login).toString('base64')}`;

async function startProxy(options: ProxyOptions = {}, behind?: () => number): Promise<ProxyServer> {
  const proxy = await ProxyServer.start(options, behind);
  closers.push(() => proxy.stop());
  return proxy;
}

describe('a proxy', () => {
  it('passes on what has TLS unread, and the rest with its address', async () => {
    const secure = await company();
    const plain = await listen(createPlainServer(well));
    const proxy = await startProxy();
    const network = { proxies: only(proxy), trusted: trust(authority) };
    expect(await get(`https://localhost:${secure}/a?b=c`, network)).toMatchObject({
      body: `/a?b=c localhost:${secure} one`,
    });
    expect(await get(`http://127.0.0.1:${plain}/a?b=c`, network)).toMatchObject({
      body: `/a?b=c 127.0.0.1:${plain} one`,
    });
    expect(proxy.asked).toEqual([`CONNECT localhost:${secure}`, `GET http://127.0.0.1:${plain}/a?b=c`]);
    expect(proxy.logins).toEqual([undefined, undefined]);
  });

  it('gets its login, and the host behind it never does', async () => {
    const seen: unknown[] = [];
    const tell: RequestListener = ({ headers }, response) => {
      seen.push(headers['proxy-authorization']);
      response.end('{}');
    };
    const plain = await listen(createPlainServer(tell));
    const secure = await listen(createServer(companyCertificate, tell));
    const proxy = await startProxy({ login: 'me:pass word' });
    const network = { proxies: only(proxy, basic('me:pass word')), trusted: trust(authority) };
    expect(await get(`https://localhost:${secure}/`, network)).toMatchObject({ status: 200 });
    expect(await get(`http://127.0.0.1:${plain}/`, network)).toMatchObject({ status: 200 });
    expect(seen[0]).toBeUndefined();
  });

  it.each([
    [
      'wants a login',
      { login: 'me:pass' },
      null,
      'requires a user name and password (407). Enter them in Settings',
    ],
    [
      'wants another login',
      { login: 'me:pass' },
      basic('me:old'),
      'doesn’t accept the user name and password',
    ],
    [
      'wants a kind of login that there is none of',
      { login: 'me:pass', challenge: 'NTLM' },
      null,
      'needs a login method that Watchkeeper doesn’t support (407, NTLM).',
    ],
    ['forbids the host', { refusesWith: 403 }, null, 'doesn’t let 127.0.0.1:9 through (403).'],
  ] satisfies [string, ProxyOptions, string | null, string][])(
    'that %s is told in words, without the login',
    async (_what, options: ProxyOptions, authorization, words) => {
      const proxy = await startProxy(options);
      for (const scheme of ['https', 'http']) {
        // What forbids a host without TLS cannot be told from the host's own answer.
        if (scheme === 'http' && options.refusesWith === 403) continue;
        const outcome = await get(`${scheme}://127.0.0.1:9/`, { proxies: only(proxy, authorization) });
        expect(outcome).toMatchObject({ reason: 'proxy', detail: expect.stringContaining(words) });
        expect(JSON.stringify(outcome)).not.toMatch(/pass:|me:|bWU6/);
      }
    },
  );

  it('that wants a login which a locked keychain may have says that it is locked', async () => {
    const { url } = await startProxy({ login: 'me:pass' });
    const locked = { url, authorization: null, isLocked: true };
    const proxies = { ...openNetwork.proxies, proxiesFor: async () => [locked] };
    expect(await get('https://127.0.0.1:9/', { proxies })).toMatchObject({
      detail: expect.stringContaining('is locked: unlock it, or enter them in Settings, Network.'),
    });
  });

  it('gets a login that is given while the app runs', async () => {
    const port = await company();
    const proxy = await startProxy({ login: 'me:pass' }, () => port);
    let authorization: string | null = null;
    const proxiesFor = async () => [{ url: proxy.url, authorization }];
    const proxies = { ...openNetwork.proxies, proxiesFor };
    const client = createHttpClient({ ...openNetwork, proxies, trusted: trust(authority) });
    const limits = { timeoutMs: 5_000, maxBytes: 10_000 };
    const ask = () => client.send({ method: 'GET', url: 'https://company.example/', headers: {}, ...limits });
    expect(await ask()).toMatchObject({ reason: 'proxy' });
    authorization = basic('me:pass');
    expect(await ask()).toMatchObject({ status: 200 });
  });

  it('that cannot reach the host tells nothing but that', async () => {
    const proxy = await startProxy();
    for (const scheme of ['https', 'http']) {
      const outcome = await get(`${scheme}://127.0.0.1:9/`, { proxies: only(proxy) });
      expect(outcome).toMatchObject({
        reason: 'network',
        detail: `The proxy ${proxy.host} couldn’t reach 127.0.0.1:9 (502).`,
      });
    }
  });

  it('leaves a node’s own 503 as it is', async () => {
    const plain = await listen(
      createPlainServer((_request, response) =>
        response.writeHead(503, { 'content-type': 'application/json' }).end('{"healthy":false}'),
      ),
    );
    const proxy = await startProxy();
    expect(await get(`http://127.0.0.1:${plain}/`, { proxies: only(proxy) })).toMatchObject({ status: 503 });
  });

  it('that is not there is not the host’s fault, and the next one is tried', async () => {
    const plain = await listen(createPlainServer(well));
    const url = `http://127.0.0.1:${plain}/`;
    const gone = { url: 'http://127.0.0.1:9', authorization: null };
    const missed = vi.fn<(proxy: Proxy) => void>();
    const chain = (...proxies: (Proxy | null)[]) => ({
      proxies: { proxiesFor: async () => proxies, missed },
    });
    expect(await get(url, chain(gone))).toMatchObject({
      reason: 'proxy',
      detail: 'The proxy 127.0.0.1:9 can’t be reached.',
    });
    expect(await get(url, chain(gone, null))).toMatchObject({ status: 200 });
    const proxy = await startProxy();
    expect(await get(url, chain(gone, { url: proxy.url, authorization: null }))).toMatchObject({
      status: 200,
    });
    expect(proxy.asked).toHaveLength(1);
    expect(missed.mock.calls).toEqual([[gone], [gone], [gone]]);
    expect(await get(url, chain())).toMatchObject({
      reason: 'proxy',
      detail: expect.stringMatching(/no proxy/),
    });
  });

  it('that keeps silent when it is dialled is as one that is not there', async () => {
    const { timeout } = AbortSignal;
    const limits = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout.call(AbortSignal, 50));
    closers.push(() => limits.mockRestore());
    const silent = await listen(createTcpServer((socket) => socket.on('error', () => socket.destroy())));
    const url = `http://127.0.0.1:${await listen(createPlainServer(well))}/`;
    const first = { url: `https://127.0.0.1:${silent}`, authorization: null };
    const chain = (...proxies: (Proxy | null)[]) => ({
      proxies: { ...openNetwork.proxies, proxiesFor: async () => proxies },
    });
    expect(await get(url, chain(first, null), { timeoutMs: 2_000 })).toMatchObject({ status: 200 });
    expect(await get(url, chain(first), { timeoutMs: 2_000 })).toMatchObject({ reason: 'proxy' });
    expect(limits).toHaveBeenCalledWith(2_500);
  });

  it('is asked by TLS where its address says so', async () => {
    const secure = await company();
    const proxy = await startProxy();
    const front = await listen(
      createServer(companyCertificate).on('connect', (asked, socket) => {
        // Passes on to the proxy without TLS what it was asked.
        const line = `CONNECT ${asked.url} HTTP/1.1\r\nhost: ${asked.url}\r\n\r\n`;
        void import('node:net').then(({ connect }) => {
          const { port, hostname } = new URL(proxy.url);
          const onward = connect(Number(port), hostname, () => onward.write(line));
          onward.pipe(socket).pipe(onward);
        });
      }),
    );
    const network = { proxies: only({ url: `https://localhost:${front}` }), trusted: trust(authority) };
    expect(await get(`https://localhost:${secure}/a`, network)).toMatchObject({ status: 200 });
    expect(await get(`https://localhost:${secure}/a`, { ...network, trusted: trust('') })).toMatchObject({
      reason: 'proxy',
      detail: expect.stringMatching(
        /^The proxy localhost:\d+ can’t be reached\. The certificate of .* not trusted/,
      ),
    });
  });

  it('passes the gate, too', async () => {
    const proxy = await startProxy();
    const asked: string[] = [];
    const gate = {
      refusal: (to: URL, way: OutboundWay) => {
        asked.push(`${way} ${to.origin}`);
        return way === 'proxy' ? 'No proxy.' : null;
      },
    };
    const refused = await get('https://data.example/', { gate, proxies: only(proxy) });
    expect(refused).toEqual({ kind: 'failure', reason: 'not-allowed', detail: 'No proxy.' });
    expect(asked).toEqual(['request https://data.example', `proxy ${proxy.url}`]);
    expect(proxy.asked).toEqual([]);
  });

  it('that says nothing keeps nobody longer than a request may take', async () => {
    const silent = await listen(createTcpServer((socket) => socket.on('error', () => socket.destroy())));
    const network = { proxies: only({ url: `http://127.0.0.1:${silent}` }) };
    expect(await get('https://data.example/', network, { timeoutMs: 50 })).toMatchObject({
      reason: 'timeout',
    });
    const never: Network['proxies'] = {
      ...openNetwork.proxies,
      proxiesFor: () => new Promise(() => undefined),
    };
    expect(await get('https://data.example/', { proxies: never }, { timeoutMs: 50 })).toMatchObject({
      reason: 'timeout',
    });
  });
});

describe('a bare connection by a proxy', () => {
  const { signal } = new AbortController();
  const connect = (url: string, proxy: ProxyServer) => {
    const line = createNodeLines({ ...openNetwork, proxies: only(proxy) })(url, () => undefined);
    closers.push(() => line.close());
    return line.connect(signal);
  };

  it('is there only when the proxy has reached the host', async () => {
    const port = await listen(createTcpServer());
    const proxy = await startProxy();
    expect(await connect(`https://127.0.0.1:${port}`, proxy)).toBeNull();
    expect(await connect('https://127.0.0.1:9', proxy)).toMatchObject({ reason: 'network' });
    expect(await connect(`http://127.0.0.1:${port}`, await startProxy({ login: 'a:b' }))).toMatchObject({
      reason: 'proxy',
    });
  });
});
