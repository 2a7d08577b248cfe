import { describe, expect, it } from 'vitest';
import { avalancheService, sampleServiceProfile, type ServiceProfile } from '../../../shared/settings.ts';
import type { Keychain, KeychainFailure, KeychainOutcome } from '../ports.ts';
import { asResults } from '../testing/as-results.ts';
import { SecretService } from './secret-service.ts';
import { createFakeEvents } from '../testing/fake-events.ts';

const origin = 'https://data-api.avax.network';
const account = `${origin} https://metrics.avax.network`;

interface FakeKeychain extends Keychain {
  entries: Map<string, string>;
  failure: KeychainFailure | null;
  reads: number;
  /** The prompt of the last read is answered. */
  answerLate(): void;
  /** Reads wait until it is called. */
  hold(): () => void;
}

function createFakeKeychain(): FakeKeychain {
  const entries = new Map<string, string>();
  let gate: Promise<void> = Promise.resolve();
  const answer = <T>(value: () => T): KeychainOutcome<T> =>
    fake.failure === null ? { ok: true, value: value() } : { ok: false, failure: fake.failure };
  const fake: FakeKeychain = {
    entries,
    failure: null,
    reads: 0,
    answerLate: () => undefined,
    hold: () => {
      let release = (): void => undefined;
      gate = new Promise((resolve) => {
        release = resolve;
      });
      return () => release();
    },
    read: async (name, { onLate }) => {
      fake.reads += 1;
      fake.answerLate = () => onLate(entries.get(name) ?? null);
      const value = answer(() => entries.get(name) ?? null);
      await gate;
      return value;
    },
    write: async (name, secret) => answer(() => (entries.set(name, secret), null)),
    remove: async (name) => answer(() => (entries.delete(name), null)),
  };
  return fake;
}

function build(profile: ServiceProfile = avalancheService) {
  const keychain = createFakeKeychain();
  const current = { profile };
  const events = createFakeEvents();
  const changed = { count: 0 };
  const service = new SecretService({
    ...{ keychain, profile: () => current.profile, emit: events.emit },
    keyChanged: () => (changed.count += 1),
  });
  const secrets = {
    status: () => service.status(),
    load: () => service.load(),
    headersFor: (url: string, of: ServiceProfile) => service.headersFor(url, of),
    set: asResults(service).set,
    remove: asResults(service).remove,
  };
  const seen: string[] = [];
  events.on('secret.changed', (status) => seen.push(`${status.storage} ${status.keychain}`));
  const headers = (url = `${origin}/v1/x?y=1`) => secrets.headersFor(url, current.profile);
  return { keychain, secrets, seen, current, headers, changed };
}

it.each([
  ['00000000', true],
  ['0'.repeat(64), true],
  ['deadbeefdeadbee', true],
  ['a1b2c3d4e5f60718', false],
])('says of the key %s whether it is too short to be told apart from data: %s', async (key, isShort) => {
  const { secrets } = build();
  await secrets.set(key, 'session');
  expect(secrets.status().looksLikeData === true).toBe(isShort);
});

describe('that the key is another', () => {
  it('is told when the keychain opens after requests were sent without one', async () => {
    const { keychain, secrets, headers, changed } = build();
    keychain.entries.set(account, 'kept');
    keychain.failure = 'locked';
    await secrets.load();
    expect(await headers()).toEqual({});
    keychain.answerLate();
    expect([await headers(), changed.count]).toEqual([{ 'x-glacier-api-key': 'kept' }, 1]);
    keychain.failure = null;
    await secrets.load();
    expect(changed.count).toBe(1);
  });

  it('is told when it is replaced or removed, but not before the first request, nor of the same one', async () => {
    const { secrets, headers, changed } = build();
    await secrets.set('one', 'session');
    expect(changed.count).toBe(0);
    await headers();
    await secrets.set('one', 'keychain');
    expect(changed.count).toBe(0);
    await secrets.set('two', 'keychain');
    expect(changed.count).toBe(1);
    await headers();
    await secrets.remove();
    expect(changed.count).toBe(2);
  });
});

describe('the state of the key', () => {
  it('is unknown until the keychain has been asked', async () => {
    const { secrets, seen } = build();
    expect(secrets.status()).toEqual({ present: false, storage: 'none', keychain: 'unknown' });
    expect(await secrets.load()).toEqual({ present: false, storage: 'none', keychain: 'available' });
    expect(seen).toEqual(['none available']);
  });

  it('is stored, replaced and removed in the keychain', async () => {
    const { keychain, secrets, headers } = build();
    expect(await secrets.set(' k1 ', 'keychain')).toEqual({
      ok: true,
      value: { present: true, storage: 'keychain', keychain: 'available', looksLikeData: true },
    });
    expect([...keychain.entries]).toEqual([[account, 'k1']]);
    await secrets.set('k2', 'keychain');
    expect([...keychain.entries]).toEqual([[account, 'k2']]);
    expect(await headers()).toEqual({ 'x-glacier-api-key': 'k2' });
    expect(await secrets.remove()).toMatchObject({ ok: true, value: { present: false, storage: 'none' } });
    expect(keychain.entries.size).toBe(0);
    expect(await headers()).toEqual({});
  });

  it('is found again after a restart', async () => {
    const { keychain, secrets, headers } = build();
    keychain.entries.set(account, 'k1');
    expect(await headers()).toEqual({ 'x-glacier-api-key': 'k1' });
    expect(secrets.status()).toMatchObject({ present: true, storage: 'keychain' });
  });

  it.each(['locked', 'absent'] as const)('is told when the keychain is %s', async (failure) => {
    const { keychain, secrets, headers } = build();
    keychain.failure = failure;
    expect(await secrets.load()).toEqual({ present: false, storage: 'none', keychain: failure });
    expect(await headers()).toEqual({});
    expect(await secrets.set('k1', 'keychain')).toMatchObject({ ok: false, error: { code: 'keychain' } });
    expect(secrets.status().present).toBe(false);
    // For this session only it works all the same, and nothing is written anywhere.
    expect(await secrets.set('k1', 'session')).toMatchObject({
      ok: true,
      value: { present: true, storage: 'session', keychain: failure },
    });
    expect(await headers()).toEqual({ 'x-glacier-api-key': 'k1' });
    expect(keychain.entries.size).toBe(0);
  });

  it('knows the key again when the keychain has been unlocked', async () => {
    const { keychain, secrets } = build();
    keychain.entries.set(account, 'k1');
    keychain.failure = 'locked';
    await secrets.load();
    keychain.failure = null;
    expect(await secrets.load()).toEqual({
      present: true,
      storage: 'keychain',
      keychain: 'available',
      looksLikeData: true,
    });
  });

  it('knows the key once a prompt is answered for which it did not wait, unless a newer one was entered', async () => {
    const { keychain, secrets, seen, headers } = build();
    keychain.entries.set(account, 'k1');
    keychain.failure = 'locked';
    await secrets.load();
    keychain.failure = null;
    keychain.answerLate();
    expect(secrets.status()).toMatchObject({ present: true, storage: 'keychain', keychain: 'available' });
    expect(seen).toEqual(['none locked', 'keychain available']);
    expect(await headers()).toEqual({ 'x-glacier-api-key': 'k1' });
    const { answerLate } = keychain;
    await secrets.set('k2', 'keychain');
    keychain.entries.set(account, 'k1');
    answerLate();
    expect(await headers()).toEqual({ 'x-glacier-api-key': 'k2' });
  });

  it('a key for the session goes before the stored one, which stays; a stored one ends it', async () => {
    const { keychain, secrets, headers } = build();
    await secrets.set('stored', 'keychain');
    await secrets.set('session', 'session');
    expect(await headers()).toEqual({ 'x-glacier-api-key': 'session' });
    expect(keychain.entries.get(account)).toBe('stored');
    await secrets.set('newer', 'keychain');
    expect(await headers()).toEqual({ 'x-glacier-api-key': 'newer' });
  });

  it('for the session is told at once, needs no keychain, and is gone when it is removed', async () => {
    const { keychain, secrets, seen, headers } = build();
    await secrets.set('k1', 'session');
    expect(seen).toEqual(['session unknown']);
    expect(await headers()).toEqual({ 'x-glacier-api-key': 'k1' });
    expect(keychain.reads).toBe(0);
    await secrets.remove();
    expect(secrets.status().present).toBe(false);
    expect(await headers()).toEqual({});
  });

  it('is told when the keychain was locked meanwhile', async () => {
    const { keychain, secrets } = build();
    await secrets.load();
    keychain.failure = 'locked';
    await secrets.set('k1', 'keychain');
    expect(secrets.status()).toEqual({ present: false, storage: 'none', keychain: 'locked' });
  });

  it('stays in use where another one cannot take its place', async () => {
    const { keychain, secrets, headers } = build();
    await secrets.set('k1', 'keychain');
    keychain.failure = 'locked';
    expect(await secrets.set('k2', 'keychain')).toMatchObject({ ok: false, error: { code: 'keychain' } });
    expect(secrets.status()).toMatchObject({ present: true, storage: 'keychain' });
    expect(await headers()).toEqual({ 'x-glacier-api-key': 'k1' });
    await secrets.remove();
    await secrets.set('k2', 'keychain');
    expect(await headers()).toEqual({});
  });

  it('cannot be removed from a locked keychain, and says so', async () => {
    const { keychain, secrets, headers } = build();
    await secrets.set('k1', 'keychain');
    keychain.failure = 'locked';
    expect(await secrets.remove()).toMatchObject({ ok: false, error: { code: 'keychain' } });
    expect(await headers()).toEqual({});
    keychain.failure = 'absent';
    expect(await secrets.remove()).toMatchObject({ ok: true, value: { present: false } });
  });

  it('is not overwritten by a read that had begun before it was set or removed', async () => {
    const { keychain, secrets, headers } = build();
    keychain.entries.set(account, 'old');
    const release = keychain.hold();
    const loading = secrets.load();
    await secrets.set('new', 'keychain');
    release();
    await loading;
    expect(await headers()).toEqual({ 'x-glacier-api-key': 'new' });
    keychain.entries.set(account, 'old');
    keychain.answerLate();
    expect(await headers()).toEqual({ 'x-glacier-api-key': 'new' });
  });

  it('is read once for many requests at the same time', async () => {
    const { keychain, headers } = build();
    keychain.entries.set(account, 'k1');
    const all = await Promise.all(Array.from({ length: 20 }, () => headers()));
    expect(new Set(all.map((each) => each['x-glacier-api-key']))).toEqual(new Set(['k1']));
    expect(keychain.reads).toBe(1);
  });
});

describe('where the key goes', () => {
  it.each([
    ['https://data-api.avax.network/v1/x', true],
    ['https://metrics.avax.network/v2/x?a=b#c', true],
    ['https://data-api.avax.network.evil.example/v1/x', false],
    ['https://data-api.avax.network@evil.example/v1/x', false],
    ['http://data-api.avax.network/v1/x', false],
    ['https://data-api.avax.network:8443/v1/x', false],
    ['https://evil.example/?https://data-api.avax.network', false],
    ['file:///etc/passwd', false],
    ['nonsense', false],
  ])('%s: %s', async (url, isSent) => {
    const { secrets } = build();
    await secrets.set('k1', 'keychain');
    expect(await secrets.headersFor(url, avalancheService)).toEqual(
      isSent ? { 'x-glacier-api-key': 'k1' } : {},
    );
  });

  it('never to another service: each has a key of its own', async () => {
    const { secrets, current, headers } = build();
    await secrets.set('k1', 'keychain');
    await secrets.set('s1', 'session');
    current.profile = sampleServiceProfile;
    expect(secrets.status()).toMatchObject({ present: false, keychain: 'unknown' });
    expect(await headers(`${sampleServiceProfile.dataUrl}/v1/x`)).toEqual({});
    // Another path or header name at the same origin is the same service.
    current.profile = { ...avalancheService, dataUrl: `${origin}/beta`, keyHeader: 'x-other' };
    expect(await headers(`${origin}/beta/v1/x`)).toEqual({ 'x-other': 's1' });
  });

  it('never to another metrics service than the one it was entered for', async () => {
    const { secrets, current, headers } = build();
    await secrets.set('k1', 'keychain');
    await secrets.set('s1', 'session');
    current.profile = { ...avalancheService, metricsUrl: 'https://evil.example' };
    expect(secrets.status()).toMatchObject({ present: false, keychain: 'unknown' });
    expect(await headers('https://evil.example/v2/x')).toEqual({});
    expect(await headers()).toEqual({});
    current.profile = avalancheService;
    expect(await headers()).toEqual({ 'x-glacier-api-key': 's1' });
  });

  it('under one name where data and metrics have one origin', async () => {
    const { keychain, secrets } = build({ ...avalancheService, metricsUrl: `${origin}/metrics` });
    await secrets.set('k1', 'keychain');
    expect([...keychain.entries.keys()]).toEqual([origin]);
  });
});

describe('a key that is no key', () => {
  it.each(['', '  ', 'two words', 'line\r\nx-other: 1', 'tab\tbed', 'umläut', 'nul\0', 'x'.repeat(4_097)])(
    '%j is refused and not quoted',
    async (key) => {
      const { keychain, secrets, seen } = build();
      for (const storage of ['keychain', 'session'] as const) {
        const result = await secrets.set(key, storage);
        expect(result).toMatchObject({ ok: false, error: { code: 'invalid-params' } });
        if (key.trim() !== '') expect(JSON.stringify(result)).not.toContain(key);
      }
      expect(keychain.entries.size).toBe(0);
      expect(seen).toEqual([]);
    },
  );
});
