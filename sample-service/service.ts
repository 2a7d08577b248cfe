import fastify, { type FastifyInstance } from 'fastify';
import { createApiServer } from './api-server.ts';
import { createServiceClock } from './clock.ts';
import { createControl, createControlServer, type Control } from './control.ts';
import { createDataHandlers } from './data-routes.ts';
import { createExamples } from './examples.ts';
import { createFaultTable } from './faults.ts';
import { addLogAndFaults } from './hooks.ts';
import { createLimits } from './limits.ts';
import { createLists } from './lists.ts';
import { createMetricsHandlers } from './metrics-routes.ts';
import { createSampleNode } from './node/node.ts';
import type { ToldPast } from './node/past.ts';
import type { ReadyLine, SampleServiceOptions } from './options.ts';
import { createPageTokens } from './paging.ts';
import { createRequestLog } from './request-log.ts';
import { randomHex } from './world/random.ts';
import { createWorld } from './world/world.ts';

const host = '127.0.0.1';
const hourSeconds = 3600;
const daySeconds = 86_400;
/** Requests that `GET /requests` can show. */
const keptRequests = 20_000;

export interface SampleService {
  readonly ready: ReadyLine;
  readonly control: Control;
  /** The past of its nodes up to now. */
  pasts(): ToldPast[];
  /** Stops all servers; open connections, hung ones too, are closed. */
  close(): Promise<void>;
}

/** Starts the stand-in for the data service, the metrics service and nodes, all on 127.0.0.1. */
export async function startSampleService(options: SampleServiceOptions = {}): Promise<SampleService> {
  const { port = 0, seed = 1, scale = 1, names = 'specification' } = options;
  const clock = createServiceClock(options.clock ?? { nowMs: () => Date.now() });
  const nowSeconds = () => clock.nowMs() / 1000;
  const startSeconds = options.nowSeconds ?? Math.floor(nowSeconds() / hourSeconds) * hourSeconds;

  const world = createWorld({
    seed,
    scale,
    names,
    startSeconds,
    nowSeconds: () => startSeconds + Math.floor(clock.offsetMs() / 1000),
  });
  const log = createRequestLog(keptRequests);
  const faults = createFaultTable();
  const limits = createLimits(options.limits ?? true, nowSeconds);
  const tokens = createPageTokens(seed, options.tokenTtlSeconds ?? daySeconds, nowSeconds);
  const lists = createLists(world, tokens);
  const apiKey = `sample-${randomHex(4, seed, 0xa21)}`;
  const keyHeader = names === 'upstream' ? 'x-glacier-api-key' : 'x-service-api-key';

  /** Of the servers, in the order in which they are started. */
  const urls: string[] = [];
  const elsewhereUrl = () => urls.at(-1) ?? '';
  const hooksFor = (server: string) => (app: FastifyInstance) =>
    addLogAndFaults(app, { server, log, faults, clock, elsewhereUrl });
  const access = { limits, apiKey, keyHeader };
  const data = createApiServer(
    { api: 'data', handlers: createDataHandlers(world, lists), ...access },
    hooksFor('data'),
  );
  const metrics = createApiServer(
    { api: 'metrics', handlers: createMetricsHandlers(world, lists), ...access },
    hooksFor('metrics'),
  );
  const { nodePeriodMs: periodMs = 30_000, nodes: named = [{ name: 'harbor-1', scenario: 'healthy' }] } =
    options;
  const nodes = named.map(({ name, scenario }, index) =>
    createSampleNode(world, { name, index, scenario, periodMs, clock }, hooksFor(`node:${name}`)),
  );
  const elsewhere = createElsewhere(hooksFor('elsewhere'));
  const control = createControl({ world, faults, log, limits, clock, nodes, keyHeader, elsewhereUrl });
  const nodeServers = nodes.map((node) => node.server);
  const servers =
    options.controlServer === false
      ? [data, metrics, ...nodeServers]
      : [data, metrics, createControlServer(control), ...nodeServers, elsewhere];
  const close = async () => {
    await Promise.all(servers.map((server) => server.close()));
  };
  try {
    for (const [i, server] of servers.entries()) {
      urls.push(await server.listen({ host, port: port === 0 ? 0 : port + i }));
    }
  } catch (error) {
    await close();
    throw error;
  }
  const [dataUrl = '', metricsUrl = '', ...others] = urls;
  const controlUrl = options.controlServer === false ? '' : (others.shift() ?? '');

  return {
    ready: {
      dataUrl,
      metricsUrl,
      controlUrl,
      apiKey,
      nodes: nodes.map(({ name }, i) => ({ name, url: others[i] ?? '' })),
      examples: createExamples(world),
    },
    control,
    pasts: () => nodes.flatMap((node) => node.past() ?? []),
    close,
  };
}

/** Another origin, the target of redirects. It answers everything, and its requests are logged. */
function createElsewhere(addHooks: (app: FastifyInstance) => void): FastifyInstance {
  const app = fastify({ forceCloseConnections: true });
  addHooks(app);
  app.setNotFoundHandler((_request, reply) => reply.code(200).send({ elsewhere: true, transactions: [] }));
  return app;
}
