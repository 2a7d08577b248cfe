import { describe, expect, it } from 'vitest';
import type { HttpOutcome } from '../../ports.ts';
import { jsonAnswer, type FakeServer } from '../testing/fake-ports.ts';
import { createPollerWorld, healthy, target, type PollerWorld } from '../testing/poller-world.ts';

const minuteMs = 60_000;

function mostIn2Minutes(sentMs: readonly number[]): number {
  const counts = sentMs.map(
    (fromMs) => sentMs.filter((ms) => ms >= fromMs && ms < fromMs + 2 * minuteMs).length,
  );
  return Math.max(0, ...counts);
}

/** The most requests, and connections without one, in any two minutes of an hour behind a door. */
async function behind(server: FakeServer, set: (world: PollerWorld) => void = () => undefined) {
  const world = createPollerWorld({ latencyMs: 5, fraction: 0.5 });
  world.http.serve('http://a/', server);
  set(world);
  world.poller.put(target('a', null));
  await world.time.advance(60 * minuteMs);
  return {
    ...world,
    requests: mostIn2Minutes(world.sent.map(({ atMs }) => atMs)),
    connects: mostIn2Minutes(world.http.connects.map(({ atMs }) => atMs)),
  };
}

const fails = (reason: Extract<HttpOutcome, { kind: 'failure' }>['reason']): HttpOutcome => ({
  kind: 'failure',
  reason,
  detail: '',
});
/** Accepts connections, and answers each request so. */
const door =
  (outcome: HttpOutcome): FakeServer =>
  ({ timeoutMs }) =>
    timeoutMs === 0 ? jsonAnswer(200, '') : outcome;

describe('a host that accepts connections', () => {
  it.each([
    ['and closes them', fails('reset')],
    ['and sends a banner', fails('bad-encoding')],
    ['and speaks no TLS', fails('tls')],
    ['and then refuses', fails('refused')],
    ['and answers nonsense', jsonAnswer(200, 'garbage')],
  ])('%s gets a poll a minute, not a storm', async (_how, outcome) => {
    const { requests, connects, answers } = await behind(door(outcome));
    expect(requests).toBeLessThanOrEqual(10);
    expect(connects).toBeLessThanOrEqual(60);
    // Each is stored: an hour has 60 of them, and a few more at first.
    expect(answers.length).toBeLessThanOrEqual(140);
  });
});

describe('the budget of a node', () => {
  it('lets one that is resumed be polled at once, and no more than three beside the budget pass, however often that is done', async () => {
    const { time, http, poller, sent } = createPollerWorld({ latencyMs: 5, fraction: 0.5 });
    http.serve('http://a/', healthy);
    const resumedMs: number[] = [];
    for (let times = 0; times < 100; times += 1) {
      poller.put({ ...target('a', null), paused: true });
      await time.advance(2_000);
      resumedMs.push(time.clock.monotonicMs());
      poller.put(target('a', null));
      await time.advance(1_000);
    }
    // One more is kept for the end of its connection.
    expect(sent.slice(0, 12).map(({ atMs }) => atMs)).toEqual(resumedMs.slice(0, 12));
    expect(mostIn2Minutes(sent.map(({ atMs }) => atMs))).toBe(12);
  });

  it('belongs to the address, also when it is removed and added again beside another', async () => {
    const world = createPollerWorld({ latencyMs: 5, fraction: 0.5 });
    // As at the start of the app, where nothing is asked yet.
    world.poller.suspend();
    for (const id of ['a', 'b']) {
      world.http.serve(`http://${id}/`, healthy);
      world.poller.put(target(id, null));
    }
    world.poller.resume();
    for (let times = 0; times < 20; times += 1) {
      await world.time.advance(5_000);
      world.poller.remove('a');
      world.poller.put(target('a', null));
    }
    const toA = world.sent.filter(({ url }) => url.startsWith('http://a/'));
    expect(mostIn2Minutes(toA.map(({ atMs }) => atMs))).toBeLessThanOrEqual(10);
  });

  it('holds where each request is redirected three times', async () => {
    const sentMs: number[] = [];
    let refusedCount = 0;
    const { poller } = await behind(healthy, ({ http, time }) =>
      http.serve('http://a/', ({ mayGoOn }) => {
        for (let hops = 0; hops <= 3; hops += 1) {
          if (hops > 0 && mayGoOn?.() === false) {
            refusedCount += 1;
            return fails('not-allowed');
          }
          sentMs.push(time.clock.nowMs());
        }
        return jsonAnswer(200, { checks: {}, healthy: true });
      }),
    );
    expect(sentMs.length).toBeGreaterThan(60);
    expect(refusedCount).toBeGreaterThan(0);
    expect(poller.statusOf('a').heldBackCount).toBeGreaterThanOrEqual(refusedCount);
    expect(mostIn2Minutes(sentMs)).toBeLessThanOrEqual(10);
  });

  it('holds where a proxy ends idle connections after 4 and 9 s in turn', async () => {
    const { requests, answers, poller } = await behind(healthy, ({ http, time }) => {
      const turn = (at: number): void => {
        http.endIdle('http://a', at % 2 === 0 ? 4_000 : 9_000);
        time.timers.after(7_000, () => turn(at + 1));
      };
      turn(0);
    });
    expect(requests).toBeLessThanOrEqual(10);
    expect(answers.every(({ reading }) => reading.kind === 'report')).toBe(true);
    // Learned, and not held back all the time.
    expect(poller.statusOf('a').heldBackCount).toBeLessThan(10);
  });

  it('holds where runs are late by up to 3 s, so that the period is a guess', async () => {
    const lateMs = [0, 2_900, 600, 1_700, 3_000, 200, 2_400, 1_100];
    let world: PollerWorld | null = null;
    const { requests } = await behind(
      () => {
        const nowMs = world?.time.clock.monotonicMs() ?? 0;
        const run = Math.floor((nowMs - 3_000) / 30_000);
        const ranMs = 1_700_000_000_000 + run * 30_000 + (lateMs[(run + 8) % 8] ?? 0);
        return jsonAnswer(200, {
          healthy: true,
          checks: { C: { timestamp: new Date(ranMs).toISOString(), duration: 1 } },
        });
      },
      (made) => {
        world = made;
      },
    );
    expect(requests).toBeLessThanOrEqual(10);
  });

  it('holds where GET is refused: JSON-RPC alone is used, and GET tried again when that fails', async () => {
    const { requests, answers, http, time } = await behind(({ method, body = '{}' }) =>
      method === 'GET'
        ? jsonAnswer(405, '')
        : jsonAnswer(200, { ...JSON.parse(body), result: { checks: {}, healthy: true } }),
    );
    expect(answers.every(({ reading }) => reading.kind === 'report')).toBe(true);
    expect(requests).toBeLessThanOrEqual(10);
    const gets = http.requests.filter(({ method }) => method === 'GET');
    expect(gets.length).toBeLessThanOrEqual(2);
    http.serve('http://a/', ({ method }) =>
      method === 'GET' ? jsonAnswer(200, { checks: {}, healthy: true }) : jsonAnswer(404, ''),
    );
    await time.advance(minuteMs);
    expect(answers.at(-1)?.reading.kind).toBe('report');
  });

  it('holds where the connection ends directly after each answer', async () => {
    const { requests } = await behind(healthy, ({ http }) => http.endIdle('http://a', 1));
    expect(requests).toBeLessThanOrEqual(10);
  });

  it('has a burst of three for a person, tells what it put off, and goes on when it may', async () => {
    const { time, poller, sent, http } = createPollerWorld({ latencyMs: 5 });
    http.serve('http://a/', healthy);
    poller.put(target('a'));
    await time.advance(10 * minuteMs);
    const before = sent.length;
    for (let at = 0; at < 30; at += 1) {
      void poller.pollNow('a');
      await time.advance(100);
    }
    const burst = sent.length - before;
    expect(burst).toBeGreaterThanOrEqual(4);
    expect(burst).toBeLessThanOrEqual(6);
    expect(poller.statusOf('a').heldBackCount).toBeGreaterThanOrEqual(20);
    await time.advance(3 * minuteMs);
    expect(sent.length).toBeGreaterThan(before + burst + 8);
  });

  it('is that of an address: another one begins anew', async () => {
    const { time, poller, sentAt, http } = createPollerWorld({ latencyMs: 5 });
    http.serve('http://', healthy);
    poller.put(target('a'));
    for (let at = 0; at < 20; at += 1) {
      void poller.pollNow('a');
      await time.advance(100);
    }
    expect(poller.statusOf('a').heldBackCount).toBeGreaterThan(0);
    poller.put({ ...target('a'), url: 'http://b' });
    await time.advance(100);
    expect(sentAt('b')).toHaveLength(1);
    expect(poller.statusOf('a').heldBackCount).toBe(0);
  });
});
