import {
  Agent as PlainAgent,
  request as requestPlain,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as TlsAgent, request as requestTls } from 'node:https';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { OpenNodeLine } from '../../core/ports.ts';
import { createHttpClient, type Fetch } from './http-client.ts';

/** A system that went away without a word is found out by the system of this computer some time after this. */
const keepAliveProbeMs = 30_000;

/** The `OpenNodeLine` port on the HTTP client of Node, whose connections can be watched. */
export const openNodeLine: OpenNodeLine = (url, onLost) => {
  const isTls = url.startsWith('https:');
  const options = { keepAlive: true, maxFreeSockets: 1 };
  const agent = isTls ? new TlsAgent(options) : new PlainAgent(options);
  // What the other side says of its patience is not heeded: that it ends the connection is what we want to see.
  Object.assign(agent, {
    keepSocketAlive: (socket: Socket) => {
      socket.setKeepAlive(true, keepAliveProbeMs);
      return true;
    },
  });
  const idleSinceMs = new Map<Socket, number>();
  const watched = new WeakSet<Socket>();
  const underWay = new Set<ClientRequest>();
  let isClosed = false;

  agent.on('free', (socket: Socket) => {
    if (socket.destroyed) return;
    idleSinceMs.set(socket, performance.now());
    if (watched.has(socket)) return;
    watched.add(socket);
    socket.once('close', () => {
      const sinceMs = idleSinceMs.get(socket);
      idleSinceMs.delete(socket);
      if (sinceMs !== undefined && !isClosed) onLost(performance.now() - sinceMs);
    });
  });

  const fetchOver: Fetch = async (target, { method, headers, body, signal }) => {
    for (let isRepeated = false; ; isRepeated = true) {
      const request = (isTls ? requestTls : requestPlain)(target, { method, headers, agent, signal });
      underWay.add(request);
      request.once('socket', (socket: Socket) => idleSinceMs.delete(socket));
      request.once('close', () => underWay.delete(request));
      try {
        return toResponse(await answerTo(request, body));
      } catch (cause) {
        // The other side ended the idle connection while the request was on its way, and has not read it.
        if (!request.reusedSocket || isRepeated || signal.aborted) throw cause;
      }
    }
  };

  return {
    ...createHttpClient(fetchOver),
    connect: (signal) => tryToConnect(new URL(url), signal),
    isConnected: () => [...underWay].some(({ socket }) => socket !== null && !socket.connecting),
    isKept: () => idleSinceMs.size > 0,
    close: () => {
      isClosed = true;
      agent.destroy();
    },
  };
};

function answerTo(request: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    // Stays, because a request that has failed may report another error.
    request.on('error', reject);
    request.end(body);
  });
}

/** Statuses whose answers have no body. */
const emptyStatuses: ReadonlySet<number> = new Set([204, 205, 304]);

function toResponse(answer: IncomingMessage): Response {
  const status = answer.statusCode ?? 0;
  const headers = Object.entries(answer.headersDistinct).flatMap(([name, values]) =>
    (values ?? []).map((value): [string, string] => [name, value]),
  );
  if (!emptyStatuses.has(status)) {
    // Node's types of its web streams and of `fetch` do not know each other.
    const body = Readable.toWeb(answer) as ConstructorParameters<typeof Response>[0];
    return new Response(body, { status, headers });
  }
  answer.resume();
  return new Response(null, { status, headers });
}

function tryToConnect({ hostname, port, protocol }: URL, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({
      // A socket wants an IPv6 address without the brackets that a URL needs.
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
      signal,
    });
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => end(true));
    // Stays, because a socket that is destroyed may still report an error, which would end the process.
    socket.on('error', () => end(false));
  });
}
