import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

interface Received {
  url: string;
  headers: Record<string, unknown>;
  body: string;
}

/** A real server; `answer` says status, headers and body of each answer. */
export async function serve(
  answer: (count: number) => readonly [number, Record<string, string>, (string | Buffer)?] = () => [200, {}],
) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ url: request.url ?? '', headers: request.headers, body });
      const [status, headers, answered] = answer(received.length);
      response.writeHead(status, headers).end(answered);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // It listens on a port.
  return { received, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
