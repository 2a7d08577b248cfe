import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from './clock.ts';
import { errorBody } from './errors.ts';
import {
  brokenBody,
  drippingBody,
  garbage,
  hugeBody,
  hugeCompressedBody,
  replaceAt,
  wrongTypes,
  type Fault,
  type FaultAction,
  type FaultTable,
} from './faults.ts';
import { keyHeadersOf, type RequestLog, type RequestRecord } from './request-log.ts';

const mebibyte = 1_048_576;

export interface HookSetup {
  /** The name under which a request is logged and faults are looked up. */
  readonly server: string;
  readonly log: RequestLog;
  readonly faults: FaultTable;
  readonly clock: Clock;
  /** The target of redirects without a location: another origin, whose requests are logged as well. */
  readonly elsewhereUrl: () => string;
}

/** Logs every request of a server and applies the faults that were set for it. Comes before the server's own hooks. */
export function addLogAndFaults(app: FastifyInstance, setup: HookSetup): void {
  const open = new WeakMap<
    FastifyRequest,
    { record: RequestRecord; startedAtMs: number; fault: Fault | null }
  >();

  app.addHook('onRequest', async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    const { server } = setup;
    const record = setup.log.begin({
      server,
      method: request.method,
      url: request.url,
      host: request.headers.host ?? '',
      keyHeaders: keyHeadersOf(request.headers),
      receivedAtMs: setup.clock.nowMs(),
    });
    const fault = setup.faults.take(server, path);
    record.fault = fault?.action.kind ?? null;
    open.set(request, { record, startedAtMs: performance.now(), fault });
    if (fault === null) return undefined;
    if (fault.delayMs > 0 && !(await waitUnlessClosed(request, fault.delayMs))) return reply.hijack();
    return answerInstead(fault.action, request, reply, setup);
  });

  app.addHook('onSend', async (request, reply, payload) => {
    const fault = open.get(request)?.fault ?? null;
    if (fault === null || !(typeof payload === 'string' || Buffer.isBuffer(payload))) return payload;
    const body = payload.toString();
    const changed = spoil(fault.action, body, reply);
    if (changed === body) return payload;
    reply.removeHeader('content-length');
    return changed;
  });

  app.addHook('onResponse', async (request, reply) => {
    const entry = open.get(request);
    if (entry === undefined) return;
    entry.record.status = reply.statusCode;
    entry.record.durationMs = performance.now() - entry.startedAtMs;
  });
}

/** Waits; false when the client disconnected meanwhile. */
function waitUnlessClosed({ raw: { socket } }: FastifyRequest, delayMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const onClose = () => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      socket.off('close', onClose);
      resolve(true);
    }, delayMs);
    socket.once('close', onClose);
  });
}

/** Faults that replace the answer; undefined passes the request on to its route. */
function answerInstead(
  action: FaultAction,
  request: FastifyRequest,
  reply: FastifyReply,
  setup: HookSetup,
): FastifyReply | undefined {
  switch (action.kind) {
    case 'status': {
      reply.code(action.status);
      const body = action.body ?? errorBody(action.status, `Fault: ${action.status}`);
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return reply
        .type(typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8')
        .headers(action.headers ?? {})
        .send(text);
    }
    case 'storm': {
      const seconds = String(action.retryAfterSeconds ?? 30);
      return reply
        .code(429)
        .headers({ 'retry-after': seconds, 'ratelimit-reset': seconds, 'ratelimit-remaining': '0' })
        .send(errorBody(429, 'Too many requests'));
    }
    case 'redirect':
      return reply.redirect(action.location ?? setup.elsewhereUrl() + request.url, action.status ?? 302);
    case 'hang':
      // The socket stays open and silent until the client or the service closes it.
      return reply.hijack();
    case 'drop':
      request.raw.socket.resetAndDestroy();
      return reply.hijack();
    case 'garbage': {
      const { variant = 'html' } = action;
      const type = variant === 'html' ? 'text/html' : 'application/json';
      return reply.type(`${type}; charset=utf-8`).send(garbage[variant]);
    }
    default:
      return undefined;
  }
}

/** Faults that change the route's own answer. */
function spoil(action: FaultAction, body: string, reply: FastifyReply) {
  switch (action.kind) {
    case 'cut':
      return action.connection === true
        ? Readable.from(brokenBody(body))
        : body.slice(0, Math.ceil(body.length / 2));
    case 'wrong-types':
      return JSON.stringify(wrongTypes(JSON.parse(body)));
    case 'replace':
      return JSON.stringify(replaceAt(JSON.parse(body), action.path.split('.'), action.value));
    case 'huge': {
      const bytes = action.bytes ?? 64 * mebibyte;
      if (action.gzip !== true) return Readable.from(hugeBody(body, bytes));
      reply.header('content-encoding', 'gzip');
      return hugeCompressedBody(body, bytes);
    }
    case 'drip':
      return Readable.from(drippingBody(body, action.chunkBytes ?? 1, action.intervalMs ?? 1000));
    default:
      return body;
  }
}
