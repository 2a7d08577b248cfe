import { describe, expect, it } from 'vitest';
import { Readable } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import { httpOver } from '../../adapters/http/http-client.ts';
import { avalancheService, defaultSettings, type Settings } from '../../../shared/settings.ts';
import type { HostUse, OutboundKind, OutboundStatus, SwitchedKind } from '../../../shared/outbound.ts';
import { createFakeTime } from '../health/testing/fake-ports.ts';
import { SettingsService } from '../settings/settings-service.ts';
import { Gate } from './gate.ts';

const { dataUrl, metricsUrl } = avalancheService;
const nodeUrl = 'http://10.0.0.7:9650/path';

function answerWith(statusCode: number, headers: Record<string, string> = {}): IncomingMessage {
  // The part of an answer that the client reads.
  const answer = { statusCode, headers, headersDistinct: {} };
  return Object.assign(Readable.from([Buffer.from('{}')]), answer) as unknown as IncomingMessage;
}

function setUp(
  change: Partial<Settings> = {},
  answer: () => IncomingMessage = () => answerWith(200),
  isSample = false,
) {
  const log = { info: () => undefined, warn: () => undefined, error: () => 'ref' };
  const store = {
    read: () => ({ settings: { ...defaultSettings, ...change }, notice: null }),
    write: () => undefined,
  };
  const settings = new SettingsService(store, log);
  const time = createFakeTime();
  const gate = new Gate({ settings, clock: time.clock, isSample });
  gate.knowNodes(() => [nodeUrl]);
  const fetched: string[] = [];
  const transport = {
    send: async (url: URL) => {
      fetched.push(url.href);
      return answer();
    },
  };
  const http = httpOver(gate, transport, {});
  const send = async (url: string) => {
    const outcome = await http.send({ method: 'GET', url, headers: {}, timeoutMs: 1_000, maxBytes: 1_000 });
    return outcome.kind === 'failure' ? `${outcome.reason}: ${outcome.detail}` : outcome.status;
  };
  const hosts = (kind: OutboundKind): HostUse[] | undefined =>
    gate.status().uses.find((use) => use.kind === kind)?.hosts;
  return { settings, time, gate, fetched, send, hosts };
}

describe('the gate in the client of HTTP', () => {
  it('lets out what settings and nodes name, and counts it with its last time', async () => {
    const { time, send, hosts, fetched } = setUp();
    const sinceMs = time.clock.nowMs();
    expect(await send(`${dataUrl}/v1/x`)).toBe(200);
    await time.advance(5_000);
    expect(await send(`${dataUrl}/v1/y`)).toBe(200);
    expect(await send(`${metricsUrl}/v2/x`)).toBe(200);
    expect(await send(`${nodeUrl}/ext/health`)).toBe(200);
    expect(fetched).toHaveLength(4);
    const lastAtMs = sinceMs + 5_000;
    expect(hosts('data')).toEqual([{ origin: dataUrl, count: 2, lastAtMs }]);
    expect(hosts('metrics')).toEqual([{ origin: metricsUrl, count: 1, lastAtMs }]);
    expect(hosts('nodes')).toEqual([{ origin: 'http://10.0.0.7:9650', count: 1, lastAtMs }]);
    expect(hosts('trial')).toEqual([]);
  });

  it('lets the updater ask its own place alone, and nobody else ask that, and neither while it is off', async () => {
    const { gate, settings, send, hosts } = setUp();
    const url = new URL('https://updates.example/latest.yml');
    gate.knowUpdates([url.origin]);
    expect(gate.refusal(url, 'update')).toBe('“App updates” is switched off.');
    expect(hosts('updates')).toEqual([{ origin: url.origin, count: 0, lastAtMs: null }]);
    settings.update({ updates: 'notify' });
    expect(gate.refusal(url, 'update')).toBeNull();
    expect(hosts('updates')).toMatchObject([{ origin: url.origin, count: 1 }]);
    expect(await send(url.href)).toMatch(/^not-allowed/);
    for (const other of [dataUrl, nodeUrl, 'https://evil.example']) {
      expect(gate.refusal(new URL(other), 'update')).toMatch(/^Nothing was sent to /);
    }
  });

  it.each([
    ['https://evil.example/'],
    ['https://data-api.avax.network.evil.example/'],
    ['https://data-api.avax.network:8443/'],
    ['http://data-api.avax.network/'],
    ['http://10.0.0.7:9651/ext/health'],
    ['http://127.0.0.1:9650/'],
  ])('refuses any other host, such as %s, and says so', async (url) => {
    const { gate, send, fetched, time } = setUp();
    expect(await send(url)).toMatch(/^not-allowed: Nothing was sent to /);
    expect(fetched).toEqual([]);
    const { origin } = new URL(url);
    expect(gate.status().others).toEqual([{ origin, count: 1, lastAtMs: time.clock.nowMs() }]);
  });

  it('asks no other host because of a redirect, not even one that may be asked, nor this one in the clear', async () => {
    for (const location of ['https://evil.example/', metricsUrl, dataUrl.replace('https:', 'http:')]) {
      const { send, fetched } = setUp({}, () => answerWith(307, { location }));
      expect(await send(`${dataUrl}/v1/x`)).toMatch(/^redirect/);
      expect(fetched).toEqual([`${dataUrl}/v1/x`]);
    }
  });

  it('counts each request of a redirect within a host', async () => {
    const answers = [answerWith(307, { location: '/v1/y' }), answerWith(200)];
    const { send, hosts } = setUp({}, () => answers.shift() ?? answerWith(200));
    expect(await send(`${dataUrl}/v1/x`)).toBe(200);
    expect(hosts('data')).toMatchObject([{ count: 2 }]);
  });

  it.each<[SwitchedKind, string, string]>([
    ['data', `${dataUrl}/v1/x`, 'Chain data'],
    ['metrics', `${metricsUrl}/v2/x`, 'Chain metrics'],
  ])('lets out nothing of a kind that is switched off: %s', async (kind, url, name) => {
    const { settings, send, fetched, hosts, gate } = setUp({ requestsOff: [kind] });
    expect(await send(url)).toBe(`not-allowed: “${name}” is switched off.`);
    expect(fetched).toEqual([]);
    expect(hosts(kind)).toMatchObject([{ count: 0, lastAtMs: null }]);
    expect(gate.status().others).toEqual([]);
    settings.update({ requestsOff: [] });
    expect(await send(url)).toBe(200);
    expect(hosts(kind)).toMatchObject([{ count: 1 }]);
  });

  it('follows a change of the service, and still shows what was asked of the one before', async () => {
    const { settings, send, hosts } = setUp();
    await send(`${dataUrl}/v1/x`);
    settings.update({ service: { ...avalancheService, dataUrl: 'https://chain.example' } });
    expect(await send(`${dataUrl}/v1/x`)).toMatch(/^not-allowed/);
    expect(await send('https://chain.example/v1/x')).toBe(200);
    expect(hosts('data')).toMatchObject([
      { origin: 'https://chain.example', count: 1 },
      { origin: dataUrl, count: 1 },
    ]);
  });
});

it('asks this computer alone while there is sample data, whatever settings and nodes name', async () => {
  const local = { ...avalancheService, dataUrl: 'http://127.0.0.1:7650' };
  const { send, fetched, gate } = setUp({ service: local }, undefined, true);
  expect(await send(`${local.dataUrl}/v1/x`)).toBe(200);
  for (const url of [metricsUrl, nodeUrl])
    expect(await send(url)).toContain('nothing is sent to other computers');
  expect(fetched).toEqual([`${local.dataUrl}/v1/x`]);
  // The user's browser is asked by the user.
  expect(gate.refusal(new URL('https://example.org/'), 'link')).toBeNull();
});

describe('an address that is tried', () => {
  const url = 'http://192.0.2.9:9650/ext/health';

  it('may be asked only while it is', async () => {
    const { gate, send, hosts } = setUp();
    expect(await send(url)).toMatch(/^not-allowed/);
    expect(await gate.trying(url, () => gate.trying(url, async () => undefined).then(() => send(url)))).toBe(
      200,
    );
    expect(await send(url)).toMatch(/^not-allowed/);
    await expect(gate.trying(url, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await send(url)).toMatch(/^not-allowed/);
    expect(hosts('trial')).toMatchObject([{ origin: 'http://192.0.2.9:9650', count: 1 }]);
  });

  it('is not asked when that is switched off', async () => {
    const { gate, send } = setUp({ requestsOff: ['trial'] });
    expect(await gate.trying(url, () => send(url))).toMatch(/^not-allowed: “Nodes you test”/);
  });
});

describe('what is no request', () => {
  it('is let out as a connection to the service to see whether the network is there', () => {
    const { gate, hosts } = setUp();
    expect(gate.refusal(new URL(dataUrl), 'connection')).toBeNull();
    expect(hosts('network')).toMatchObject([{ origin: dataUrl, count: 1 }]);
    expect(hosts('data')).toMatchObject([{ count: 0 }]);
    expect(gate.refusal(new URL(metricsUrl), 'connection')).not.toBeNull();
  });

  it.each<[SwitchedKind]>([['network'], ['data']])('is not, when %s is switched off', (kind) => {
    const { gate } = setUp({ requestsOff: [kind] });
    expect(gate.refusal(new URL(dataUrl), 'connection')).toContain('“Network check”');
    expect(gate.refusal(new URL(nodeUrl), 'connection')).toBeNull();
  });

  it('is no connection to a service on this computer, which says nothing of the network', () => {
    const local = 'http://127.0.0.1:7650';
    const { gate, hosts } = setUp({ service: { ...avalancheService, dataUrl: local } });
    expect(gate.refusal(new URL(local), 'connection')).toMatch(/^Nothing was sent to /);
    expect(hosts('network')).toEqual([]);
  });

  it('is a link, to any host, unless links are switched off', () => {
    const { gate, hosts, settings } = setUp();
    const link = new URL('https://explorer.example/tx/0x1');
    gate.pass(link, 'link');
    expect(hosts('links')).toMatchObject([{ origin: 'https://explorer.example', count: 1 }]);
    settings.update({ requestsOff: ['links'] });
    expect(() => gate.pass(link, 'link')).toThrow('“Links opened in the browser” is switched off');
  });
});

it('tells of each request', async () => {
  const { gate, send } = setUp();
  const told: OutboundStatus[] = [];
  gate.onChange(() => told.push(gate.status()));
  for (let count = 0; count < 3; count += 1) await send(`${dataUrl}/v1/x`);
  expect(told).toHaveLength(3);
  expect(told[2]).toEqual(gate.status());
});

it('keeps no endless list of hosts that were refused, and goes on counting those in it', async () => {
  const { gate, send } = setUp();
  for (let count = 0; count < 30; count += 1) await send(`https://h${count}.example/`);
  await send('https://h0.example/');
  const { others } = gate.status();
  expect(others).toHaveLength(20);
  expect(others[0]).toMatchObject({ origin: 'https://h0.example', count: 2 });
});

it('counts the requests to each of many nodes', async () => {
  const { gate, send, hosts } = setUp();
  const urls = Array.from({ length: 30 }, (_none, index) => `https://n${index}.example`);
  gate.knowNodes(() => urls);
  for (const url of urls) await send(url);
  expect(hosts('nodes')?.map(({ count }) => count)).toEqual(urls.map(() => 1));
});
