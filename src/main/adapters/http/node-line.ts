import type { Socket } from 'node:net';
import type { OpenNodeLine } from '../../core/ports.ts';
import { httpOver } from './http-client.ts';
import { Transport, type Network } from './transport.ts';

/** When TCP probes begin; they detect that the other computer disappeared without closing the connection. */
const keepAliveProbeMs = 30_000;

/** The `OpenNodeLine` port, whose connections can be observed. */
export function createNodeLines(network: Network): OpenNodeLine {
  return (url, onLost) => openNodeLine(network, url, onLost);
}

function openNodeLine(
  network: Network,
  ...[url, onLost]: Parameters<OpenNodeLine>
): ReturnType<OpenNodeLine> {
  const idleSinceMs = new Map<Socket, number>();
  const watched = new WeakSet<Socket>();
  let isClosed = false;

  const transport = new Transport(
    network,
    { keepAlive: true, maxFreeSockets: 1 },
    {
      isOfOneHost: true,
      prepare: (agent) => {
        Object.assign(agent, {
          // Ignores the server's keep-alive timeout: the end of the connection is what is to be observed.
          keepSocketAlive: (socket: Socket) => {
            socket.setKeepAlive(true, keepAliveProbeMs);
            return true;
          },
        });
        agent.on('free', watch);
        // What was kept of another route ends by us.
        idleSinceMs.clear();
      },
      onSocket: (socket) => idleSinceMs.delete(socket),
    },
  );

  function watch(socket: Socket): void {
    if (socket.destroyed) return;
    idleSinceMs.set(socket, performance.now());
    if (watched.has(socket)) return;
    watched.add(socket);
    socket.once('close', () => {
      const sinceMs = idleSinceMs.get(socket);
      idleSinceMs.delete(socket);
      if (sinceMs !== undefined && !isClosed) onLost(performance.now() - sinceMs);
    });
  }

  return {
    ...httpOver(network.gate, transport, {}),
    connect: (signal) => transport.connect(new URL(url), signal),
    isConnected: () => [...transport.underWay].some(({ isReached }) => isReached),
    isKept: () => idleSinceMs.size > 0,
    close: () => {
      isClosed = true;
      transport.close();
    },
  };
}
