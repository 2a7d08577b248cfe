import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { EndpointDefinition } from '../src/shared/endpoints/define.ts';
import { endpoints } from '../src/shared/endpoints/registry.ts';
import { messageOf } from '../src/shared/errors.ts';
import { errorBody, ServiceError, statusOf } from './errors.ts';
import { writeAnswer } from './json.ts';
import type { Limits } from './limits.ts';
import type { Handler } from './lists.ts';
import { checkParams } from './parameters.ts';
import { keyHash } from './request-log.ts';

export interface ApiServerSetup {
  /** The interface that this server offers; paths of the other one are 404. */
  readonly api: 'data' | 'metrics';
  /** By the numbers of the specification. */
  readonly handlers: Readonly<Record<number, Handler>>;
  readonly limits: Limits;
  readonly apiKey: string;
  /** The header that carries the key, lower case. */
  readonly keyHeader: string;
}

/**
 * The server of the chain data or of the metrics interface. Paths and parameter checks come from the endpoint definitions
 * that the app itself uses; only the answers are made here.
 */
export function createApiServer(
  setup: ApiServerSetup,
  addHooks: (app: FastifyInstance) => void,
): FastifyInstance {
  const app = fastify({ forceCloseConnections: true, routerOptions: { maxParamLength: 500 } });
  addHooks(app);
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send(errorBody(404, `Cannot ${request.method} ${request.url}`)),
  );
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof ServiceError) return reply.code(error.body.statusCode).send(error.body);
    const status = statusOf(error);
    if (status < 500) return reply.code(status).send(errorBody(status, messageOf(error)));
    process.stderr.write(
      `sample service: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    return reply.code(500).send(errorBody(500, 'Internal server error'));
  });

  const ownClient = keyHash(setup.apiKey);
  function admit(endpoint: EndpointDefinition, request: FastifyRequest, reply: FastifyReply): void {
    const sent = request.headers[setup.keyHeader];
    if (endpoint.api === 'data' && sent !== undefined && sent !== setup.apiKey) {
      throw new ServiceError(401, 'Api key is invalid');
    }
    const hasKey = sent === setup.apiKey;
    const verdict = setup.limits.charge(endpoint.api, hasKey ? ownClient : request.ip, hasKey);
    reply.headers(verdict.headers);
    if (!verdict.allowed) throw new ServiceError(429, 'Rate limit exceeded');
  }

  const all: readonly EndpointDefinition[] = Object.values(endpoints);
  for (const endpoint of all) {
    if (endpoint.api !== setup.api) continue;
    const handler = setup.handlers[endpoint.number];
    if (handler === undefined)
      throw new Error(`endpoint ${endpoint.number} has no handler in the routes of ${setup.api}`);
    app.get(routeOf(endpoint.path), async (request, reply) => {
      admit(endpoint, request, reply);
      const body = await handler(checkParams(endpoint, request.params, request.query), endpoint);
      const json = Buffer.isBuffer(body) ? body : writeAnswer(endpoint.api, body);
      return reply.type('application/json; charset=utf-8').send(json);
    });
  }
  return app;
}

/** A path template in the router's syntax, which needs literal colons doubled. */
function routeOf(path: string): string {
  return path.replaceAll(':', '::').replaceAll(/\{(\w+)\}/g, ':$1');
}
