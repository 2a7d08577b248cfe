import { describe, expect, it } from 'vitest';
import { checkNodeCallParams, findNodeCall, nodeCalls, nodeCallUrl, type NodeCall } from './node-calls.ts';

const primary = '11111111111111111111111111111111LpoYY';
const other = '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5';

function callOf(id: string): NodeCall {
  const call = findNodeCall(id);
  if (call === undefined) throw new Error(`no call ${id}`);
  return call;
}

describe('the node calls', () => {
  it('are the seven of the specification', () => {
    const rows = nodeCalls.map(({ method, path, rpcMethod, params }: NodeCall) =>
      [method, path, rpcMethod ?? '-', ...Object.keys(params)].join(' '),
    );
    expect(rows).toEqual([
      'GET /ext/health - tag',
      'GET /ext/health/health - tag',
      'GET /ext/health/readiness - tag',
      'GET /ext/health/liveness - tag',
      'POST /ext/health health.health tags',
      'POST /ext/health health.readiness tags',
      'POST /ext/health health.liveness',
    ]);
    expect(new Set(nodeCalls.map(({ id }) => id)).size).toBe(7);
  });

  it('are found by their own id only', () => {
    for (const call of nodeCalls) expect(findNodeCall(call.id)).toBe(call);
    for (const id of ['', 'health.health', 'constructor']) expect(findNodeCall(id)).toBeUndefined();
  });
});

describe('checkNodeCallParams', () => {
  it.each<[string, unknown, unknown]>([
    ['node-health', {}, {}],
    ['node-health', { tag: [] }, {}],
    ['node-health', { tag: [' ', ''] }, {}],
    ['node-health', { tag: [` ${primary} `, other, primary] }, { tag: [primary, other] }],
    ['node-rpc-health', { tags: [other] }, { tags: [other] }],
    ['node-rpc-liveness', {}, {}],
  ])('%s takes %j', (id, input, value) => {
    expect(checkNodeCallParams(callOf(id), input)).toEqual({ ok: true, value });
  });

  it.each<[string, unknown, RegExp]>([
    ['node-health', null, /object of names/],
    ['node-health', [primary], /object of names/],
    ['node-health', { tags: [primary] }, /tags: this call has no such parameter/],
    ['node-rpc-liveness', { tags: [primary] }, /tags: this call has no such parameter/],
    ['node-health', JSON.parse('{"__proto__":["x"]}'), /no such parameter/],
    ['node-health', { constructor: ['x'] }, /no such parameter/],
    ['node-health', { tag: primary }, /tag: must be a list of texts/],
    ['node-health', { tag: [primary, 5] }, /tag: must be a list of texts/],
    ['node-health', { tag: ['P-Chain'] }, /tag: must be an id in base58/],
    ['node-health', { tag: [`${primary}&tag=x`] }, /tag: must be an id in base58/],
    [
      'node-health',
      { tag: Array.from({ length: 65 }, (_, i) => `${primary}${'a'.repeat(i % 9)}${'b'.repeat(i / 9)}`) },
      /at most 64/,
    ],
  ])('%s refuses %j', (id, input, words) => {
    const checked = checkNodeCallParams(callOf(id), input);
    expect(checked).toMatchObject({ ok: false, error: { code: 'invalid-params' } });
    if (!checked.ok) expect(checked.error.message).toMatch(words);
  });
});

describe('nodeCallUrl', () => {
  it('repeats a tag in the query of a GET, and puts nothing into that of a POST', () => {
    expect(nodeCallUrl(callOf('node-readiness'), 'http://n:1/base', { tag: [primary, other] })).toBe(
      `http://n:1/base/ext/health/readiness?tag=${primary}&tag=${other}`,
    );
    expect(nodeCallUrl(callOf('node-liveness'), 'http://n:1', {})).toBe('http://n:1/ext/health/liveness');
    expect(nodeCallUrl(callOf('node-rpc-health'), 'http://n:1', { tags: [primary] })).toBe(
      'http://n:1/ext/health',
    );
  });
});
