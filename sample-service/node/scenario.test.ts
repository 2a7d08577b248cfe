import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { call } from '../testing.ts';
import { createWorld } from '../world/world.ts';
import type { HealthReply } from './health.ts';
import { createSampleNode } from './node.ts';
import { createScript, readScenario, scenarioNames, type Phase } from './scenario.ts';

const startMs = 1_780_000_000_000;
const periodMs = 30_000;
const running: { close(): PromiseLike<unknown> }[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

/** A node in a scenario under a clock that is set by hand; `at` is in seconds since the start. */
async function play(scenario: string) {
  const clock = { ms: startMs, nowMs: () => clock.ms };
  const nowSeconds = startMs / 1000;
  const world = createWorld({
    seed: 3,
    scale: 0.01,
    names: 'specification',
    startSeconds: nowSeconds,
    nowSeconds: () => nowSeconds,
  });
  const node = createSampleNode(
    world,
    { name: scenario, index: 0, scenario, periodMs, clock },
    () => undefined,
  );
  const url = await node.server.listen({ host: '127.0.0.1', port: 0 });
  running.push(node.server);
  return {
    node,
    subnets: [...new Set(world.chains.slice(0, 3).map((chain) => chain.subnetId))],
    other: world.chains[2]?.blockchainId ?? '',
    at(seconds: number): HealthReply {
      clock.ms = startMs + seconds * 1000;
      return node.health.health([]);
    },
    async status(path = '/ext/health'): Promise<number> {
      return (await call(url + path)).status;
    },
  };
}

function failing(reply: HealthReply): string[] {
  return Object.entries(reply.checks).flatMap(([name, check]) => (check.error === undefined ? [] : [name]));
}

describe('the scenarios', () => {
  it('are nine, and each can be read', () => {
    expect(scenarioNames()).toEqual([
      'bootstrapping',
      'disk-filling',
      'flapping',
      'healthy',
      'hung-check',
      'network-loss',
      'old-version',
      'one-chain-failing',
      'restarting',
    ]);
    const files = readdirSync(new URL('../scenarios/', import.meta.url));
    expect(scenarioNames().map((name) => `${name}.json`)).toEqual(files.sort());
    for (const name of scenarioNames()) expect(readScenario(name, '2Subnet').title).toMatch(/\.$/);
  });

  it('healthy: all checks pass', async () => {
    const { at } = await play('healthy');
    for (const seconds of [1, 100, 10_000]) expect(failing(at(seconds))).toEqual([]);
  });

  it('bootstrapping: subnets become fewer, readiness comes and stays', async () => {
    const { at, node, subnets, status } = await play('bootstrapping');
    const early = at(100);
    expect(failing(early)).toEqual(['bootstrapped']);
    expect(early.checks['bootstrapped']?.message).toEqual(subnets);
    expect(early.checks['C']?.message).toMatchObject({ engine: { consensus: {} } });
    expect([
      await status(),
      await status('/ext/health/readiness'),
      await status('/ext/health/liveness'),
    ]).toEqual([503, 503, 200]);
    expect(at(400).checks['bootstrapped']?.message).toEqual([subnets[1]]);
    expect(failing(at(520))).toEqual([]);
    node.health.override('bootstrapped', { error: 'again' });
    expect(failing(at(600))).toEqual(['bootstrapped']);
    expect([await status(), await status('/ext/health/readiness')]).toEqual([503, 200]);
  });

  it('one-chain-failing: only C, with counters from its first failure on', async () => {
    const { at } = await play('one-chain-failing');
    expect(failing(at(100))).toEqual([]);
    const reply = at(301);
    expect(failing(reply)).toEqual(['C']);
    expect(reply.checks['C']?.contiguousFailures).toBe(7);
    expect(Date.parse(String(reply.checks['C']?.timeOfFirstFailure))).toBe(startMs + 120_000);
    expect(failing(at(900))).toEqual([]);
    expect(failing(at(1800 + 301))).toEqual(['C']);
  });

  it('network-loss: the network first, then every chain with it', async () => {
    const { at, other } = await play('network-loss');
    expect(failing(at(121))).toEqual(['network']);
    expect(failing(at(200)).sort()).toEqual(['C', 'P', 'X', 'network', 'router', other].sort());
    expect(failing(at(460))).toEqual([other]);
    expect(failing(at(520))).toEqual([]);
  });

  it('flapping: one round in three fails, and each failure is the first', async () => {
    const { at } = await play('flapping');
    const states = Array.from({ length: 9 }, (_, i) => {
      const reply = at(1 + 30 * i);
      return [failing(reply).join(), reply.checks['X']?.contiguousFailures ?? 0];
    });
    expect(states).toEqual(
      [0, 1, 2].flatMap(() => [
        ['', 0],
        ['', 0],
        ['X', 1],
      ]),
    );
  });

  it('hung-check: all timestamps stand still while the answer is healthy', async () => {
    const { at } = await play('hung-check');
    const before = at(125);
    const during = at(260);
    expect(failing(during)).toEqual([]);
    expect(during.checks['P']?.timestamp).toBe(before.checks['P']?.timestamp);
    const after = at(271);
    expect(Date.parse(String(after.checks['P']?.timestamp))).toBe(startMs + 270_000);
    expect(after.checks['database']?.duration).toBe(150e9);
  });

  it('disk-filling: free space falls, the check fails below the threshold, the node stops', async () => {
    const { at, status } = await play('disk-filling');
    const free = (seconds: number) => Object(at(seconds).checks['diskspace']?.message);
    const [first, middle, low] = [free(1), free(1500), free(3600)];
    expect(first).toEqual({ availableDiskBytes: 412316860416, availableDiskPercentage: 41 });
    expect(middle.availableDiskBytes).toBeLessThan(first.availableDiskBytes);
    expect(low.availableDiskPercentage).toBeLessThan(5);
    expect(failing(at(3600))).toEqual(['diskspace']);
    at(3800);
    await expect(status()).rejects.toThrow();
  });

  it('restarting: gone, not yet run, bootstrapping, healthy, and counters begin anew', async () => {
    const { at, status, node } = await play('restarting');
    expect(failing(at(400))).toEqual([]);
    at(430);
    await expect(status()).rejects.toThrow();
    const fresh = at(466);
    expect(fresh.checks['P']).toEqual({
      error: 'not yet run',
      timestamp: '0001-01-01T00:00:00Z',
      duration: 0,
    });
    expect(failing(fresh).sort()).toEqual(['P', 'bootstrapped']);
    expect(node.health.readiness([]).healthy).toBe(false);
    const later = at(500);
    expect(failing(later)).toEqual(['bootstrapped']);
    expect(later.checks['bootstrapped']?.contiguousFailures).toBe(2);
    expect(failing(at(571))).toEqual([]);
    expect(node.health.readiness([]).healthy).toBe(true);
  });

  it('restarting: forgets also when nobody asked while it was down', async () => {
    const { at } = await play('restarting');
    at(400);
    const reply = at(1 + 465);
    expect(reply.checks['P']?.error).toBe('not yet run');
  });

  it('old-version: error objects, counters always, flat chain messages, another zone', async () => {
    const { at } = await play('old-version');
    const good = at(100);
    expect(good.checks['network']).toMatchObject({ contiguousFailures: 0, timeOfFirstFailure: null });
    expect(good.checks['database']).toMatchObject({ message: null });
    expect(good.checks['C']?.message).toHaveProperty('consensus.lastAcceptedHeight');
    expect(good.checks['C']?.message).toHaveProperty('percentConnected');
    expect(good.checks['C']?.timestamp).toMatch(/T\d\d:\d\d:\d\d\.\d{7}-05:00$/);
    expect(Date.parse(String(good.checks['C']?.timestamp))).toBe(startMs + 90_000);
    const bad = at(301);
    expect(bad.healthy).toBe(false);
    expect(bad.checks['router']?.error).toMatchObject({ message: expect.stringContaining('outstanding') });
    expect(bad.checks['router']?.contiguousFailures).toBe(3);
  });

  it('can be changed while the node runs, and go back to its own with a reset', async () => {
    const { at, node } = await play('healthy');
    at(10);
    node.play('one-chain-failing');
    expect(failing(at(100))).toEqual([]);
    expect(failing(at(200))).toEqual(['C']);
    node.reset();
    expect(failing(at(300))).toEqual([]);
  });
});

describe('a script', () => {
  it('finds its place after a year of repeats, and the end of each time down', () => {
    const phase = (forSeconds: number, down = false): Phase => ({ forSeconds, down, checks: {} });
    const script = createScript(
      { title: 'test', shape: 'current', repeat: true, phases: [phase(60), phase(5, true), phase(35)] },
      1000,
    );
    const year = 365 * 86_400_000;
    const repeats = 1000 + Math.floor(year / 100_000) * 100_000;
    expect(script.at(repeats + 59_999).phase.forSeconds).toBe(60);
    expect(script.at(repeats + 60_000).phase.down).toBe(true);
    expect(script.at(repeats + 65_000)).toMatchObject({ progress: 0, endsAtMs: repeats + 100_000 });
    expect(script.restartAfter(repeats, repeats + 59_999)).toBeNull();
    expect(script.restartAfter(repeats, repeats + 90_000)).toBe(repeats + 65_000);
    expect(script.restartAfter(repeats + 70_000, repeats + 170_000)).toBe(repeats + 165_000);
  });
});
