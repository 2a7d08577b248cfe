import { expect, it } from 'vitest';
import * as fc from 'fast-check';
import { RequestGate, type Asking } from './request-gate.ts';

const minuteMs = 60_000;

/** Sends whenever it may for ten minutes, one thing after the other; returns when. */
function greedy(gate: RequestGate, asking: Asking, wish: (nowMs: number) => void): number[] {
  const sentMs: number[] = [];
  for (let nowMs = 0; nowMs < 10 * minuteMs; nowMs += 100) {
    wish(nowMs);
    if (gate.pass(asking, nowMs)) sentMs.push(nowMs);
  }
  return sentMs;
}

function mostIn(sentMs: readonly number[], spanMs: number): number {
  return Math.max(
    ...sentMs.map((fromMs) => sentMs.filter((ms) => ms >= fromMs && ms < fromMs + spanMs).length),
  );
}

it('lets ten requests through in any two minutes, whatever is wanted of it', () => {
  expect(
    mostIn(
      greedy(new RequestGate(), 'return', () => undefined),
      2 * minuteMs,
    ),
  ).toBe(10);
});

it('three more after a wish, however often it is repeated', () => {
  const gate = new RequestGate();
  expect(
    mostIn(
      greedy(gate, 'return', (nowMs) => gate.want(nowMs)),
      2 * minuteMs,
    ),
  ).toBe(13);
  gate.want(0);
  expect(gate.allowedFromMs(2 * minuteMs - 1).regular).toBeLessThan(gate.allowedFromMs(2 * minuteMs).regular);
});

it('counts what it refuses', () => {
  const gate = new RequestGate();
  const passed = Array.from({ length: 13 }, (_, at) => gate.pass('return', at));
  expect([passed.filter(Boolean).length, gate.heldBackCount]).toEqual([10, 3]);
});

it.each<[string, (gate: RequestGate) => void]>([
  ['request', (gate) => gate.pass('regular', 1_000)],
  ['connection', (gate) => gate.pass('connect', 1_000)],
  ['refusal', (gate) => gate.refused(1_000)],
  ['wish', (gate) => gate.want(1_000)],
])('is as a new one two minutes after the last %s', (_what, use) => {
  const gate = new RequestGate();
  expect(gate.isUnused(0)).toBe(true);
  use(gate);
  expect([120_999, 121_000].map((ms) => gate.isUnused(ms))).toEqual([false, true]);
});

it('a connection without a request every 2 s', () => {
  const sentMs = greedy(new RequestGate(), 'connect', () => undefined);
  expect(sentMs.slice(0, 3)).toEqual([0, 2_000, 4_000]);
  expect(mostIn(sentMs, minuteMs)).toBe(30);
});

it('says from when on each may be sent', () => {
  const gate = new RequestGate();
  for (let at = 0; at < 9; at += 1) expect(gate.pass('regular', at * 1_000)).toBe(true);
  expect([gate.pass('regular', 9_000), gate.pass('return', 9_000)]).toEqual([false, true]);
  expect(gate.allowedFromMs(10_000)).toMatchObject({ regular: 2 * minuteMs, extra: 121_000 });
  expect([10_000, 119_999, 120_000].map((ms) => gate.pass('regular', ms))).toEqual([false, false, true]);
});

/** Sends `everyMs` for ten minutes, and an extra request directly after, whenever it may; returns how many there were. */
function besides(everyMs: number, gate = new RequestGate()): { extra: number; heldBack: number } {
  const sent = { extra: 0, heldBack: 0 };
  for (let nowMs = 0; nowMs < 10 * minuteMs; nowMs += everyMs) {
    if (!gate.pass('regular', nowMs)) sent.heldBack += 1;
    if (gate.allowedFromMs(nowMs + 200).extra > nowMs + 200) continue;
    expect(gate.pass('extra', nowMs + 200)).toBe(true);
    sent.extra += 1;
  }
  return sent;
}

it.each([
  [15_000, 5],
  [15_750, 5],
  [30_000, 10],
])(
  'beside a request every %i ms there are %i extra ones in ten minutes, and none waits for them',
  (everyMs, count) => {
    expect(besides(everyMs)).toEqual({ extra: count, heldBack: 0 });
  },
);

it('a third request waits until seven of the rhythm find their places, if it is extra', () => {
  const gate = new RequestGate();
  expect([gate.pass('regular', 0), gate.pass('regular', 0)]).toEqual([true, true]);
  expect(gate.allowedFromMs(0)).toMatchObject({ regular: -Infinity, extra: 2 * minuteMs - 7 * 15_750 });
});

it.each([15_000, 20_000, 30_000])('beside a request every %i ms no minute has more than five', (everyMs) => {
  const gate = new RequestGate();
  const sentMs: number[] = [];
  for (let nowMs = 0; nowMs < 10 * minuteMs; nowMs += 100)
    for (const asking of ['regular', 'extra'] as const)
      if ((asking === 'extra' || nowMs % everyMs === 0) && gate.pass(asking, nowMs)) sentMs.push(nowMs);
  expect(mostIn(sentMs, minuteMs)).toBe(minuteMs / everyMs + 1);
});

it('what is extra leaves one request free for a return', () => {
  const gate = new RequestGate();
  const sentMs: number[] = [];
  for (let nowMs = 0; nowMs < 2 * minuteMs; nowMs += 15_000)
    if (gate.pass('regular', nowMs)) sentMs.push(nowMs);
  expect(gate.pass('extra', 106_000)).toBe(true);
  expect(sentMs).toHaveLength(8);
  expect(gate.allowedFromMs(119_000)).toMatchObject({ return: -Infinity });
  expect(gate.pass('extra', 119_000)).toBe(false);
  gate.want(119_000);
  expect([1, 2, 3, 4].map(() => gate.pass('extra', 119_000))).toEqual([true, true, true, false]);
});

it('a refused connection is no request, but the next of any kind comes 2 s later', () => {
  const gate = new RequestGate();
  const sentMs: number[] = [];
  for (let nowMs = 0; nowMs < minuteMs; nowMs += 100) {
    if (!gate.pass('regular', nowMs)) continue;
    sentMs.push(nowMs);
    gate.refused(nowMs);
  }
  expect(sentMs).toHaveLength(30);
  expect(gate.allowedFromMs(58_500)).toEqual({
    regular: 60_000,
    return: 60_000,
    extra: 60_000,
    connect: 60_000,
  });
});

it('a refused connection leaves the place of a return free', () => {
  const gate = new RequestGate();
  expect(gate.pass('return', 0)).toBe(true);
  gate.refused(0);
  for (let at = 2; at < 11; at += 1) expect(gate.pass('regular', at * 1_000)).toBe(true);
  expect([gate.pass('regular', 11_000), gate.pass('return', 11_000)]).toEqual([false, true]);
});

it('a poll may follow a connection at once', () => {
  const gate = new RequestGate();
  expect([gate.pass('connect', 0), gate.pass('regular', 1), gate.pass('connect', 1_999)]).toEqual([
    true,
    true,
    false,
  ]);
});

it('holds for any series of requests, refusals and wishes', () => {
  const moment = fc.tuple(fc.nat(20_000), fc.constantFrom('return', 'refused', 'connect', 'want'));
  fc.assert(
    fc.property(fc.array(moment, { maxLength: 200 }), (moments) => {
      const gate = new RequestGate();
      let nowMs = 0;
      const received: number[] = [];
      const bare: number[] = [];
      for (const [waitMs, what] of moments) {
        nowMs += waitMs;
        if (what === 'want') gate.want(nowMs);
        else if (what === 'connect') bare.push(...(gate.pass('connect', nowMs) ? [nowMs] : []));
        else if (gate.pass('return', nowMs)) {
          if (what === 'refused') gate.refused(nowMs);
          (what === 'refused' ? bare : received).push(nowMs);
        }
      }
      expect(mostIn([0, ...received], 2 * minuteMs)).toBeLessThanOrEqual(13);
      expect(mostIn([-9_999, ...bare], 2_000)).toBeLessThanOrEqual(2);
    }),
  );
});
