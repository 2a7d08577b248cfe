import { isDeepStrictEqual } from 'node:util';
import type { NodeAnswer } from '../ask/ask-node.ts';
import { askedToWait, classifyFailure } from '../ask/no-report.ts';
import { readReport } from '../ask/report.ts';
import { step, type Now, type PollEvent } from '../poll/poll-machine.ts';
import type { Asking } from '../poll/request-gate.ts';
import { newState, type Ask, type PollState, type PollTarget } from '../poll/schedule.ts';
import { target } from './poller-world.ts';

/** The system's clock differs from the monotonic one. */
export const epochMs = 1_700_000_000_000;

// ---- Answers and events ----------------------------------------------------------------------------------------------

const answer = (reading: NodeAnswer['reading']): NodeAnswer => ({ reading, reportedNodeId: null });
export const report = answer(readReport(200, '{"healthy":true,"checks":{}}'));
export const failed = (reason: Parameters<typeof classifyFailure>[0]['reason']) =>
  answer(classifyFailure({ kind: 'failure', reason, detail: '' }));
export const [refused, timeout] = [failed('refused'), failed('timeout')];
export const proxy = answer(readReport(502, ''));
export const refusal = answer(readReport(404, ''));
/** At 100 s. */
export const busy = answer(askedToWait({ 'retry-after': '90' }, epochMs + 100_000));

export const suspend = { type: 'suspend' } as const;
export const resume = { type: 'resume' } as const;
export const wanted = { type: 'wanted' } as const;
export const put = (change: Partial<PollTarget> = {}): PollEvent => ({
  type: 'put',
  target: { ...target('a'), ...change },
});
export const tick = (isConnected = true): PollEvent => ({ type: 'tick', isConnected });
export const lost = (idleMs: number): PollEvent => ({ type: 'lost', idleMs });
export const sent: PollEvent = { type: 'sent', isKept: true };
export const connected = (isThere: boolean): PollEvent => ({
  type: 'connected',
  failure: isThere ? null : { kind: 'failure', reason: 'refused', detail: '' },
});
export const answered = (what: NodeAnswer, isKept = true): PollEvent => ({
  type: 'answered',
  answer: what,
  isKept,
});
export const taken: PollEvent = { type: 'taken' };

// ---- What happened before --------------------------------------------------------------------------------------------

export type Moment = readonly [second: number, event: PollEvent];

export const newborn = newState({ ...target('a'), paused: true }, 0);
export const asking: Moment[] = [
  [0, put()],
  [0, sent],
];
/** Answered at once; the next poll is due at 30 s. */
export const polled: Moment[] = [...asking, [0, answered(report)], [0, taken]];
/** Liveness was asked for at 15 s. */
export const signing: Moment[] = [...polled, [15, tick()], [15, sent]];
/** The connection ended at 20 s, and the node refused a new one. */
export const gone: Moment[] = [
  ...polled,
  [20, lost(20_000)],
  [20, sent],
  [20, answered(refused)],
  [20, taken],
];
/** Tries to connect at 22 s. */
export const seeking: Moment[] = [...gone, [22, tick()], [22, sent]];
/** Liveness timed out, which was told at 19 s. */
export const hung: Moment[] = [...signing, [19, tick()], [19, taken]];
/** The second poll timed out, which was told at 34 s. */
export const late: Moment[] = [...polled, [30, tick()], [30, sent], [34, tick()], [34, taken]];
/** A server without a health interface answers. */
export const refusing: Moment[] = [...asking, [0, answered(refusal)], [0, taken]];
/** Its connection ended, and it gave the same answer again. */
const endedAfter = (second: number, idleMs: number, what = refusal): Moment[] => [
  [second, lost(idleMs)],
  [second, sent],
  [second, answered(what)],
  [second, taken],
];
export const ending: Moment[] = [...refusing, ...endedAfter(7, 7_000), ...endedAfter(14, 7_000)];
export const asleep: Moment[] = [...signing, [16, suspend]];

// ---- What happens next -----------------------------------------------------------------------------------------------

export const now = (second: number, change: Partial<Now> = {}): Now => ({
  nowMs: second * 1_000,
  wallMs: epochMs + second * 1_000,
  jitter: 0,
  allowedFromMs: { regular: 0, return: 0, extra: 0, connect: 0 },
  ...change,
});

export const after = (moments: readonly Moment[]): PollState =>
  moments.reduce((state, [second, event]) => step(state, event, now(second)).state, newborn);

/** The effects of one event: actions, and changed fields of the state. */
export function changes(before: PollState, event: PollEvent, at: Now) {
  const { state, actions } = step(before, event, at);
  const changed = Object.entries(state).filter(
    ([key, value]) => !isDeepStrictEqual(value, before[key as keyof PollState]),
  );
  return { actions, ...Object.fromEntries(changed) };
}

export const ask: Ask = {
  what: 'health',
  asking: 'regular',
  sentMs: null,
  sentAtMs: epochMs,
  gridMs: 0,
  lostAfterMs: null,
  isSought: false,
  isOverdue: false,
};
export const askHealth = { do: 'ask', what: 'health', asking: 'regular' };
/** While a poll is under way, the next one is not planned. */
export const unplanned = { due: null };
export const planned = (atMs: number, gridMs = atMs, asking: Asking = 'regular') => ({
  due: { atMs, gridMs, asking },
});
