import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** Hosts that accept connections and are no node, such as a proxy whose target has stopped. */
export const doors: Readonly<Record<string, (socket: Socket) => void>> = {
  'accepts and closes': (socket) => socket.destroy(),
  'resets after the request': (socket) => void socket.once('data', () => socket.resetAndDestroy()),
  'sends a banner': (socket) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
};

/** Counts what a host behind this door gets, as it sees it. */
export async function countAt(
  port: number,
  open: (socket: Socket) => void,
  forMs: number,
): Promise<{ connections: number; requests: number }> {
  const counts = { connections: 0, requests: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    counts.connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // A peer that is gone is nothing to count.
    socket.on('error', () => socket.destroy());
    socket.on(
      'data',
      (data) => (counts.requests += data.toString('latin1').split(/ HTTP\/1\.1\r\n/).length - 1),
    );
    open(socket);
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  await wait(forMs);
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
  return counts;
}
