import { describe, expect, it } from 'vitest';
import { addressChains, chainTransactions } from '../../../shared/endpoints/data.ts';
import { rollingWindowMetrics } from '../../../shared/endpoints/metrics.ts';
import type { ConnectionStatus } from '../../../shared/ipc/answers.ts';
import {
  avalancheService,
  defaultSettings,
  sampleServiceProfile,
  type ServiceProfile,
} from '../../../shared/settings.ts';
import { appConditions } from '../alerts/app-rule.ts';
import { wellApp } from '../alerts/testing/alert-world.ts';
import { createFakeTime } from '../health/testing/fake-ports.ts';
import type { HttpFailure, HttpOutcome, HttpRequest } from '../ports.ts';
import type { Priority } from './budget.ts';
import { Scheduler } from './scheduler.ts';
import { ServiceClient, type FetchOptions } from './service-client.ts';

const user: FetchOptions = { priority: 'user', mayWaitMs: 2_000 };

function answer(status: number, body: unknown, headers: Record<string, string> = {}): HttpOutcome {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { kind: 'response', status, headers, body: text, byteLength: text.length };
}

const failed = (reason: HttpFailure): HttpOutcome => ({
  kind: 'failure',
  reason,
  detail: `words of ${reason}`,
});

const emptyPage = answer(200, { transactions: [] });

function build(
  outcomes: (HttpOutcome | Promise<HttpOutcome> | 'hang')[],
  keyHeaders: Record<string, string> = {},
) {
  const time = createFakeTime();
  const requests: HttpRequest[] = [];
  const current: { profile: ServiceProfile; off: string | null } = { profile: avalancheService, off: null };
  const life = new AbortController();
  const service = new ServiceClient({
    http: {
      send: async (request) => {
        requests.push(request);
        const outcome = outcomes.shift() ?? emptyPage;
        if (outcome !== 'hang') return outcome;
        return await new Promise((resolve) => {
          request.signal?.addEventListener('abort', () => resolve(failed('cancelled')));
        });
      },
    },
    scheduler: new Scheduler({ clock: time.clock, timers: time.timers }),
    keyHeaders: async () => keyHeaders,
    profile: () => current.profile,
    life: life.signal,
    offReason: (api) => (api === 'data' ? current.off : null),
    clock: time.clock,
    timers: time.timers,
    random: { fraction: () => 0, id: () => 'id' },
  });
  const connections: ConnectionStatus[] = [];
  service.onConnectionChange((status) => connections.push(status));
  const fetchOf = (chainId: string, options = user) => service.fetch(chainTransactions, { chainId }, options);
  const fetch = (options = user) => fetchOf('43114', options);
  return { time, requests, service, connections, current, life, fetch, fetchOf };
}

describe('one call', () => {
  it('is not sent once the life of the client has ended, even if it was waiting for its turn or to be repeated', async () => {
    const { time, requests, life, fetch } = build([answer(429, '', { 'retry-after': '5' }), failed('reset')]);
    const waiting = [fetch({ priority: 'backfill' }), fetch({ priority: 'backfill' })];
    await time.settle();
    const sent = requests.length;
    life.abort();
    await time.advance(60_000);
    for (const call of [...waiting, fetch()]) {
      expect(await call).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    }
    expect(requests).toHaveLength(sent);
  });

  it('asks the interface of the profile, with the key, and gives back data, body and time', async () => {
    const body = '{"transactions":[],"nextPageToken":"t"}';
    const { time, requests, fetch } = build([answer(200, body)], { 'x-key': 'k1' });
    expect(await fetch()).toEqual({
      ok: true,
      value: {
        data: { transactions: [], nextPageToken: 't' },
        notes: [],
        unreadableItems: [],
        url: 'https://data-api.avax.network/v1/chains/43114/transactions',
        bodyText: body,
        fetchedAtMs: time.clock.nowMs(),
        httpStatus: 200,
        durationMs: 0,
        byteLength: body.length,
      },
    });
    expect(requests).toMatchObject([
      {
        method: 'GET',
        url: 'https://data-api.avax.network/v1/chains/43114/transactions',
        headers: { accept: 'application/json', 'x-key': 'k1' },
        timeoutMs: 30_000,
        maxBytes: 32 * 1024 * 1024,
      },
    ]);
  });

  it('asks the service it was told to ask, also when another one is set meanwhile', async () => {
    const { requests, current, fetch } = build([]);
    current.profile = sampleServiceProfile;
    await fetch({ ...user, profile: avalancheService });
    await fetch();
    expect(requests.map(({ url }) => new URL(url).origin)).toEqual([
      'https://data-api.avax.network',
      'http://127.0.0.1:7650',
    ]);
  });

  it.each<[HttpOutcome, object]>([
    [answer(400, { message: ['bad'] }), { code: 'upstream', message: 'bad', status: 400 }],
    [answer(403, ''), { code: 'forbidden' }],
    [answer(404, { message: 'gone' }), { code: 'not-found', message: 'gone' }],
    [answer(429, '', { 'retry-after': '9' }), { code: 'rate-limited', retryAtMs: 1_700_000_009_000 }],
    [answer(500, '<html>'), { code: 'upstream', status: 500 }],
    [answer(200, '<html>'), { code: 'bad-response' }],
    [answer(200, '{"transactions":'), { code: 'bad-response' }],
    [failed('dns'), { code: 'unreachable', message: 'words of dns' }],
    [failed('refused'), { code: 'unreachable' }],
    [failed('tls'), { code: 'unreachable' }],
    [failed('network'), { code: 'unreachable' }],
    [failed('timeout'), { code: 'timeout' }],
    [failed('too-large'), { code: 'bad-response' }],
    [failed('redirect'), { code: 'bad-response' }],
    [failed('bad-encoding'), { code: 'bad-response' }],
    [failed('cancelled'), { code: 'cancelled' }],
  ])('%#: every outcome has its own error', async (outcome, error) => {
    expect(await build([outcome]).fetch()).toMatchObject({ ok: false, error });
  });

  it('a 401 asks for a key when none was sent', async () => {
    expect(await build([answer(401, '')]).fetch()).toMatchObject({ error: { code: 'no-secret' } });
    expect(await build([answer(401, '')], { 'x-key': 'k1' }).fetch()).toMatchObject({
      error: { code: 'unauthorized' },
    });
  });
});

it('a service that counts requests, and not units, gets as many as it allows', async () => {
  // As common gateways in front of a service of one's own say it.
  const counted = (left: number) =>
    answer(200, { transactions: [] }, { 'ratelimit-limit': '12', 'ratelimit-remaining': String(left) });
  const { requests, fetch } = build(Array.from({ length: 12 }, (_, sent) => counted(11 - sent)));
  for (let sent = 0; sent < 12; sent += 1) expect((await fetch()).ok).toBe(true);
  expect(await fetch()).toMatchObject({ ok: false, error: { code: 'rate-limited' } });
  expect(requests).toHaveLength(12);
});

describe('retries', () => {
  const inBackground = (priority: Priority): FetchOptions => ({ priority, mayWaitMs: Infinity });

  it('of work in the background wait, longer each time', async () => {
    const { time, requests, fetch } = build([failed('reset'), answer(502, ''), failed('timeout')]);
    const fetched = fetch(inBackground('backfill'));
    await time.settle();
    expect(requests).toHaveLength(1);
    await time.advance(499);
    expect(requests).toHaveLength(1);
    await time.advance(1);
    expect(requests).toHaveLength(2);
    await time.advance(1_000);
    expect(requests).toHaveLength(3);
    await time.advance(2_000);
    expect(await fetched).toMatchObject({ ok: true });
  });

  it('end when they are cancelled', async () => {
    const abort = new AbortController();
    const { time, requests, fetch } = build([answer(502, '')]);
    const fetched = fetch({ ...inBackground('backfill'), signal: abort.signal });
    await time.settle();
    abort.abort();
    expect(await fetched).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    await time.advance(60_000);
    expect(requests).toHaveLength(1);
  });

  it('after a 429 come no sooner than it said', async () => {
    const { time, requests, fetch } = build([answer(429, '', { 'retry-after': '20' })]);
    const fetched = fetch(inBackground('backfill'));
    await time.advance(19_999);
    expect(requests).toHaveLength(1);
    await time.advance(1);
    expect(await fetched).toMatchObject({ ok: true });
    expect(requests).toHaveLength(2);
  });

  it('a 503 that names a time holds back what is about the same chain', async () => {
    const { time, requests, fetch, fetchOf } = build([answer(503, '', { 'retry-after': '20' })]);
    expect(await fetch()).toMatchObject({ ok: false, error: { code: 'upstream' } });
    const message = 'The service can’t respond for this chain for another 20 s, so nothing was sent.';
    for (const options of [user, inBackground('backfill')])
      expect(await fetch(options)).toMatchObject({ error: { code: 'upstream', message, status: 503 } });
    expect(await fetchOf('2')).toMatchObject({ ok: true });
    await time.advance(20_000);
    expect(await fetch()).toMatchObject({ ok: true });
    expect(requests).toHaveLength(3);
  });
});

describe('the connection', () => {
  it('is told when it changes, and only then', async () => {
    const { time, service, connections, fetch } = build([
      failed('dns'),
      failed('refused'),
      answer(500, ''),
      emptyPage,
      failed('timeout'),
    ]);
    expect(service.connection()).toEqual({ state: 'unknown', lastAnswerAtMs: null, error: null });
    await fetch();
    await fetch();
    const answeredAtMs = time.clock.nowMs();
    await fetch();
    await fetch();
    await time.advance(5_000);
    await fetch();
    expect(connections.map(({ state }) => state)).toEqual(['offline', 'online', 'offline']);
    expect(service.connection()).toMatchObject({
      state: 'offline',
      lastAnswerAtMs: answeredAtMs,
      error: { code: 'timeout' },
    });
  });

  it('does not end because a request was cancelled', async () => {
    const { time, connections, service, fetch } = build([emptyPage, 'hang']);
    await fetch();
    const abort = new AbortController();
    const fetched = fetch({ ...user, signal: abort.signal });
    await time.settle();
    abort.abort();
    expect(await fetched).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(connections).toHaveLength(1);
    service.resetConnection();
    expect(connections.at(-1)).toEqual({ state: 'unknown', lastAnswerAtMs: null, error: null });
  });

  it('is switched off, without a request, until it is switched on', async () => {
    const { time, requests, connections, service, current, fetch } = build([emptyPage, 'hang']);
    await fetch();
    const underWay = fetch();
    await time.settle();
    current.off = 'It is switched off.';
    service.switched();
    expect(await fetch()).toEqual({
      ok: false,
      error: { code: 'not-allowed', message: 'It is switched off.' },
    });
    expect(requests).toHaveLength(2);
    expect(service.connection()).toEqual({
      state: 'off',
      lastAnswerAtMs: time.clock.nowMs(),
      error: null,
    });
    current.off = null;
    service.switched();
    await fetch();
    expect(connections.map(({ state }) => state)).toEqual(['online', 'off', 'unknown', 'online']);
    void underWay;
  });

  it('stays switched off when an answer still comes, and says nothing of what the gate refused', async () => {
    const { connections, service, current, fetch } = build([failed('not-allowed'), emptyPage]);
    expect(await fetch()).toMatchObject({ error: { code: 'not-allowed' } });
    expect(connections).toEqual([]);
    const answered = fetch();
    current.off = 'It is switched off.';
    service.switched();
    await answered;
    expect(service.connection().state).toBe('off');
  });

  it('says that the key is refused until it is accepted, for which there is an alert', async () => {
    const refused = answer(401, { message: 'Api key is invalid' });
    const outcomes = [refused, answer(503, ''), failed('timeout'), answer(404, ''), refused];
    const { service, connections, current, fetch } = build(outcomes, { 'x-key': 'k' });
    const alerts = () => {
      const facts = { ...wellApp, connection: service.connection() };
      const { alerts: settings } = defaultSettings;
      return appConditions(facts, [], { atMs: 0, settings }).map(({ words }) => words);
    };
    await fetch();
    expect(alerts()).toEqual(['The service refuses your API key']);
    await fetch();
    expect(alerts()).toHaveLength(1);
    for (const state of ['offline', 'online']) {
      await fetch();
      expect(service.connection().state).toBe(state);
    }
    expect(alerts()).toEqual([]);
    await fetch();
    expect(connections.map(({ error }) => error?.code)).toEqual([
      ...['unauthorized', 'timeout', undefined, 'unauthorized'],
    ]);
    current.profile = sampleServiceProfile;
    service.resetConnection();
    expect(alerts()).toEqual([]);
  });

  it.each(['keyChanged', 'resetConnection'] as const)(
    'no longer says that the key is refused after %s, whatever requests from before still bring',
    async (change) => {
      const refused = answer(401, { message: 'Api key is invalid' });
      const late = Promise.withResolvers<HttpOutcome>();
      const { time, service, connections, fetch } = build([refused, late.promise], { 'x-key': 'k' });
      await fetch();
      const underWay = fetch();
      await time.settle();
      service[change]();
      late.resolve(refused);
      expect(await underWay).toMatchObject({ error: { code: 'unauthorized' } });
      expect(service.connection()).toMatchObject({ state: 'online', error: null });
      const [first, ...others] = connections.map(({ error }) => error?.code);
      expect([first, ...new Set(others)]).toEqual(['unauthorized', undefined]);
    },
  );

  it('is that of chain data: metrics have a host of their own, and need no key', async () => {
    const { service, connections, fetch } = build([answer(401, ''), failed('dns'), emptyPage], {
      'x-key': 'k',
    });
    await fetch();
    const params = { chainId: '43114', metric: 'txCount' };
    for (const status of ['down', 'up']) {
      await service.fetch(rollingWindowMetrics, params, user);
      expect([status, service.connection()]).toMatchObject([
        status,
        { state: 'online', error: { code: 'unauthorized' } },
      ]);
    }
    expect(connections).toHaveLength(1);
  });

  it('is there when an answer could not be used', async () => {
    const { connections, fetch } = build([failed('redirect')]);
    await fetch();
    expect(connections).toMatchObject([{ state: 'online' }]);
  });
});

it('a decoder of one’s own takes the place of the built-in one', async () => {
  const time = createFakeTime();
  const seen: string[] = [];
  const service = new ServiceClient({
    http: { send: async () => answer(200, '{"indexedChains":[]}') },
    scheduler: new Scheduler({ clock: time.clock, timers: time.timers }),
    keyHeaders: async () => ({}),
    profile: () => avalancheService,
    clock: time.clock,
    timers: time.timers,
    random: { fraction: () => 0, id: () => 'id' },
    decode: async (endpoint, text) => {
      seen.push(`${endpoint.id} ${text}`);
      return { ok: true, value: { data: {}, notes: ['read elsewhere'], unreadableItems: [] } };
    },
  });
  expect(await service.fetch(addressChains, { address: '0x' }, user)).toMatchObject({
    value: { notes: ['read elsewhere'] },
  });
  expect(seen).toEqual(['address-chains {"indexedChains":[]}']);
});
