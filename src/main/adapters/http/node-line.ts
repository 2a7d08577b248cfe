import type { Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { OpenNodeLine } from '../../core/ports.ts';
import { httpOver } from './http-client.ts';
import { Transport, type Network } from './transport.ts';

/** When TCP probes begin; they detect that the other computer disappeared without closing the connection. */
const keepAliveProbeMs = 30_000;

function ownAddresses(): ReadonlySet<string> {
  const all = Object.values(networkInterfaces()).flatMap((ofOne = []) => ofOne);
  return new Set(all.map(({ address }) => address));
}

/** The `OpenNodeLine` port, whose connections can be observed. */
export function createNodeLines(network: Network, addresses = ownAddresses): OpenNodeLine {
  return (url, onLost) => {
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

    const client = httpOver(network.gate, transport, {});

    /** On one from an address that this computer has no more, as in another network, nothing comes back. */
    function dropDead(): void {
      if (idleSinceMs.size === 0) return;
      const own = addresses();
      for (const socket of idleSinceMs.keys()) {
        const { localAddress } = socket;
        // Of one within another, as by a proxy with TLS, it may not be known.
        if (localAddress === undefined || own.has(localAddress)) continue;
        idleSinceMs.delete(socket);
        socket.destroy();
      }
    }

    return {
      send: (request) => {
        dropDead();
        return client.send(request);
      },
      connect: (signal, isProven) => transport.connect(new URL(url), signal, isProven),
      isConnected: () => [...transport.underWay].some(({ isReached }) => isReached),
      isKept: () => idleSinceMs.size > 0,
      close: () => {
        isClosed = true;
        transport.close();
      },
    };
  };
}
