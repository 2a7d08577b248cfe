import { describe, expect, it } from 'vitest';
import type { NodeAnswer } from '../ask/ask-node.ts';
import { readReport } from '../ask/report.ts';
import { step, type Now, type PollAction, type PollEvent } from './poll-machine.ts';
import { Learned, wakeMs, type PollState, type PollTarget } from './schedule.ts';
import { target } from '../testing/poller-world.ts';
import {
  after,
  answered,
  ask,
  askHealth,
  asking,
  asleep,
  busy,
  changes,
  connected,
  ending,
  epochMs,
  gone,
  hung,
  late,
  lost,
  newborn,
  now,
  planned,
  polled,
  proxy,
  put,
  refusal,
  refused,
  refusing,
  report,
  resume,
  seeking,
  sent,
  signing,
  suspend,
  taken,
  tick,
  unplanned,
  wanted,
  type Moment,
} from '../testing/poll-moments.ts';

function inWords(action: PollAction): string {
  if (action.do === 'ask') return `ask ${action.what}`;
  if (action.do === 'tell') return `tell ${action.answer.reading.state}`;
  return action.do;
}

describe('what happens next', () => {
  it.each<[string, Moment[], number, PollEvent, string[], number | null]>([
    ['a target is polled at once', [], 0, put(), ['ask health'], null],
    ['which takes 10 s at most', [[0, put()]], 1, sent, [], 11],
    ['a paused one is not', [], 0, put({ paused: true }), [], null],
    ['its answer is told', asking, 1, answered(report), ['tell healthy'], null],
    ['while that is taken in nothing is asked', [...asking, [0, answered(report)]], 99, tick(), [], null],
    ['between two polls', [...asking, [0, answered(report)]], 0, taken, [], 15],
    ['there is nothing to do', polled, 14.999, tick(), [], 15],
    ['in the middle liveness is asked for', polled, 15, tick(), ['ask liveness'], null],
    ['and told, without a word about the state', signing, 16, answered(report), ['tell-liveness'], 30],
    ['what refuses to tell is alive', signing, 16, answered(refusal), ['tell-liveness'], 30],
    ['a proxy without its node is not', signing, 16, answered(proxy), ['tell unreachable'], null],
    ['no liveness in time: it is told', signing, 19, tick(), ['tell unreachable'], null],
    ['no connection in time: given up', signing, 19, tick(false), ['abandon', 'tell unreachable'], null],
    ['the connection ends: it is asked', polled, 7, lost(7_000), ['ask health'], null],
    ['also of one who may be back with a report', refusing, 7, lost(7_000), ['ask health'], null],
    ['but not when that is a habit', ending, 21, lost(7_000), [], 44],
    ['within 119 s: it is asked', polled, 7, lost(118_999), ['ask health'], null],
    ['after them: it is not', polled, 7, lost(119_000), [], 15],
    ['during a request: that has the failure', signing, 16, lost(1), [], 18.5],
    ['while an answer is taken in', [...asking, [0, answered(report)]], 0, lost(1), [], null],
    ['where nothing is to be asked', [...polled, [1, put({ paused: true })]], 7, lost(7_000), [], null],
    ['who refuses is looked for after 2 s', gone.slice(0, -1), 20, taken, [], 22],
    ['by a bare connection', gone, 22, tick(), ['ask connect'], null],
    ['again', seeking, 22, connected(false), [], 24],
    ['not sooner than the connection may take', seeking, 23.999, tick(), [], 24],
    ['or when it takes too long', seeking, 24, tick(), ['abandon'], 24],
    ['until somebody is there', seeking, 22, connected(true), ['ask health'], null],
    ['a failure is confirmed after 5 s', gone, 25, tick(), ['ask health'], null],
    ['a hang is waited for until the next poll', hung.slice(0, -1), 19, taken, [], 24],
    ['its late answer leads to a poll', hung, 22, answered(report), ['ask health'], null],
    ['its connection ends: it is looked for', hung, 22, answered(refused), [], 22],
    ['a poll takes its place', hung, 24, tick(), ['abandon', 'ask health'], null],
    ['somebody wants a poll', signing, 16, wanted, ['abandon', 'ask health'], null],
    ['while there is one', asking, 0, wanted, [], 10],
    ['while the last one is late', late, 35, wanted, ['abandon', 'ask health'], null],
    ['a late answer of a poll counts as what it is', late, 37, answered(report), ['tell healthy'], null],
    ['also one that is no report', late, 37, answered(refusal), ['tell unknown'], null],
    ['sleep gives up what is under way', signing, 16, suspend, ['abandon'], null],
    ['and nothing comes of it', asleep, 17, answered(report), [], null],
    ['nor of what was sent', asleep, 17, sent, [], null],
    ['nor of a connection', asleep, 17, connected(true), [], null],
    ['after it there is a poll', asleep, 99, resume, ['ask health'], null],
    ['but not after none', polled, 5, resume, [], 15],
    ['nor of who is paused', [[0, put({ paused: true })], [0, suspend]], 5, resume, [], null], // prettier-ignore
    ['nor where somebody wanted one in sleep', [...asleep, [17, wanted], [17, sent]], 18, resume, [], 20.5],
    ['in sleep another address is not asked', asleep, 17, put({ url: 'http://b' }), [], null],
    ['another address is asked', polled, 5, put({ url: 'http://b' }), ['ask health'], null],
    ['another revision', polled, 5, put({ revision: 1 }), ['ask health'], null],
    ['another name for the same is not', polled, 5, put({ id: 'b' }), [], 15],
  ])('%s', (_what, before, second, event, actions, wakesAt) => {
    const next = step(after(before), event, now(second));
    expect(next.actions.map(inWords)).toEqual(actions);
    expect(wakeMs(next.state)).toBe(wakesAt === null ? null : wakesAt * 1_000);
  });

  it('does not change the state that it is given', () => {
    const resting = after(polled);
    const before = JSON.stringify(resting);
    step(resting, tick(), now(30));
    expect(JSON.stringify(resting)).toBe(before);
  });
});

describe('a poll', () => {
  it('is kept in its rhythm from beginning to end', () => {
    let state = newborn;
    const next = (second: number, event: PollEvent): unknown => {
      const changed = changes(state, event, now(second));
      ({ state } = step(state, event, now(second)));
      return changed;
    };
    const first = { ...ask, sentAtMs: epochMs + 3_000, gridMs: 3_000 };
    expect(next(3, put())).toEqual({ actions: [askHealth], target: target('a'), ask: first });
    const under = { ...first, sentMs: 4_000, sentAtMs: epochMs + 4_000 };
    expect(next(4, sent)).toEqual({ actions: [], ask: under });
    expect(next(5, answered(report))).toEqual({
      actions: [{ do: 'tell', answer: report }],
      ask: null,
      isKept: true,
      lastSignMs: 5_000,
      usualMs: 1_000,
      taking: expect.objectContaining({ gridMs: 3_000, reading: report.reading }),
    });
    expect(next(6, taken)).toEqual({
      actions: [],
      taking: null,
      ...planned(33_000),
    });
    expect(next(7, taken)).toEqual({ actions: [] });
    expect(next(34, tick())).toEqual({
      actions: [askHealth],
      ask: { ...ask, sentAtMs: epochMs + 34_000, gridMs: 33_000 },
      ...unplanned,
    });
    next(34, sent);
    expect(next(39, answered(refusal, false))).toEqual({
      actions: [{ do: 'tell', answer: refusal }],
      ask: null,
      isKept: false,
      lastSignMs: 39_000,
      taking: {
        gridMs: 33_000,
        asking: 'regular',
        reading: refusal.reading,
        sawNewRun: false,
      },
    });
    // Confirmed after 5 s.
    expect(next(39, taken)).toEqual({
      actions: [],
      taking: null,
      failuresInRow: 1,
      ...planned(44_000, 44_000),
    });
    next(44, tick());
    next(44, sent);
    // A fifth of five seconds to four of one.
    expect(next(49, answered(report))).toMatchObject({ usualMs: 1_800 });
    expect(next(49, taken)).toMatchObject({ failuresInRow: 0, ...planned(74_000) });
  });

  it.each<[string, Partial<PollState>, NodeAnswer, Partial<Now>, number, number]>([
    ['a first failure of who never answered', { isKept: null }, refused, {}, 1, 130_000],
    ['one of who has only answered late', { usualMs: null }, refused, {}, 1, 105_000],
    ['a second failure', { failuresInRow: 1 }, refused, {}, 2, 130_000],
    ['a fifth one, less a fifth by chance', { failuresInRow: 4 }, refused, { jitter: 0.5 }, 5, 154_000],
    ['what was asked for', {}, busy, {}, 1, 190_000],
  ])('after %s waits accordingly', (_what, given, what, at, failuresInRow, atMs) => {
    const state = { ...after(polled), ask: { ...ask, sentMs: 100_000, gridMs: 100_000 }, ...given };
    const told = step(state, answered(what), now(100, { wallMs: epochMs })).state;
    expect(step(told, taken, now(100, at)).state).toMatchObject({
      failuresInRow,
      ...planned(atMs, atMs, what === busy ? 'regular' : 'return'),
    });
  });

  it.each([
    ['asleep', [16, suspend] as const],
    ['paused', [16, put({ paused: true })] as const],
  ])('that was wanted of a node that is %s is not followed by another', (_what, moment) => {
    const before = after([...signing, moment, [17, wanted], [17, sent], [17, answered(report)]]);
    expect(changes(before, taken, now(17))).toEqual({ actions: [], taking: null });
  });

  it('that failed: when its period was looked into is forgotten', () => {
    const explored = { periodMs: 30_000, atMs: 0 };
    const leftAfter = (moments: Moment[]) =>
      step({ ...after(moments), explored }, taken, now(20)).state.explored;
    expect(leftAfter(gone.slice(0, -1))).toBeNull();
    expect(leftAfter(polled.slice(0, -1))).toEqual(explored);
  });
});

describe('a target that is changed', () => {
  const known = {
    failuresInRow: 2,
    isAway: true,
    disturbances: 1,
    usualMs: 500,
    isKept: true,
    idleLimitMs: 6_000,
    falseEndMs: 7_000,
    explored: { periodMs: 1, atMs: 1 },
    learnLooks: 5,
  };
  const anew = {
    ...known,
    ask: { ...ask, sentAtMs: epochMs + 16_000, gridMs: 16_000 },
    ...unplanned,
  };

  it.each<[string, Partial<PollTarget>, object]>([
    ['to another address: nothing is known of it', { url: 'http://b' }, new Learned(16_000)],
    ['to another revision: what was learned is kept', { revision: 1 }, {}],
  ])('%s', (_what, change, expected) => {
    const event = put(change);
    const { state, actions } = step({ ...after(signing), ...known }, event, now(16));
    const asking = state.isAway ? 'return' : 'regular';
    expect({ ...state, actions }).toEqual({
      ...state,
      ...anew,
      ask: { ...anew.ask, asking },
      actions: [{ do: 'abandon' }, { ...askHealth, asking }],
      ...expected,
      target: { ...target('a'), ...change },
    });
  });

  it.each<[string, Moment[], Partial<PollTarget>, object]>([
    ['to another interval: it counts from now on', polled, { intervalMs: 10_000 }, planned(15_000)],
    ['to another interval while it is polled', asking, { intervalMs: 10_000 }, {}],
    ['in its name alone', polled, { id: 'b' }, {}],
    ['to be paused', polled, { paused: true }, unplanned],
    [
      'to be paused while liveness is asked for',
      signing,
      { paused: true },
      { actions: [{ do: 'abandon' }], ask: null, ...unplanned },
    ],
    ['to be paused while it is looked for', gone, { paused: true }, { seekMs: null, ...unplanned }],
    ['to be paused while its answer is taken in', polled.slice(0, -1), { paused: true }, { taking: null }],
  ])('%s', (_what, moments, change, expected) => {
    expect(changes(after(moments), put(change), now(5))).toEqual({
      actions: [],
      target: { ...target('a'), ...change },
      ...expected,
    });
  });

  it('to go on, unless it is still paused', () => {
    const paused = after([...polled, [1, put({ paused: true })]]);
    expect(step(paused, put(), now(5)).actions).toEqual([askHealth]);
    expect(step(paused, put({ paused: true, url: 'http://b' }), now(5)).actions).toEqual([]);
  });
});

describe('the budget', () => {
  const allowedFromMs = { regular: 0, return: 0, extra: 0, connect: 0 };
  const extraLook: PollState = { ...after(polled), due: { atMs: 30_000, gridMs: 30_000, asking: 'extra' } };
  it.each<[string, PollState, number, PollEvent, PollAction]>([
    ['a first poll', newborn, 0, put(), { do: 'ask', what: 'health', asking: 'regular' }],
    ['one that is due', after(polled), 30, tick(), { do: 'ask', what: 'health', asking: 'regular' }],
    ['another look is extra', extraLook, 30, tick(), { do: 'ask', what: 'health', asking: 'extra' }],
    ['liveness', after(polled), 15, tick(), { do: 'ask', what: 'liveness', asking: 'regular' }],
    ['a connection', after(gone), 22, tick(), { do: 'ask', what: 'connect', asking: 'connect' }],
    ['what is back', after(seeking), 22, connected(true), { do: 'ask', what: 'health', asking: 'return' }],
  ])('is asked: %s', (_what, state, second, event, action) => {
    expect(changes(state, event, now(second)).actions).toEqual([action]);
    const asking = action.do === 'ask' ? action.asking : 'regular';
    const fromMs = second * 1_000 + 1;
    const later = now(second, { allowedFromMs: { ...allowedFromMs, [asking]: fromMs } });
    const held = changes(state, event, later);
    expect(held.actions).toEqual([{ do: 'hold-back' }]);
    const after = step(state, event, later).state;
    expect(after.ask).toBeNull();
    // A return stays one.
    if (action.do === 'ask' && action.what === 'health')
      expect(step(after, tick(), now(fromMs / 1_000)).actions).toEqual([action]);
    else expect(after).toMatchObject({ due: state.due, notBeforeMs: fromMs });
  });

  it('a poll that waits keeps its slot', () => {
    const later = now(30, { allowedFromMs: { ...allowedFromMs, regular: 33_000 } });
    expect(step(after(polled), tick(), later).state.due).toEqual({
      atMs: 33_000,
      gridMs: 30_000,
      asking: 'regular',
    });
  });
});

it('a connection that ends while the budget has no request left is looked into by a bare one', () => {
  const noneLeft = { allowedFromMs: { regular: 90_000, return: 0, extra: 90_000, connect: 0 } };
  let state = after(polled);
  const oneLeft = { allowedFromMs: { ...noneLeft.allowedFromMs, regular: 7_000 } };
  expect(step(state, lost(7_000), now(7, oneLeft)).actions).toEqual([askHealth]);
  const next = (second: number, event: PollEvent) => {
    const { actions, ...left } = changes(state, event, now(second, noneLeft));
    ({ state } = step(state, event, now(second, noneLeft)));
    return { actions: actions.map(inWords), ...left };
  };
  // Also where liveness was not allowed before.
  state = { ...state, notBeforeMs: 90_000 };
  expect(next(7, lost(7_000))).toEqual({ actions: [], seekMs: 7_000, notBeforeMs: 7_000 });
  expect(wakeMs(state)).toBe(7_000);
  expect(next(7, tick()).actions).toEqual(['ask connect']);
  const [looking, sentMs] = [state, 7];
  next(sentMs, sent);
  // Nobody is there.
  expect(next(8, connected(false))).toMatchObject({ actions: ['tell unreachable'], seekMs: 9_000 });
  expect(next(8, taken)).toMatchObject({ failuresInRow: 1, ...planned(13_000, 13_000, 'return') });
  // What was told is not told again.
  next(9, tick());
  expect(next(9, connected(false)).actions).toEqual([]);
  // Nor is there an answer in time.
  state = looking;
  next(sentMs, sent);
  expect(next(9, tick()).actions).toEqual(['abandon', 'tell unreachable']);
  // Something is there, and was not away: it is polled when it may be, and the place of a return stays free.
  state = looking;
  next(sentMs, sent);
  expect(next(8, connected(true))).toMatchObject({
    actions: ['hold-back'],
    seekMs: null,
    due: { atMs: 90_000 },
  });
});

describe('a connection that ends while an answer is taken in', () => {
  const taking = after([...asking, [0, answered(report)]]);
  it.each<[string, PollEvent, number | null]>([
    ['is looked into afterwards', lost(50), 50],
    [
      'also where a further request failed, of which nothing is learned',
      { type: 'lost', idleMs: null },
      null,
    ],
  ])('%s', (_case, event, lostAfterMs) => {
    const { state, actions } = step(taking, event, now(1));
    expect(actions).toEqual([]);
    const next = step(state, taken, now(2));
    expect(next.actions).toEqual([askHealth]);
    expect(next.state.ask).toMatchObject({ what: 'health', lostAfterMs });
  });

  it('is not where the answer was none, or the connection was idle for long', () => {
    const none = after([...asking, [0, answered(refused)]]);
    expect(step(step(none, lost(50), now(1)).state, taken, now(2)).actions).toEqual([]);
    expect(step(step(taking, lost(119_000), now(1)).state, taken, now(2)).actions).toEqual([]);
  });
});

it('the runs of another node are learned anew', () => {
  const checks = '{"C":{"timestamp":"2023-11-14T22:13:20Z"}}';
  const from = (nodeId: string): NodeAnswer => ({
    reading: readReport(200, `{"healthy":true,"checks":${checks}}`),
    reportedNodeId: nodeId,
  });
  const first = after([...asking, [0, answered(from('A'))], [0, taken], [30, tick()], [30, sent]]);
  const known = { ...first, phase: first.phase && { ...first.phase, quietMs: 7 } };
  const quietMs = (answer: NodeAnswer) => step(known, answered(answer), now(30)).state.phase?.quietMs;
  expect([quietMs(from('A')), quietMs(from('B'))]).toEqual([30_000, 0]);
});
