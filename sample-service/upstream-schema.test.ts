import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../src/shared/endpoints/registry.ts';
import { requestUrl } from '../src/shared/endpoints/request-url.ts';
import { startSampleService, type SampleService } from './service.ts';
import { call, field } from './testing.ts';

let service: SampleService;

beforeAll(async () => {
  service = await startSampleService({
    names: 'upstream',
    scale: 0.02,
    nowSeconds: 1_780_000_000,
    limits: false,
  });
});

afterAll(async () => {
  await service.close();
});

/** What the schema of the public service requires, and a record lacks; each as `where: what`. */
function missingIn(value: unknown, where: string): string[] {
  if (Array.isArray(value)) return value.flatMap((part) => missingIn(part, `${where}[]`));
  if (typeof value !== 'object' || value === null) return [];
  const lacks = (name: string, type: string) =>
    typeof Reflect.get(value, name) === type ? [] : [`${where}: ${name}`];
  const isNative = 'txHash' in value && 'nonce' in value;
  const isToken = where.endsWith('.erc20Token');
  const isContract = 'deploymentDetails' in value && field(value, 'ercType') === 'ERC-20';
  return [
    ...(isNative ? [...lacks('to', 'object'), ...lacks('method', 'object')] : []),
    ...(where.endsWith('.method') ? lacks('methodHash', 'string') : []),
    ...(isToken ? ['name', 'symbol'].flatMap((name) => lacks(name, 'string')) : []),
    ...(isToken || isContract ? lacks('decimals', 'number') : []),
    ...Object.entries(value).flatMap(([name, part]) => missingIn(part, `${where}.${name}`)),
  ];
}

describe('with the names of the public service', () => {
  it.each(Object.values(endpoints))('$number $id has all that its schema requires', async (endpoint) => {
    const { dataUrl, metricsUrl, examples } = service.ready;
    const base = endpoint.api === 'data' ? dataUrl : metricsUrl;
    const params = { ...examples.endpoints[endpoint.number] };
    const pageSize = 'pageSize' in endpoint.params ? { pageSize: '100' } : {};
    const missing = new Set<string>();
    let token: unknown;
    // Long lists are alike further on; the odd cases lie among the first thousand.
    for (let page = 0; page < 10 && (page === 0 || typeof token === 'string'); page += 1) {
      const next = typeof token === 'string' ? { pageToken: token } : {};
      const answer = await call(requestUrl(endpoint, base, { ...params, ...pageSize, ...next }));
      expect(answer.status).toBe(200);
      for (const one of missingIn(answer.json, '')) missing.add(one);
      token = endpoint.paging?.isSinglePage === true ? null : field(answer.json, 'nextPageToken');
    }
    expect([...missing]).toEqual([]);
  });
});
