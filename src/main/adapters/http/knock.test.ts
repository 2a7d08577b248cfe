import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { knock } from './knock.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen(host: string): Promise<{ port: number; received: () => number }> {
  let bytes = 0;
  const server = createServer((socket) => {
    socket.on('data', (data) => (bytes += data.length));
    socket.on('error', () => undefined);
  });
  servers.push(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  // A server that listens on a port has an address object.
  return { port: (server.address() as AddressInfo).port, received: () => bytes };
}

const never = new AbortController().signal;

describe('a knock', () => {
  it('is answered by whoever listens, and sends nothing', async () => {
    const { port, received } = await listen('127.0.0.1');
    expect(await knock(`http://127.0.0.1:${port}/path`, 5_000, never)).toBeNull();
    expect(await knock(`http://localhost:${port}`, 5_000, never)).toBeNull();
    expect(received()).toBe(0);
  });

  it('reaches an IPv6 address', async () => {
    const { port } = await listen('::1');
    expect(await knock(`http://[::1]:${port}`, 5_000, never)).toBeNull();
  });

  it('is refused where nobody listens', async () => {
    const { port } = await listen('127.0.0.1');
    servers.pop()?.close();
    expect(await knock(`http://127.0.0.1:${port}`, 5_000, never)).toBe('refused');
  });

  it('ends when it is called off, also before it began', async () => {
    const { port } = await listen('127.0.0.1');
    const controller = new AbortController();
    const knocking = knock(`http://127.0.0.1:${port}`, 5_000, controller.signal);
    controller.abort();
    expect(await knocking).toBe('cancelled');
    expect(await knock(`http://127.0.0.1:${port}`, 5_000, controller.signal)).toBe('cancelled');
  });

  it('tells that a name is not known', async () => {
    expect(await knock('http://no-such-host.invalid', 5_000, never)).toBe('dns');
  });

  it('ends in time where nothing comes back', async () => {
    // Reserved for documentation, so no packet comes back; some networks say so at once.
    expect(['timeout', 'network', 'refused']).toContain(await knock('http://192.0.2.1:9', 50, never));
  });
});
