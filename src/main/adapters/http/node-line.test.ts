import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { HttpOutcome, HttpRequest, NodeLine, OutboundGate } from '../../core/ports.ts';
import { createNodeLines } from './node-line.ts';
import { openNetwork } from './testing/open-network.ts';
import type { Network } from './transport.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

interface Served {
  url: string;
  server: Server;
  /** Connections that were made, in order. */
  sockets: Socket[];
}

async function listen(server: Server): Promise<Served> {
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
  });
  closers.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address object.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, server, sockets };
}

const serve = (listener: RequestListener) => listen(createHttpServer({ keepAliveTimeout: 60_000 }, listener));
const well: RequestListener = (_request, response) => response.end('{"healthy":true}');

/** A line, and when its idle connection ended. */
function open(
  url: string,
  network: Network = openNetwork,
): { line: NodeLine; lost: Promise<number>; losses: number[] } {
  const losses: number[] = [];
  let tell = (_idleMs: number): void => undefined;
  const lost = new Promise<number>((resolve) => (tell = resolve));
  const line = createNodeLines(network)(url, (idleMs) => {
    losses.push(idleMs);
    tell(idleMs);
  });
  closers.push(() => line.close());
  return { line, lost, losses };
}

function get(
  line: NodeLine,
  url: string,
  rest: Pick<HttpRequest, 'signal' | 'mayGoOn'> = {},
): Promise<HttpOutcome> {
  const limits = { timeoutMs: 5_000, maxBytes: 1_000, ...rest };
  return line.send({ method: 'GET', url, headers: { 'x-key': 'one' }, ...limits });
}

const never = new AbortController().signal;

describe('a line to a node', () => {
  it('sends its requests over one connection, which stays open between them', async () => {
    const { url, sockets } = await serve((request, response) =>
      response.end(`${request.url} ${String(request.headers['x-key'])} ${String(request.headers.host)}`),
    );
    const { line } = open(url);
    expect(line.isKept()).toBe(false);
    expect(await get(line, `${url}/a`)).toMatchObject({ status: 200, body: `/a one ${url.slice(7)}` });
    expect(line.isKept()).toBe(true);
    expect(await get(line, `${url}/b`)).toMatchObject({ status: 200 });
    expect(sockets).toHaveLength(1);
  });

  it('says when that connection ends, and how long it was idle', async () => {
    const { url, sockets } = await serve(well);
    for (const end of [(socket: Socket) => socket.end(), (socket: Socket) => socket.resetAndDestroy()]) {
      const { line, lost, losses } = open(url);
      await get(line, url);
      const before = performance.now();
      const last = sockets.at(-1);
      if (last !== undefined) end(last);
      expect(await lost).toBeLessThan(performance.now() - before + 1_000);
      expect(losses).toHaveLength(1);
      expect(line.isKept()).toBe(false);
    }
  });

  it('says nothing when we end it ourselves', async () => {
    const { url, sockets } = await serve(well);
    const { line, losses } = open(url);
    await get(line, url);
    const ended = new Promise((resolve) => sockets[0]?.once('close', resolve));
    line.close();
    await ended;
    expect(losses).toEqual([]);
  });

  it('asks over no connection from an address that this computer has no more, as in another network', async () => {
    const { url, sockets } = await serve(well);
    const own = new Set(['127.0.0.1']);
    const losses: number[] = [];
    const line = createNodeLines(openNetwork, () => own)(url, (idleMs) => losses.push(idleMs));
    closers.push(() => line.close());
    for (let times = 0; times < 2; times += 1) await get(line, url);
    expect(sockets).toHaveLength(1);
    own.clear();
    const ended = new Promise((resolve) => sockets[0]?.once('close', resolve));
    expect(await get(line, url)).toMatchObject({ status: 200 });
    await ended;
    expect(sockets).toHaveLength(2);
    expect(losses).toEqual([]);
  });

  it('keeps nothing where each answer ends the connection', async () => {
    const { url, sockets } = await serve((_request, response) =>
      response.writeHead(200, { connection: 'close' }).end('{}'),
    );
    const { line, losses } = open(url);
    await get(line, url);
    await get(line, url);
    expect(line.isKept()).toBe(false);
    expect(sockets).toHaveLength(2);
    expect(losses).toEqual([]);
  });

  it('does not heed what the other side says of its patience', async () => {
    const { url } = await serve((_request, response) =>
      response.writeHead(200, { 'keep-alive': 'timeout=1' }).end('{}'),
    );
    const { line } = open(url);
    await get(line, url);
    expect(line.isKept()).toBe(true);
  });

  /** The first connection answers once, and is gone with the second request. */
  function endsOnce() {
    let connections = 0;
    return createServer((socket) => {
      connections += 1;
      let requests = 0;
      const isFirst = connections === 1;
      socket.on('data', () => {
        requests += 1;
        if (isFirst && requests > 1) socket.resetAndDestroy();
        else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
      });
    });
  }

  it('sends a request once more that was on its way when the idle connection ended', async () => {
    const { url, sockets } = await listen(endsOnce());
    const { line } = open(url);
    expect(await get(line, url)).toMatchObject({ status: 200 });
    expect(await get(line, url)).toMatchObject({ status: 200 });
    expect(sockets).toHaveLength(2);
  });

  it('sends nothing once more, and follows no redirect, where it may not', async () => {
    const mayGoOn = () => false;
    const { url, sockets } = await listen(endsOnce());
    const { line } = open(url);
    await get(line, url, { mayGoOn });
    expect(await get(line, url, { mayGoOn })).toMatchObject({ reason: 'not-allowed' });
    expect(sockets).toHaveLength(1);

    const asked: (string | undefined)[] = [];
    const elsewhere = await serve(({ url: path }, response) => {
      asked.push(path);
      response.writeHead(307, { location: '/other' }).end();
    });
    const other = open(elsewhere.url);
    expect(await get(other.line, elsewhere.url, { mayGoOn })).toMatchObject({ reason: 'not-allowed' });
    expect(asked).toEqual(['/']);
  });

  it('waits for a late answer, and knows that the connection stands', async () => {
    let answer = (): void => undefined;
    const arrival: { reached?: () => void } = {};
    const reached = new Promise<void>((resolve) => (arrival.reached = resolve));
    const { url } = await serve((_request, response) => {
      answer = () => response.end('late');
      arrival.reached?.();
    });
    const { line } = open(url);
    const outcome = get(line, url);
    await reached;
    expect(line.isConnected()).toBe(true);
    answer();
    expect(await outcome).toMatchObject({ body: 'late' });
    expect(line.isConnected()).toBe(false);
  });

  it('gives a request up', async () => {
    const abort = new AbortController();
    const { url } = await serve(() => abort.abort());
    const { line, losses } = open(url);
    expect(await get(line, url, { signal: abort.signal })).toMatchObject({
      kind: 'failure',
      reason: 'cancelled',
    });
    expect(losses).toEqual([]);
  });

  it('tells failures as the other client does', async () => {
    const { url, server } = await serve(well);
    await new Promise((resolve) => server.close(resolve));
    expect(await get(open(url).line, url)).toMatchObject({ kind: 'failure', reason: 'refused' });
    const silent = await listen(createServer((socket) => socket.on('data', () => socket.end())));
    expect(await get(open(silent.url).line, silent.url)).toMatchObject({ kind: 'failure', reason: 'reset' });
    const odd = await listen(createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')));
    expect(await get(open(odd.url).line, odd.url)).toMatchObject({ kind: 'failure' });
    const nameless = 'http://watchkeeper.invalid';
    expect(await get(open(nameless).line, nameless)).toMatchObject({ kind: 'failure', reason: 'dns' });
  });

  it('reads an answer without a body', async () => {
    const { url } = await serve((_request, response) => response.writeHead(204).end());
    const { line } = open(url);
    expect(await get(line, url)).toMatchObject({ status: 204, body: '' });
  });
});

describe('a bare connection', () => {
  it('is made where somebody listens, without a word', async () => {
    let received = 0;
    const { url, sockets } = await listen(createServer((socket) => socket.on('data', () => (received += 1))));
    expect(await open(url).line.connect(never)).toBeNull();
    expect(sockets).toHaveLength(1);
    expect(received).toBe(0);
  });

  it('is not made where nobody does', async () => {
    const { url, server } = await serve(well);
    await new Promise((resolve) => server.close(resolve));
    expect(await open(url).line.connect(never)).toMatchObject({ reason: 'refused' });
    expect(await open('http://watchkeeper.invalid').line.connect(never)).toMatchObject({ reason: 'dns' });
  });

  it('is not made, nor a request sent, past a gate that refuses', async () => {
    const { url, sockets } = await serve(well);
    const asked: string[] = [];
    const gate: OutboundGate = { refusal: (to, way) => (asked.push(`${way} ${to.href}`), 'No.') };
    const { line } = open(url, { ...openNetwork, gate });
    expect(await line.connect(never)).toEqual({ kind: 'failure', reason: 'not-allowed', detail: 'No.' });
    expect(await get(line, `${url}/x`)).toEqual({ kind: 'failure', reason: 'not-allowed', detail: 'No.' });
    expect(asked).toEqual([`connection ${url}/`, `request ${url}/x`]);
    expect(sockets).toEqual([]);
  });

  it('is given up', async () => {
    expect(await open('http://127.0.0.1:9').line.connect(AbortSignal.abort())).toMatchObject({
      reason: 'cancelled',
    });
  });
});
