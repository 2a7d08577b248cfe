import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSampleService, type SampleService } from '../../../../sample-service/service.ts';
import { checkNodeCallParams, nodeCalls, type NodeCall } from '../../../shared/health/node-calls.ts';
import { createHttpClient } from '../../adapters/http/http-client.ts';
import type { HttpOutcome, HttpRequest } from '../ports.ts';
import { callNode, type NodeCallAnswer } from './node-calls.ts';
import { createFakeHttp, createFakeRandom, createFakeTime, jsonAnswer } from './testing/fake-ports.ts';

const all: readonly NodeCall[] = nodeCalls;
const primary = '11111111111111111111111111111111LpoYY';
const unknownSubnet = '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5';
const signal = new AbortController().signal;

describe('over real HTTP', () => {
  let service: SampleService;

  beforeAll(async () => {
    let nowMs = 1_780_000_000_000;
    service = await startSampleService({
      scale: 0.02,
      clock: { nowMs: () => nowMs },
      nodes: ['healthy', 'bootstrapping', 'one-chain-failing', 'old-version'].map((scenario) => ({
        name: scenario,
        scenario,
      })),
    });
    // By now the chain fails and the other node still bootstraps.
    nowMs += 200_000;
  });

  afterAll(async () => {
    await service.close();
  });

  /** Asks a node of the sample service; `subnets` go into whichever parameter the call has. */
  async function ask(call: NodeCall, node: string, subnets: string[] = []): Promise<NodeCallAnswer> {
    const [name] = Object.keys(call.params);
    const checked = checkNodeCallParams(call, name === undefined ? {} : { [name]: subnets });
    if (!checked.ok) throw new Error(checked.error.message);
    const url = service.ready.nodes.find((each) => each.name === node)?.url ?? '';
    const ports = { http: createHttpClient(), random: { fraction: Math.random, id: () => 'id' } };
    return await callNode(ports, url, call, checked.value, { timeoutMs: 10_000, signal });
  }

  function checksOf({ reading }: NodeCallAnswer): string[] {
    if (reading.kind !== 'report') throw new Error(reading.reason);
    return reading.report.checks.map(({ name }) => name).sort();
  }

  const of = (words: string) => all.filter(({ id }) => id.includes(words));

  it.each(all)('$id of a healthy node is a report without a note', async (call) => {
    const answer = await ask(call, 'healthy');
    expect(answer).toMatchObject({
      reading: { kind: 'report', state: 'healthy', report: { healthy: true, notes: [] } },
      reportedNodeId: expect.stringMatching(/^NodeID-/) as string,
      raw: { status: 200, bodyText: expect.stringContaining('"healthy":true') as string },
    });
  });

  it.each(all)('$id says what it is asked for', async (call) => {
    const names = checksOf(await ask(call, 'healthy'));
    if (call.id.includes('liveness')) expect(names).toEqual([]);
    else if (call.id.includes('readiness')) expect(names).toEqual(['bootstrapped']);
    else expect(names).toEqual(expect.arrayContaining(['C', 'P', 'X', 'bootstrapped', 'network']));
  });

  it.each(of('health'))('$id selects by subnet, several too', async (call) => {
    const [everything, chains, none, both] = [
      checksOf(await ask(call, 'healthy')),
      checksOf(await ask(call, 'healthy', [primary])),
      checksOf(await ask(call, 'healthy', [unknownSubnet])),
      checksOf(await ask(call, 'healthy', [unknownSubnet, primary])),
    ];
    expect(chains.filter((name) => !none.includes(name))).toEqual(['C', 'P', 'X']);
    expect(both).toEqual(chains);
    expect(everything.length).toBe(chains.length + 1);
  });

  it.each(of('health'))('$id of an unhealthy node is a report, under 503 or 200', async (call) => {
    const answer = await ask(call, 'one-chain-failing');
    expect(answer).toMatchObject({
      reading: { kind: 'report', state: 'unhealthy', report: { healthy: false } },
      raw: { status: call.method === 'GET' ? 503 : 200 },
    });
  });

  it.each(of('readiness'))('$id of a node that bootstraps is not ready yet', async (call) => {
    expect(await ask(call, 'bootstrapping')).toMatchObject({
      reading: { kind: 'report', state: 'starting', report: { healthy: false } },
    });
  });

  it.each(all)('$id reads the shapes of an old node', async (call) => {
    expect((await ask(call, 'old-version')).reading.kind).toBe('report');
  });
});

describe('callNode', () => {
  const report = { healthy: true, checks: {} };

  async function ask(
    call: NodeCall,
    server: (request: HttpRequest) => HttpOutcome | 'hang',
  ): Promise<{ answer: NodeCallAnswer; requests: HttpRequest[] }> {
    const time = createFakeTime();
    const http = createFakeHttp(time);
    http.serve('http://n/', server);
    const asked = callNode(
      { http: http.client, random: createFakeRandom(0.5) },
      'http://n',
      call,
      {},
      { timeoutMs: 7_000, signal },
    );
    await time.advance(10_000);
    return { answer: await asked, requests: http.requests };
  }

  const byRpc = all.filter(({ method }) => method === 'POST');

  it.each(byRpc)('$id believes only the answer to its own request', async (call) => {
    const id = 500_000_000;
    for (const [body, expected] of [
      [{ jsonrpc: '2.0', id, result: report }, { kind: 'report' }],
      [
        { jsonrpc: '2.0', id: id + 1, result: report },
        { kind: 'no-report', error: { code: 'bad-response' } },
      ],
      [
        { jsonrpc: '2.0', result: report },
        { kind: 'no-report', error: { code: 'bad-response' } },
      ],
      [
        { jsonrpc: '2.0', id, error: { code: -32000, message: "can't find method", data: null } },
        {
          kind: 'no-report',
          error: { code: 'upstream', message: expect.stringContaining('(-32000)') as string },
        },
      ],
    ] as const) {
      const { answer, requests } = await ask(call, () => jsonAnswer(200, body));
      expect(answer.reading).toMatchObject(expected);
      expect(requests).toHaveLength(1);
      expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ jsonrpc: '2.0', id, method: call.rpcMethod });
    }
  });

  it.each(all)('$id never asks twice and keeps what came', async (call) => {
    const { answer, requests } = await ask(call, () => jsonAnswer(405, 'rpc: POST method required'));
    expect(requests).toMatchObject([{ method: call.method, timeoutMs: 7_000 }]);
    expect(answer).toMatchObject({
      reading: { kind: 'no-report', error: { code: 'upstream', status: 405 } },
      raw: { status: 405, bodyText: 'rpc: POST method required' },
    });
  });

  it.each(all)('$id that is not answered says so', async (call) => {
    const { answer } = await ask(call, () => 'hang');
    expect(answer).toMatchObject({
      reading: { state: 'unreachable', error: { code: 'timeout' } },
      raw: null,
    });
  });
});
