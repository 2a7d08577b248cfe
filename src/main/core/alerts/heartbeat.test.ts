import { describe, expect, it } from 'vitest';
import { createHttpClient } from '../../adapters/http/http-client.ts';
import { openNetwork } from '../../adapters/http/testing/open-network.ts';
import type { HttpClient } from '../ports.ts';
import { createFakeKeychain, jsonAnswer } from '../health/testing/fake-ports.ts';
import { Gate } from '../privacy/gate.ts';
import { createHeartbeat } from './heartbeat.ts';
import { KeptSecrets } from '../secrets/kept-secrets.ts';
import { createSecretUrls } from './secret-urls.ts';
import { createAlertWorld } from './testing/alert-world.ts';
import { serve } from './testing/web-server.ts';

const minuteMs = 60_000;

/** Watched nodes, and a heartbeat to a real server. */
async function createWorld(status = 200) {
  const world = await createAlertWorld();
  const { time, settings, log, service } = world;
  const { received, origin } = await serve(() => [status, {}]);
  const keychain = createFakeKeychain();
  const gate = new Gate({ settings, clock: time.clock });
  const real = createHttpClient({ ...openNetwork, gate });
  let last: ReturnType<HttpClient['send']> | null = null;
  const http: HttpClient = { send: (request) => (last = real.send(request)) };
  const heartbeat = createHeartbeat({
    ...{ settings, log, clock: time.clock, timers: time.timers },
    urls: createSecretUrls({ kept: new KeptSecrets(keychain), http, log, clock: time.clock }),
    nodes: () => service.list(),
  });
  service.onPoll(({ nodeId, isStored }) => isStored && heartbeat.pollRecorded(nodeId));
  heartbeat.start();
  await heartbeat.set({ url: `${origin}/ping/secret` });
  /** Lets minutes pass, each until the real server has had the time for its request; returns how many it got. */
  const minutes = async (count: number): Promise<number> => {
    const before = received.length;
    for (let minute = 0; minute < count; minute += 1) {
      await time.advance(minuteMs);
      await time.settle();
      await last;
    }
    return received.length - before;
  };
  return { ...world, heartbeat, received, origin, keychain, minutes };
}

describe('the heartbeat', () => {
  it('is sent each minute while the polls of all nodes are stored, also of those that do not answer', async () => {
    const world = await createWorld();
    expect(await world.minutes(2)).toBe(0);
    await world.addNode('a.example');
    await world.addNode('127.0.0.1:9650');
    await world.time.advance(20_000);
    expect(await world.minutes(5)).toBe(5);
    world.down('127.0.0.1:9650');
    expect(await world.minutes(5)).toBe(5);
    expect(world.received[0]?.url).toBe('/ping/secret');
    expect(world.settings.current().alerts.heartbeat).toBe(world.origin);
    expect([...world.keychain.entries.values()]).toEqual([`${world.origin}/ping/secret`]);
    world.heartbeat.stop();
    expect(await world.minutes(2)).toBe(0);
    world.heartbeat.start();
    expect(await world.minutes(2)).toBe(2);
    await world.heartbeat.set({ url: '' });
    expect(await world.minutes(2)).toBe(0);
    expect(world.log.entries.filter(({ event }) => event === 'alerts.heartbeat')).toEqual([]);
    world.heartbeat.stop();
  });

  it.each<
    [
      string,
      (world: Awaited<ReturnType<typeof createWorld>>) => unknown,
      (world: Awaited<ReturnType<typeof createWorld>>) => unknown,
    ]
  >([
    ['the store takes no writes', ({ store }) => store.fail(true), ({ store }) => store.fail(false)],
    ['nothing polls', ({ service }) => service.suspend(), ({ service }) => service.resume()],
  ])('stops while %s', async (_what, begin, end) => {
    const world = await createWorld();
    await world.addNode('a.example');
    await world.minutes(3);
    begin(world);
    await world.minutes(2);
    expect(await world.minutes(5)).toBe(0);
    end(world);
    await world.minutes(1);
    expect(await world.minutes(3)).toBe(3);
    world.heartbeat.stop();
  });

  it('goes on while a node asks to be left alone for long', async () => {
    const world = await createWorld();
    await world.addNode('a.example');
    await world.minutes(3);
    const busy = jsonAnswer(429, '', { 'retry-after': '1200' });
    world.http.serve('http://a.example', () => busy);
    expect(await world.minutes(15)).toBe(15);
    world.service.suspend();
    await world.minutes(10);
    expect(await world.minutes(5)).toBe(0);
    world.heartbeat.stop();
  });

  it('goes on where the app itself has chosen to poll a node only each two minutes', async () => {
    const world = await createWorld();
    const { time } = world;
    world.http.serve('http://a.example', () => {
      // Its checks run just after the heartbeat is due.
      const ranAtMs = Math.floor((time.clock.nowMs() + 38_000) / 120_000) * 120_000 - 38_000;
      const run = { timestamp: new Date(ranAtMs).toISOString(), duration: 1 };
      return jsonAnswer(200, { checks: { C: run }, healthy: true }, { 'node-id': 'N' });
    });
    await world.add('http://a.example', null);
    await world.minutes(30);
    let stored = 0;
    world.service.onPoll(({ isStored }) => (stored += Number(isStored)));
    expect(await world.minutes(20)).toBe(20);
    expect(stored).toBeLessThan(13);
    world.heartbeat.stop();
  });

  it('does not wait for a node that is paused, and stops where all are', async () => {
    const world = await createWorld();
    await world.addNode('a.example');
    await world.addNode('b.example');
    await world.time.advance(20_000);
    const pause = async (name: string) => {
      const {
        headerNames: _names,
        addedAtMs: _atMs,
        ...fields
      } = world.service.list().find(({ node }) => node.name === name)?.node ?? missing(name);
      await world.service.update({ ...fields, headers: [], paused: true });
    };
    await pause('a');
    await world.minutes(2);
    expect(await world.minutes(5)).toBe(5);
    await pause('b');
    expect(await world.minutes(5)).toBe(0);
    world.heartbeat.stop();
  });

  it('that is refused is tried again in the next minute, and its test says why', async () => {
    const world = await createWorld(404);
    await world.addNode('a.example');
    await world.time.advance(20_000);
    expect(await world.minutes(3)).toBe(3);
    await expect(world.heartbeat.send(null, true)).rejects.toThrow(
      'The heartbeat responded with status 404.',
    );
    world.heartbeat.stop();
  });
});

function missing(name: string): never {
  throw new Error(`There is no node ${name}.`);
}
