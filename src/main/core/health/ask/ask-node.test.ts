import { describe, expect, it } from 'vitest';
import type { HttpOutcome, HttpRequest } from '../../ports.ts';
import { askNode, type NodeAnswer } from './ask-node.ts';
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
    );
    await time.advance(1_000);
    expect((await asked).reading).toMatchObject({ kind: 'no-report', error });
    expect(http.requests).toHaveLength(1);
  });
});
