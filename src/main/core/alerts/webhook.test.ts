import { describe, expect, it, vi } from 'vitest';
import { createHttpClient } from '../../adapters/http/http-client.ts';
import { openNetwork } from '../../adapters/http/testing/open-network.ts';
import { defaultSettings, type Settings } from '../../../shared/settings.ts';
import { createFakeKeychain, createFakeLog, createFakeTime } from '../health/testing/fake-ports.ts';
import { Gate } from '../privacy/gate.ts';
import { SettingsService } from '../settings/settings-service.ts';
import { createOutbox } from './outbox.ts';
import { KeptSecrets } from '../secrets/kept-secrets.ts';
import { createSecretUrls } from './secret-urls.ts';
import { serve } from './testing/web-server.ts';
import { createWebhook } from './webhook.ts';

function createWorld() {
  const time = createFakeTime();
  const keychain = createFakeKeychain();
  const disk = { isFull: false };
  let stored: Settings = defaultSettings;
  const settings = new SettingsService(
    {
      read: () => ({ settings: stored, notice: null }),
      write: (value) => {
        if (disk.isFull) throw new Error('ENOSPC');
        stored = value;
      },
    },
    createFakeLog(),
  );
  const onSet = vi.fn();
  const gate = new Gate({ settings, clock: time.clock });
  const kept = new KeptSecrets(keychain);
  const urls = createSecretUrls({
    ...{ kept, clock: time.clock, log: createFakeLog() },
    http: createHttpClient({ ...openNetwork, gate }),
  });
  return {
    time,
    keychain,
    disk,
    gate,
    settings,
    kept,
    onSet,
    webhook: createWebhook({ urls, settings, onSet }),
  };
}

const message = {
  id: 'a begin',
  level: 'wake',
  title: 'node-1 isn’t responding',
  body: 'Since <12:00>.',
  link: { view: 'alerts' },
} as const;

describe('the webhook', () => {
  it.each([
    [
      'json',
      'application/json',
      '{"version":1,"id":"c40954e5b98dc0f1e703de9746086a56e4b20bbe7e8ba636cdc08296d8a5f318","level":"wake","title":"node-1 isn’t responding","body":"Since <12:00>.","link":"watchkeeper://alerts"}',
    ],
    ['ntfy', 'text/plain; charset=utf-8', 'node-1 isn’t responding\nSince <12:00>.'],
    ['slack', 'application/json', '{"text":"*node-1 isn’t responding*\\nSince &lt;12:00&gt;."}'],
    [
      'discord',
      'application/json',
      String.raw`{"content":"**node-1 isn’t responding**\nSince \\<12\\:00>.","allowed_mentions":{"parse":[]}}`,
    ],
  ] as const)('sends a body as %s', async (shape, type, body) => {
    const { received, origin } = await serve();
    const { webhook } = createWorld();
    await webhook.set({ url: `${origin}/secret?token=1`, shape });
    await webhook.send(message, false);
    expect(received).toEqual([
      { url: '/secret?token=1', body, headers: expect.objectContaining({ 'content-type': type }) },
    ]);
    expect(received[0]?.headers['priority']).toBe(shape === 'ntfy' ? '5' : undefined);
  });

  it.each([
    ['ntfy', (body: string) => new TextEncoder().encode(body).length, 4_096],
    // The schema of the body is Discord's.
    ['discord', (body: string) => (JSON.parse(body) as { content: string }).content.length, 2_000],
  ] as const)('sends %s no more than a message may hold there', async (shape, lengthOf, most) => {
    const { received, origin } = await serve();
    const { webhook } = createWorld();
    await webhook.set({ url: `${origin}/topic`, shape });
    await webhook.send({ ...message, body: 'Ended: Ünïted Nodes\n'.repeat(1_000) }, false);
    const length = lengthOf(received[0]?.body ?? '');
    expect(length).toBeGreaterThan(most / 2);
    expect(length).toBeLessThanOrEqual(most);
  });

  it('makes no link in Discord of what a token is called, and cuts no sign in two', async () => {
    const { received, origin } = await serve();
    const { webhook } = createWorld();
    await webhook.set({ url: `${origin}/topic`, shape: 'discord' });
    const title = 'Alice_1 received 5 [Claim](https://evil.example)';
    await webhook.send({ ...message, title, body: `x${'😀'.repeat(2_000)}` }, false);
    // The schema of the body is Discord's.
    const { content } = JSON.parse(received[0]?.body ?? '') as { content: string };
    expect(content.split('\n')[0]).toBe(String.raw`**Alice\_1 received 5 \[Claim\](https\://evil.example)**`);
    expect([content.length, content.isWellFormed()]).toEqual([2_000, true]);
  });

  it.each<[string, Record<string, string>, string | Buffer]>([
    ['is large', {}, 'x'.repeat(70_000)],
    ['is no text', {}, Buffer.from([0xff, 0xfe])],
    ['is compressed in another way', { 'content-encoding': 'zstd' }, 'x'],
    ['breaks off', { 'content-length': '9' }, 'x'],
  ])(
    'has accepted a message also where its answer %s, so that it is not sent again',
    async (_how, ...given) => {
      const { received, origin } = await serve(() => [200, ...given]);
      const { webhook } = createWorld();
      await webhook.set({ url: `${origin}/secret`, shape: 'json' });
      await webhook.send(message, false);
      expect(received).toHaveLength(1);
    },
  );

  it('stays as it was where the settings cannot be written', async () => {
    const world = createWorld();
    await world.webhook.set({ url: 'https://a.example/one', shape: 'json' });
    world.disk.isFull = true;
    await expect(world.webhook.set({ url: 'https://b.example/two', shape: 'json' })).rejects.toThrow();
    await expect(world.webhook.set({ url: '', shape: 'json' })).rejects.toThrow();
    expect(world.settings.current().alerts.webhook?.origin).toBe('https://a.example');
    expect([...world.keychain.entries.values()]).toEqual(['https://a.example/one']);
  });

  it('asks a keychain that was locked meanwhile for nothing that it knows', async () => {
    const { origin, received } = await serve();
    const { webhook, keychain } = createWorld();
    await webhook.set({ url: `${origin}/secret`, shape: 'json' });
    keychain.fail('locked');
    const reads = keychain.reads();
    for (let count = 0; count < 3; count += 1) await webhook.send(message, false);
    expect([received.length, keychain.reads() - reads]).toEqual([3, 0]);
  });

  it('shows one prompt of a locked keychain, and no second one to who has dismissed it', async () => {
    const { webhook, keychain } = createWorld();
    keychain.fail('locked');
    const write = vi.spyOn(keychain, 'write');
    await expect(webhook.set({ url: 'https://a.example/one', shape: 'json' })).rejects.toThrow('locked');
    expect([keychain.reads(), write.mock.calls.length]).toEqual([1, 0]);
  });

  it('can be taken away where there is no keychain any more', async () => {
    const { webhook, settings, keychain } = createWorld();
    settings.update({
      alerts: { ...settings.current().alerts, webhook: { origin: 'https://a.example', shape: 'json' } },
    });
    keychain.fail('absent');
    await webhook.set({ url: '', shape: 'json' });
    expect(settings.current().alerts.webhook).toBeNull();
  });

  it('keeps its address in the keychain, and the gate lets nothing else through', async () => {
    const { origin } = await serve();
    const { webhook, kept, settings, keychain, gate } = createWorld();
    await webhook.set({ url: `${origin}/secret`, shape: 'json' });
    expect(JSON.stringify(settings.current())).not.toContain('secret');
    expect([...keychain.entries.values()]).toEqual([`${origin}/secret`]);
    expect(kept.hide(`x ${origin}/secret y`)).toBe('x (hidden key) y');
    await webhook.send(message, false);
    expect(gate.status().uses.find(({ kind }) => kind === 'webhook')?.hosts).toMatchObject([
      { origin, count: 1 },
    ]);
    await webhook.set({ url: '', shape: 'json' });
    expect(settings.current().alerts.webhook).toBeNull();
    expect(keychain.entries.size).toBe(0);
    await expect(webhook.send(message, false)).rejects.toThrow('isn’t in the keychain');
    expect(gate.refusal(new URL(origin), 'request')).not.toBeNull();
  });

  it.each([
    'http://example.org/x',
    'ftp://127.0.0.1/x',
    'https://me@example.org/',
    'https://:pass@example.org/',
    'nothing',
  ])('refuses the address %s', async (url) => {
    const { webhook, keychain } = createWorld();
    await expect(webhook.set({ url, shape: 'json' })).rejects.toThrow('must begin with https://');
    expect(keychain.entries.size).toBe(0);
  });

  it.each(['json', 'ntfy', 'slack', 'discord'] as const)(
    'names no address as %s while labels and amounts are hidden',
    async (shape) => {
      const { received, origin } = await serve();
      const { webhook, settings } = createWorld();
      await webhook.set({ url: `${origin}/`, shape });
      settings.update({ privacy: true });
      const [address, txHash] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(64)}`];
      for (const link of [
        { view: 'address', address },
        { view: 'transaction', chainId: '43114', txHash },
      ] as const)
        await webhook.send(
          { ...message, id: `${address} 43114 ${txHash} news`, title: 'News', body: '', link },
          false,
        );
      expect(JSON.stringify(received.map(({ body }) => body))).not.toMatch(/aaaa|bbbb|43114/);
      expect(received).toHaveLength(2);
    },
  );

  it('that has another address gets at once what waits for the time that the last one asked for', async () => {
    const last = await serve(() => [429, { 'retry-after': '3600' }]);
    const next = await serve();
    const { webhook, time, onSet } = createWorld();
    await webhook.set({ url: `${last.origin}/`, shape: 'json' });
    const tried: string[] = [];
    const outbox = createOutbox({
      ...{ channels: [webhook], clock: time.clock, timers: time.timers, log: createFakeLog() },
      ...{ isOn: () => true, isHeldBack: () => false, isPrivate: () => false },
      onTried: ({ sent }) => tried.push(sent[0]?.state ?? ''),
    });
    onSet.mockImplementation(() => outbox.tryAgain('webhook'));
    outbox.add([
      {
        ...{
          id: 'm',
          alertKey: null,
          kind: 'begin',
          level: 'tell',
          atMs: time.clock.nowMs(),
          title: 'm',
          body: '',
        },
        ...{ hidden: '', incident: null },
        sent: [{ channel: 'webhook', state: 'waiting', atMs: null, error: null }],
      },
    ]);
    await expect.poll(() => tried).toEqual(['waiting']);
    await webhook.set({ url: `${next.origin}/`, shape: 'json' });
    await expect.poll(() => tried).toEqual(['waiting', 'accepted']);
    expect(next.received).toHaveLength(1);
    await outbox.stop();
  });

  it('is not followed to another origin', async () => {
    const other = await serve();
    const { origin } = await serve(() => [307, { location: `${other.origin}/x` }]);
    const { webhook } = createWorld();
    await webhook.set({ url: `${origin}/`, shape: 'json' });
    await expect(webhook.send(message, false)).rejects.toThrow(
      /^The app couldn’t reach the webhook: .*redirect/,
    );
    expect(other.received).toEqual([]);
  });

  it('that answers 429 to every other message gets all thirty, in their order, each when it asks for it', async () => {
    const { received, origin } = await serve((count) =>
      count % 2 === 1 ? [429, { 'retry-after': '90' }] : [200, {}],
    );
    const { webhook, time } = createWorld();
    await webhook.set({ url: `${origin}/`, shape: 'json' });
    const tried: string[] = [];
    const outbox = createOutbox({
      ...{ channels: [webhook], clock: time.clock, timers: time.timers, log: createFakeLog() },
      isOn: () => true,
      isHeldBack: () => false,
      isPrivate: () => false,
      onTried: ({ id, sent }) => tried.push(`${id} ${sent[0]?.state}`),
    });
    const ids = Array.from({ length: 30 }, (_, index) => `m${index}`);
    outbox.add(
      ids.map((id) => ({
        ...{
          id,
          alertKey: null,
          kind: 'begin',
          level: 'tell',
          atMs: time.clock.nowMs(),
          title: id,
          body: '',
        },
        ...{ hidden: '', incident: null },
        sent: [{ channel: 'webhook', state: 'waiting', atMs: null, error: null }],
      })),
    );
    await expect.poll(() => tried.length, { timeout: 5_000 }).toBe(1);
    await time.advance(80_000);
    expect(received).toHaveLength(1);
    await expect
      .poll(
        async () => {
          await time.advance(91_000);
          return tried.filter((line) => line.endsWith('accepted')).length;
        },
        { timeout: 20_000, interval: 5 },
      )
      .toBe(30);
    const taken = received
      .filter((_, index) => index % 2 === 1)
      .map(({ body }) => /"title":"(\w+)"/.exec(body)?.[1]);
    expect(taken).toEqual(ids);
    await outbox.stop();
  });
});
