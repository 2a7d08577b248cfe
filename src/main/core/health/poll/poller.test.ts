import { describe, expect, it, vi } from 'vitest';
import type { HttpOutcome } from '../../ports.ts';
import { jsonAnswer, type FakeServer, type FakeTime } from '../testing/fake-ports.ts';
import { createPollerWorld as createWorld, healthy, hung, refused, target } from '../testing/poller-world.ts';

describe('the rhythm of a node', () => {
  it('begins at once, does not drift, and asks the health path without any secret', async () => {
    const { time, http, poller, sentAt, answers, changes } = createWorld();
    http.serve('http://a/', healthy);
    poller.put(target('a'));
    await time.advance(95_000);
    expect(sentAt('a')).toEqual([0, 30_000, 60_000, 90_000]);
    expect(http.requests[0]).toEqual({
      method: 'GET',
      url: 'http://a/ext/health',
      certificate: null,
      headers: { accept: 'application/json' },
      timeoutMs: 3_600_000,
      maxBytes: 8 * 1024 * 1024,
      signal: expect.any(AbortSignal),
      mayGoOn: expect.any(Function),
    });
    expect(answers[0]).toMatchObject({
      targetId: 'a',
      polledAtMs: 1_700_000_000_200,
      reading: { kind: 'report', state: 'healthy' },
      reportedNodeId: null,
    });
    // Told once a poll, when it has ended.
    expect(changes).toEqual(answers.map(() => 'a rests'));
    expect(poller.statusOf('a')).toMatchObject({ polling: false, nextPollAtMs: 1_700_000_120_000 });
  });

  it('aborts what has ended once: each abort makes an error', async () => {
    const abort = vi.spyOn(AbortController.prototype, 'abort');
    const { time, http, poller, answers, livenessAt } = createWorld();
    http.serve('http://a/', healthy);
    poller.put(target('a'));
    await time.advance(120_000);
    expect(livenessAt('a').length).toBeGreaterThan(0);
    expect(abort.mock.calls).toHaveLength(answers.length);
    abort.mockRestore();
  });

  it('an answer that waited while the computer slept counts from when it was asked for', async () => {
    const { time, http, poller, answers } = createWorld();
    const sleeps = { forMs: 0, answers: healthy };
    http.serve('http://a/', (request) => {
      if (request.url.endsWith('/health') || sleeps.answers === refused) time.stepClock(sleeps.forMs);
      return sleeps.answers(request);
    });
    poller.put(target('a'));
    await time.advance(1_000);
    sleeps.forMs = 9 * 3_600_000;
    const awakeMs = time.clock.nowMs();
    await time.advance(30_000);
    expect(answers).toHaveLength(2);
    expect(answers[1]?.polledAtMs).toBeLessThan(awakeMs + 30_000);
    // A failure is of the moment of waking.
    sleeps.answers = refused;
    while (answers.length < 3) await time.advance(1_000);
    expect(answers[2]?.polledAtMs).toBeGreaterThan(time.clock.nowMs() - sleeps.forMs);
  });

  it('passes on which node answered', async () => {
    const { time, http, poller, answers } = createWorld();
    http.serve('http://a/', () => jsonAnswer(404, '', { 'node-id': 'NodeID-a' }));
    poller.put(target('a'));
    await time.advance(1_000);
    expect(answers).toMatchObject([{ reportedNodeId: 'NodeID-a', reading: { kind: 'no-report' } }]);
  });

  it('has one request in flight, which ends before the next is due', async () => {
    const { time, http, poller, sentAt } = createWorld();
    http.serve('http://a/', hung);
    poller.put(target('a', 4_000));
    await time.advance(3_999);
    expect(poller.statusOf('a')).toMatchObject({ polling: true, nextPollAtMs: null });
    await time.advance(60_000);
    // Given up after 4 s; then waits of 5, 10, 20 s between the polls.
    expect(sentAt('a')).toEqual([0, 9_000, 23_000, 47_000]);
  });

  it('slows down for a node that does not answer, never below its interval, and recovers at once', async () => {
    const { time, http, poller, sentAt } = createWorld({ latencyMs: 0 });
    http.serve('http://a/', refused);
    poller.put(target('a', 10_000));
    await time.advance(100_000);
    expect(sentAt('a')).toEqual([0, 10_000, 20_000, 40_000, 80_000]);
    http.serve('http://a/', healthy);
    await time.advance(70_000);
    expect(sentAt('a').slice(5, 8)).toEqual([102_000, 112_000, 122_000]);
  });

  it('waits as long as it is told', async () => {
    const { time, http, poller, sentAt } = createWorld({ latencyMs: 0 });
    http.serve('http://a/', () => jsonAnswer(429, '', { 'retry-after': '100' }));
    poller.put(target('a', 10_000));
    await time.advance(150_000);
    expect(sentAt('a')).toEqual([0, 100_000]);
  });

  it('does not mind steps of the system’s clock', async () => {
    const { time, http, poller, sentAt } = createWorld();
    http.serve('http://a/', healthy);
    poller.put(target('a'));
    await time.advance(1_000);
    time.stepClock(-86_400_000);
    await time.advance(60_000);
    time.stepClock(2 * 86_400_000);
    await time.advance(30_000);
    expect(sentAt('a')).toEqual([0, 30_000, 60_000, 90_000]);
  });
});

describe('a node that tells when it runs its checks', () => {
  /** Runs every 30 s, first 17 s after the start, by a clock that is an hour ahead. */
  const running: (time: FakeTime) => FakeServer = (time) => () => {
    const runs = Math.floor((time.clock.monotonicMs() - 17_000) / 30_000);
    const timestamp = new Date(1_700_003_600_000 + runs * 30_000).toISOString();
    return jsonAnswer(200, { checks: { C: { timestamp, duration: 1 } }, healthy: true });
  };
  const afterRun = (atMs: number): number => (atMs - 17_000) % 30_000;

  it('is soon polled just after it has run, no more often than before', async () => {
    const { time, http, poller, sentAt } = createWorld();
    http.serve('http://a/', running(time));
    poller.put(target('a'));
    await time.advance(3_600_000);
    const sent = sentAt('a');
    expect(sent.length).toBeGreaterThan(115);
    expect(sent.length).toBeLessThan(125);
    expect(Math.max(...sent.slice(-20).map(afterRun))).toBeLessThan(2_000);
  });

  it('is learned anew after sleep and at another address', async () => {
    const { time, http, poller, sentAt } = createWorld();
    http.serve('http://a/', running(time));
    http.serve('http://b/', healthy);
    poller.put(target('a'));
    await time.advance(3_600_000);
    poller.suspend();
    await time.advance(10_000);
    poller.resume();
    await time.advance(31_000);
    expect(sentAt('a').slice(-2)).toEqual([3_610_000, 3_640_000]);
    await time.advance(3_600_000);
    poller.put({ ...target('a'), url: 'http://b' });
    await time.advance(31_000);
    expect(sentAt('b')).toEqual([7_241_000, 7_271_000]);
  });

  it('is forgotten in sleep, which is told of a paused node too', async () => {
    const { time, http, poller, changes } = createWorld();
    http.serve('http://a/', running(time));
    poller.put(target('a'));
    await time.advance(3_600_000);
    poller.put({ ...target('a'), paused: true });
    expect(poller.statusOf('a').periodMs).not.toBeNull();
    changes.length = 0;
    poller.suspend();
    expect(poller.statusOf('a').periodMs).toBeNull();
    expect(changes).toEqual(['a rests']);
  });
});

describe('polling now', () => {
  it('asks at once, ends with the answer, and goes on from there', async () => {
    const { time, http, poller, sentAt } = createWorld();
    http.serve('http://a/', healthy);
    poller.put(target('a'));
    await time.advance(10_000);
    let ended = false;
    void poller.pollNow('a').then(() => (ended = true));
    await time.advance(199);
    expect(ended).toBe(false);
    await time.advance(1);
    await time.settle();
    expect(ended).toBe(true);
    await time.advance(35_000);
    expect(sentAt('a')).toEqual([0, 10_000, 40_000]);
  });

  it('joins the poll that is under way', async () => {
    const { time, http, poller, sentAt } = createWorld();
    http.serve('http://a/', healthy);
    poller.put(target('a'));
    let ended = 0;
    void poller.pollNow('a').then(() => (ended += 1));
    void poller.pollNow('a').then(() => (ended += 1));
    await time.advance(1_000);
    expect(sentAt('a')).toEqual([0]);
    expect(ended).toBe(2);
  });

  it('ends at once for a node that is not there', async () => {
    await expect(createWorld().poller.pollNow('nobody')).resolves.toBeUndefined();
  });
});

describe('changes while a poll is under way', () => {
  it('forgets the answer of a removed node', async () => {
    const { time, http, poller, answers, sentAt } = createWorld();
    http.serve('http://a/', healthy);
    poller.put(target('a'));
    await time.advance(100);
    let ended = false;
    void poller.pollNow('a').then(() => (ended = true));
    poller.remove('a');
    expect(http.requests[0]?.signal?.aborted).toBe(true);
    await time.advance(100_000);
    expect(ended).toBe(true);
    expect(answers).toEqual([]);
    expect(sentAt('a')).toEqual([0]);
    expect(poller.statusOf('a')).toMatchObject({ polling: false, nextPollAtMs: null });
  });

  it('forgets the answer of the old address and asks the new one', async () => {
    const { time, http, poller, answers, sentAt } = createWorld();
    http.serve('http://a/', () => jsonAnswer(404, ''));
    http.serve('http://b/', healthy);
    poller.put(target('a'));
    await time.advance(100);
    let ended = false;
    void poller.pollNow('a').then(() => (ended = true));
    poller.put({ ...target('a'), url: 'http://b' });
    await time.advance(199);
    expect(ended).toBe(false);
    await time.advance(5_000);
    expect(ended).toBe(true);
    expect(answers.map(({ reading }) => reading.state)).toEqual(['healthy']);
    expect([sentAt('a'), sentAt('b')]).toEqual([[0], [100]]);
  });

  it('takes a new interval from the next poll on', async () => {
    const { time, http, poller, sentAt } = createWorld();
    http.serve('http://a/', healthy);
    poller.put(target('a', 3_600_000));
    await time.advance(100);
    poller.put(target('a', 5_000));
    await time.advance(7_000);
    expect(sentAt('a')).toEqual([0, 5_000]);
    poller.put(target('a', 60_000));
    await time.advance(60_000);
    expect(sentAt('a')).toEqual([0, 5_000, 67_100]);
    poller.put(target('a', 60_000));
    await time.advance(60_000);
    expect(sentAt('a')).toEqual([0, 5_000, 67_100, 127_100]);
  });

  it('waits with the next poll until the answer was taken in', async () => {
    let release = (): void => undefined;
    const slow = (): Promise<void> => new Promise((resolve) => (release = resolve));
    const { time, http, poller, sentAt } = createWorld({ onAnswer: slow });
    http.serve('http://a/', healthy);
    poller.put(target('a', 1_000));
    await time.advance(10_000);
    expect(sentAt('a')).toEqual([0]);
    release();
    await time.advance(1_000);
    expect(sentAt('a')).toEqual([0, 10_000]);
  });
});

describe('sleep', () => {
  it('abandons what is under way, plans nothing, and asks at once afterwards', async () => {
    const { time, http, poller, answers, sentAt } = createWorld();
    http.serve('http://a/', healthy);
    http.serve('http://b/', hung);
    poller.put(target('a'));
    poller.put(target('b'));
    await time.advance(1_000);
    poller.suspend();
    poller.put(target('c'));
    await time.advance(1_000_000);
    expect(answers.map(({ targetId }) => targetId)).toEqual(['a']);
    expect(poller.statusOf('b')).toMatchObject({ polling: false, nextPollAtMs: null });
    http.serve('http://b/', healthy);
    poller.resume();
    poller.resume();
    await time.advance(31_000);
    expect(sentAt('a')).toEqual([0, 1_001_000, 1_031_000]);
    expect(sentAt('b')).toEqual([0, 1_001_000, 1_031_000]);
    expect(sentAt('c')).toEqual([1_001_000, 1_031_000]);
  });

  it('lets a person ask meanwhile', async () => {
    const { time, http, poller, sentAt } = createWorld();
    http.serve('http://a/', healthy);
    poller.suspend();
    poller.put(target('a'));
    void poller.pollNow('a');
    await time.advance(100_000);
    expect(sentAt('a')).toEqual([0]);
    expect(poller.statusOf('a')).toMatchObject({ polling: false, nextPollAtMs: null });
  });
});

describe('a bad node', () => {
  const deep = `{"checks":{"C":{"message":${'['.repeat(100_000)}`;
  it.each<[string, FakeServer]>([
    ['hangs', hung],
    ['sends a web page', () => jsonAnswer(200, '<html>')],
    ['sends depths', () => jsonAnswer(200, deep)],
    ['sends too much', () => ({ kind: 'failure', reason: 'too-large', detail: '' })],
    ['redirects', () => ({ kind: 'failure', reason: 'redirect', detail: '' })],
    [
      'makes our own client fail',
      () => {
        throw new Error('defect');
      },
    ],
  ])('that %s is asked again, and the others do not notice', async (_what, server) => {
    const { time, http, poller, answers, sentAt } = createWorld();
    http.serve('http://bad/', server);
    http.serve('http://good/', healthy);
    poller.put(target('bad'));
    poller.put(target('good'));
    await time.advance(65_000);
    expect(sentAt('good')).toEqual([0, 30_000, 60_000]);
    expect(sentAt('bad').length).toBeGreaterThanOrEqual(2);
    const told = answers.filter(({ targetId }) => targetId === 'bad');
    expect(told.every(({ reading }) => reading.kind === 'no-report')).toBe(true);
    expect(told.length).toBeGreaterThanOrEqual(2);
  });

  it('is polled on although its answer could not be taken in', async () => {
    const defect = new Error('defect');
    const { time, http, poller, sentAt, log } = createWorld({ onAnswer: () => Promise.reject(defect) });
    http.serve('http://a/', healthy);
    poller.put(target('a'));
    await time.advance(35_000);
    expect(sentAt('a')).toEqual([0, 30_000]);
    expect(log.entries[0]).toEqual({ level: 'error', event: 'node.poll', cause: defect });
    expect(poller.statusOf('a').polling).toBe(false);
  });

  it('does not slow down 200 others', async () => {
    const { time, http, poller, answers } = createWorld();
    http.serve('http://n', (request) => (request.url.startsWith('http://n7/') ? 'hang' : good()));
    for (let index = 0; index < 200; index += 1) poller.put(target(`n${index}`));
    await time.advance(29_000);
    expect(answers.filter(({ reading }) => reading.kind === 'report')).toHaveLength(199);
  });
});

function good(): HttpOutcome {
  return jsonAnswer(200, { checks: {}, healthy: true });
}
