import { describe, expect, it } from 'vitest';
import { addressChains } from '../../../shared/endpoints/data.ts';
import { avalancheService } from '../../../shared/settings.ts';
import { createFakeTime } from '../health/testing/fake-ports.ts';
import type { HttpOutcome, HttpRequest } from '../ports.ts';
import { SecretService } from '../secrets/secret-service.ts';
import { createKeyTest } from './key-test.ts';
import { Scheduler } from './scheduler.ts';
import { ServiceClient } from './service-client.ts';

function build(outcomes: HttpOutcome[], keychainLocked = false) {
  const time = createFakeTime();
  const requests: HttpRequest[] = [];
  const entries = new Map<string, string>();
  const scheduler = new Scheduler({ clock: time.clock, timers: time.timers });
  const secrets = new SecretService({
    emit: () => undefined,
    keychain: {
      read: async (account) =>
        keychainLocked ? { ok: false, failure: 'locked' } : { ok: true, value: entries.get(account) ?? null },
      write: async (account, key) => (entries.set(account, key), { ok: true, value: null }),
      remove: async () => ({ ok: true, value: null }),
    },
    profile: () => avalancheService,
    keyChanged: () => scheduler.keyChanged(),
  });
  const service = new ServiceClient({
    http: {
      send: async (request) => {
        requests.push(request);
        await time.advance(120);
        return outcomes.shift() ?? answer(200);
      },
    },
    scheduler,
    keyHeaders: (url, profile) => secrets.headersFor(url, profile),
    profile: () => avalancheService,
    clock: time.clock,
    timers: time.timers,
    random: { fraction: () => 0, id: () => 'id' },
  });
  return { secrets, requests, service, keyTest: createKeyTest({ secrets, service, clock: time.clock }) };
}

function answer(status: number, body = '{}', headers: Record<string, string> = {}): HttpOutcome {
  return { kind: 'response', status, headers, body, byteLength: body.length };
}

describe('testing the key', () => {
  it('sends nothing when there is none', async () => {
    const { requests, keyTest } = build([answer(200)]);
    expect(await keyTest()).toMatchObject({ ok: false, error: { code: 'no-secret' } });
    expect(requests).toHaveLength(0);
  });

  it('says that the keychain is locked, since there may be a key in it', async () => {
    const { requests, keyTest } = build([answer(200)], true);
    expect(await keyTest()).toMatchObject({ ok: false, error: { code: 'keychain' } });
    expect(requests).toHaveLength(0);
  });

  it.each([200, 404])('%i: the service accepts it', async (status) => {
    const { secrets, requests, keyTest } = build([answer(status)]);
    await secrets.set('k1', 'keychain');
    expect(await keyTest()).toEqual({ ok: true, value: { answeredInMs: 120 } });
    expect(requests).toMatchObject([{ headers: { 'x-glacier-api-key': 'k1' } }]);
  });

  it('is possible where the service wants no more calls without a key for the rest of the day', async () => {
    const { secrets, requests, service, keyTest } = build([answer(429, '', { 'retry-after': '40000' })]);
    const fetch = () => service.fetch(addressChains, { address: '0x1' }, { priority: 'user' });
    await fetch();
    expect(await fetch()).toMatchObject({ error: { code: 'rate-limited' } });
    await secrets.set('k1', 'session');
    expect(await keyTest()).toMatchObject({ ok: true });
    expect(requests).toHaveLength(2);
  });

  it.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [500, 'upstream'],
  ])('%i: it does not', async (status, code) => {
    const { secrets, keyTest } = build([answer(status, '{"message":"Api key is invalid"}')]);
    await secrets.set('k1', 'keychain');
    expect(await keyTest()).toMatchObject({ ok: false, error: { code, message: 'Api key is invalid' } });
  });
});
