import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSampleService, type SampleService } from '../../../sample-service/service.ts';
import { createHttpClient } from '../../main/adapters/http/http-client.ts';
import { openNetwork } from '../../main/adapters/http/testing/open-network.ts';
import { checkParams } from './check-params.ts';
import { decodeAnswer, type DecodedAnswer } from './decode-answer.ts';
import type { EndpointDefinition } from './define.ts';
import { endpoints } from './registry.ts';
import { requestUrl } from './request-url.ts';
import { sampleBodies } from './testing/sample-bodies.ts';

const all: EndpointDefinition[] = Object.values(endpoints);
const http = createHttpClient(openNetwork);

describe.each(['specification', 'upstream'] as const)('served with the names of the %s', (names) => {
  let service: SampleService;

  beforeAll(async () => {
    service = await startSampleService({ names, scale: 0.02, nowSeconds: 1_780_000_000, limits: false });
  });

  afterAll(async () => {
    await service.close();
  });

  /** The way of a query through the app, from unchecked parameters to decoded data. */
  async function ask(
    endpoint: EndpointDefinition,
    input: Readonly<Record<string, string>>,
  ): Promise<DecodedAnswer> {
    const checked = checkParams(endpoint, input);
    if (!checked.ok) throw new Error(checked.error.message);
    const { dataUrl, metricsUrl } = service.ready;
    const outcome = await http.send({
      method: 'GET',
      url: requestUrl(endpoint, endpoint.api === 'data' ? dataUrl : metricsUrl, checked.value),
      headers: { accept: 'application/json' },
      timeoutMs: 10_000,
      maxBytes: 32 * 1024 * 1024,
    });
    if (outcome.kind === 'failure') throw new Error(outcome.detail);
    if (outcome.status !== 200) throw new Error(`${outcome.status}: ${outcome.body}`);
    const decoded = decodeAnswer(endpoint, outcome.body);
    if (!decoded.ok) throw new Error(decoded.error.message);
    return decoded.value;
  }

  const examplesOf = ({ number }: EndpointDefinition) => service.ready.examples.endpoints[number] ?? {};

  it.each(all)('$number $id gives data and nothing odd', async (endpoint) => {
    const { data, notes, unreadableItems } = await ask(endpoint, examplesOf(endpoint));
    expect({ notes, unreadableItems }).toEqual({ notes: [], unreadableItems: [] });
    const { paging } = endpoint;
    if (paging === null) expect(Object.keys(Object(data)).length).toBeGreaterThan(0);
    else expect(itemsOf(data, paging.itemsKey).length).toBeGreaterThan(0);
  });

  it.each(all.filter(({ paging }) => paging !== null))('$number $id pages as it says', async (endpoint) => {
    const itemsKey = endpoint.paging?.itemsKey ?? '';
    if (endpoint.paging?.isSinglePage === true) {
      expect(checkParams(endpoint, { ...examplesOf(endpoint), pageToken: 'token' }).ok).toBe(false);
      return;
    }
    const whole = await ask(endpoint, { ...examplesOf(endpoint), pageSize: '4' });
    const first = await ask(endpoint, { ...examplesOf(endpoint), pageSize: '1' });
    expect(itemsOf(first.data, itemsKey)).toEqual(itemsOf(whole.data, itemsKey).slice(0, 1));
    const pageToken = fieldOf(first.data, 'nextPageToken');
    expect(pageToken === undefined).toBe(itemsOf(whole.data, itemsKey).length === 1);
    if (typeof pageToken !== 'string') return;
    const second = await ask(endpoint, { ...examplesOf(endpoint), pageSize: '3', pageToken });
    expect(itemsOf(second.data, itemsKey)).toEqual(itemsOf(whole.data, itemsKey).slice(1));
  });

  it.each(all)('$number $id takes every value of its choices', async (endpoint) => {
    for (const [name, { kind, values = [] }] of Object.entries(endpoint.params)) {
      if (kind !== 'choice') continue;
      for (const value of values) {
        const { notes } = await ask(endpoint, { ...examplesOf(endpoint), [name]: value });
        expect([name, value, notes]).toEqual([name, value, []]);
      }
    }
  });

  it('rolling windows lack what they do not offer, and nothing else', async () => {
    const endpoint = endpoints['rolling-window-metrics'];
    const windows = Object.keys(Object(sampleBodies['rolling-window-metrics']['result']));
    expect(windows).toHaveLength(7);
    const { values = [] } = endpoint.params.metric;
    expect(values).toHaveLength(13);
    for (const metric of values) {
      const params = { ...examplesOf(endpoint), metric };
      const { data } = await ask(endpoint, params);
      const absent = windows.filter((name) => fieldOf(fieldOf(data, 'result'), name) === undefined);
      expect([metric, absent.map((name) => `result.${name}`)]).toEqual([
        metric,
        endpoint.notOffered?.(params),
      ]);
    }
  });

  it('transfers of a token name it, whatever its kind', async () => {
    const { chainId, contracts } = service.ready.examples;
    for (const [kind, key] of [
      ['erc20', 'erc20Token'],
      ['erc721', 'erc721Token'],
      ['erc1155', 'erc1155Token'],
    ] as const) {
      const { data, notes } = await ask(endpoints['token-transfers'], { chainId, address: contracts[kind] });
      expect(notes).toEqual([]);
      expect(itemsOf(data, 'transfers').length).toBeGreaterThan(0);
      for (const transfer of itemsOf(data, 'transfers')) {
        const tokens = Object.keys(Object(transfer)).filter((name) => name.endsWith('Token'));
        expect(tokens).toEqual([key]);
        expect(fieldOf(fieldOf(transfer, key), 'address')).toBe(contracts[kind]);
      }
    }
  });

  it('prices of a deployment are in the currency asked for', async () => {
    const endpoint = endpoints['contract-deployment'];
    const prices = new Set<unknown>();
    const { values = [] } = endpoint.params.currency;
    expect(values).toHaveLength(14);
    for (const currency of values) {
      const { data } = await ask(endpoint, { ...examplesOf(endpoint), currency });
      const price = fieldOf(fieldOf(data, 'networkTokenDetails'), 'currentPrice');
      expect(fieldOf(price, 'currencyCode')).toBe(currency);
      expect(fieldOf(price, 'value')).toMatch(/^\d+(\.\d+)?$/);
      prices.add(fieldOf(price, 'value'));
    }
    expect(prices.size).toBe(14);
  });

  it('a message is found in a transaction under either name', async () => {
    const { data } = await ask(endpoints.transaction, examplesOf(endpoints.transaction));
    const word = names === 'upstream' ? 'teleporter' : 'crosschain';
    expect(fieldOf(fieldOf(data, `${word}MessageInfo`), `${word}MessageId`)).toEqual(expect.any(String));
  });
});

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function itemsOf(data: unknown, key: string): unknown[] {
  const items = fieldOf(data, key);
  if (!Array.isArray(items)) throw new Error(`no list ${key}`);
  return items;
}
