import { describe, expect, it } from 'vitest';
import type { NodeAnswer } from '../ask/ask-node.ts';
import { readReport } from '../ask/report.ts';
import type { Phase } from './phase.ts';
import { step, type Now } from './poll-machine.ts';
import { newState, type PollState } from './schedule.ts';
import { target } from '../testing/poller-world.ts';
import {
  type Moment,
  after,
  answered,
  ask,
  askHealth,
  asking,
  changes,
  connected,
  epochMs,
  failed,
  gone,
  late,
  lost,
  now,
  planned,
  polled,
  proxy,
  refusal,
  refused,
  report,
  seeking,
  sent,
  signing,
  taken,
  tick,
  timeout,
  unplanned,
  wanted,
} from '../testing/poll-moments.ts';

const phase: Phase = {
  check: 'C',
  lastRunMs: 500_000,
  lastSentMs: 90_000,
  firstSeenMs: 90_100,
  quietMs: 16_000,
  gapsMs: [30_000, 30_000],
  periodMs: 30_000,
  isSure: true,
  jitterMs: 0,
  minLagMs: -410_500,
  maxLagMs: -410_000,
};

const knowing = (moments: readonly Moment[]): PollState => ({ ...after(moments), phase });

describe('no answer in time', () => {
  const none = { reading: timeout.reading, reportedNodeId: null };
  const told = {
    taking: {
      gridMs: 19_000,
      asking: 'regular',
      reading: timeout.reading,
      sawNewRun: false,
    },
    ...unplanned,
  };

  it('may still come where the connection stands', () => {
    const sentAt = { sentMs: 15_000, sentAtMs: epochMs + 15_000, gridMs: 15_000 };
    expect(changes(after(signing), tick(), now(19))).toEqual({
      actions: [{ do: 'tell', answer: none }],
      ask: { ...ask, what: 'liveness', ...sentAt, isOverdue: true },
      ...told,
    });
  });

  it('never comes where there is no connection, so that one is looked for at once', () => {
    expect(changes(after(signing), tick(false), now(19))).toEqual({
      actions: [{ do: 'abandon' }, { do: 'tell', answer: none }],
      ask: null,
      seekMs: 19_000,
      ...told,
    });
  });

  it('is told of a first poll after 10 s', () => {
    const taking = { gridMs: 0 };
    expect(changes(after(asking), tick(), now(10))).toMatchObject({ taking });
  });

  it('has been told when the connection ends', () => {
    const sought = { actions: [], ask: null, seekMs: 37_000 };
    expect(changes(after(late), answered(refused), now(37))).toEqual(sought);
  });

  it('says nothing of how long an answer takes', () => {
    const heard = step(after(late), answered(report), now(37)).state;
    const taking = { gridMs: 30_000 };
    expect(heard).toMatchObject({ usualMs: 0, lastSignMs: 37_000, seekMs: null, taking });
    const next = step(heard, taken, now(37)).state;
    expect(next).toMatchObject({ failuresInRow: 0, ask: null, ...planned(60_000) });
  });
});

describe('who did not answer', () => {
  it.each<[string, NodeAnswer, number | null]>([
    ['refused', refused, 28_000],
    ['broke off, so that something accepted the connection', failed('reset'), null],
    ['cannot be reached', failed('network'), 28_000],
    ['has no address', failed('dns'), null],
    ['has a certificate that is not good', failed('tls'), null],
    ['is behind a proxy', proxy, null],
  ])('and %s', (_what, what, seekMs) => {
    const before = after([...polled, [26, lost(26_000)], [26, sent]]);
    expect(step(before, answered(what), now(26)).state.seekMs).toBe(seekMs);
  });

  it('is looked for 2 s after a poll that was refused meanwhile', () => {
    const polling = after([
      ...gone,
      [22, tick()],
      [22, sent],
      [22, connected(false)],
      [23, wanted],
      [23, sent],
    ]);
    expect(step(polling, answered(refused), now(23)).state.seekMs).toBe(25_000);
  });

  it('is looked for no more when it answers', () => {
    const polling = after([...gone, [21, wanted], [21, sent]]);
    expect(step(polling, answered(report), now(21)).state.seekMs).toBeNull();
  });

  it('and could not even be asked is looked for from now on', () => {
    const unsent = after([...gone, [22, tick()]]);
    expect(step(unsent, connected(false), now(23)).state.seekMs).toBe(25_000);
    expect(step(after(seeking), connected(false), now(23)).state.seekMs).toBe(24_000);
  });
});

describe('a computer that was not itself', () => {
  const stepped = (second: number): Now => now(second, { wallMs: epochMs + second * 1_000 + 3_600_000 });
  const asksAgain = { disturbances: 1, phase: null, ask: { what: 'health' } };

  it('asks again when no answer came in time', () => {
    const actions = [{ do: 'disturbed' }, { do: 'abandon' }, askHealth];
    expect(changes(knowing(asking), tick(), stepped(10))).toMatchObject({ actions, ...asksAgain });
  });

  it.each<[string, Moment[], NodeAnswer, boolean]>([
    ['a poll that failed asks again', asking, refused, true],
    ['a poll that brought no report asks again', asking, refusal, true],
    ['liveness that failed polls', signing, refused, true],
    ['liveness that was answered without a report takes that for a sign', signing, refusal, false],
    ['a report believes it', asking, report, false],
  ])('after %s', (_what, moments, what, isAgain) => {
    const next = changes(knowing(moments), answered(what), stepped(16));
    if (isAgain) {
      expect(next).toMatchObject({ actions: [{ do: 'disturbed' }, askHealth], ...asksAgain });
    } else expect(next).toMatchObject({ ask: null, lastSignMs: 16_000 });
  });

  it.each<[string, Partial<PollState>, Now, boolean]>([
    ['its clock was set by more than 5 s', {}, now(1, { wallMs: epochMs + 6_001 }), true],
    ['by 5 s it may be wrong', {}, now(1, { wallMs: epochMs + 6_000 }), false],
    ['it stood still for more than 5 s', {}, now(15.001), true],
    ['for 5 s it may be busy', {}, now(15), false],
    ['three times in a row', { disturbances: 2 }, stepped(1), true],
    ['no more than that', { disturbances: 3 }, stepped(1), false],
    ['no request went out', { ask: { ...ask, sentAtMs: epochMs + 60_000 } }, now(60), false],
  ])('is known by this: %s', (_what, given, at, isAgain) => {
    const { actions } = step({ ...knowing(asking), ...given }, answered(refused), at);
    expect(actions.some((action) => action.do === 'disturbed')).toBe(isAgain);
  });

  it('counts anew when something was told', () => {
    const told = step({ ...after(asking), disturbances: 3 }, answered(report), now(1)).state;
    expect(told.disturbances).toBe(0);
  });
});

describe('connections that end', () => {
  const asked = (idleMs: number, given: Partial<PollState> = {}): PollState => ({
    ...after([...polled, [7, lost(idleMs)], [7, sent]]),
    ...given,
  });

  it.each<[string, number, Partial<PollState>, NodeAnswer, Partial<PollState>]>([
    ['once: it may be chance', 7_000, {}, report, { falseEndMs: 7_000, idleLimitMs: 119_000 }],
    ['once, and soon', 900, {}, report, { falseEndMs: 900, idleLimitMs: 119_000 }],
    ['a second later', 7_000, { falseEndMs: 6_000 }, report, { falseEndMs: 7_000, idleLimitMs: 5_000 }],
    ['a second sooner', 6_000, { falseEndMs: 7_000 }, refusal, { falseEndMs: 6_000, idleLimitMs: 5_000 }],
    ['at any other time', 9_000, { falseEndMs: 4_000 }, report, { falseEndMs: 9_000, idleLimitMs: 3_000 }],
    ['at once', 500, { falseEndMs: 400 }, report, { falseEndMs: 500, idleLimitMs: 0 }],
    ['with the node', 7_000, { falseEndMs: 6_500 }, refused, { falseEndMs: 6_500, idleLimitMs: 119_000 }],
    ['and a proxy', 7_000, { falseEndMs: 6_500 }, proxy, { falseEndMs: 7_000, idleLimitMs: 5_500 }],
  ])('%s', (_what, idleMs, given, what, expected) => {
    expect(step(asked(idleMs, given), answered(what), now(7)).state).toMatchObject(expected);
  });

  it('are no news of a request that was made for another reason', () => {
    const before = { ...after(asking), falseEndMs: 7_000 };
    expect(step(before, answered(report), now(3)).state.falseEndMs).toBe(7_000);
  });

  it.each([
    ['outlives that by more than a second: it was no habit', true, 7.001, 119_000],
    ['by a second', true, 7, 5_000],
    ['is another one', false, 7.001, 5_000],
  ])('until one %s', (_what, isKept, second, idleLimitMs) => {
    const before = { ...after([...polled, [6, wanted]]), lastSignMs: 1_000, idleLimitMs: 5_000 };
    const { state } = step(before, { type: 'sent', isKept }, now(second));
    expect(state.idleLimitMs).toBe(idleLimitMs);
  });
});

describe('the runs of a node', () => {
  const ranAt = (ms: number): NodeAnswer => {
    const checks = { C: { timestamp: new Date(ms).toISOString(), duration: 1 } };
    return { reading: readReport(200, JSON.stringify({ checks, healthy: true })), reportedNodeId: null };
  };
  const seen = (given: Partial<PollState>, what: NodeAnswer): PollState => {
    const before = { ...after(asking), ask: { ...ask, sentMs: 119_900, gridMs: 120_000 }, ...given };
    return step(before, answered(what), now(120)).state;
  };

  it('are learned from each report', () => {
    const { phase: learned, taking } = seen({ phase }, ranAt(530_000));
    expect(learned).toMatchObject({ lastRunMs: 530_000, lastSentMs: 119_900, firstSeenMs: 120_000 });
    expect(taking?.sawNewRun).toBe(true);
  });

  it('are new when they are the first', () => {
    const { phase: learned, taking } = seen({}, ranAt(530_000));
    expect(learned).toMatchObject({ check: 'C', lastRunMs: 530_000, maxLagMs: 120_000 - 530_000 });
    expect(taking?.sawNewRun).toBe(true);
  });

  it('are not new when they were seen before, or are not told', () => {
    expect(seen({ phase }, ranAt(500_000)).taking?.sawNewRun).toBe(false);
    expect(seen({ phase }, report)).toMatchObject({ phase: null, taking: { sawNewRun: false } });
  });
});

describe('a node that is polled automatically', () => {
  const taking = {
    gridMs: 100_000,
    asking: 'regular',
    reading: report.reading,
    sawNewRun: true,
  } as const;
  const extra = { ...taking, asking: 'extra' } as const;
  const resting: PollState = {
    ...newState(target('a', null), 0),
    taking,
    phase,
    explored: { periodMs: 30_000, atMs: 90_000 },
  };
  const unknown: Phase = { ...phase, periodMs: null, isSure: false };
  const loose: Phase = { ...phase, minLagMs: -420_000 };
  const next = (atMs: number) => ({ due: { atMs, gridMs: atMs, asking: 'regular' } });
  const justSeen = next(150_200);
  const looksAt = (atMs: number, asking = 'extra') => ({ due: { atMs, gridMs: 100_000, asking } });

  it.each<[string, Partial<PollState>, object]>([
    ['is asked just after its next run', {}, justSeen],
    [
      'is looked at soon, and again, while no period is known',
      { phase: unknown, learnLooks: 3, taking: extra },
      { ...looksAt(115_000, 'regular'), learnLooks: 4 },
    ],
    ['not after many such looks', { phase: unknown, learnLooks: 12 }, next(130_000)],
    ['nor when it tells no runs', { phase: null, learnLooks: 3 }, next(130_000)],
    [
      'nor when it is polled by then',
      { phase: unknown, taking: { ...taking, gridMs: 85_000 } },
      { ...next(115_000), learnLooks: 1 },
    ],
    [
      'may be looked at so often again, after a period was known',
      { learnLooks: 5 },
      { ...justSeen, learnLooks: 0 },
    ],
    ['is looked at soon when its run is late', { taking: { ...taking, sawNewRun: false } }, looksAt(101_000)],
    ['nor twice', { taking: { ...extra, sawNewRun: false } }, justSeen],
    [
      'is looked at in the middle of a period that is new',
      { explored: null },
      { ...looksAt(115_250), explored: { periodMs: 30_000, atMs: 100_000 } },
    ],
    ['not twice', { explored: null, taking: extra }, justSeen],
    ['not when the interval is a person’s', { target: target('a'), explored: null }, justSeen],
    ['is asked sooner while its runs cannot be met to a second', { phase: loose }, next(115_000)],
    ['not at an interval of a person’s', { target: target('a'), phase: loose }, next(145_000)],
  ])('%s', (_what, given, expected) => {
    const before = { ...resting, ...given };
    expect(changes(before, taken, now(100))).toEqual({ actions: [], taking: null, ...expected });
  });

  it('is confirmed by a poll that may find its return when another look brings no answer', () => {
    const looking = { ...resting, isKept: true, taking: { ...extra, reading: failed('reset').reading } };
    expect(step(looking, taken, now(100)).state.due).toEqual({
      atMs: 105_000,
      gridMs: 105_000,
      asking: 'return',
    });
  });
});
