import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { knock } from './knock.ts';

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** A server that does with each connection, once something came in, what `answer` does. */
async function listen(answer: (socket: Socket) => void, host = '127.0.0.1') {
  let received = '';
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.setEncoding('latin1');
    socket.on('data', (piece: string) => {
      received += piece;
      answer(socket);
    });
    socket.on('error', () => undefined);
  });
  servers.push(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  // A server that listens on a port has an address object.
  return { port: (server.address() as AddressInfo).port, received: () => received };
}

const says = (text: string) => (socket: Socket) => void socket.write(text);
const isWell = says('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');

function ask(url: string, options: Partial<Parameters<typeof knock>[0]> = {}): Promise<boolean> {
  return knock({ url, headers: {}, timeoutMs: 5_000, signal: new AbortController().signal, ...options });
}

describe('a knock', () => {
  it('is one small GET with the headers of the node', async () => {
    const { port, received } = await listen(isWell);
    const url = `http://127.0.0.1:${port}/a%20b/ext/health/liveness`;
    expect(await ask(url, { headers: { 'x-key': 'one two' } })).toBe(true);
    expect(received()).toBe(
      `GET /a%20b/ext/health/liveness HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: close\r\nx-key: one two\r\n\r\n`,
    );
  });

  it('reaches an IPv6 address', async () => {
    const { port, received } = await listen(isWell, '::1');
    expect(await ask(`http://[::1]:${port}/`)).toBe(true);
    expect(received()).toContain(`host: [::1]:${port}\r\n`);
  });

  it.each([
    ['a node', 'HTTP/1.1 200 OK\r\n\r\n', true],
    ['a node that refuses the host', 'HTTP/1.1 403 Forbidden\r\n\r\n', true],
    ['a node without the interface', 'HTTP/1.0 404 Not Found\r\n\r\n', true],
    ['a server that fails', 'HTTP/1.1 500 Internal Server Error\r\n\r\n', true],
    ['something that speaks another language', 'SSH-2.0-OpenSSH_9.6\r\n', true],
    ['a proxy that gets through to nobody', 'HTTP/1.1 502 Bad Gateway\r\n\r\n', false],
    ['a proxy that has nobody to ask', 'HTTP/1.1 503 Service Unavailable\r\n\r\n', false],
    ['a proxy whose patience ended', 'HTTP/1.0 504 Gateway Timeout\r\n\r\n', false],
  ])('of %s', async (_who, text, isThere) => {
    const { port } = await listen(says(text));
    expect(await ask(`http://127.0.0.1:${port}/`)).toBe(isThere);
  });

  it('waits for an answer that comes letter by letter', async () => {
    const rest = Array.from('HTTP/1.1 200 OK');
    const { port } = await listen((socket) => {
      const next = (): void => {
        const letter = rest.shift();
        if (letter !== undefined) socket.write(letter, next);
      };
      next();
    });
    expect(await ask(`http://127.0.0.1:${port}/`)).toBe(true);
  });

  it('is in vain where a process hangs: its system accepts the connection, and nothing comes back', async () => {
    const { port, received } = await listen(() => undefined);
    expect(await ask(`http://127.0.0.1:${port}/`, { timeoutMs: 150 })).toBe(false);
    expect(received()).toContain('GET /');
  });

  it.each<[string, (socket: Socket) => void]>([
    ['is closed', (socket) => socket.end()],
    ['is broken off', (socket) => socket.resetAndDestroy()],
  ])('is in vain where the connection %s without a word', async (_how, answer) => {
    const { port } = await listen(answer);
    expect(await ask(`http://127.0.0.1:${port}/`)).toBe(false);
  });

  it('is in vain where nobody listens, and where the name is not known', async () => {
    const { port } = await listen(isWell);
    servers.pop()?.close();
    expect(await ask(`http://127.0.0.1:${port}/`)).toBe(false);
    expect(await ask('http://no-such-host.invalid/')).toBe(false);
  });

  it('speaks TLS where the address says so', async () => {
    const { port, received } = await listen((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await ask(`https://127.0.0.1:${port}/`)).toBe(false);
    // A handshake of TLS begins with this byte.
    expect(received().charCodeAt(0)).toBe(0x16);
  });

  it('ends when it is called off, also before it began', async () => {
    const { port } = await listen(() => undefined);
    const controller = new AbortController();
    const knocking = ask(`http://127.0.0.1:${port}/`, { signal: controller.signal });
    controller.abort();
    expect(await knocking).toBe(false);
    expect(await ask(`http://127.0.0.1:${port}/`, { signal: controller.signal })).toBe(false);
  });

  it('sends nothing when a header could begin another request', async () => {
    const { port, received } = await listen(isWell);
    expect(await ask(`http://127.0.0.1:${port}/`, { headers: { 'x-key': 'a\r\nhost: b' } })).toBe(false);
    expect(received()).toBe('');
  });
});
