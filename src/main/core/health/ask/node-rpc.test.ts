import { describe, expect, it } from 'vitest';
import { readRpcAnswer, rpcBody } from './node-rpc.ts';

describe('rpcBody', () => {
  it('is a JSON-RPC 2.0 request, with tags only where there are some', () => {
    expect(JSON.parse(rpcBody('health.liveness', [], 7))).toEqual({
      jsonrpc: '2.0',
      id: 7,
      method: 'health.liveness',
    });
    expect(JSON.parse(rpcBody('health.health', ['2S9a', '3T8b'], 8))).toEqual({
      jsonrpc: '2.0',
      id: 8,
      method: 'health.health',
      params: { tags: ['2S9a', '3T8b'] },
    });
  });
});

describe('readRpcAnswer', () => {
  const read = (status: number, answer: unknown): ReturnType<typeof readRpcAnswer> =>
    readRpcAnswer(status, typeof answer === 'string' ? answer : JSON.stringify(answer), 7);
  const result = { healthy: false, checks: { C: { error: 'down', timestamp: '2026-09-01T12:00:00Z' } } };

  it('reads the report of a node, which is under 200 whatever it says', () => {
    expect(read(200, { jsonrpc: '2.0', id: 7, result })).toMatchObject({
      kind: 'report',
      state: 'unhealthy',
      report: { healthy: false, notes: [], checks: [{ name: 'C', state: 'fail' }] },
    });
    expect(
      read(200, { jsonrpc: '2.0', id: 7, error: null, result: { healthy: true, checks: {} } }),
    ).toMatchObject({
      kind: 'report',
      state: 'healthy',
    });
  });

  it.each([
    [
      { code: -32000, message: "can't find method" },
      "The node refused the call (-32000): can't find method.",
    ],
    [{ code: -32700, message: 'a\u0000b', data: null }, 'The node refused the call (-32700): a\uFFFDb.'],
    ['boom', 'The node refused the call: boom.'],
    [{}, 'The node refused the call.'],
    [7, 'The node refused the call.'],
  ])('error %j: %s', (error, reason) => {
    const expected = {
      kind: 'no-report',
      state: 'unknown',
      reason,
      error: { code: 'upstream', status: 200 },
    };
    expect(read(200, { jsonrpc: '2.0', id: 7, error })).toMatchObject(expected);
    expect(read(200, { jsonrpc: '2.0', id: null, error })).toMatchObject(expected);
  });

  it.each<[string, unknown, RegExp]>([
    ['the answer to another request', { id: 8, result }, /a different request/],
    ['an answer without an id', { result }, /a different request/],
    ['an id of another type', { id: '7', result }, /a different request/],
    ['an error of another request', { id: 8, error: { code: 1, message: 'x' } }, /a different request/],
    ['no result', { id: 7 }, /`result`: not a JSON object/],
    ['a result that is no report', { id: 7, result: { healthy: 'yes', checks: {} } }, /`result`: `healthy`/],
    ['no object', '[]', /not a JSON object/],
    ['cut JSON', '{"id":7,"result":{"hea', /JSON/],
    ['a web page', '<html>', /JSON/],
    ['nothing', '', /JSON/],
  ])('%s is no report', (_what, answer, problem) => {
    expect(read(200, answer)).toMatchObject({
      kind: 'no-report',
      state: 'unknown',
      error: { code: 'bad-response', issues: [expect.stringMatching(problem)] },
    });
  });

  it('goes by the status where there is no answer of the node', () => {
    expect(read(415, 'rpc: unrecognized Content-Type')).toMatchObject({
      error: { code: 'upstream', status: 415 },
    });
    expect(read(503, { id: 7, result })).toMatchObject({ state: 'unreachable', error: { status: 503 } });
    for (const status of [199, 300])
      expect(read(status, { id: 7, result })).toMatchObject({ kind: 'no-report', error: { status } });
    expect(read(299, { id: 7, result }).kind).toBe('report');
  });
});
