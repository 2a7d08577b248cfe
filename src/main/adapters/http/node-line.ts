import {
  Agent as PlainAgent,
  request as requestPlain,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as TlsAgent, request as requestTls } from 'node:https';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { OpenNodeLine, OutboundGate } from '../../core/ports.ts';
import { NotAllowed } from './failures.ts';
import { createHttpClient, type Fetch } from './http-client.ts';

/** When TCP probes begin; they detect that the other computer disappeared without closing the connection. */
const keepAliveProbeMs = 30_000;

/** The `OpenNodeLine` port, based on Node's HTTP client, whose connections can be observed. */
export function createNodeLines(gate: OutboundGate): OpenNodeLine {
  return (url, onLost) => openNodeLine(gate, url, onLost);
}

function openNodeLine(
  gate: OutboundGate,
  ...[url, onLost]: Parameters<OpenNodeLine>
): ReturnType<OpenNodeLine> {
  const isTls = url.startsWith('https:');
  const options = { keepAlive: true, maxFreeSockets: 1 };
  const agent = isTls ? new TlsAgent(options) : new PlainAgent(options);
  // Ignores the server's keep-alive timeout: the end of the connection is what is to be observed.
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

  const fetchOver: Fetch = async (target, { method, headers, body, signal, mayGoOn }) => {
    for (let isRepeated = false; ; isRepeated = true) {
      const request = (isTls ? requestTls : requestPlain)(target, { method, headers, agent, signal });
      underWay.add(request);
      request.once('socket', (socket: Socket) => idleSinceMs.delete(socket));
      request.once('close', () => underWay.delete(request));
      try {
        return toResponse(await answerTo(request, body));
      } catch (cause) {
        // The server closed the idle connection before it read the request, so the request can be repeated.
        if (!request.reusedSocket || isRepeated || signal.aborted) throw cause;
        if (mayGoOn?.() === false) throw new NotAllowed();
      }
    }
  };

  return {
    ...createHttpClient(gate, fetchOver),
    connect: async (signal) =>
      gate.refusal(new URL(url), 'connection') === null && (await tryToConnect(new URL(url), signal)),
    isConnected: () => [...underWay].some(({ socket }) => socket !== null && !socket.connecting),
    isKept: () => idleSinceMs.size > 0,
    close: () => {
      isClosed = true;
      agent.destroy();
    },
  };
}

function answerTo(request: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    // Stays attached, because a failed request may emit another error.
    request.on('error', reject);
    request.end(body);
  });
}

/** Statuses of responses without a body. */
const emptyStatuses: ReadonlySet<number> = new Set([204, 205, 304]);

function toResponse(answer: IncomingMessage): Response {
  const status = answer.statusCode ?? 0;
  const headers = Object.entries(answer.headersDistinct).flatMap(([name, values]) =>
    (values ?? []).map((value): [string, string] => [name, value]),
  );
  if (!emptyStatuses.has(status)) {
    // Node's types of its web streams and of `fetch` are incompatible.
    const body = Readable.toWeb(answer) as ConstructorParameters<typeof Response>[0];
    return new Response(body, { status, headers });
  }
  answer.resume();
  return new Response(null, { status, headers });
}

function tryToConnect({ hostname, port, protocol }: URL, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({
      // Sockets need IPv6 addresses without the brackets of URLs.
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
      signal,
    });
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => end(true));
    // Stays attached, because a destroyed socket may still emit an error, which would end the process.
    socket.on('error', () => end(false));
  });
}
