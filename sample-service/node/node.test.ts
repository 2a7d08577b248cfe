import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { startSampleService, type SampleService } from '../service.ts';
import { call, field, post } from '../testing.ts';

const nowSeconds = 1_780_000_000;
const periodMs = 30_000;
const running: SampleService[] = [];

async function start() {
  const clock = { ms: nowSeconds * 1000, nowMs: () => clock.ms };
  const service = await startSampleService({ scale: 0.02, nowSeconds, clock, nodePeriodMs: periodMs });
  running.push(service);
  const node = service.ready.nodes[0];
  if (node === undefined) throw new Error('there is no node');
  const rpc = (method: string, params?: unknown) =>
    post(`${node.url}/ext/health`, {
      jsonrpc: '2.0',
      id: 7,
      method,
      ...(params === undefined ? {} : { params }),
    });
  return {
    clock,
    rpc,
    url: node.url,
    name: node.name,
    control: service.control,
    controlUrl: service.ready.controlUrl,
  };
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.close()));
});

/** Names of the checks of a reply. */
function names(reply: unknown): string[] {
  return Object.keys(Object(field(reply, 'checks')));
}

function timestamp(reply: unknown, check: string): number {
  return Date.parse(String(field(reply, `checks.${check}.timestamp`)));
}

describe('the four GET paths', () => {
  it('say 200 while healthy, with the same report on both health paths', async () => {
    const { url, clock } = await start();
    clock.ms += 1000;
    const [health, alias, readiness, liveness] = await Promise.all(
      ['', '/health', '/readiness', '/liveness'].map((path) => call(`${url}/ext/health${path}`)),
    );
    expect([health, alias, readiness, liveness].map((answer) => answer?.status)).toEqual([
      200, 200, 200, 200,
    ]);
    expect(alias?.json).toEqual(health?.json);
    expect(health?.headers.get('node-id')).toMatch(/^NodeID-/);
    expect(names(health?.json)).toEqual(
      expect.arrayContaining(['P', 'X', 'C', 'bootstrapped', 'network', 'router', 'database', 'diskspace']),
    );
    expect(field(health?.json, 'checks.C.message.engine.consensus.processingBlocks')).toBe(0);
    expect(names(readiness?.json)).toEqual(['bootstrapped']);
    expect(liveness?.json).toEqual({ checks: {}, healthy: true });
  });

  it('say 503 when a check fails, and count its failures from the first one on', async () => {
    const { url, clock, controlUrl, name } = await start();
    const health = () => call(`${url}/ext/health`);
    clock.ms += 1000;
    await health();
    const change = { error: 'no peers', message: { connectedPeers: 0 } };
    await post(`${controlUrl}/changeCheck`, [name, 'network', change]);
    expect((await health()).status).toBe(200);
    clock.ms += periodMs;
    const first = await health();
    expect(first.status).toBe(503);
    expect(field(first.json, 'healthy')).toBe(false);
    expect(field(first.json, 'checks.network')).toMatchObject({
      error: 'no peers',
      message: { connectedPeers: 0 },
      contiguousFailures: 1,
    });
    clock.ms += 2 * periodMs;
    const third = await health();
    expect(field(third.json, 'checks.network.contiguousFailures')).toBe(3);
    expect(field(third.json, 'checks.network.timeOfFirstFailure')).toBe(
      field(first.json, 'checks.network.timestamp'),
    );
    expect(timestamp(third.json, 'network') - timestamp(first.json, 'network')).toBe(2 * periodMs);
    // Readiness does not go back.
    expect((await call(`${url}/ext/health/readiness`)).status).toBe(200);

    await post(`${controlUrl}/changeCheck`, [name, 'network', null]);
    clock.ms += periodMs;
    const recovered = await health();
    expect(recovered.status).toBe(200);
    expect(field(recovered.json, 'checks.network.error')).toBeUndefined();
    expect(field(recovered.json, 'checks.network.contiguousFailures')).toBeUndefined();
    expect(field(recovered.json, 'checks.network.timeOfFirstFailure')).toBeUndefined();
  });

  it('keep the failures right over a jump of a year', async () => {
    const { url, clock, control, name } = await start();
    control.changeCheck(name, 'router', { error: 'stuck' });
    clock.ms += periodMs + 1000;
    const before = await call(`${url}/ext/health`);
    const rounds = (365 * 86_400_000) / periodMs;
    clock.ms += rounds * periodMs;
    const after = await call(`${url}/ext/health`);
    const failures = (answer: { json: unknown }) =>
      Number(field(answer.json, 'checks.router.contiguousFailures'));
    expect(failures(after) - failures(before)).toBe(rounds);
    expect(timestamp(after.json, 'router') - timestamp(before.json, 'router')).toBe(rounds * periodMs);
  });

  it('show checks that have not run yet, and let one slow check hold back all others', async () => {
    const { url, clock, control, name } = await start();
    control.changeCheck(name, 'database', { error: null, durationNs: 150e9 });
    control.changeNode(name, { restart: true });
    const fresh = await call(`${url}/ext/health`);
    expect(fresh.status).toBe(503);
    expect(field(fresh.json, 'checks.P')).toEqual({
      error: 'not yet run',
      timestamp: '0001-01-01T00:00:00Z',
      duration: 0,
    });
    expect((await call(`${url}/ext/health/readiness`)).status).toBe(503);
    expect((await call(`${url}/ext/health/liveness`)).status).toBe(200);
    clock.ms += 149_000;
    const stuck = await call(`${url}/ext/health`);
    expect(timestamp(stuck.json, 'P')).toBe(nowSeconds * 1000);
    expect(field(stuck.json, 'checks.database.error')).toBe('not yet run');
    clock.ms += 2000;
    const after = await call(`${url}/ext/health`);
    expect(field(after.json, 'checks.database.duration')).toBe(150e9);
    expect(timestamp(after.json, 'P')).toBe(nowSeconds * 1000 + 150_000);
  });

  it('select by tag the checks of a subnet and all global ones', async () => {
    const { url, clock } = await start();
    clock.ms += 1000;
    const all = names((await call(`${url}/ext/health`)).json);
    const tagged = async (query: string) => names((await call(`${url}/ext/health?${query}`)).json);
    const primary = 'tag=11111111111111111111111111111111LpoYY';
    const global = all.filter((name) => !['P', 'X', 'C'].includes(name) && name.length < 20);
    expect((await tagged(primary)).sort()).toEqual([...global, 'P', 'X', 'C'].sort());
    expect(await tagged('tag=nothing')).toEqual(global);
    expect((await tagged(`tag=nothing&${primary}`)).length).toBe(global.length + 3);
  });
});

describe('the JSON-RPC methods', () => {
  it('answer 200 whatever the health is, with the id they were sent', async () => {
    const { rpc, clock, control, name } = await start();
    control.changeCheck(name, 'X', { error: 'stuck' });
    clock.ms += periodMs + 1000;
    const health = await rpc('health.health');
    expect(health.status).toBe(200);
    expect(field(health.json, 'id')).toBe(7);
    expect(field(health.json, 'jsonrpc')).toBe('2.0');
    expect(field(health.json, 'result.healthy')).toBe(false);
    const readiness = await rpc('health.readiness', { tags: [] });
    expect(names(field(readiness.json, 'result'))).toEqual(['bootstrapped']);
    const liveness = await rpc('health.liveness');
    expect(field(liveness.json, 'result')).toEqual({ checks: {}, healthy: true });
    const tagged = await rpc('health.health', { tags: ['nothing'] });
    expect(field(tagged.json, 'result.healthy')).toBe(true);
  });

  it('report mistakes inside a 200, and wrong methods and types as plain text', async () => {
    const { rpc, url } = await start();
    const code = (answer: { status: number; json: unknown }) => [
      answer.status,
      field(answer.json, 'error.code'),
    ];
    expect(code(await rpc('health.nothing'))).toEqual([200, -32000]);
    expect(code(await rpc('health.health', { tags: 5 }))).toEqual([200, -32600]);
    expect(code(await post(`${url}/ext/health`, { method: 'health.health', id: 1 }))).toEqual([200, -32600]);
    expect(code(await post(`${url}/ext/health`, '{"json'))).toEqual([200, -32700]);
    const text = await call(`${url}/ext/health`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'text/plain' },
    });
    expect([text.status, text.headers.get('content-type')]).toEqual([415, 'text/plain; charset=utf-8']);
    for (const method of ['PUT', 'HEAD']) {
      const other = await call(`${url}/ext/health`, { method });
      expect([other.status, other.json]).toEqual([405, null]);
    }
  });
});

describe('the node as a server', () => {
  /** Status and body for a request that names another host. */
  function withHost(url: string, host: string): Promise<[number | undefined, string]> {
    return new Promise((resolve, reject) => {
      const sent = request(`${url}/ext/health/liveness`, { headers: { host } }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve([response.statusCode, text.trim()]));
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  it('answers to IP addresses and localhost, and refuses other hosts', async () => {
    const { url, control, name } = await start();
    for (const host of ['localhost', 'localhost:9650', '10.0.0.1:9650', '[::1]:9650']) {
      expect((await withHost(url, host))[0]).toBe(200);
    }
    expect(await withHost(url, 'node.example.com')).toEqual([403, 'invalid host specified']);
    control.changeNode(name, { rejectHosts: true });
    expect((await call(`${url}/ext/health`)).status).toBe(403);
    control.changeNode(name, { rejectHosts: false, healthInterface: false });
    expect((await call(`${url}/ext/health`)).status).toBe(404);
    control.reset();
    expect((await call(`${url}/ext/health/liveness`)).status).toBe(200);
    expect((await call(`${url}/ext/info`)).text).toBe('404 page not found\n');
  });
});
