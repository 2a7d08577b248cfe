import { isIP } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { isObject } from '../../src/shared/json.ts';
import type { HealthReply, NodeHealth } from './health.ts';

/** How the node's HTTP server behaves, apart from its checks. */
export interface NodeHttpState {
  /** The process is not there: connections are reset. */
  down: boolean;
  /** Refuses every `Host` header, as a node refuses unknown names. */
  rejectHosts: boolean;
  /** False: the health interface is switched off, its paths are 404. */
  healthInterface: boolean;
  nodeId: string;
}

/** A node's HTTP server: the health interface of the specification, part A, behaving as in service-and-node.md §5. */
export function createNodeServer(
  health: NodeHealth,
  stateOf: () => NodeHttpState,
  addHooks: (app: FastifyInstance) => void,
): FastifyInstance {
  const app = fastify({ forceCloseConnections: true });
  addHooks(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));

  app.addHook('onRequest', async (request, reply) => {
    const state = stateOf();
    if (state.down) {
      request.raw.socket.resetAndDestroy();
      return reply.hijack();
    }
    reply.header('node-id', state.nodeId);
    if (state.rejectHosts || !isAllowedHost(request.headers.host ?? '')) {
      return plain(reply, 403, 'invalid host specified\n');
    }
    return state.healthInterface ? undefined : plain(reply, 404, notFound);
  });
  app.setNotFoundHandler((_request, reply) => plain(reply, 404, notFound));

  const tagsOf = (request: FastifyRequest) => {
    // Fastify types the query as unknown; a repeated parameter is an array.
    const tag: unknown = (request.query as Record<string, unknown>)['tag'];
    return [tag].flat().filter((value) => typeof value === 'string');
  };
  const send = (reply: FastifyReply, result: HealthReply) =>
    reply
      .code(result.healthy ? 200 : 503)
      .type('application/json')
      .send(JSON.stringify(result));

  /** The answer of each call, by its name in a path and, after `health.`, in JSON-RPC. */
  const reports = new Map<string, Report>([
    ['health', (tags) => health.health(tags)],
    ['readiness', (tags) => health.readiness(tags)],
    ['liveness', () => health.liveness()],
  ]);
  app.get('/ext/health', { exposeHeadRoute: false }, (request, reply) =>
    send(reply, health.health(tagsOf(request))),
  );
  const others = { method: ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], url: '/ext/health' };
  app.route({ ...others, handler: (request, reply) => answerRpc(request, reply, reports) });
  // The other three accept any method, as in the node's source.
  for (const [name, report] of reports) {
    app.all(`/ext/health/${name}`, (request, reply) => send(reply, report(tagsOf(request))));
  }
  return app;
}

type Report = (tags: readonly string[]) => HealthReply;

const notFound = '404 page not found\n';

const plain = (reply: FastifyReply, status: number, text: string) =>
  reply.code(status).type('text/plain; charset=utf-8').send(text);

/** A node answers to IP addresses and to `localhost` only (service-and-node.md §5). */
function isAllowedHost(header: string): boolean {
  const host = header.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  return host === '' || host === 'localhost' || isIP(host) !== 0;
}

const rpcErrors = { server: -32000, invalidRequest: -32600, parse: -32700 } as const;

function answerRpc(request: FastifyRequest, reply: FastifyReply, reports: ReadonlyMap<string, Report>) {
  if (request.method !== 'POST') {
    return plain(reply, 405, `rpc: POST method required, received ${request.method}`);
  }
  const contentType = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;|$)/i.test(contentType)) {
    return plain(reply, 415, `rpc: unrecognized Content-Type: ${contentType}`);
  }
  const answer = (body: object, id: unknown) =>
    reply
      .code(200)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ jsonrpc: '2.0', ...body, id }));
  const refuse = (code: number, message: string, id: unknown) =>
    answer({ error: { code, message, data: null } }, id);

  const call = parseObject(request.body);
  if (call === null) return refuse(rpcErrors.parse, 'invalid character looking for beginning of value', null);
  const id = call['id'] ?? null;
  if (call['jsonrpc'] !== '2.0') return refuse(rpcErrors.invalidRequest, 'jsonrpc must be 2.0', id);
  const tags = tagsOfParams(call['params']);
  if (tags === null) return refuse(rpcErrors.invalidRequest, 'invalid params', id);
  const method = String(call['method']);
  const report = method.startsWith('health.') ? reports.get(method.slice('health.'.length)) : undefined;
  if (report === undefined) return refuse(rpcErrors.server, `rpc: can't find method "${method}"`, id);
  return answer({ result: report(tags) }, id);
}

function parseObject(text: unknown): Readonly<Record<string, unknown>> | null {
  if (typeof text !== 'string') return null;
  try {
    const value: unknown = JSON.parse(text);
    // An object after the test, so its fields may be read as unknown.
    return isObject(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The tags of `params`, which may be absent, an object, or an array of one; null when they are of no such form. */
function tagsOfParams(params: unknown): readonly string[] | null {
  const single: unknown = Array.isArray(params) && params.length <= 1 ? params[0] : params;
  if (single === undefined || single === null) return [];
  if (!isObject(single)) return null;
  const tags = single['tags'] ?? [];
  if (!Array.isArray(tags)) return null;
  return tags.every((tag) => typeof tag === 'string') ? tags : null;
}
