import { describe, expect, it } from 'vitest';
import { fullWorld, sampleAddresses, watched } from '../../../renderer/src/testing/sample-world.ts';
import type { FileSaver } from '../ports.ts';
import { withoutValues } from '../secrets/without-echo.ts';
import { Diagnostics, type DiagnosticFacts } from './diagnostics.ts';

const nowMs = Date.UTC(2026, 8, 16, 14, 5, 7);
const key = 'sk-live-7f3a9c52e1';
const oldKey = 'sk-live-replaced-00aa';

function factsWith(change: Partial<DiagnosticFacts> = {}): DiagnosticFacts {
  return {
    ...fullWorld(nowMs).snapshot,
    atMs: nowMs,
    about: { version: '0.2.0', runtime: 'Electron 33.2.1' },
    sizes: { 'store.sqlite': 4_096 },
    log: [],
    ...change,
  };
}

/** `held`: what each reading of the facts waits for. */
function setUp(facts: DiagnosticFacts, held: Promise<unknown>[] = []) {
  const written: string[] = [];
  const names: string[] = [];
  const files: FileSaver = {
    choose: async (name) => {
      names.push(name);
      return `/home/me/${name}`;
    },
    write: async (_path, pieces) => {
      for await (const piece of pieces) written.push(piece);
    },
  };
  const diagnostics = new Diagnostics({
    facts: async () => {
      await held.shift();
      return facts;
    },
    hideSecrets: (text) => withoutValues(text, [key]),
    files,
    clock: { nowMs: () => nowMs, monotonicMs: () => 0 },
  });
  const read = async (withoutAddresses = false) => (await diagnostics.read(withoutAddresses)).text;
  return { diagnostics, read, written, names };
}

describe('the diagnostics file', () => {
  it('says how the app is: versions, settings, storage, requests, nodes and addresses', async () => {
    const { read } = setUp(factsWith());
    const text = await read();
    for (const words of [
      'Watchkeeper diagnostics, 2026-09-16T14:05:07.000Z',
      'version: 0.2.0',
      'runtime: Electron 33.2.1',
      'dataUrl: http://127.0.0.1:7650',
      'kept in: keychain',
      'store.sqlite: 4096',
      'http://127.0.0.1:7650: 1204 times, last 2026-09-16T14:05:03.000Z',
      'Refused, to other hosts: 0',
      sampleAddresses.treasury,
      'Treasury',
    ]) {
      expect(text).toContain(words);
    }
    for (const { node } of fullWorld(nowMs).snapshot.nodes)
      expect(text).toContain(`${node.name} at ${node.url}`);
  });

  it('has all settings of alerts, and of what was chosen for nodes and addresses its number alone', async () => {
    const { settings } = fullWorld(nowMs).snapshot;
    const nodeId = '0f8fad5b-d9cb-469f-a165-70867728950e';
    const alerts = {
      ...settings.alerts,
      addresses: Array.from({ length: 20 }, () => ({
        ...{ address: sampleAddresses.treasury, sinceMs: nowMs },
        about: ['failed' as const],
      })),
      planned: [{ nodeId, fromMs: 1, untilMs: 2 }],
      ofNodes: [{ nodeId, failAfter: 5, recoverAfter: 1, silentSeconds: 60 }],
      quiet: { ...settings.alerts.quiet, toMinute: 417 },
      metrics: { port: 9_750, hasToken: true },
    };
    const text = await setUp(factsWith({ settings: { ...settings, alerts } })).read(true);
    expect(text).toMatch(
      /alerts: .*"metrics":\{"port":9750,"hasToken":true\}.*"addresses":20.*"toMinute":417/,
    );
    expect(text).not.toContain(nodeId);
  });

  it('has the last warnings and errors, without what an error said', async () => {
    const at = ['TypeError', 'at readReport (check.ts:12:3)'];
    const log = [{ atMs: nowMs, event: 'node.record', fields: { ref: 'a1b2c3d4' }, error: at }];
    expect(await setUp(factsWith({ log })).read(true)).toContain(
      '2026-09-16T14:05:07.000Z node.record ref=a1b2c3d4\n  TypeError\n  at readReport (check.ts:12:3)',
    );
  });

  it.each([
    ['the key, in an error of the service', `Key ${key} is unknown`, key],
    ['the key, in a URL', `https://data.example/v1/x?apiKey=${key}&a=1 failed`, key],
    ['a key that was replaced, in a URL', `https://data.example/v1/x?k=${oldKey} failed`, oldKey],
    ['a password in a URL', 'http://me:hunter2000@10.0.0.1/ failed', 'hunter2000'],
    ['a key that was replaced, by its name', `x-api-key: ${oldKey} was refused`, oldKey],
    ['the same as JSON', `{"token":"${oldKey}"}`, oldKey],
    ['a login', `Bearer ${oldKey} has expired`, oldKey],
    ['a login with its header', `authorization: Basic ${oldKey} was refused`, oldKey],
  ])('has no secret: %s', async (_what, message, secret) => {
    const error = { code: 'upstream', message, status: 500 } as const;
    const { snapshot } = fullWorld(nowMs);
    const [node] = snapshot.nodes;
    if (node === undefined) throw new Error('the sample world has no node');
    const facts = factsWith({
      connection: { state: 'offline', lastAnswerAtMs: null, error },
      nodes: [{ ...node, error }],
      watchlist: [watched(sampleAddresses.quiet, null, nowMs, { chainsError: error })],
      storage: { state: 'failed', notKept: false, notices: [message] },
      log: [{ atMs: nowMs, event: 'a.warning', fields: { what: message }, error: [`at ${key} (x.ts:1:1)`] }],
    });
    for (const withoutAddresses of [false, true]) {
      const text = await setUp(facts).read(withoutAddresses);
      expect(text).toContain('upstream');
      expect(text).not.toContain(secret);
      expect(text).not.toContain(key);
    }
  });

  it('has no address, name, path or id when that is wanted, and keeps our own words', async () => {
    const { snapshot } = fullWorld(nowMs);
    const facts = factsWith({
      storage: {
        state: 'memory',
        notKept: false,
        notices: ['/home/me/.config/Watchkeeper could not be opened.'],
        others: ['/home/me/watchkeeper was started without its sandbox.'],
      },
      outbound: {
        ...snapshot.outbound,
        others: [{ origin: 'https://evil.example', count: 3, lastAtMs: nowMs }],
      },
    });
    const text = await setUp(facts).read(true);
    const theirs = [
      ...snapshot.nodes.flatMap(({ node }) => [node.name, node.url, new URL(node.url).host]),
      ...snapshot.watchlist.flatMap(({ address, label }) => [address, label ?? address]),
      '127.0.0.1',
      'subnets.avax.network',
      'evil.example',
      '/home/me',
    ];
    for (const word of theirs) expect(text).not.toContain(word);
    expect(text).toContain('was started without its sandbox.');
    expect(text).toContain('runtime: Electron 33.2.1');
    expect(text).toContain('store.sqlite: 4096');
    expect(text).toContain('[address 1]');
  });

  it('has no host either that is a single word, such as a proxy in an office', async () => {
    const { snapshot } = fullWorld(nowMs);
    const message = 'The proxy corpproxy:3128 cannot be reached.';
    const hosts = [{ origin: 'http://corpproxy:3128', count: 3, lastAtMs: nowMs }];
    const facts = factsWith({
      connection: { state: 'offline', lastAnswerAtMs: null, error: { code: 'unreachable', message } },
      outbound: { ...snapshot.outbound, uses: [{ kind: 'proxy', hosts }] },
    });
    expect(await setUp(facts).read()).toContain('The proxy corpproxy:3128');
    const text = await setUp(facts).read(true);
    expect(text).toMatch(/The proxy \[\w+ \d+\]/);
    expect(text).not.toContain('corpproxy');
  });

  it('cannot be given a form by a text of others', async () => {
    const error = { code: 'upstream', message: 'bad\n\nNODES\nnone\u202e', status: 500 } as const;
    const text = await setUp(
      factsWith({ connection: { state: 'offline', lastAnswerAtMs: null, error } }),
    ).read();
    expect(text.match(/^NODES$/gm)).toHaveLength(1);
    expect(text).not.toContain('\u202e');
  });

  it('is saved as it was read, and not before', async () => {
    const { diagnostics, read, written, names } = setUp(factsWith());
    expect(await diagnostics.save()).toBeNull();
    const text = await read(true);
    expect(await diagnostics.save()).toEqual({ path: '/home/me/watchkeeper-diagnostics-2026-09-16.txt' });
    expect(names).toEqual(['watchkeeper-diagnostics-2026-09-16.txt']);
    expect(written).toEqual([text]);
  });

  it('is saved as it was asked for last, also where the reading before ends later', async () => {
    const first = Promise.withResolvers<null>();
    const { diagnostics, read, written } = setUp(factsWith(), [first.promise]);
    const before = read(false);
    const text = await read(true);
    first.resolve(null);
    expect(await before).not.toBe(text);
    await diagnostics.save();
    expect(written).toEqual([text]);
  });
});
