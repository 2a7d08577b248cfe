import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createMetricsServer } from '../../adapters/http/metrics-server.ts';
import { sampleNodes } from '../../../renderer/src/testing/sample-health.ts';
import { defaultSettings } from '../../../shared/settings.ts';
import { createFakeKeychain, createFakeLog } from '../health/testing/fake-ports.ts';
import { KeptSecrets } from '../secrets/kept-secrets.ts';
import { SettingsService } from '../settings/settings-service.ts';
import { createMetricsEndpoint } from './metrics-endpoint.ts';
import { metricsText } from './metrics-text.ts';
import { serve } from './testing/web-server.ts';

const atMs = 1_700_000_000_000;
const facts = { nodes: sampleNodes(atMs), openAlerts: 2, openIncidents: 3 };
const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A port that is free now. */
async function freePort(): Promise<number> {
  const server = createMetricsServer(createFakeLog());
  for (let port = 21_000 + (process.pid % 20_000); ; port += 1) {
    const isFree = await server
      .listen(port, async () => ({ status: 200, type: '', body: '' }))
      .then(
        () => true,
        () => false,
      );
    await server.close();
    if (isFree) return port;
  }
}

function createWorld() {
  const log = createFakeLog();
  const keychain = createFakeKeychain();
  const settings = new SettingsService(
    { read: () => ({ settings: defaultSettings, notice: null }), write: () => undefined },
    log,
  );
  const server = createMetricsServer(log);
  ends.push(() => server.close());
  const kept = new KeptSecrets(keychain);
  const create = () => createMetricsEndpoint({ server, settings, kept, log, facts: async () => facts });
  return { kept, keychain, settings, create, endpoint: create() };
}

const isThere = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

describe('figures for Prometheus', () => {
  it('are off, on with a port, and at no other path or method', async () => {
    const { endpoint, settings, create } = createWorld();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/metrics`;
    await endpoint.start();
    await expect(fetch(url)).rejects.toThrow();
    await endpoint.set({ port, token: null });
    const answer = await fetch(url, { headers: { accept: 'application/openmetrics-text;version=1.0.0' } });
    expect(answer.headers.get('content-type')).toMatch(/^application\/openmetrics-text; version=1\.0\.0/);
    expect(await answer.text()).toMatch(/watchkeeper_incidents_open 3\n.*# EOF\n$/s);
    expect((await fetch(`${url}/x`)).status).toBe(404);
    expect((await fetch(url, { method: 'POST' })).status).toBe(405);
    await endpoint.stop();
    // The next start of the app.
    await create().start();
    expect((await fetch(url)).status).toBe(200);
    await endpoint.set({ port: null, token: null });
    expect(settings.current().alerts.metrics).toBeNull();
    await expect(fetch(url)).rejects.toThrow();
  });

  it('ask for the token that is in the keychain, and say nothing to another host name', async () => {
    const { endpoint, settings, kept, keychain } = createWorld();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/metrics`;
    await endpoint.set({ port, token: 'one"long-secret-42' });
    const status = async (authorization: string) => (await fetch(url, { headers: { authorization } })).status;
    expect([await status(''), await status('Bearer x'), await status('Bearer one"long-secret-42')]).toEqual([
      401, 401, 200,
    ]);
    expect(JSON.stringify(settings.current())).not.toContain('secret');
    expect([...keychain.entries.values()]).toEqual(['one"long-secret-42']);
    // As in the lines of the log.
    expect(kept.hide(JSON.stringify('x one"long-secret-42'))).toBe('"x (hidden key)"');
    await endpoint.set({ port, token: null });
    expect(await status('Bearer one"long-secret-42')).toBe(200);
    await endpoint.set({ port, token: '' });
    expect(await status('')).toBe(200);
    expect(keychain.entries.size).toBe(0);
    const other = await new Promise((resolve) => {
      request(url, { headers: { host: 'evil.example' } }, ({ statusCode }) => resolve(statusCode)).end();
    });
    expect(other).toBe(403);
    await expect(endpoint.set({ port, token: 'with space' })).rejects.toThrow('A token can contain only');
  });

  it('are not there without the token that was asked for, where the keychain takes none', async () => {
    const { endpoint, settings, keychain } = createWorld();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/metrics`;
    keychain.fail('locked');
    const setting = endpoint.set({ port, token: 'a-secret' });
    await expect(setting).rejects.toThrow('This computer’s keychain is locked');
    await expect(fetch(url)).rejects.toThrow();
    expect(settings.current().alerts.metrics).toBeNull();
    keychain.fail(null);
    await endpoint.set({ port, token: 'a-secret' });
    keychain.fail('locked');
    await expect(endpoint.set({ port, token: '' })).rejects.toThrow('locked');
    expect((await fetch(url)).status).toBe(401);
  });

  it('are not given while the token is still being written', async () => {
    const { endpoint, keychain } = createWorld();
    const port = await freePort();
    const statuses: number[] = [];
    const { write } = keychain;
    keychain.write = async (...args) => {
      statuses.push((await fetch(`http://127.0.0.1:${port}/metrics`)).status);
      return write(...args);
    };
    await endpoint.set({ port, token: 'a-secret' });
    expect(statuses).toEqual([503]);
  });

  it('name a port that is taken, and go on at the one before', async () => {
    const { endpoint } = createWorld();
    const { origin } = await serve();
    const port = await freePort();
    await endpoint.set({ port, token: null });
    await expect(endpoint.set({ port: Number(new URL(origin).port), token: null })).rejects.toThrow(
      'is in use',
    );
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(200);
  });

  it('say so when their port is taken at the next start of the app, until another one is chosen', async () => {
    const { settings, create } = createWorld();
    const { origin } = await serve();
    const port = Number(new URL(origin).port);
    const { alerts } = settings.current();
    settings.update({ alerts: { ...alerts, metrics: { port, hasToken: false } } });
    const endpoint = create();
    await endpoint.start();
    expect(endpoint.notice()).toContain(`port ${port} is in use`);
    await endpoint.set({ port: await freePort(), token: null });
    expect(endpoint.notice()).toBeNull();
  });

  it('are off where that was asked for last, while what switched them on is still being saved', async () => {
    const { endpoint, settings, keychain } = createWorld();
    const port = await freePort();
    await Promise.all([endpoint.set({ port, token: 'a-secret' }), endpoint.set({ port: null, token: null })]);
    expect([settings.current().alerts.metrics, keychain.entries.size]).toEqual([null, 0]);
    await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow();
  });

  it('have a disk of which one percent is free', () => {
    const [node] = facts.nodes;
    const [check] = node?.report?.checks ?? [];
    if (node?.report == null || check === undefined) throw new Error('there are nodes with checks');
    const checks = [{ ...check, message: { availableDiskBytes: 5e9, availableDiskPercentage: 1 } }];
    const text = metricsText({ ...facts, nodes: [{ ...node, report: { ...node.report, checks } }] }, 'text');
    expect(text).toMatch(/watchkeeper_node_disk_free_ratio\{[^}]*\} 0\.01\n/);
  });

  it('have each node with its state, checks and figures, and escape names', () => {
    const [node] = facts.nodes;
    if (node === undefined) throw new Error('there are nodes');
    const named = { ...node, node: { ...node.node, name: 'a "b"\\\n' } };
    const text = metricsText({ ...facts, nodes: [named, { ...node, state: 'unreachable' }] }, 'text');
    expect(text).toContain(`watchkeeper_node_up{node="a \\"b\\"\\\\\\n",node_id="${node.node.id}"} 1`);
    expect(text).toContain(`watchkeeper_node_up{node="${node.node.name}",node_id="${node.node.id}"} 0`);
    expect(text).toMatch(/watchkeeper_node_peers\{[^}]*\} \d+/);
    expect(text).toMatch(/watchkeeper_check_duration_seconds\{[^}]*check="[^"]+"\} [\d.e-]+/);
    expect(text).toMatch(/# TYPE watchkeeper_node_requests_delayed_total counter\n/);
    expect(text.match(/watchkeeper_node_state\{.*\} 1/g)).toHaveLength(2);
  });

  it.skipIf(!isThere('promtool'))('pass promtool, and so do the rules of the guide', async () => {
    const check = async (what: string, input: string): Promise<void> => {
      const file = join(await tempFolder(), 'checked.yml');
      await writeFile(file, input);
      const args = what === 'metrics' ? [] : [file];
      const run = spawnSync('promtool', ['check', what, ...args], { input, encoding: 'utf8' });
      expect([run.stderr, run.status]).toEqual(['', 0]);
    };
    await check('metrics', metricsText(facts, 'text'));
    await check('rules', await inGuide('groups:'));
  });

  it.skipIf(!isThere('prometheus'))(
    'are read by a real Prometheus with the configuration of the guide',
    async () => {
      const { endpoint } = createWorld();
      const [port, ownPort] = [await freePort(), 40_500 + (process.pid % 20_000)];
      await endpoint.set({ port, token: 'your-token' });
      const folder = await tempFolder();
      const config = (await inGuide('scrape_configs:')).replace('9750', String(port));
      const global = 'global: { scrape_interval: 200ms, scrape_timeout: 200ms }';
      await writeFile(join(folder, 'prometheus.yml'), `${global}\n${config}`);
      const args = [
        `--config.file=${folder}/prometheus.yml`,
        `--storage.tsdb.path=${folder}/data`,
        `--web.listen-address=127.0.0.1:${ownPort}`,
      ];
      const program = spawn('prometheus', args, { stdio: 'ignore' });
      ends.unshift(async () => {
        program.kill('SIGKILL');
        await once(program, 'exit');
      });
      const valuesOf = async (query: string): Promise<unknown> => {
        const url = `http://127.0.0.1:${ownPort}/api/v1/query?query=${encodeURIComponent(query)}`;
        const answer = await fetch(url).then(
          (response) => response.json(),
          () => null,
        );
        return answer?.data?.result?.map(({ value }: { value: unknown[] }) => value[1]);
      };
      await expect.poll(() => valuesOf('up{job="watchkeeper"}'), { timeout: 20_000 }).toEqual(['1']);
      expect(await valuesOf('count(watchkeeper_node_up)')).toEqual([String(facts.nodes.length)]);
      expect(await valuesOf('watchkeeper_alerts_open')).toEqual(['2']);
    },
  );
});

async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'watchkeeper-figures-'));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The block of the user guide that begins with this line. */
async function inGuide(first: string): Promise<string> {
  const guide = await readFile(new URL('../../../../docs/user-guide.md', import.meta.url), 'utf8');
  return (
    guide
      .split('```')
      .find((block) => block.startsWith(`yaml\n${first}`))
      ?.slice(5) ?? ''
  );
}
