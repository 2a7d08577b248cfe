import { expect, it } from 'vitest';
import type { AlertMessage } from '../../../shared/alerts/types.ts';
import { AppFailure } from '../../../shared/errors.ts';
import { createFakeLog, createFakeTime } from '../health/testing/fake-ports.ts';
import { createOutbox } from './outbox.ts';
import { createAlertWorld } from './testing/alert-world.ts';

const minuteMs = 60_000;

it.each(['at once', 'after a restart'])(
  'what waits for a channel that is switched off is not sent any more, %s, also once that is on again',
  async (when) => {
    const world = await createAlertWorld();
    const node = await world.addNode('node-1.example');
    const switched = (notifications: boolean) =>
      world.settings.update({ alerts: { ...world.settings.current().alerts, notifications } });
    await world.time.advance(2 * minuteMs);
    world.channel.isDown = true;
    node.failing.add('C');
    await world.time.advance(5 * minuteMs);
    switched(false);
    if (when === 'after a restart') await world.crash();
    await world.time.advance(minuteMs);
    world.channel.isDown = false;
    switched(true);
    await world.time.advance(5 * minuteMs);
    expect(world.titles()).toEqual([]);
    const [message] = (await world.alerts.list()).messages;
    expect(message?.sent).toMatchObject([{ channel: 'system', state: 'off', error: null }]);
  },
);

/** An outbox with one channel, whose `send` may throw, and messages that wait for it. */
function buildOutbox(send: (id: string) => unknown, onTried = (_message: AlertMessage): void => undefined) {
  const { clock, timers, advance } = createFakeTime();
  const channel = { name: 'webhook', send: async ({ id }: { id: string }) => void (await send(id)) };
  const outbox = createOutbox({
    ...{ channels: [channel], clock, timers, log: createFakeLog() },
    ...{ isOn: () => true, isHeldBack: () => false, isPrivate: () => false, onTried },
  });
  const add = (...ids: string[]): void =>
    outbox.add(
      ids.map((id) => ({
        ...{ id, alertKey: null, kind: 'begin', level: 'tell', atMs: clock.nowMs(), title: id, body: '' },
        ...{ hidden: '', incident: null },
        sent: [{ channel: 'webhook', state: 'waiting', atMs: null, error: null }],
      })),
    );
  return { outbox, add, advance, clock };
}

it('a message that its receiver refuses for what it says delays no other, and is sent once it is taken', async () => {
  const taken: string[] = [];
  let takesAll = false;
  const { outbox, add, advance } = buildOutbox((id) => {
    if (id === 'long' && !takesAll) throw new AppFailure({ code: 'upstream', status: 413, message: 'No.' });
    taken.push(id);
  });
  add('long', 'a', 'b');
  await advance(minuteMs);
  expect(taken).toEqual(['a', 'b']);
  takesAll = true;
  await advance(minuteMs);
  expect(taken).toEqual(['a', 'b', 'long']);
  await outbox.stop();
});

it('a message that comes while another is being sent waits for it, and none is sent once the app ends', async () => {
  const tried: string[] = [];
  let accept = (): void => undefined;
  const { outbox, add, advance } = buildOutbox((id) => {
    tried.push(id);
    return new Promise<void>((resolve) => (accept = resolve));
  });
  add('a');
  await advance(minuteMs);
  add('b');
  await advance(minuteMs);
  expect(tried).toEqual(['a']);
  accept();
  await advance(0);
  expect(tried).toEqual(['a', 'b']);
  add('c');
  void outbox.stop();
  accept();
  await advance(minuteMs);
  expect(tried).toEqual(['a', 'b']);
});

it.each([
  ['is accepted soon, and then it is known', 1_000, ['accepted', 'ended']],
  ['is not, and does not wait for long', 10_000, ['ended', 'accepted']],
])('the end of the app waits for what is being sent where that %s', async (_what, afterMs, expected) => {
  const seen: string[] = [];
  const sending = Promise.withResolvers<void>();
  const { outbox, add, advance } = buildOutbox(
    () => sending.promise,
    ({ sent }) => seen.push(...sent.map(({ state }) => state)),
  );
  add('a');
  await advance(0);
  void outbox.stop().then(() => seen.push('ended'));
  await advance(afterMs);
  sending.resolve();
  await advance(0);
  expect(seen).toEqual(expected);
});

it('a message that comes in the pause after a failure does not end it, and after a success pauses begin anew', async () => {
  const triedMs: number[] = [];
  let isDown = true;
  const { outbox, add, advance, clock } = buildOutbox(() => {
    triedMs.push(clock.nowMs());
    if (isDown) throw new AppFailure({ code: 'unreachable', message: 'No.' });
  });
  const startMs = clock.nowMs();
  const secondsSince = (fromMs: number) => triedMs.splice(0).map((atMs) => (atMs - fromMs) / 1_000);
  add('a');
  await advance(1_000);
  add('b');
  await advance(30_000);
  expect(secondsSince(startMs)).toEqual([0, 5, 15]);
  isDown = false;
  await advance(10_000);
  expect(secondsSince(startMs)).toEqual([35, 35]);
  isDown = true;
  add('c');
  const againMs = clock.nowMs();
  await advance(6_000);
  expect(secondsSince(againMs)).toEqual([0, 5]);
  await outbox.stop();
});

it('what is on its way to an address that is changed is sent to the new one at once, whatever the old one asks for', async () => {
  const taken: string[] = [];
  const old = Promise.withResolvers<void>();
  let isChanged = false;
  const { outbox, add, advance, clock } = buildOutbox((id) => (isChanged ? taken.push(id) : old.promise));
  add('a');
  await advance(0);
  isChanged = true;
  outbox.tryAgain('webhook');
  const retryAtMs = clock.nowMs() + 60 * minuteMs;
  old.reject(new AppFailure({ code: 'upstream', status: 429, message: 'No.', retryAtMs }));
  await advance(0);
  expect(taken).toEqual(['a']);
  await outbox.stop();
});

it('what waits for a channel is not sent in a pause of all alerts, but after it', async () => {
  const world = await createAlertWorld();
  const node = await world.addNode('node-1.example');
  await world.time.advance(2 * minuteMs);
  world.channel.isDown = true;
  node.failing.add('C');
  await world.time.advance(5 * minuteMs);
  const pausedUntilMs = world.time.clock.nowMs() + 60 * minuteMs;
  world.settings.update({ alerts: { ...world.settings.current().alerts, pausedUntilMs } });
  world.channel.isDown = false;
  await world.time.advance(59 * minuteMs);
  expect(world.titles()).toEqual([]);
  await world.time.advance(2 * minuteMs);
  expect(world.titles()).toEqual(['C-Chain on node-1: C is down']);
});

it('what waits for a channel in quiet hours does not hold up what is urgent', async () => {
  const world = await createAlertWorld();
  const node = await world.addNode('node-1.example', ['C', 'database']);
  await world.time.advance(2 * minuteMs);
  world.channel.isDown = true;
  node.failing.add('C');
  await world.time.advance(5 * minuteMs);
  const { alerts } = world.settings.current();
  const days = [0, 1, 2, 3, 4, 5, 6];
  const quiet = { days, fromMinute: 0, toMinute: 24 * 60, wakePasses: true };
  world.settings.update({ alerts: { ...alerts, quiet, rules: { ...alerts.rules, incident: 'wake' } } });
  world.channel.isDown = false;
  await world.time.advance(20 * minuteMs);
  node.failing.add('database');
  await world.time.advance(5 * minuteMs);
  expect(world.titles()).toEqual(['Database on node-1: database is down']);
});
