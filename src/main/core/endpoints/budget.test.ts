import { describe, expect, it } from 'vitest';
import {
  decide,
  freshBudget,
  priorities,
  withCallEnded,
  withCallSent,
  withHold,
  type Budget,
  type Priority,
} from './budget.ts';

const nowMs = 1_000_000;
const cost = 20;
const send = { kind: 'send' };
const slot = { kind: 'wait-for-slot' };
const until = (atMs: number) => ({ kind: 'wait-until', atMs });

function budget(fields: Partial<Budget> = {}): Budget {
  return { ...freshBudget, ...fields };
}

const known = { limitUnits: 6_000, remainingUnits: 6_000, windowEndsAtMs: nowMs + 30_000 };

describe('decide', () => {
  it.each<[string, Budget, Priority, object]>([
    ['nothing is known: sent', budget(), 'backfill', send],
    ['held: not before the time it was told', budget({ heldUntilMs: nowMs + 1 }), 'user', until(nowMs + 1)],
    ['held until now: sent', budget({ heldUntilMs: nowMs }), 'backfill', send],
    ['the slots of the background are taken', budget({ inFlight: 4 }), 'backfill', slot],
    ['the slots of the background are taken, by alerts too', budget({ inFlight: 4 }), 'alert', slot],
    ['the user has slots of their own', budget({ inFlight: 4 }), 'user', send],
    ['all slots are taken', budget({ inFlight: 6 }), 'user', slot],
    ['units are left', budget(known), 'backfill', send],
    [
      'nothing is left: the window’s end',
      budget({ ...known, remainingUnits: 0 }),
      'user',
      until(nowMs + 30_000),
    ],
    ['less than a call is left', budget({ ...known, remainingUnits: 19 }), 'user', until(nowMs + 30_000)],
    ['exactly a call is left', budget({ ...known, remainingUnits: 20 }), 'user', send],
    [
      'the last calls are the user’s',
      budget({ ...known, remainingUnits: 99 }),
      'backfill',
      until(nowMs + 30_000),
    ],
    ['one more than the reserve is left', budget({ ...known, remainingUnits: 100 }), 'backfill', send],
    [
      'calls under way count',
      budget({ ...known, remainingUnits: 60, inFlight: 3 }),
      'user',
      until(nowMs + 30_000),
    ],
    ['the window is over', budget({ ...known, remainingUnits: 0, windowEndsAtMs: nowMs }), 'backfill', send],
    [
      'a small limit has no reserve',
      budget({ ...known, limitUnits: 100, remainingUnits: 20 }),
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

  it('leaves at least 95 % of the limits of the public service to the background', () => {
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
      expect((sent * costUnits) / limitUnits).toBeGreaterThanOrEqual(0.95);
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
    const sent = withCallSent(budget());
    expect(sent.inFlight).toBe(1);
    expect(withCallEnded(sent, headers, cost, nowMs)).toEqual({
      ...freshBudget,
      limitUnits: 8_000,
      remainingUnits: 7_980,
      windowMs: 60_000,
      windowEndsAtMs: nowMs + 60_000,
    });
  });

  it('the end of the window stays as it was first seen, until there is more than before', () => {
    const first = withCallEnded(withCallSent(budget()), headers, cost, nowMs);
    const later = { ...headers, 'ratelimit-remaining': '7960' };
    const second = withCallEnded(withCallSent(first), later, cost, nowMs + 10_000);
    expect(second).toMatchObject({ remainingUnits: 7_960, windowEndsAtMs: nowMs + 60_000 });
    const renewed = withCallEnded(withCallSent(second), headers, cost, nowMs + 20_000);
    expect(renewed).toMatchObject({ remainingUnits: 7_980, windowEndsAtMs: nowMs + 80_000 });
  });

  it('an answer that was overtaken by a later one teaches nothing', () => {
    const three = { ...budget({ ...known, remainingUnits: 100 }), inFlight: 3 };
    const state = withCallEnded(three, { 'ratelimit-remaining': '140' }, cost, nowMs);
    expect(state).toMatchObject({ remainingUnits: 100, windowEndsAtMs: nowMs + 30_000, inFlight: 2 });
    const renewed = withCallEnded(three, { 'ratelimit-remaining': '141' }, cost, nowMs);
    expect(renewed).toMatchObject({ remainingUnits: 141, windowEndsAtMs: nowMs + 60_000 });
  });

  it('a reset in the headers is the end of the window', () => {
    const state = withCallEnded(budget(), { ...headers, 'ratelimit-reset': '7' }, cost, nowMs);
    expect(state.windowEndsAtMs).toBe(nowMs + 7_000);
  });

  it('of several policies the shortest window counts', () => {
    const policy = { 'ratelimit-policy': '1200000;w=86400, 6000;w=60', 'ratelimit-remaining': '5' };
    expect(withCallEnded(budget(), policy, cost, nowMs)).toMatchObject({
      limitUnits: 6_000,
      windowMs: 60_000,
    });
  });

  it.each([null, {}, { 'ratelimit-remaining': 'many' }, { 'ratelimit-limit': '5' }])(
    'nothing from %j',
    (given) => {
      expect(withCallEnded(withCallSent(budget(known)), given, cost, nowMs)).toEqual(budget(known));
    },
  );

  it('a hold is never shortened by a later one', () => {
    const held = withHold(budget(), 10_000, nowMs);
    expect(withHold(held, 1_000, nowMs).heldUntilMs).toBe(nowMs + 10_000);
    expect(withHold(held, 20_000, nowMs).heldUntilMs).toBe(nowMs + 20_000);
  });

  it('calls under way never fall below none', () => {
    expect(withCallEnded(budget(), null, cost, nowMs).inFlight).toBe(0);
  });
});

it('the user comes first, history last', () => {
  expect(priorities).toEqual(['user', 'alert', 'completion', 'backfill']);
});
