import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpClient } from '../../../adapters/http/http-client.ts';
import { openNetwork } from '../../../adapters/http/testing/open-network.ts';
import { systemClock, systemRandom } from '../../../adapters/electron/system.ts';
import { createMemoryStores } from '../../../adapters/storage/testing/memory-stores.ts';
import type { NodeStatus } from '../../../../shared/health/types.ts';
import { askNode, type NodeAnswer } from './ask-node.ts';
import type { HttpOutcome } from '../../ports.ts';
import { jsonAnswer } from '../testing/fake-ports.ts';
import { createFakeNode, createServiceWorld } from '../testing/service-world.ts';

/**
 * All bad input that a node, or what stands in its place, can send: each row ends in a clear state, and a good node beside it
 * is polled as if nothing were.
 */

const good = 'http://127.0.0.1:9650';
const bad = 'http://127.0.0.1:9651';
const nowMs = 1_700_000_000_000;
const now = new Date(nowMs).toISOString();

const one = (fields: unknown, healthy = true): string => JSON.stringify({ healthy, checks: { C: fields } });
const failedTo = (reason: Extract<HttpOutcome, { kind: 'failure' }>['reason']): HttpOutcome => ({
  kind: 'failure',
  reason,
  detail: '',
});

type Row = [what: string, answer: HttpOutcome, state: NodeStatus['state'], reason: RegExp, note?: RegExp];

const rows: Row[] = [
  [
    'a report of 5,000 checks',
    jsonAnswer(200, {
      healthy: true,
      checks: Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`c${i}`, { timestamp: now }])),
    }),
    'healthy',
    /All 5000 checks pass/,
  ],
  [
    'a report of 20,000 checks',
    jsonAnswer(200, {
      healthy: true,
      checks: Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`c${i}`, {}])),
    }),
    'healthy',
    /All 5000 checks pass/,
    /the app reads only the first 5000/,
  ],
  [
    'names with control characters',
    jsonAnswer(503, { healthy: false, checks: { 'a\u0000\u001b[31m\u202e\nb': { error: 'x' } } }),
    'unhealthy',
    /^1 of 1 check fails: a\uFFFD\uFFFD\[31m\uFFFD b\.$/,
  ],
  [
    'names with markup',
    jsonAnswer(503, { healthy: false, checks: { '<img src=x onerror=alert(1)>': { error: '<b>x' } } }),
    'unhealthy',
    /<img src=x onerror=alert\(1\)>/,
  ],
  [
    'names with half a character and names that every object has',
    jsonAnswer(
      503,
      `{"healthy":false,"checks":{"\\ud800":{"error":"x"},"__proto__":{"error":"y"},"constructor":{}}}`,
    ),
    'unhealthy',
    /2 of 3 checks fail/,
  ],
  [
    'a name of a megabyte',
    jsonAnswer(503, { healthy: false, checks: { ['n'.repeat(1_048_576)]: { error: 'x' } } }),
    'unhealthy',
    /1 of 1 check fails: n+…/,
  ],
  [
    'a message a megabyte deep',
    jsonAnswer(
      200,
      `{"healthy":true,"checks":{"C":{"message":${'['.repeat(524_288)}${']'.repeat(524_288)}}}}`,
    ),
    'healthy',
    /passes/,
    /deeply nested/,
  ],
  [
    'a message of a megabyte',
    jsonAnswer(200, one({ message: 'm'.repeat(1_048_576), timestamp: now })),
    'healthy',
    /passes/,
    /too large/,
  ],
  [
    'an error of a megabyte',
    jsonAnswer(503, one({ error: 'e'.repeat(1_048_576) }, false)),
    'unhealthy',
    /C/,
    /very long/,
  ],
  [
    'a missing timestamp',
    jsonAnswer(200, one({ duration: 1 })),
    'healthy',
    /passes/,
    /time of the last run is missing/,
  ],
  ['a time in the future', jsonAnswer(200, one({ timestamp: '9999-12-31T23:59:59Z' })), 'healthy', /passes/],
  [
    'a time beyond all calendars',
    jsonAnswer(200, one({ timestamp: '99999-01-01T00:00:00Z' })),
    'healthy',
    /passes/,
    /unreadable time/,
  ],
  [
    'the year 1',
    jsonAnswer(200, one({ timestamp: '0001-01-01T00:00:00Z' })),
    'healthy',
    /1 of 1 check has not run yet/,
    /hadn’t passed yet/,
  ],
  [
    'a time before 1970',
    jsonAnswer(200, one({ timestamp: '1969-01-01T00:00:00Z' })),
    'healthy',
    /passes/,
    /unreadable time/,
  ],
  [
    'a time that is a number',
    jsonAnswer(200, one({ timestamp: 1_700_000_000 })),
    'healthy',
    /passes/,
    /unreadable time/,
  ],
  [
    'a negative duration',
    jsonAnswer(200, one({ timestamp: now, duration: -5 })),
    'healthy',
    /passes/,
    /impossible duration/,
  ],
  [
    'a duration beyond all numbers',
    jsonAnswer(200, `{"healthy":true,"checks":{"C":{"duration":1e400}}}`),
    'healthy',
    /passes/,
    /impossible duration/,
  ],
  [
    'a negative count of failures',
    jsonAnswer(503, one({ error: 'x', contiguousFailures: -1 }, false)),
    'unhealthy',
    /C/,
    /impossible failure count/,
  ],
  [
    'half a failure',
    jsonAnswer(503, one({ error: 'x', contiguousFailures: 1.5 }, false)),
    'unhealthy',
    /C/,
    /failure count/,
  ],
  [
    'failures without an error',
    jsonAnswer(200, one({ contiguousFailures: 3 })),
    'unhealthy',
    /C/,
    /a failure count but no error/,
  ],
  [
    'a first failure after the run',
    jsonAnswer(503, one({ error: 'x', timestamp: now, timeOfFirstFailure: '2100-01-01T00:00:00Z' }, false)),
    'unhealthy',
    /C/,
  ],
  [
    '`healthy` although a check fails',
    jsonAnswer(200, one({ error: 'x' })),
    'unhealthy',
    /C/,
    /it’s healthy, although/,
  ],
  [
    'not `healthy` although all pass',
    jsonAnswer(503, one({ timestamp: now }, false)),
    'unhealthy',
    /although its only check passes/,
    /although every check passes/,
  ],
  [
    'a status that contradicts the report',
    jsonAnswer(503, one({ timestamp: now })),
    'healthy',
    /passes/,
    /status is 503/,
  ],
  [
    'a check that is a text',
    jsonAnswer(200, one('fine')),
    'unknown',
    /couldn’t read any check/,
    /not a check result/,
  ],
  [
    '`checks` that is a list',
    jsonAnswer(200, '{"healthy":true,"checks":[]}'),
    'unknown',
    /couldn’t read any check/,
    /not an object/,
  ],
  [
    '`healthy` that is a text',
    jsonAnswer(200, '{"healthy":"yes","checks":{}}'),
    'unknown',
    /isn’t a health report|broken/,
  ],
  [
    '`checks` twice',
    jsonAnswer(200, '{"healthy":true,"checks":{"a":{"error":"x"}},"checks":{}}'),
    'healthy',
    /no checks/,
  ],
  ['HTML', jsonAnswer(200, '<!doctype html><title>Welcome</title>'), 'unknown', /web page/],
  ['HTML under 503', jsonAnswer(503, '<html>Service Unavailable'), 'unreachable', /gateway/],
  ['an empty body', jsonAnswer(200, ''), 'unknown', /empty/],
  ['an empty body under 503', jsonAnswer(503, ''), 'unreachable', /gateway/],
  ['blanks', jsonAnswer(200, ' \n'), 'unknown', /empty/],
  ['cut JSON', jsonAnswer(200, one({ timestamp: now }).slice(0, -5)), 'unknown', /cut off/],
  ['cut JSON under 503', jsonAnswer(503, one({ error: 'x' }, false).slice(0, -5)), 'unknown', /cut off/],
  ['JSON of something else', jsonAnswer(200, '[1,2,3]'), 'unknown', /isn’t a health report/],
  ['`null`', jsonAnswer(200, 'null'), 'unknown', /isn’t a health report/],
  ['a redirect to another server', failedTo('redirect'), 'unknown', /redirects to another server/],
  ['a redirect without an aim', jsonAnswer(302, ''), 'unknown', /302/],
  ['more than the app reads', failedTo('too-large'), 'unknown', /too large/],
  ['bytes that are no text', failedTo('bad-encoding'), 'unknown', /couldn’t decode/],
  ['one byte a second', failedTo('timeout'), 'unreachable', /in time/],
  ['a status that nobody knows', jsonAnswer(299, 'x'), 'unknown', /isn’t a health report/],
];

describe('bad input', () => {
  it.each(rows)(
    '%s ends in a clear state and stops nobody else',
    async (_what, answer, state, reason, note) => {
      const world = await createServiceWorld(createMemoryStores().health);
      const { time, http, log, store } = world;
      http.serve(good, createFakeNode(time, ['C']).server);
      http.serve(bad, ({ method }) => (method === 'GET' ? answer : jsonAnswer(405, '')));
      const nodes = { bad: await world.add(bad), good: await world.add(good) };
      await time.advance(64_000);
      const status = world.status(nodes.bad.id);
      expect(status.state).toBe(state);
      expect(status.reason).toMatch(reason);
      expect(status.reason.length).toBeLessThan(400);
      // Whatever came can be opened as it came.
      const received = world.service.received(nodes.bad.id);
      if (answer.kind === 'failure') expect(received).toBeNull();
      else {
        expect(received?.body).toBe(answer.body.slice(0, 262_144));
        expect(received).toMatchObject({ httpStatus: answer.status, length: answer.body.length });
      }
      if (note !== undefined) expect(status.report?.notes.join('\n')).toMatch(note);
      // It is told as what it is, stored, and goes on; so does the other.
      await time.advance(136_000);
      expect(log.entries).toEqual([]);
      expect(store.recorded.filter(({ nodeId }) => nodeId === nodes.bad.id).length).toBeGreaterThanOrEqual(2);
      expect(store.recorded.filter(({ nodeId }) => nodeId === nodes.good.id).length).toBeGreaterThanOrEqual(
        5,
      );
      expect(world.status(nodes.good.id).state).toBe('healthy');
    },
  );

  it('that jumps from poll to poll never makes an end before a start', async () => {
    const world = await createServiceWorld(createMemoryStores().health);
    const { time, http, log } = world;
    // Counters, first failures and times that jump back, forward and out of the world.
    const counts = [5, 1, 1_000_000_000, 0, 3, Number.MAX_SAFE_INTEGER, 2];
    const times = [now, '2100-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '1970-01-01T00:00:00Z', 'never'];
    let poll = 0;
    http.serve(bad, ({ method }) => {
      if (method !== 'GET') return jsonAnswer(405, '');
      poll += 1;
      const failure = {
        error: 'x',
        contiguousFailures: counts[poll % counts.length],
        timeOfFirstFailure: times[(poll * 3) % times.length],
      };
      const timestamp = times[poll % times.length];
      return jsonAnswer(200, one({ timestamp, ...(poll % 4 === 0 ? {} : failure) }, poll % 4 === 0));
    });
    const { id } = await world.add(bad, 15_000);
    await time.advance(600_000);
    const told = await world.past.episodes({ id, check: null, limit: 500 });
    if (!told.ok) throw new Error(told.error.message);
    expect(told.value.length).toBeGreaterThan(5);
    for (const { startedAtMs, endedAtMs } of told.value) {
      expect(startedAtMs).toBeLessThanOrEqual(time.clock.nowMs());
      if (endedAtMs !== null) expect(endedAtMs).toBeGreaterThanOrEqual(startedAtMs);
    }
    expect(log.entries).toEqual([]);
  });
});

describe('a real server', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function ask(listener: RequestListener, timeoutMs = 5_000): Promise<NodeAnswer> {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // A server that listens on a port has an address object.
    const { port } = server.address() as AddressInfo;
    const ports = { http: createHttpClient(openNetwork), clock: systemClock, random: systemRandom };
    const limits = { timeoutMs, signal: new AbortController().signal };
    const endpoint = { url: `http://127.0.0.1:${port}`, headers: {} };
    return await askNode(ports, endpoint, limits, { what: 'health', tags: [] });
  }

  it('that sends one byte at a time without end is given up when the time for the whole is over', async () => {
    let sent = 0;
    const answer = await ask((_request, response) => {
      response.writeHead(200);
      response.write('{"healthy":true,"checks":{');
      const timer = setInterval(() => {
        sent += 1;
        response.write(' ');
      }, 20);
      response.on('close', () => clearInterval(timer));
    }, 400);
    expect(answer.reading).toMatchObject({
      kind: 'no-report',
      state: 'unreachable',
      error: { code: 'timeout' },
    });
    expect(sent).toBeGreaterThan(2);
  });

  it('that accepts and says nothing is given up', async () => {
    const answer = await ask(() => undefined, 200);
    expect(answer.reading).toMatchObject({ state: 'unreachable', error: { code: 'timeout' } });
  });

  it.each<[string, RequestListener, string]>([
    [
      'redirects to another server',
      (_q, response) => response.writeHead(302, { location: 'http://192.0.2.1/' }).end(),
      'redirect',
    ],
    [
      'redirects in a circle',
      (_q, response) => response.writeHead(307, { location: '/ext/health' }).end(),
      'redirect',
    ],
    [
      'sends bytes that are no text',
      (_q, response) => response.end(Buffer.from([0x7b, 0xff, 0xfe])),
      'bad-encoding',
    ],
    [
      'breaks off in the middle',
      (_q, response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"healthy":true');
        setImmediate(() => response.destroy());
      },
      'reset',
    ],
    [
      'sends more than the app reads',
      (_q, response) => response.end(Buffer.alloc(9 * 1024 * 1024, 0x20)),
      'too-large',
    ],
  ])('that %s is told as that', async (_what, listener, failure) => {
    const { reading } = await ask(listener);
    expect(reading).toMatchObject({ kind: 'no-report', failure });
  });

  it('that answers as a node does is read', async () => {
    const answer = await ask((_request, response) => {
      response.writeHead(503, { 'node-id': 'NodeID-1' }).end(one({ error: 'down' }, false));
    });
    expect(answer).toMatchObject({
      reportedNodeId: 'NodeID-1',
      reading: { kind: 'report', state: 'unhealthy' },
    });
  });
});
