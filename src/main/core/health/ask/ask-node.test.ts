import { describe, expect, it } from 'vitest';
import type { HttpOutcome, HttpRequest } from '../../ports.ts';
import { askNode, readAtOnce, type NodeAnswer, type Question } from './ask-node.ts';
import { createFakeHttp, createFakeRandom, createFakeTime, jsonAnswer } from '../testing/fake-ports.ts';

const report = { healthy: true, checks: {} };

/** Asks a node in front of which `byPost` decides, because GET is refused; tells the requests that it took. */
async function askByPost(
  byPost: (request: HttpRequest, id: unknown) => HttpOutcome,
  latencyMs = 100,
): Promise<{ answer: NodeAnswer; requests: HttpRequest[] }> {
  const time = createFakeTime();
  const http = createFakeHttp(time, latencyMs);
  http.serve('http://a/', (request) => {
    if (request.method === 'GET') return jsonAnswer(405, 'only POST here', { 'node-id': 'proxy' });
    const { id } = JSON.parse(request.body ?? '{}') as { id: unknown };
    return byPost(request, id);
  });
  const ports = { http: http.client, clock: time.clock, random: createFakeRandom(0.25) };
  const asked = askNode(
    ports,
    { url: 'http://a', headers: {} },
    { timeoutMs: 10_000, signal: new AbortController().signal },
    { what: 'health', tags: [] },
  );
  await time.advance(60_000);
  return { answer: await asked, requests: http.requests };
}

describe('askNode', () => {
  it('asks by POST where GET is not let through, within the same time', async () => {
    const { answer, requests } = await askByPost((_request, id) =>
      jsonAnswer(200, { jsonrpc: '2.0', id, result: report }, { 'node-id': 'NodeID-a' }),
    );
    expect(answer).toMatchObject({
      reading: { kind: 'report', state: 'healthy' },
      reportedNodeId: 'NodeID-a',
      refusesGet: true,
    });
    expect(requests).toMatchObject([
      { method: 'GET', url: 'http://a/ext/health', timeoutMs: 10_000 },
      {
        method: 'POST',
        url: 'http://a/ext/health',
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: '{"jsonrpc":"2.0","id":250000000,"method":"health.health"}',
        timeoutMs: 9_900,
        maxBytes: 8 * 1024 * 1024,
      },
    ]);
  });

  it.each<[string, (request: HttpRequest, id: unknown) => HttpOutcome]>([
    ['is refused as well', () => jsonAnswer(404, '')],
    ['gives the answer to another request', () => jsonAnswer(200, { id: 1, result: report })],
    ['ends in an error', (_request, id) => jsonAnswer(200, { id, error: { code: -32000, message: 'no' } })],
    ['fails', () => ({ kind: 'failure', reason: 'reset', detail: '' })],
  ])('tells what the first answer was when POST %s', async (_what, byPost) => {
    const { answer, requests } = await askByPost(byPost);
    expect(requests).toHaveLength(2);
    expect(answer).toMatchObject({
      reading: { error: { code: 'upstream', status: 405 } },
      reportedNodeId: 'proxy',
    });
  });

  it('does not begin a second request when the time is up', async () => {
    const { requests } = await askByPost(() => jsonAnswer(200, report), 10_000);
    expect(requests).toHaveLength(1);
  });

  it.each([
    [404, {}],
    [403, { code: 'forbidden' }],
    [502, {}],
    [200, { code: 'bad-response' }],
    // Whatever is in its body: the moment is that of the answer and what it asks for.
    [429, { code: 'rate-limited', retryAtMs: 1_700_000_020_000 }],
  ])('does not ask twice after %i', async (status, error) => {
    const time = createFakeTime();
    const http = createFakeHttp(time, 0);
    http.serve('http://a/', () => jsonAnswer(status, report.checks, { 'retry-after': '20' }));
    const ports = { http: http.client, clock: time.clock, random: createFakeRandom() };
    const asked = askNode(
      ports,
      { url: 'http://a', headers: {} },
      { timeoutMs: 10_000, signal: new AbortController().signal },
      { what: 'health', tags: [] },
    );
    await time.advance(1_000);
    expect((await asked).reading).toMatchObject({ kind: 'no-report', error });
    expect(http.requests).toHaveLength(1);
  });
});

/** Asks at 20 s, with an answer after 40.4 ms. */
async function ask(server: HttpOutcome, question: Question) {
  const time = createFakeTime();
  const http = createFakeHttp(time, 40.4);
  http.serve('http://a/', () => server);
  const ports = { http: http.client, clock: time.clock, random: createFakeRandom(0.25) };
  const limits = { timeoutMs: 10_000, signal: new AbortController().signal };
  await time.advance(20_000);
  const asked = askNode(ports, { url: 'http://a', headers: {} }, limits, question);
  await time.advance(60_000);
  return { answer: await asked, request: http.requests[0], count: http.requests.length };
}

describe('a request', () => {
  const answer = jsonAnswer(200, report);
  it.each<[Question, object]>([
    [
      { what: 'health', tags: [] },
      { method: 'GET', url: 'http://a/ext/health' },
    ],
    [{ what: 'readiness', tags: ['a b'] }, { url: 'http://a/ext/health/readiness?tag=a%20b' }],
    [{ what: 'liveness', tags: ['a', 'b'] }, { url: 'http://a/ext/health/liveness?tag=a&tag=b' }],
    [
      { what: 'readiness', tags: ['a'], byRpc: true },
      {
        method: 'POST',
        url: 'http://a/ext/health',
        body: '{"jsonrpc":"2.0","id":250000000,"method":"health.readiness","params":{"tags":["a"]}}',
      },
    ],
  ])('for %j', async (question, sent) => {
    const { request } = await ask(answer, question);
    expect(request).toMatchObject({ ...sent, timeoutMs: 10_000 });
  });

  it('leaves a record of what was answered, and of nothing where nothing was', async () => {
    const { answer: answered } = await ask(answer, { what: 'health', tags: [] });
    const body = JSON.stringify(report);
    expect(answered).toMatchObject({
      atMs: 1_700_000_020_000,
      durationMs: 40,
      httpStatus: 200,
      byteLength: body.length,
      body,
    });
    const failure = { kind: 'failure', reason: 'reset', detail: '' } as const;
    const { answer: failed } = await ask(failure, { what: 'health', tags: [] });
    expect(failed).toMatchObject({
      atMs: 1_700_000_020_000,
      durationMs: 40,
      httpStatus: 0,
      byteLength: 0,
      body: '',
      reportedNodeId: null,
    });
  });

  it('that a node answers under its own name with a gateway’s error is no end of the node', async () => {
    const named = jsonAnswer(502, '', { 'node-id': 'NodeID-a' });
    const question = { what: 'health', tags: [] } as const;
    expect((await ask(named, question)).answer.reading.state).toBe('unknown');
    expect((await ask(jsonAnswer(502, ''), question)).answer.reading.state).toBe('unreachable');
  });

  it('is tried by POST for a 405 alone, whatever else has that status', async () => {
    const question = { what: 'health', tags: [] } as const;
    expect((await ask(jsonAnswer(405, ''), question)).count).toBe(2);
    expect((await ask(jsonAnswer(415, ''), question)).count).toBe(1);
  });
});

it('bodies are read as JSON by the thread that asks, unless another one does it', async () => {
  expect(await readAtOnce.body('{"a":1}')).toEqual({ a: 1 });
  expect(await readAtOnce.body('<html>')).toBeNull();
});
