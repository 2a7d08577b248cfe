import { describe, expect, it } from 'vitest';
import { checkParams } from './check-params.ts';
import { decodeAnswer } from './decode-answer.ts';
import type { EndpointDefinition, ParamKind } from './define.ts';
import { endpoints, findEndpoint } from './registry.ts';
import { cacheKey, requestUrl } from './request-url.ts';
import { sampleBodies } from './testing/sample-bodies.ts';

const all: EndpointDefinition[] = Object.values(endpoints);

/** A value that each kind of parameter accepts. */
const examples: Record<ParamKind, string> = {
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  chain: '43114',
  'tx-hash': `0x${'a'.repeat(64)}`,
  block: '12',
  'node-id': 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg',
  'subnet-id': '11111111111111111111111111111111LpoYY',
  'blockchain-id': '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5',
  integer: '5',
  timestamp: '1700000000',
  'page-token': 'token',
  choice: '',
};

function exampleParams(endpoint: EndpointDefinition): Record<string, string> {
  return Object.fromEntries(
    Object.entries(endpoint.params)
      .filter(([, spec]) => spec.required)
      .map(([name, spec]) => [name, spec.kind === 'choice' ? (spec.values?.[0] ?? '') : examples[spec.kind]]),
  );
}

describe('the registry', () => {
  it('has one id and one number of the specification for each', () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.map(({ number }) => number)).toEqual(all.map((_, index) => index + 1));
  });

  it('finds by id only what it has itself', () => {
    expect(findEndpoint('transaction')).toBe(endpoints.transaction);
    for (const id of ['toString', '__proto__', 'constructor', '', 'Transaction']) {
      expect(findEndpoint(id)).toBeUndefined();
    }
  });
});

describe.each(all)('$id', (endpoint) => {
  it('is a row of the specification in full', () => {
    expect(endpoint.id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(endpoint.path).toMatch(endpoint.api === 'data' ? /^\/v1\// : /^\/v2\//);
    expect(endpoint.freshForMs).toBeGreaterThan(0);
    const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = Object.entries(endpoint.params).filter(([, spec]) => spec.in === 'path');
    expect(inPath.sort()).toEqual(declared.map(([name]) => name).sort());
    for (const [, spec] of declared) expect(spec.required).toBe(true);
  });

  it('describes each parameter, and offers values for each choice', () => {
    for (const spec of Object.values(endpoint.params)) {
      expect(spec.description).toMatch(/\S.*[.]$/);
      if (spec.kind === 'choice') expect(spec.values?.length ?? 0).toBeGreaterThan(0);
    }
  });

  it('takes a page token exactly if a further page can be asked for', () => {
    const { paging, params } = endpoint;
    const canContinue = paging !== null && paging.isSinglePage !== true;
    expect(Object.keys(params).filter((name) => name.startsWith('page'))).toEqual(
      canContinue ? ['pageSize', 'pageToken'] : [],
    );
  });

  it('builds a URL and a key from the parameters that it accepts', () => {
    const checked = checkParams(endpoint, exampleParams(endpoint));
    if (!checked.ok) throw new Error(checked.error.message);
    const url = new URL(requestUrl(endpoint, 'https://e.x', checked.value));
    expect(url.pathname).not.toMatch(/[{}]/);
    expect(cacheKey(endpoint, 'https://e.x', checked.value)).toContain(endpoint.id);
  });

  it('decodes a complete answer without a note and without losing a field', () => {
    const body = sampleBodies[endpoint.id as keyof typeof sampleBodies];
    const decoded = decodeAnswer(endpoint, JSON.stringify(body));
    expect(decoded).toMatchObject({ ok: true, value: { notes: [], unreadableItems: [] } });
    if (decoded.ok) expect(asRead(decoded.value.data)).toEqual(asRead(body));
  });

  it('keeps fields that the specification does not know', () => {
    const body = { ...sampleBodies[endpoint.id as keyof typeof sampleBodies], added: { later: [1] } };
    const decoded = decodeAnswer(endpoint, JSON.stringify(body));
    expect(decoded).toMatchObject({ ok: true, value: { notes: [], data: { added: { later: [1] } } } });
  });
});

describe.each(all.filter(({ paging }) => paging !== null))('$id', (endpoint) => {
  it('needs its list, and reads an empty one', () => {
    const key = endpoint.paging?.itemsKey ?? '';
    for (const list of [undefined, null, {}, 'none', 0]) {
      const decoded = decodeAnswer(endpoint, JSON.stringify({ nextPageToken: '', [key]: list }));
      expect(decoded).toMatchObject({ ok: false, error: { code: 'bad-response' } });
    }
    const decoded = decodeAnswer(endpoint, JSON.stringify({ [key]: [] }));
    expect(decoded).toMatchObject({ ok: true, value: { data: { [key]: [] }, notes: [] } });
  });
});

/** Numbers may become their digits, and a text without a letter is as absent; everything else stays as it was. */
function asRead(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, inner: unknown) => {
    if (inner === '') return undefined;
    return typeof inner === 'number' ? String(inner) : inner;
  });
}
