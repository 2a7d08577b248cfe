import { describe, expect, it } from 'vitest';
import { noAnswer } from '../../../shared/health/no-answer.ts';
import { condition, follow, hourMs, minuteMs, noonMs } from './testing/follow-decisions.ts';

const tick = { kind: 'tick' } as const;
const a = condition('a', noonMs);

describe('what begins together', () => {
  it('tells together of what began within 20 s, and has one end when all of it is over', () => {
    const told = follow();
    told.see(0, 'b', condition('b', noonMs + 15_000, { isDue: false, subject: noAnswer }));
    told.see(minuteMs, 'a', a);
    told.see(minuteMs, 'c', condition('c', noonMs + 40_000));
    told.see(minuteMs, 'b', condition('b', noonMs + 15_000, { subject: noAnswer }));
    expect(told.all.flatMap(({ messages }) => messages.map(({ title }) => title))).toEqual([
      'b isn’t responding; a is failing too',
      'C on c fails',
    ]);
    told.see(2 * minuteMs, 'a');
    expect(told.kinds).toHaveLength(2);
    told.see(3 * minuteMs, 'b');
    expect(told.kinds).toEqual(['begin', 'begin', 'end']);
  });

  it('adds to the alert of a dead node what fails later because of it', () => {
    const told = follow();
    told.see(2 * minuteMs, 'b', condition('b', noonMs, { subject: noAnswer }));
    told.see(5 * minuteMs, 'c', condition('c', noonMs + 4 * minuteMs, { because: ['b'] }));
    expect(told.kinds).toEqual(['begin']);
    expect(told.open()[0]?.members.map(({ nodeId }) => nodeId)).toEqual(['b', 'c']);
  });

  it('tells of a node that dies later than another, though what fails because of that fails because of it too', () => {
    const told = follow();
    const c = condition('c', noonMs + 2 * minuteMs, { because: ['b'] });
    told.see(0, 'd');
    told.see(2 * minuteMs, 'b', condition('b', noonMs, { subject: noAnswer }));
    told.see(5 * minuteMs, 'c', c);
    told.see(hourMs, 'c', { ...c, because: ['b', 'd'] });
    told.see(hourMs, 'd', condition('d', noonMs + hourMs, { subject: noAnswer }));
    expect(told.all.at(-1)?.messages.map(({ title }) => title)).toEqual(['d isn’t responding']);
    told.see(hourMs + minuteMs, 'd');
    expect(told.kinds).toEqual(['begin', 'begin', 'end']);
  });

  it('names in a second message all nodes whose failure began with that of the first and was seen just after it', () => {
    const told = follow();
    for (const node of ['a', 'b', 'c']) told.see(0, node);
    told.see(5 * minuteMs, 'a', a);
    for (const [seconds, node] of [
      [20, 'b'],
      [40, 'c'],
    ] as const)
      told.see(5 * minuteMs + seconds * 1_000, node, condition(node, noonMs + 10_000));
    expect(told.kinds).toEqual(['begin']);
    for (const minute of [6, 7, 8]) told.take(minute * minuteMs, tick);
    expect(told.all.flatMap(({ messages }) => messages.map(({ title }) => title))).toEqual([
      'C on a fails',
      'Getting worse: C on a fails; b and c are also affected',
    ]);
  });

  it('tells of a failure that began together with one that comes and goes and is not told', () => {
    const told = follow();
    for (const minute of [0, 6, 12, 18]) {
      told.see(minute * minuteMs, 'a', condition('a', noonMs + minute * minuteMs));
      if (minute < 18) told.see((minute + 3) * minuteMs, 'a');
    }
    told.see(19 * minuteMs, 'b', condition('b', noonMs + 18 * minuteMs));
    expect(told.kinds).toEqual(['begin', 'end', 'flapping', 'begin']);
  });

  it('tells after planned work at a node of what was open while another that came and went with it had settled', () => {
    const told = follow({
      planned: [{ nodeId: 'a', fromMs: noonMs + 20 * minuteMs, untilMs: noonMs + 80 * minuteMs }],
    });
    for (const minute of [0, 6, 12]) {
      const beganMs = noonMs + minute * minuteMs;
      if (minute === 12) told.see(minute * minuteMs, 'b', condition('b', beganMs, { isDue: false }));
      told.see(minute * minuteMs, 'a', condition('a', beganMs));
      told.see((minute + 3) * minuteMs, 'b');
      told.see((minute + 3) * minuteMs, 'a');
    }
    expect(told.kinds).toEqual(['begin', 'end', 'flapping', 'flapping']);
    told.see(18 * minuteMs, 'a', condition('a', noonMs + 18 * minuteMs));
    told.take(60 * minuteMs, tick);
    expect(told.kinds).toHaveLength(4);
    told.take(80 * minuteMs, tick);
    expect(told.kinds.slice(4)).toEqual(['settled']);
  });

  it('tells of what failed again because of a node that is back, if it still fails five minutes later', () => {
    const told = follow();
    const [first, again] = [
      condition('c', noonMs),
      condition('c', noonMs + 4 * minuteMs, { because: ['b'] }),
    ];
    told.see(0, 'c', { ...first, isDue: false });
    told.see(2 * minuteMs, 'b', condition('b', noonMs, { subject: noAnswer }));
    told.see(3 * minuteMs, 'c');
    told.see(5 * minuteMs, 'c', again);
    told.see(6 * minuteMs, 'b');
    for (const minute of [7, 9, 11, 13]) told.see(minute * minuteMs, 'c', { ...again, because: [] });
    expect(told.all.flatMap(({ messages }) => messages.map(({ title }) => title))).toEqual([
      'b isn’t responding; c is failing too',
      'Getting worse: C on c fails',
    ]);
  });

  it('tells of what failed because of a node that is back, if it still fails five minutes later', () => {
    const told = follow();
    const c = condition('c', noonMs + 4 * minuteMs, { because: ['b'] });
    for (const node of ['b', 'c']) told.see(0, node);
    told.see(2 * minuteMs, 'b', condition('b', noonMs, { subject: noAnswer }));
    told.see(5 * minuteMs, 'c', c);
    told.see(10 * minuteMs, 'b');
    for (const minute of [11, 12, 13, 14]) told.see(minute * minuteMs, 'c', { ...c, because: [] });
    expect(told.kinds).toEqual(['begin']);
    for (const minute of [15, 16, 17]) told.see(minute * minuteMs, 'c', { ...c, because: [] });
    expect(told.all.flatMap(({ messages }) => messages.map(({ title }) => title)).slice(1)).toEqual([
      'Getting worse: C on c fails',
    ]);
  });

  it('tells of a node that dies later than a check of it failed, though another fails because of it', () => {
    const told = follow();
    const [c, d] = [condition('c', noonMs, { because: ['d'] }), condition('d', noonMs)];
    told.see(0, 'd', { ...d, isDue: false });
    told.see(0, 'c', c);
    told.see(hourMs, 'd', d, condition('d', noonMs + hourMs, { subject: noAnswer }));
    expect(told.all.flatMap(({ messages }) => messages.map(({ title }) => title))).toEqual([
      'C on c fails; d is also affected',
      'd isn’t responding',
    ]);
  });

  it('tells of a failure that began with another, and is seen minutes after the message about that', () => {
    const told = follow();
    told.see(0, 'b');
    told.see(minuteMs, 'a', a);
    told.see(9 * minuteMs, 'b', condition('b', noonMs + 10_000));
    expect(told.all.at(-1)?.messages.map(({ title }) => title)).toEqual(['C on b fails']);
  });

  it('goes on with one of two failures of one message once its node is not paused any more', () => {
    const told = follow();
    const b = condition('b', noonMs + 10_000);
    told.see(0, 'b', { ...b, isDue: false });
    told.see(minuteMs, 'a', a);
    told.take(hourMs, { kind: 'left', nodeId: 'b' });
    told.see(hourMs + minuteMs, 'b', b);
    expect(told.open()).toHaveLength(1);
    expect(told.kinds).toEqual(['begin']);
  });
});
