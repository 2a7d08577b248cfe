import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:https';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { HttpOutcome, HttpRequest } from '../../core/ports.ts';
import { classifyFailure } from './failures.ts';
import { createHttpClient } from './http-client.ts';
import { openNetwork } from './testing/open-network.ts';

const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return `127.0.0.1:${port}`;
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://${await listen(server)}`;
}

/** A server below HTTP: it gets the socket once a request has begun. */
async function serveRaw(answer: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('data', () => {
      answer(socket);
    });
  });
  closers.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `http://${await listen(server)}`;
}

async function get(url: string, options: Partial<HttpRequest> = {}): Promise<HttpOutcome> {
  return await createHttpClient(openNetwork).send({
    method: 'GET',
    url,
    headers: {},
    timeoutMs: 5_000,
    maxBytes: 1_000_000,
    ...options,
  });
}

function reasonOf(outcome: HttpOutcome): string {
  return outcome.kind === 'failure' ? outcome.reason : `status ${outcome.status}`;
}

describe('answers', () => {
  it('come with status, lower-case headers, text and size, whatever the status', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(503, { 'Retry-After': '7', 'X-Thing': 'Kept' }).end('grüße');
    });
    expect(await get(url)).toMatchObject({
      kind: 'response',
      status: 503,
      headers: { 'retry-after': '7', 'x-thing': 'Kept' },
      body: 'grüße',
      byteLength: 7,
    });
  });

  it('are decompressed, and a character may be split between pieces', async () => {
    const url = await serve((_request, response) => {
      const bytes = Buffer.from('"€"');
      response.writeHead(200);
      response.write(bytes.subarray(0, 2));
      setImmediate(() => response.end(bytes.subarray(2)));
    });
    expect(await get(url)).toMatchObject({ body: '"€"', byteLength: 5 });
    const zipped = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(5_000)));
    });
    expect(await get(zipped)).toMatchObject({ body: 'x'.repeat(5_000), byteLength: 5_000 });
    const plain = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': ' ' }).end('as it is');
    });
    expect(await get(plain)).toMatchObject({ body: 'as it is' });
  });

  it.each([
    [
      'in Latin-1',
      {},
      Buffer.from('<p>Le serveur est surchargé</p>', 'latin1'),
      'Le serveur est surcharg\ufffd',
    ],
    ['said to be compressed, and empty', { 'content-encoding': 'gzip' }, '', ''],
    ['said to be compressed, and plain', { 'content-encoding': 'br' }, 'Bad Gateway', ''],
    ['compressed as nobody asked', { 'content-encoding': 'zstd' }, '(\xb5', ''],
  ])('of a gateway keep status and headers with a page %s', async (_what, headers, page, words) => {
    const url = await serve((_request, response) =>
      response.writeHead(502, { 'retry-after': '7', ...headers }).end(page),
    );
    expect(await get(url)).toMatchObject({
      kind: 'response',
      status: 502,
      headers: { 'retry-after': '7' },
      body: expect.stringContaining(words),
    });
  });

  it('to a POST follow its body and headers', async () => {
    const url = await serve((request, response) => {
      void echo(request, response);
    });
    const outcome = await get(url, {
      method: 'POST',
      body: '{"a":1}',
      headers: { 'content-type': 'application/json' },
    });
    expect(outcome).toMatchObject({ body: 'POST application/json {"a":1}' });
  });
});

describe('failures', () => {
  it('timeout: a server that never answers', async () => {
    const url = await serve(() => undefined);
    expect(await get(url, { timeoutMs: 50 })).toEqual({
      kind: 'failure',
      reason: 'timeout',
      detail: 'No complete answer within 0.05 s.',
    });
  });

  it('timeout: a server that sends its body drop by drop', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 5);
      response.on('close', () => clearInterval(drip));
    });
    expect(reasonOf(await get(url, { timeoutMs: 100 }))).toBe('timeout');
  });

  it('cancelled: before, while waiting and while reading', async () => {
    let reached = (): void => undefined;
    const url = await serve((request, response) => {
      if (request.url === '/body') response.writeHead(200).write('begun');
      reached();
    });
    expect(reasonOf(await get(url, { signal: AbortSignal.abort() }))).toBe('cancelled');
    for (const path of ['/wait', '/body']) {
      const abort = new AbortController();
      const arrival = new Promise<void>((resolve) => {
        reached = resolve;
      });
      const outcome = get(url + path, { signal: abort.signal });
      await arrival;
      abort.abort();
      expect(reasonOf(await outcome)).toBe('cancelled');
    }
  });

  it('refused: nothing listens there', async () => {
    const server = createTcpServer();
    const host = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await get(`http://${host}`)).toEqual({
      kind: 'failure',
      reason: 'refused',
      detail: `Nothing responded at ${host}.`,
    });
  });

  it('dns: a name that does not exist', async () => {
    expect(reasonOf(await get('http://watchkeeper.invalid/'))).toBe('dns');
  });

  it('reset: the connection ends before the answer', async () => {
    const url = await serveRaw((socket) => socket.resetAndDestroy());
    expect(reasonOf(await get(url))).toBe('reset');
    const closed = await serveRaw((socket) => socket.end());
    expect(reasonOf(await get(closed))).toBe('reset');
  });

  it('reset: the body is shorter than it was said to be', async () => {
    const url = await serveRaw((socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"cut":'),
    );
    expect(reasonOf(await get(url))).toBe('reset');
    const chunked = await serveRaw((socket) =>
      socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"cut'),
    );
    expect(reasonOf(await get(chunked))).toBe('reset');
  });

  it('reset: the server switches to another protocol, for which nobody has asked', async () => {
    const url = await serveRaw((socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n'),
    );
    expect(reasonOf(await get(url))).toBe('reset');
  });

  it.each([
    ['speaks another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['speaks TLS, asked without it', '\x15\x03\x03\x00\x02\x02\x46'],
    ['sends a head without an end', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`],
  ])('bad-encoding: something answers that %s, so our own network is not down', async (_what, answer) => {
    const url = await serveRaw((socket) => socket.end(answer, 'latin1'));
    const outcome = await get(url);
    expect(outcome).toMatchObject({
      reason: 'bad-encoding',
      detail: expect.stringMatching(/isn’t valid HTTP \(HPE_/),
    });
  });

  it('too-large: the limit counts decompressed bytes, and the bomb is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    const before = process.memoryUsage().rss;
    expect(reasonOf(await get(url, { maxBytes: 100_000 }))).toBe('too-large');
    expect(process.memoryUsage().rss - before).toBeLessThan(40 * 1024 * 1024);
  });

  it('too-large: exactly the limit is still read', async () => {
    const url = await serve((_request, response) => response.end('x'.repeat(1_000)));
    expect(await get(url, { maxBytes: 1_000 })).toMatchObject({ byteLength: 1_000 });
    expect(reasonOf(await get(url, { maxBytes: 999 }))).toBe('too-large');
  });

  it('bad-encoding: bytes that are no UTF-8, at the end too', async () => {
    for (const bytes of [Buffer.from([0x22, 0xff, 0x22]), Buffer.from([0x22, 0xe2, 0x82])]) {
      const url = await serve((_request, response) => response.end(bytes));
      expect(reasonOf(await get(url))).toBe('bad-encoding');
    }
  });

  it.each(['gzip', 'deflate', 'br', 'zstd', 'constructor', '__proto__'])(
    'bad-encoding: a body that is not what it says, %s',
    async (encoding) => {
      const url = await serve((_request, response) => {
        response.writeHead(200, { 'content-encoding': encoding }).end('{"transactions":[]}');
      });
      expect(reasonOf(await get(url))).toBe('bad-encoding');
    },
  );

  it('tls: a server that has no certificate', async () => {
    const server = createTlsServer((_request, response) => response.end());
    closers.push(() => {
      server.close();
      server.closeAllConnections();
    });
    expect(reasonOf(await get(`https://${await listen(server)}`))).toBe('tls');
  });

  it('tls: a server that speaks plain HTTP', async () => {
    const url = await serve((_request, response) => response.end());
    expect(reasonOf(await get(url.replace('http:', 'https:')))).toBe('tls');
  });
});

describe('redirects', () => {
  const key = { 'x-key': 'secret-value' };

  it('within the origin are followed with the same headers, three times at most', async () => {
    const seen: string[] = [];
    const url = await serve((request, response) => {
      seen.push(`${request.url} ${String(request.headers['x-key'])}`);
      const step = Number(request.url?.slice(1));
      if (step === 0) response.end('there');
      else response.writeHead(302, { location: `/${step - 1}` }).end('a body that nobody reads');
    });
    expect(await get(`${url}/3`, { headers: key })).toMatchObject({ status: 200, body: 'there' });
    expect(seen).toEqual(['/3', '/2', '/1', '/0'].map((path) => `${path} secret-value`));
    expect(await get(`${url}/4`, { headers: key })).toEqual({
      kind: 'failure',
      reason: 'redirect',
      detail: 'The server redirects more than 3 times.',
    });
  });

  it('to another origin end there: it sees no request', async () => {
    let visits = 0;
    const other = await serve((_request, response) => {
      visits += 1;
      response.end();
    });
    for (const location of [`${other}/`, other.replace('http://', '//'), other.replace('http:', 'https:')]) {
      const url = await serve((_request, response) => response.writeHead(307, { location }).end());
      const outcome = await get(url, { headers: key });
      expect(reasonOf(outcome)).toBe('redirect');
      expect(JSON.stringify(outcome)).not.toContain('secret-value');
    }
    expect(visits).toBe(0);
  });

  it.each(['http://', 'javascript:alert(1)', 'file:///etc/passwd'])('to %s are refused', async (location) => {
    const url = await serve((_request, response) => response.writeHead(301, { location }).end());
    expect(reasonOf(await get(url))).toBe('redirect');
  });

  it('without a location, and 304, are answers', async () => {
    const url = await serve((request, response) =>
      response.writeHead(request.url === '/304' ? 304 : 302).end(),
    );
    expect(await get(`${url}/304`)).toMatchObject({ status: 304 });
    expect(await get(url)).toMatchObject({ status: 302 });
  });

  it('of a POST are followed only where it stays a POST', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/end') void echo(request, response);
      else response.writeHead(Number(request.url?.slice(1)), { location: '/end' }).end();
    });
    const post = { method: 'POST', body: 'x', headers: { 'content-type': 'a/b' } } as const;
    expect(await get(`${url}/308`, post)).toMatchObject({ status: 200, body: 'POST a/b x' });
    expect(reasonOf(await get(`${url}/303`, post))).toBe('redirect');
  });
});

describe('the gate', () => {
  it('is asked before each request, that of a redirect too; what it refuses is not sent', async () => {
    const paths: string[] = [];
    const url = await serve(({ url: path = '' }, response) => {
      paths.push(path);
      response.writeHead(307, { location: '/second' }).end();
    });
    const gate = { refusal: ({ pathname }: URL) => (pathname === '/second' ? 'Not this one.' : null) };
    const request = { method: 'GET', headers: {}, timeoutMs: 5_000, maxBytes: 1_000 } as const;
    const refused = { kind: 'failure', reason: 'not-allowed', detail: 'Not this one.' };
    expect(
      await createHttpClient({ ...openNetwork, gate }).send({ ...request, url: `${url}/first` }),
    ).toEqual(refused);
    expect(paths).toEqual(['/first']);
    expect(
      await createHttpClient({ ...openNetwork, gate }).send({ ...request, url: `${url}/second` }),
    ).toEqual(refused);
    expect(paths).toEqual(['/first']);
  });
});

describe('what is told of a failure', () => {
  it('never quotes a header', async () => {
    const outcome = await get('http://127.0.0.1:9', { headers: { 'x-key': 'secret\u0001value' } });
    expect(outcome).toMatchObject({ kind: 'failure' });
    expect(JSON.stringify(outcome)).not.toMatch(/secret|value/);
  });

  it('sorts by the codes of the error, its causes and the attempts it bundles', () => {
    const coded = (code: string, cause?: unknown) => Object.assign(new Error('secret', { cause }), { code });
    const bundle = new TypeError('fetch failed', {
      cause: new AggregateError([coded('ECONNREFUSED'), coded('EX')]),
    });
    const loop = new Error('loop');
    loop.cause = loop;
    const cases: [unknown, string][] = [
      [bundle, 'refused'],
      [coded('ETIMEDOUT', new AggregateError([coded('ETIMEDOUT'), coded('ECONNREFUSED')])), 'refused'],
      [new TypeError('fetch failed', { cause: coded('EAI_AGAIN') }), 'dns'],
      [coded('UND_ERR', coded('CERT_HAS_EXPIRED')), 'tls'],
      [coded('ENETUNREACH'), 'network'],
      [loop, 'network'],
      ['a text', 'network'],
      [undefined, 'network'],
    ];
    for (const [cause, reason] of cases) {
      const outcome = classifyFailure(cause, 'host');
      expect(reasonOf(outcome)).toBe(reason);
      expect(JSON.stringify(outcome)).not.toContain('secret');
    }
  });
});

async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const piece of request) body += String(piece);
  response.end(`${request.method} ${request.headers['content-type']} ${body}`);
}
