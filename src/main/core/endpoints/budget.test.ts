import { describe, expect, it } from 'vitest';
import {
  decide,
  freshBudget,
  priorities,
  withCallEnded,
  withCallSent,
  type AnswerSeen,
  type Budget,
  type Priority,
} from './budget.ts';

const nowMs = 1_000_000;
const cost = 20;
const send = { kind: 'send' };
const slot = { kind: 'wait-for-slot' };
const until = (atMs: number) => ({ kind: 'wait-until', atMs });

const call = { priority: 'backfill', costUnits: cost } as const;

function answer(headers: Record<string, string>): AnswerSeen {
  return { status: 200, headers, resetMs: null, holdMs: null };
}

function budget(fields: Partial<Budget> = {}): Budget {
  return { ...freshBudget, ...fields };
}

/** Says only that it refuses. */
const silent = { seenLimitUnits: 6_000, windowEndsAtMs: nowMs + 30_000 };
const known = { limitUnits: 6_000, remainingUnits: 6_000, windowEndsAtMs: nowMs + 30_000 };

describe('decide', () => {
  it.each<[string, Budget, Priority, object]>([
    ['nothing is known: sent', budget(), 'backfill', send],
    ['held: not before the time it was told', budget({ heldUntilMs: nowMs + 1 }), 'user', until(nowMs + 1)],
    ['held until now: sent', budget({ heldUntilMs: nowMs }), 'backfill', send],
    ['the slots of the background are taken', budget({ inFlight: 4 }), 'completion', slot],
    ['the user has slots of their own', budget({ inFlight: 4 }), 'user', send],
    ['all slots are taken', budget({ inFlight: 6 }), 'user', slot],
    ['less than a call is left', budget({ ...known, remainingUnits: 19 }), 'user', until(nowMs + 30_000)],
    ['exactly a call is left', budget({ ...known, remainingUnits: 20 }), 'user', send],
    [
      'the last eighth is the user’s, until shortly before the end',
      budget({ ...known, remainingUnits: 739 }),
      'backfill',
      until(nowMs + 20_000),
    ],
    ['one more than the reserve is left', budget({ ...known, remainingUnits: 740 }), 'backfill', send],
    [
      'what will be released shortly before the end is waited for until then',
      budget({ ...known, remainingUnits: 100 }),
      'backfill',
      until(nowMs + 28_000),
    ],
    [
      'and less than that until the end',
      budget({ ...known, remainingUnits: 99 }),
      'backfill',
      until(nowMs + 30_000),
    ],
    [
      'what the user has used already is not kept as well',
      budget({ ...known, remainingUnits: 440, usedByUser: 300 }),
      'backfill',
      send,
    ],
    [
      'a user who asked for much in the window before is kept more',
      budget({ ...known, remainingUnits: 1_259, usedByUserBefore: 1_000 }),
      'backfill',
      until(nowMs + 20_000),
    ],
    [
      'but never more than a half',
      budget({ ...known, remainingUnits: 3_020, usedByUserBefore: 6_000 }),
      'backfill',
      send,
    ],
    [
      'from ten seconds before its end no more is kept than a user asks for at once',
      budget({ ...known, remainingUnits: 420, windowEndsAtMs: nowMs + 10_000 }),
      'backfill',
      send,
    ],
    [
      'but that is',
      budget({ ...known, remainingUnits: 419, windowEndsAtMs: nowMs + 10_000 }),
      'backfill',
      until(nowMs + 8_000),
    ],
    [
      'and not a moment before',
      budget({ ...known, remainingUnits: 420, windowEndsAtMs: nowMs + 10_001 }),
      'backfill',
      until(nowMs + 1),
    ],
    [
      'from two seconds before its end only a few calls of a window are kept',
      budget({ ...known, remainingUnits: 100, windowEndsAtMs: nowMs + 2_000 }),
      'backfill',
      send,
    ],
    [
      'until a second before it',
      budget({ ...known, remainingUnits: 100, windowEndsAtMs: nowMs + 1_000 }),
      'backfill',
      until(nowMs + 1_000),
    ],
    [
      'and those few are',
      budget({ ...known, remainingUnits: 99, windowEndsAtMs: nowMs + 1_500 }),
      'backfill',
      until(nowMs + 1_500),
    ],
    [
      'a silent service gave more before it refused',
      budget({ ...silent, usedUnits: 5_000 }),
      'backfill',
      send,
    ],
    [
      'what a silent service gave before it refused is taken for its limit',
      budget({ ...silent, usedUnits: 5_280 }),
      'backfill',
      until(nowMs + 20_000),
    ],
    ['not for the user', budget({ ...silent, usedUnits: 6_000 }), 'user', send],
    [
      'and near the end one call at a time finds out whether there is more',
      budget({ ...silent, usedUnits: 6_000, windowEndsAtMs: nowMs + 1_500 }),
      'backfill',
      send,
    ],
    [
      'one',
      budget({ ...silent, usedUnits: 6_000, windowEndsAtMs: nowMs + 1_500, inFlight: 1 }),
      'backfill',
      slot,
    ],
    [
      'calls under way count',
      budget({ ...known, remainingUnits: 60, inFlight: 3 }),
      'user',
      until(nowMs + 30_000),
    ],
    ['the window is over', budget({ ...known, remainingUnits: 0, windowEndsAtMs: nowMs }), 'backfill', send],
    [
      'a tiny limit has no reserve',
      budget({ ...known, limitUnits: 80, remainingUnits: 20 }),
      'backfill',
      send,
    ],
    [
      'a hold goes before an empty window',
      budget({ ...known, remainingUnits: 0, heldUntilMs: nowMs + 5 }),
      'user',
      until(nowMs + 5),
    ],
  ])('%s', (_name, state, priority, decision) => {
    expect(decide(state, priority, cost, nowMs)).toEqual(decision);
  });

  it('leaves at least 85 % of the limits of the public service to the background', () => {
    for (const [limitUnits, costUnits] of [
      [6_000, 20],
      [8_000, 20],
      [8_000, 100],
    ] as const) {
      let state = budget({ ...known, limitUnits, remainingUnits: limitUnits });
      let sent = 0;
      while (decide(state, 'backfill', costUnits, nowMs).kind === 'send') {
        sent += 1;
        state = { ...state, remainingUnits: (state.remainingUnits ?? 0) - costUnits };
      }
      expect((sent * costUnits) / limitUnits).toBeGreaterThanOrEqual(0.85);
    }
  });
});

describe('what a call teaches', () => {
  const headers = {
    'ratelimit-policy': '"8000";w=60',
    'ratelimit-limit': '8000',
    'ratelimit-remaining': '7980',
  };

  it('limit, what is left, and at the latest end of a window that is seen first', () => {
    const sent = withCallSent(budget(), nowMs);
    expect(sent.inFlight).toBe(1);
    expect(withCallEnded(sent, answer(headers), call, nowMs)).toEqual({
      ...freshBudget,
      limitUnits: 8_000,
      remainingUnits: 7_980,
      windowMs: 60_000,
      windowEndsAtMs: nowMs + 60_000,
      mostPerCall: 20,
    });
  });

  it('what a call takes at most, until a refusal shows that it takes more, as where the limit comes back bit by bit', () => {
    const told = (left: number) => answer({ ...headers, 'ratelimit-remaining': String(left) });
    const isSent = (left: number, state: Budget) =>
      decide({ ...state, remainingUnits: left }, 'user', cost, nowMs).kind === 'send';
    const cheap = withCallEnded(budget(), told(7_999), call, nowMs);
    expect(isSent(cost - 1, cheap)).toBe(true);
    expect(isSent(cost - 1, withCallEnded(cheap, { ...told(cost - 1), status: 429 }, call, nowMs))).toBe(
      false,
    );
  });

  it('the end of the window stays as it was first seen, until there is more than before', () => {
    const first = withCallEnded(withCallSent(budget(), nowMs), answer(headers), call, nowMs);
    const later = { ...headers, 'ratelimit-remaining': '7960' };
    const second = withCallEnded(withCallSent(first, nowMs), answer(later), call, nowMs + 10_000);
    expect(second).toMatchObject({ remainingUnits: 7_960, windowEndsAtMs: nowMs + 60_000 });
    const renewed = withCallEnded(withCallSent(second, nowMs), answer(headers), call, nowMs + 20_000);
    expect(renewed).toMatchObject({ remainingUnits: 7_980, windowEndsAtMs: nowMs + 80_000 });
  });

  it('an answer that was overtaken by a later one teaches nothing', () => {
    const three = { ...budget({ ...known, remainingUnits: 100 }), inFlight: 3 };
    const state = withCallEnded(three, answer({ 'ratelimit-remaining': '140' }), call, nowMs);
    expect(state).toMatchObject({ remainingUnits: 100, windowEndsAtMs: nowMs + 30_000, inFlight: 2 });
    const renewed = withCallEnded(three, answer({ 'ratelimit-remaining': '141' }), call, nowMs);
    expect(renewed).toMatchObject({ remainingUnits: 141, windowEndsAtMs: nowMs + 60_000 });
  });

  it('a reset in the headers is the end of the window', () => {
    const state = withCallEnded(budget(), { ...answer(headers), resetMs: 7_000 }, call, nowMs);
    expect(state.windowEndsAtMs).toBe(nowMs + 7_000);
  });

  it.each<[string, number | null, number, number | null]>([
    ['8000;w=30', 8_000, 30_000, null],
    ['"8000";w=30', 8_000, 30_000, null],
    ['"burst";q=8000;w=30', 8_000, 30_000, null],
    [' 8000 ; w=30', 8_000, 30_000, null],
    ['8000a;w=30', null, 60_000, null],
    ['8000;now=30', null, 60_000, null],
    // Of several the shortest window counts, and a day besides.
    ['1200000;w=86400, 6000;w=60', 6_000, 60_000, 1_200_000],
    ['6000;w=60, 90000;w=3600', 6_000, 60_000, null],
    ['1200000;w=86400', 1_200_000, 86_400_000, null],
  ])('the policy %j', (policy, limitUnits, windowMs, dayLimitUnits) => {
    const headers = { 'ratelimit-policy': policy, 'ratelimit-remaining': '5' };
    expect(withCallEnded(budget(), answer(headers), call, nowMs)).toMatchObject({
      limitUnits,
      windowMs,
      dayLimitUnits,
    });
  });

  it('what is left, however little, is news in a window that is seen first, and no news twice', () => {
    const little = answer({ 'ratelimit-remaining': '10' });
    const first = withCallEnded(budget({ inFlight: 2 }), little, call, nowMs);
    expect(first).toMatchObject({ remainingUnits: 10, windowEndsAtMs: nowMs + 60_000 });
    expect(withCallEnded(first, little, call, nowMs + 1_000).windowEndsAtMs).toBe(nowMs + 60_000);
  });

  it('what the user has used of a window is known in the next one alone', () => {
    const used = withCallEnded(budget(known), answer({}), { ...call, priority: 'user' }, nowMs);
    expect(used.usedByUser).toBe(20);
    expect(withCallEnded(used, answer({}), call, nowMs).usedByUser).toBe(20);
    const next = { usedByUser: 0, usedUnits: 0, remainingUnits: null };
    expect(withCallSent(used, nowMs + 30_000)).toMatchObject({ ...next, usedByUserBefore: 20 });
    expect(withCallSent(used, nowMs + 89_999)).toMatchObject({ ...next, usedByUserBefore: 20 });
    expect(withCallSent(used, nowMs + 90_000)).toMatchObject({ ...next, usedByUserBefore: 0 });
    // Also of one whose end the service tells by giving more again.
    const renewed = answer({ 'ratelimit-remaining': '8000' });
    expect(withCallEnded(used, renewed, call, nowMs)).toMatchObject({ usedByUser: 0, usedByUserBefore: 20 });
  });

  it.each([null, {}, { 'ratelimit-remaining': 'x 5' }])('nothing from %j', (given) => {
    const seen = given === null ? null : answer(given);
    expect(withCallEnded(withCallSent(budget(known), nowMs), seen, call, nowMs)).toEqual(budget(known));
  });

  it('a reset beyond the window is one of another window', () => {
    const state = withCallEnded(budget(), { ...answer(headers), resetMs: 86_400_000 }, call, nowMs);
    expect(state.windowEndsAtMs).toBe(nowMs + 60_000);
  });

  it('of a service that tells no limit: what it gave until it refused, and when there is more', () => {
    const refusal = { ...answer({}), status: 429, holdMs: 40_000 };
    const answered = (state: Budget, atMs: number) =>
      withCallEnded(withCallSent(state, atMs), answer({}), call, atMs);
    const refused = (state: Budget, atMs: number) =>
      withCallEnded(withCallSent(state, atMs), refusal, call, atMs);
    // Nobody knows what was used of the window that the app began in.
    const phase = refused(answered(budget(), nowMs), nowMs);
    expect(phase).toMatchObject({ seenLimitUnits: null, windowEndsAtMs: nowMs + 40_000 });
    // The next one is counted.
    let state = phase;
    for (let i = 0; i < 4; i += 1) state = answered(state, nowMs + 60_000);
    state = refused(state, nowMs + 60_000);
    expect(state).toMatchObject({ seenLimitUnits: 80, windowEndsAtMs: nowMs + 100_000 });
    // More than that is believed as soon as it was given.
    for (let i = 0; i < 5; i += 1) state = answered(state, nowMs + 100_000);
    expect(withCallSent(state, nowMs + 160_000)).toMatchObject({ seenLimitUnits: 100, usedUnits: 0 });
    // A refusal that came late does not make it believe that next to nothing is allowed.
    expect(refused(answered(state, nowMs + 160_000), nowMs + 160_001).seenLimitUnits).toBe(50);
  });

  const refused = (state: Budget, holdMs: number | null, status = 429) =>
    withCallEnded(state, { ...answer({}), status, holdMs }, call, nowMs);

  it.each<[string, Budget, number | null, number]>([
    ['a ban for longer than a window', budget({ ...silent, usedUnits: 20 }), 60_001, 429],
    ['a refusal that does not say for how long', budget(silent), null, 429],
    ['a service that is out of order', budget(silent), 10_000, 503],
    ['a refusal of a service that tells what is left', budget(known), 10_000, 429],
  ])('nothing of the window: %s', (_name, state, holdMs, status) => {
    expect(refused(state, holdMs, status)).toMatchObject({
      seenLimitUnits: state.seenLimitUnits,
      windowEndsAtMs: nowMs + 30_000,
    });
  });

  it.each([
    [60_000, 60_000],
    // In whole seconds: the same end again.
    [30_999, 30_000],
    [31_000, 31_000],
    [29_999, 29_999],
  ])('a refusal for %i ms tells the end in %i', (holdMs, endsInMs) => {
    expect(refused(budget(silent), holdMs).windowEndsAtMs).toBe(nowMs + endsInMs);
  });

  it('the first refusal tells the end, whatever was taken for it', () => {
    expect(refused(budget({ windowEndsAtMs: nowMs + 30_000 }), 30_500).windowEndsAtMs).toBe(nowMs + 30_500);
  });

  it('a refused call uses nothing', () => {
    const state = budget({ ...silent, usedUnits: 40, usedByUser: 20 });
    expect(refused(state, 10_000)).toMatchObject({ usedUnits: 40, usedByUser: 20 });
  });

  it('calls under way never fall below none', () => {
    expect(withCallEnded(budget(), null, call, nowMs).inFlight).toBe(0);
  });
});

it('the user comes first, history last', () => {
  expect(priorities).toEqual(['user', 'completion', 'backfill']);
});
