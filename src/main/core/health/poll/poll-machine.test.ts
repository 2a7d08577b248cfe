import { describe, expect, it } from 'vitest';
import type { NodeAnswer } from '../ask/ask-node.ts';
import { classifyFailure } from '../ask/no-report.ts';
import { step, type PollAction, type PollEvent } from './poll-machine.ts';
import { newState, wakeMs, type PollState } from './schedule.ts';
import { readReport } from '../ask/report.ts';
import { target } from '../testing/poller-world.ts';

const answer = (reading: NodeAnswer['reading']): NodeAnswer => ({ reading, reportedNodeId: null });
const report = answer(readReport(200, {}, '{"healthy":true,"checks":{}}'));
const failed = (reason: 'refused' | 'timeout' | 'dns') =>
  answer(classifyFailure({ kind: 'failure', reason, detail: '' }));
const proxy = answer(readReport(502, {}, ''));
const refusal = answer(readReport(404, {}, ''));

/** Events one after the other, each at its second; what they lead to. */
function play(events: readonly (readonly [second: number, event: PollEvent])[], from = resting) {
  let state = from;
  let actions: PollAction[] = [];
  for (const [second, event] of events) {
    ({ state, actions } = step(state, event, { nowMs: second * 1_000, wallMs: second * 1_000, jitter: 0 }));
  }
  return { state, actions: actions.map(inWords), wakesAt: inSeconds(wakeMs(state)) };
}

function inWords(action: PollAction): string {
  if (action.do === 'ask') return `ask ${action.what}`;
  if (action.do === 'tell') return `tell ${action.answer.reading.state}`;
  return action.do;
}

const inSeconds = (ms: number | null): number | null => (ms === null ? null : ms / 1_000);

const put = { type: 'put', target: target('a') } as const;
const tick = (isConnected = true): PollEvent => ({ type: 'tick', isConnected });
const sent: PollEvent = { type: 'sent', isKept: true };
const answered = (what: NodeAnswer, isKept = true): PollEvent => ({
  type: 'answered',
  answer: what,
  isKept,
});
const taken: PollEvent = { type: 'taken', spent: 0 };

const begun: PollState = newState({ ...target('a'), paused: true }, 0);
/** Polled at 0, answered at once; the next poll is due at 30 s. */
const resting: PollState = play(
  [
    [0, put],
    [0, sent],
    [0, answered(report)],
    [0, taken],
  ],
  begun,
).state;
/** Liveness was asked for at 15 s. */
const asked = play([
  [15, tick()],
  [15, sent],
]).state;
/** Refused at 20 s after the connection ended. */
const gone = play([
  [20, { type: 'lost', idleMs: 20_000 }],
  [20, sent],
  [20, answered(failed('refused'))],
  [20, taken],
]).state;
/** Liveness did not come, which was told at 19 s. */
const hung = play(
  [
    [19, tick()],
    [19, taken],
  ],
  asked,
).state;

/** Answered at 0, by somebody who has no health interface; the next poll is due at 30 s. */
const refusing = play(
  [
    [0, put],
    [0, sent],
    [0, answered(refusal)],
    [0, taken],
  ],
  begun,
).state;
/** Its connection ended twice after 7 s, and it answered the same. */
const ending = play(
  [
    [7, { type: 'lost', idleMs: 7_000 }],
    [7, sent],
    [7, answered(refusal)],
    [7, taken],
    [14, { type: 'lost', idleMs: 7_000 }],
    [14, sent],
    [14, answered(refusal)],
    [14, taken],
  ],
  refusing,
).state;

describe('what happens next', () => {
  it.each<[string, PollState, [number, PollEvent][], string[], number | null]>([
    ['a target is polled at once', begun, [[0, put]], ['ask health'], null],
    [
      'which takes 10 s at most',
      begun,
      [
        [0, put],
        [1, sent],
      ],
      [],
      11,
    ],
    [
      'a paused one is not',
      begun,
      [[0, { type: 'put', target: { ...target('a'), paused: true } }]],
      [],
      null,
    ],
    [
      'its answer is told',
      begun,
      [
        [0, put],
        [0, sent],
        [1, answered(report)],
      ],
      ['tell healthy'],
      null,
    ],
    ['between two polls', resting, [], [], 15],
    ['in the middle liveness is asked for', resting, [[15, tick()]], ['ask liveness'], null],
    ['and told, without a word about the state', asked, [[16, answered(report)]], ['tell-liveness'], 30],
    ['what refuses to tell is alive', asked, [[16, answered(refusal)]], ['tell-liveness'], 30],
    ['a proxy without its node is not', asked, [[16, answered(proxy)]], ['tell unreachable'], null],
    ['no liveness in time: it is told', asked, [[19, tick()]], ['tell unreachable'], null],
    [
      'a connection that cannot be made: it is given up',
      asked,
      [[19, tick(false)]],
      ['abandon', 'tell unreachable'],
      null,
    ],
    [
      'the connection ends: it is asked',
      resting,
      [[7, { type: 'lost', idleMs: 7_000 }]],
      ['ask health'],
      null,
    ],
    [
      'also of one who answers without a report, and may be back with one',
      refusing,
      [[7, { type: 'lost', idleMs: 7_000 }]],
      ['ask health'],
      null,
    ],
    ['but not when that is a habit', ending, [[21, { type: 'lost', idleMs: 7_000 }]], [], 44],
    ['after 120 s: it is not', resting, [[7, { type: 'lost', idleMs: 120_000 }]], [], 15],
    ['during a request: that has the failure', asked, [[16, { type: 'lost', idleMs: 1 }]], [], 19],
    ['who refuses is looked for after 2 s', gone, [], [], 22],
    ['by a bare connection', gone, [[22, tick()]], ['ask connect'], null],
    [
      'again',
      gone,
      [
        [22, tick()],
        [22, sent],
        [22, { type: 'connected', isThere: false }],
      ],
      [],
      24,
    ],
    [
      'or when it takes too long',
      gone,
      [
        [22, tick()],
        [22, sent],
        [24, tick()],
      ],
      ['abandon'],
      24,
    ],
    [
      'until somebody is there',
      gone,
      [
        [22, tick()],
        [22, sent],
        [22, { type: 'connected', isThere: true }],
      ],
      ['ask health'],
      null,
    ],
    ['a failure is confirmed after 5 s', gone, [[25, tick()]], ['ask health'], null],
    ['a hang is waited for until the next poll', hung, [], [], 24],
    ['its late answer leads to a poll', hung, [[22, answered(report)]], ['ask health'], null],
    ['its connection ends: it is looked for', hung, [[22, answered(failed('refused'))]], [], 22],
    ['a poll takes its place', hung, [[24, tick()]], ['abandon', 'ask health'], null],
    ['somebody wants a poll', asked, [[16, { type: 'wanted' }]], ['abandon', 'ask health'], null],
    [
      'while there is one',
      begun,
      [
        [0, put],
        [0, { type: 'wanted' }],
      ],
      [],
      null,
    ],
    ['sleep gives up what is under way', asked, [[16, { type: 'suspend' }]], ['abandon'], null],
    [
      'and nothing comes of it',
      asked,
      [
        [16, { type: 'suspend' }],
        [17, answered(report)],
      ],
      [],
      null,
    ],
    [
      'after it there is a poll',
      asked,
      [
        [16, { type: 'suspend' }],
        [99, { type: 'resume' }],
      ],
      ['ask health'],
      null,
    ],
    [
      'another address',
      resting,
      [[5, { type: 'put', target: { ...target('a'), url: 'http://b' } }]],
      ['ask health'],
      null,
    ],
    ['another interval', resting, [[5, { type: 'put', target: target('a', 10_000) }]], [], 15],
  ])('%s', (_what, from, events, actions, wakesAt) => {
    const after = play(events, from);
    expect({ actions: after.actions, wakesAt: after.wakesAt }).toEqual({
      actions: events.length === 0 ? [] : actions,
      wakesAt,
    });
  });

  it('late answers of a poll count as what they are', () => {
    const overdue = play([
      [30, tick()],
      [30, sent],
      [34, tick()],
      [34, taken],
    ]);
    expect(overdue.state.failuresInRow).toBe(1);
    const late = play(
      [
        [37, answered(report)],
        [37, taken],
      ],
      overdue.state,
    );
    expect(late.state).toMatchObject({ failuresInRow: 0, ask: null, seekMs: null });
  });

  it('does not change the state that it is given', () => {
    const before = JSON.stringify(resting);
    step(resting, tick(), { nowMs: 30_000, wallMs: 0, jitter: 0 });
    expect(JSON.stringify(resting)).toBe(before);
  });
});
