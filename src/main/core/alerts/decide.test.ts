import { describe, expect, it } from 'vitest';
import { noAnswer } from '../../../shared/health/no-answer.ts';
import { defaultSettings, type AlertSettings } from '../../../shared/settings.ts';
import type { Condition } from './rules.ts';
import { condition, follow, hourMs, minuteMs, noonMs } from './testing/follow-decisions.ts';

const atNight: Partial<AlertSettings> = {
  quiet: { days: [0, 1, 2, 3, 4, 5, 6], fromMinute: 13 * 60, toMinute: 14 * 60, wakePasses: true },
};

describe('decide', () => {
  const tick = { kind: 'tick' } as const;
  const a = condition('a', noonMs);
  const over = { ...a, endedAtMs: noonMs + 5 * minuteMs };
  const newer = { ...a, rule: 'app', subject: 'version' } as const;
  const wakes = { ...a, level: 'wake' } as const;
  const later = condition('a', noonMs + 40 * minuteMs);
  const work = { nodeId: 'a', fromMs: noonMs + 20 * minuteMs, untilMs: noonMs + 80 * minuteMs };

  /** Rows: a setting, what is seen of node a with the minutes after noon (a number alone is a tick), and what is told. */
  it.each<[string, Partial<AlertSettings>, (number | [number, ...Condition[]])[], string[]]>([
    ['nothing of what is not due', {}, [[0, { ...a, isDue: false }], 600], []],
    ['once of what stays', {}, [[0, a], [1, a], 2, 3], ['begin']],
    ['its end', {}, [[0, a], [5, over], 60], ['begin', 'end']],
    ['nothing of the end of what was no trouble, and no reminder', {}, [[0, newer], 240, [300]], ['begin']],
    ['nothing of such an end in quiet hours', atNight, [[0, newer], [70], 120], ['begin']],
    ['its end when it is no longer seen', {}, [[0, a], [5], 60], ['begin', 'end']],
    ['nothing of what was over before it was due', {}, [[5, over], 60], []],
    ['no end during planned work', { planned: [work] }, [[0, a], [30], [40, later], [50], 79], ['begin']],
    ['after planned work what has ended', { planned: [work] }, [[0, a], [30], 80], ['begin', 'summary']],
    [
      'that it is worse, once',
      {},
      [
        [0, a],
        [10, wakes],
        [11, wakes],
        [12, a],
        [13, wakes],
      ],
      ['begin', 'worse'],
    ],
    ['reminders', {}, [[0, a], 239, 240, 241, 480], ['begin', 'reminder', 'reminder']],
    ['nothing in quiet hours, and then what is open', atNight, [[70, a], 100, 119, 120, 121], ['summary']],
    ['in the summary what has come and gone', atNight, [[70, a], [80], 119, 120, 121], ['summary']],
    [
      'the end that fell into quiet hours in the summary',
      atNight,
      [[0, a], [70], 119, 120],
      ['begin', 'summary'],
    ],
    ['in quiet hours what is urgent', atNight, [[70, wakes], 100, [110], 130], ['begin', 'end']],
    [
      'nothing urgent in quiet hours if the user wants none',
      { quiet: { ...(atNight.quiet ?? defaultSettings.alerts.quiet), wakePasses: false } },
      [[70, wakes], 100, 120],
      ['summary'],
    ],
    [
      'nothing while all alerts are paused, also nothing urgent, and then what is open',
      { pausedUntilMs: noonMs + 60 * minuteMs },
      [[10, wakes], 30, 59, 60, 61],
      ['summary'],
    ],
  ])('tells %s', (_what, settings, events, expected) => {
    const told = follow(settings);
    for (const event of events) {
      const [minute, ...conditions] = typeof event === 'number' ? [event] : event;
      if (typeof event === 'number') told.take(minute * minuteMs, tick);
      else told.see(minute * minuteMs, 'a', ...conditions);
    }
    expect(told.kinds).toEqual(expected);
  });

  it('tells of ten changes within an hour at most three times, and once when it has settled', () => {
    const told = follow();
    for (let flap = 0; flap < 10; flap += 1) {
      told.see(flap * 6 * minuteMs, 'a', condition('a', noonMs + flap * 6 * minuteMs));
      told.see((flap * 6 + 3) * minuteMs, 'a');
    }
    expect(told.kinds).toEqual(['begin', 'end', 'flapping']);
    told.take(86 * minuteMs, tick);
    expect(told.kinds).toHaveLength(3);
    told.take(88 * minuteMs, tick);
    expect(told.all.at(-1)?.messages.map(({ title }) => title)).toEqual([
      'a: no longer flapping, alert ended',
    ]);
    told.take(10 * hourMs, tick);
    expect(told.kinds).toHaveLength(4);
  });

  it('does not say that what came and went at a node has settled, once that is paused', () => {
    const told = follow();
    for (const minute of [0, 6, 12]) {
      told.see(minute * minuteMs, 'a', condition('a', noonMs + minute * minuteMs));
      told.see((minute + 3) * minuteMs, 'a');
    }
    told.take(16 * minuteMs, { kind: 'left', nodeId: 'a' });
    told.take(hourMs, tick);
    expect(told.kinds).toEqual(['begin', 'end', 'flapping']);
  });

  it('tells of another node that fails together with one that comes and goes', () => {
    const told = follow();
    for (const minute of [0, 6, 12]) {
      told.see(minute * minuteMs, 'a', condition('a', noonMs + minute * minuteMs));
      told.see((minute + 3) * minuteMs, 'a');
    }
    expect(told.kinds).toEqual(['begin', 'end', 'flapping']);
    told.see(18 * minuteMs, 'b', condition('b', noonMs + 18 * minuteMs + 9_000, { isDue: false }));
    told.see(18 * minuteMs, 'a', condition('a', noonMs + 18 * minuteMs));
    told.see(19 * minuteMs, 'b', condition('b', noonMs + 18 * minuteMs + 9_000));
    expect(told.all.flatMap(({ messages }) => messages.map(({ body }) => body)).at(-1)).toContain(
      'b is also affected',
    );
    told.see(21 * minuteMs, 'a');
    told.see(21 * minuteMs, 'b');
    told.take(hourMs, tick);
    expect(told.kinds.slice(3)).toEqual(['flapping', 'settled']);
    expect(told.all.at(-1)?.messages[0]?.title).toBe('a and b: no longer flapping, alert ended');
  });

  it.each([
    ['open', [], ['begin', 'begin', 'end']],
    ['acknowledged, if the user has acknowledged both', ['a', 'b'], ['begin', 'begin', 'end']],
    ['open, if the user has acknowledged one', ['a'], ['begin', 'begin', 'reminder', 'end']],
  ])('ends two alerts of a node whose incidents have become one as one that is %s', (_what, known, kinds) => {
    const told = follow();
    const [first, second] = [condition('a', noonMs), condition('a', noonMs + minuteMs, { ids: ['b'] })];
    told.see(0, 'a', first);
    const keys = { a: told.key(), b: '' };
    told.see(minuteMs, 'a', first, second);
    keys.b = told.key();
    for (const name of known) told.take(2 * minuteMs, { kind: 'acknowledge', key: keys[name as 'a'] });
    const both = { ...first, ids: [...first.ids, ...second.ids] };
    told.see(10 * minuteMs, 'a', both);
    expect(told.open()).toHaveLength(1);
    const isLong = kinds.includes('reminder');
    if (isLong) told.take(4 * hourMs + minuteMs, tick);
    told.see((isLong ? 5 : 0.5) * hourMs, 'a');
    expect(told.kinds).toEqual(kinds);
    // A later failure of the same incident is told of.
    told.see(8 * hourMs, 'a', { ...both, ids: [...both.ids, 'later'] });
    expect(told.kinds.slice(kinds.length)).toEqual(['begin']);
  });

  it('says of no node again that it fails where that has become an incident that is over there and goes on elsewhere', () => {
    const told = follow();
    const second = condition('a', noonMs + 10 * minuteMs);
    told.see(0, 'c', condition('c', noonMs));
    told.see(0, 'a', a);
    told.take(2 * minuteMs, tick);
    told.see(5 * minuteMs, 'a', over);
    told.see(10 * minuteMs, 'a', over, second);
    expect(told.kinds).toEqual(['begin', 'worse', 'begin']);
    told.see(11 * minuteMs, 'a', { ...a, ids: [...a.ids, ...second.ids] });
    told.take(20 * minuteMs, tick);
    expect(told.kinds).toEqual(['begin', 'worse', 'begin']);
  });

  it('names with what came and went, once it is over, the nodes that had come and gone with it', () => {
    const told = follow();
    const gone = (minute: number) => condition('b', noonMs + minute * minuteMs, { subject: noAnswer });
    told.see(0, 'b', gone(0));
    told.see(0, 'a', a);
    told.see(2 * minuteMs, 'b', gone(2));
    told.see(3 * minuteMs, 'a');
    expect(told.kinds).toEqual(['begin', 'begin', 'flapping']);
    told.see(33 * minuteMs, 'b', gone(2));
    told.see(36 * minuteMs, 'b');
    told.take(66 * minuteMs, tick);
    expect(told.kinds.slice(3)).toEqual(['settled', 'flapping', 'settled']);
    expect(told.all.at(-1)?.messages[0]?.title).toBe('b and a: no longer flapping, alert ended');
  });

  it('says after planned work what has settled during it, and still is the case', () => {
    const told = follow({ planned: [work] });
    for (const minute of [0, 6, 12]) {
      told.see(minute * minuteMs, 'a', condition('a', noonMs + minute * minuteMs));
      if (minute < 12) told.see((minute + 3) * minuteMs, 'a');
    }
    told.take(43 * minuteMs, tick);
    expect(told.kinds).toEqual(['begin', 'end', 'flapping']);
    told.take(80 * minuteMs, tick);
    expect(told.kinds.slice(3)).toEqual(['settled']);
  });

  it('says what is still the case when it has settled', () => {
    const told = follow();
    for (const minute of [0, 6, 12]) {
      told.see(minute * minuteMs, 'a', condition('a', noonMs + minute * minuteMs));
      if (minute < 12) told.see((minute + 3) * minuteMs, 'a');
    }
    told.take(43 * minuteMs, tick);
    expect(told.kinds).toEqual(['begin', 'end', 'flapping', 'settled']);
    expect(told.all.at(-1)?.messages[0]?.title).toBe('No longer flapping, still open: C on a fails');
  });

  it('does not call worse what only the settings call urgent now', () => {
    const told = follow({ rules: { ...defaultSettings.alerts.rules, incident: 'wake' } });
    told.see(0, 'a', a);
    told.see(minuteMs, 'a', wakes);
    expect(told.kinds).toEqual(['begin']);
  });

  it('says nothing at the end of quiet hours of a node that is being worked on, but once that is over', () => {
    const planned = [{ nodeId: 'a', fromMs: noonMs + 90 * minuteMs, untilMs: noonMs + 150 * minuteMs }];
    const told = follow({ ...atNight, planned });
    told.see(70 * minuteMs, 'a', a);
    told.take(120 * minuteMs, tick);
    expect(told.kinds).toEqual([]);
    told.take(150 * minuteMs, tick);
    expect(told.kinds).toEqual(['summary']);
  });

  it.each([
    ['its settling', [0, 6, 12], 43, ['begin', 'end', 'flapping', 'settled']],
    ['its reminders', [12], 12 + 240, ['begin', 'reminder']],
  ])('has a clock that was days ahead delay no alert: %s', (_what, begins, laterMinutes, expected) => {
    const told = follow();
    for (const minute of begins) {
      told.see(minute * minuteMs, 'a', condition('a', noonMs + minute * minuteMs));
      if (minute < 12) told.see((minute + 3) * minuteMs, 'a');
    }
    told.take(laterMinutes * minuteMs - 48 * hourMs, tick);
    expect(told.kinds).toEqual(expected);
  });

  it('tells what is urgent when a pause ends in quiet hours, and the rest when these end', () => {
    const told = follow({ ...atNight, pausedUntilMs: noonMs + 70 * minuteMs });
    told.see(50 * minuteMs, 'a', wakes);
    told.see(50 * minuteMs, 'b', condition('b', noonMs + 50 * minuteMs));
    told.take(69 * minuteMs, tick);
    expect(told.kinds).toEqual([]);
    const [urgent] = told.take(70 * minuteMs, tick).messages;
    expect([urgent?.level, urgent?.body]).toEqual(['wake', 'Open since 12:00: C on a fails']);
    told.take(119 * minuteMs, tick);
    expect(told.kinds).toEqual(['summary']);
    const [rest] = told.take(120 * minuteMs, tick).messages;
    expect([rest?.level, rest?.body]).toEqual(['tell', 'Open since 12:50: C on b fails']);
  });

  it('keeps an acknowledged alert quiet until its end', () => {
    const told = follow();
    told.see(0, 'a', a);
    told.take(minuteMs, { kind: 'acknowledge', key: told.key() });
    told.see(5 * hourMs, 'a', wakes);
    told.take(9 * hourMs, tick);
    told.see(10 * hourMs, 'a');
    expect(told.kinds).toEqual(['begin', 'end']);
  });

  it('that it was acknowledged can be taken back: reminders then come as after a message', () => {
    const told = follow();
    told.see(0, 'a', a);
    told.take(minuteMs, { kind: 'acknowledge', key: told.key() });
    told.take(9 * hourMs, { kind: 'snooze', key: told.key(), untilMs: null });
    expect(told.kinds).toEqual(['begin']);
    told.take(13 * hourMs, tick);
    expect(told.kinds).toEqual(['begin', 'reminder']);
  });

  it('says nothing of a snoozed alert until then, and nothing of its end', () => {
    const told = follow();
    told.see(0, 'a', a);
    told.take(minuteMs, { kind: 'snooze', key: told.key(), untilMs: noonMs + hourMs });
    told.take(hourMs - 1, tick);
    expect(told.kinds).toEqual(['begin']);
    told.take(hourMs, tick);
    told.take(hourMs, { kind: 'snooze', key: told.key(), untilMs: noonMs + 9 * hourMs });
    told.see(5 * hourMs, 'a');
    expect(told.kinds).toEqual(['begin', 'reminder']);
  });

  it('holds no summary back for a node that is not seen again after a sleep', () => {
    const told = follow(atNight);
    told.see(70 * minuteMs, 'a', a);
    told.see(70 * minuteMs, 'b', condition('b', noonMs + 70 * minuteMs));
    told.see(80 * minuteMs, 'a');
    told.take(125 * minuteMs, { kind: 'slept' });
    for (const minute of [126, 127, 128]) told.see(minute * minuteMs, 'a');
    expect(told.kinds).toEqual([]);
    told.see(129 * minuteMs, 'a');
    expect(told.all.at(-1)?.messages[0]?.title).toBe('While alerts were on hold: 1 ended');
  });

  it('leaves out of the summary what was snoozed meanwhile, until the snooze ends', () => {
    const told = follow(atNight);
    told.see(70 * minuteMs, 'a', a);
    told.take(80 * minuteMs, { kind: 'snooze', key: told.key(), untilMs: noonMs + 150 * minuteMs });
    told.take(120 * minuteMs, tick);
    expect(told.kinds).toEqual([]);
    told.take(150 * minuteMs, tick);
    expect(told.kinds).toEqual(['reminder']);
  });

  it('leaves out of the summary what was acknowledged meanwhile, and tells its end', () => {
    const told = follow(atNight);
    told.see(70 * minuteMs, 'a', a);
    told.take(80 * minuteMs, { kind: 'acknowledge', key: told.key() });
    told.take(120 * minuteMs, tick);
    expect(told.kinds).toEqual([]);
    told.take(130 * minuteMs, { kind: 'snooze', key: told.key(), untilMs: null });
    told.take(130 * minuteMs + 4 * hourMs, tick);
    expect(told.kinds).toEqual(['reminder']);
    told.see(9 * hourMs, 'a');
    expect(told.kinds).toEqual(['reminder', 'end']);
  });

  it('goes on with what was told of a node before it was paused, and tells its end', () => {
    const told = follow();
    told.see(0, 'a', a);
    told.take(minuteMs, { kind: 'left', nodeId: 'a' });
    expect(told.open()).toEqual([]);
    told.see(5 * minuteMs, 'a', a);
    expect(told.open()).toHaveLength(1);
    expect(told.kinds).toEqual(['begin']);
    told.see(6 * minuteMs, 'a');
    expect(told.kinds).toEqual(['begin', 'end']);
  });

  it('stores the end of what ended long ago, which was not known then', () => {
    const told = follow();
    told.see(0, 'a', a);
    const { changed, state } = told.see(21 * hourMs, 'a', over);
    expect(changed.map(({ endedAtMs }) => endedAtMs)).toEqual([noonMs + 5 * minuteMs]);
    expect(state.alerts.size).toBe(0);
  });

  it('has a key of its own for a later failure of an incident that was told to be over', () => {
    const told = follow();
    told.see(0, 'a', a);
    told.see(minuteMs, 'a', { ...a, endedAtMs: noonMs + minuteMs });
    told.see(2 * minuteMs, 'a', { ...a, ids: [...a.ids, 'later'] });
    expect([...(told.all.at(-1)?.state.alerts.keys() ?? [])]).toEqual([
      `a a-${noonMs} ${noonMs}`,
      `a later ${noonMs}`,
    ]);
    expect(told.kinds).toEqual(['begin', 'end', 'flapping']);
  });

  it('tells of what nobody was told of before the node was paused', () => {
    const told = follow(atNight);
    told.see(70 * minuteMs, 'a', a);
    told.take(71 * minuteMs, { kind: 'left', nodeId: 'a' });
    told.see(125 * minuteMs, 'a', a);
    expect(told.kinds).toEqual(['begin']);
  });

  it('tells once afterwards for how long nothing could be seen, and of nothing shorter than two minutes', () => {
    const told = follow();
    told.take(0, { kind: 'blind', isBlind: true });
    told.take(hourMs, { kind: 'blind', isBlind: true });
    expect(told.take(hourMs, { kind: 'blind', isBlind: false }).messages[0]?.body).toMatch(
      /^From 12:00 to 13:00, /,
    );
    told.take(hourMs, { kind: 'blind', isBlind: true });
    told.take(hourMs + minuteMs, { kind: 'blind', isBlind: false });
    expect(told.kinds).toEqual(['blind']);
  });

  it('forgets what is long over, and changes nothing that it was given', () => {
    const told = follow();
    told.see(0, 'a', a);
    const before = told.all.at(-1)?.state;
    told.see(minuteMs, 'a');
    expect(before?.alerts.size).toBe(1);
    expect([...(before?.alerts.values() ?? [])][0]?.endedAtMs).toBeNull();
    told.take(4 * hourMs, tick);
    expect(told.all.at(-1)?.state.alerts.size).toBe(0);
  });
});
