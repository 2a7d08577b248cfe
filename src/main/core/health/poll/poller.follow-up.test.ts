import { describe, expect, it } from 'vitest';
import { AppFailure } from '../../../../shared/errors.ts';
import type { NodeAnswer } from '../ask/ask-node.ts';
import { jsonAnswer } from '../testing/fake-ports.ts';
import { createFakeNode } from '../testing/service-world.ts';
import { createPollerWorld, healthy, refused, target } from '../testing/poller-world.ts';
import type { FollowUp } from './poller.ts';

/** What may follow the first report of a node, and how each request of it ends; it stays open until `end`. */
async function followed(intervalMs: number | null = 30_000) {
  const rests: FollowUp[] = [];
  let end = (): void => undefined;
  const world = createPollerWorld({
    accessTo: () => Promise.resolve({ headers: { 'x-token': 'secret' } }),
    onReport: (_id, rest) => {
      rests.push(rest);
      return new Promise((resolve) => {
        end = resolve;
      });
    },
  });
  world.http.serve('http://a/', healthy);
  world.poller.put(target('a', intervalMs));
  await world.time.advance(1_000);
  const [rest] = rests;
  if (rest === undefined) throw new Error('There was no report.');
  const ask = async ({ ask: further } = rest): Promise<NodeAnswer | null> => {
    const asked = further({ what: 'readiness', tags: [] });
    await world.time.advance(1_000);
    return await asked;
  };
  return { ...world, rest, rests, ask, end: () => end() };
}

describe('what follows a report', () => {
  it.each([
    [30_000, 10_000],
    [16_000, 8_000],
  ])('has 10 s, and half of a shorter interval: of %i ms %i', async (intervalMs, limitMs) => {
    const { answers, ask, http, time } = await followed(intervalMs);
    const leftMs = (answers[0]?.atMs ?? 0) + limitMs - time.clock.monotonicMs();
    await ask();
    expect(http.requests.at(-1)).toMatchObject({
      method: 'GET',
      url: 'http://a/ext/health/readiness',
      headers: { 'x-token': 'secret' },
      timeoutMs: leftMs,
    });
    const late = await followed(intervalMs);
    await late.time.advance(leftMs);
    const before = late.sent.length;
    expect(await late.ask()).toBeNull();
    expect(late.sent).toHaveLength(before);
  });

  it('passes the budget, which has one of these a minute', async () => {
    const { ask, sent } = await followed();
    expect(await ask()).toMatchObject({ reading: { kind: 'report' } });
    const before = sent.length;
    expect(await ask()).toBeNull();
    expect(sent).toHaveLength(before);
  });

  it('is no second request where GET is refused', async () => {
    const { ask, http, poller, sent } = await followed();
    http.serve('http://a/', () => jsonAnswer(405, ''));
    const before = { sent: sent.length, heldBack: poller.statusOf('a').heldBackCount };
    expect(await ask()).toMatchObject({ httpStatus: 405 });
    expect(sent).toHaveLength(before.sent + 1);
    expect(poller.statusOf('a').heldBackCount).toBe(before.heldBack + 1);
  });

  it.each([
    ['reset', 1],
    ['redirect', 0],
  ] as const)('and fails by %s: polls more at once: %i', async (reason, more) => {
    const { http, ask, end, sent, sentAt, time, poller } = await followed();
    http.serve('http://a/', () => ({ kind: 'failure', reason, detail: '' }));
    await ask();
    const all = sent.length;
    expect(await ask()).toBeNull();
    expect(sent).toHaveLength(all);
    const before = sentAt('a').length;
    http.serve('http://a/', healthy);
    expect(poller.statusOf('a').polling).toBe(true);
    end();
    await time.advance(1_000);
    expect(sentAt('a').length - before).toBe(more);
  });

  it('is over with a change of the address, whose poll it does not end', async () => {
    const { rest, rests, ask, end, poller, http, time } = await followed();
    http.serve('http://b/', healthy);
    poller.put({ ...target('a'), url: 'http://b' });
    expect(rest.signal.aborted).toBe(true);
    end();
    await time.advance(1_000);
    expect(poller.statusOf('a').polling).toBe(true);
    expect(await ask(rest)).toBeNull();
    expect(await ask(rests[1])).toMatchObject({ reading: { kind: 'report' } });
    expect(http.requests.at(-1)?.url).toBe('http://b/ext/health/readiness');
  });

  it('is over with the node', async () => {
    const { rest, poller } = await followed();
    poller.remove('a');
    expect(rest.signal.aborted).toBe(true);
  });

  it('is nothing where there was no report', async () => {
    const reports: string[] = [];
    const world = createPollerWorld({
      onReport: (id) => {
        reports.push(id);
        return Promise.resolve();
      },
    });
    world.http.serve('http://a/', refused);
    world.poller.put(target('a'));
    await world.time.advance(1_000);
    expect([world.answers.length, reports.length]).toEqual([1, 0]);
  });
});

describe('a kept connection', () => {
  it('ends with a pause, in sleep, at another address, and with the node', async () => {
    const { http, poller, time, lines } = createPollerWorld();
    for (const name of ['a', 'b']) http.serve(`http://${name}/`, healthy);
    poller.put(target('a'));
    await time.advance(1_000);
    poller.put({ ...target('a'), intervalMs: 60_000 });
    expect(lines).toEqual(['http://a']);
    poller.put({ ...target('a'), paused: true });
    expect(lines).toEqual([]);
    poller.put(target('a'));
    await time.advance(1_000);
    poller.put({ ...target('a'), url: 'http://b' });
    await time.advance(1_000);
    expect(lines).toEqual(['http://b']);
    poller.suspend();
    expect(lines).toEqual([]);
    poller.resume();
    await time.advance(1_000);
    expect(lines).toEqual(['http://b']);
    poller.remove('a');
    expect(lines).toEqual([]);
  });
});

describe('a poll', () => {
  it('may be wanted as soon as the budget allows', async () => {
    const { http, poller, time, sentAt } = createPollerWorld();
    http.serve('http://a/', healthy);
    poller.put(target('a', 600_000));
    await time.advance(20_000);
    poller.pollSoon('nobody');
    poller.pollSoon('a');
    await time.advance(1_000);
    expect(sentAt('a')).toHaveLength(2);
  });

  it('is not sent where what it needs cannot be had, and says why', async () => {
    let cause: unknown = new AppFailure({ code: 'no-secret', message: 'The keychain is locked.' });
    // As a keychain may throw anything.
    const { answers, log, poller, sent, time } = createPollerWorld({
      accessTo: async () => {
        await Promise.resolve();
        throw cause;
      },
    });
    poller.put(target('a'));
    await time.advance(1_000);
    cause = new TypeError('a defect');
    void poller.pollNow('a');
    await time.advance(1_000);
    const errors = answers.map(({ reading }) => (reading.kind === 'no-report' ? reading.error : null));
    expect(errors).toEqual([
      { code: 'no-secret', message: 'The keychain is locked.' },
      {
        code: 'internal',
        message: 'Something went wrong inside Watchkeeper.',
        ref: expect.any(String) as string,
      },
    ]);
    expect(sent).toEqual([]);
    expect(log.entries.filter(({ level }) => level === 'error').map(({ event }) => event)).toEqual([
      'node.poll',
    ]);
  });

  it('tells how long after its time a run is visible', async () => {
    const { http, poller, rhythms, time } = createPollerWorld();
    http.serve('http://a/', createFakeNode(time, ['C']).server);
    poller.put(target('a', null));
    await time.advance(300_000);
    const { minMs = 0, maxMs = 0 } = rhythms.at(-1)?.lag ?? {};
    // The two clocks, and the answer's way.
    const apartMs = time.clock.monotonicMs() - time.clock.nowMs();
    expect(minMs - apartMs).toBeLessThanOrEqual(200);
    expect(maxMs - apartMs).toBeGreaterThanOrEqual(0);
    expect(maxMs - minMs).toBeLessThan(30_000);
  });

  it('tells what liveness says in between', async () => {
    const told: string[] = [];
    const world = createPollerWorld({
      onLiveness: (id, { reading }) => void told.push(`${id} ${reading.state}`),
    });
    world.http.serve('http://a/', () => jsonAnswer(200, { healthy: true, checks: {} }));
    world.poller.put(target('a'));
    await world.time.advance(29_000);
    expect(told).toEqual(['a healthy']);
  });
});
