import { expect, it } from 'vitest';
import { AppFailure } from '../../../shared/errors.ts';
import { noAnswer } from '../../../shared/health/no-answer.ts';
import { createAlertWorld } from './testing/alert-world.ts';

const minuteMs = 60_000;

/** A node, and a disk that refuses every write of polls and alerts while it is full. */
async function build() {
  const world = await createAlertWorld();
  const node = await world.addNode('node-1.example');
  await world.time.advance(2 * minuteMs);
  const { recordPoll } = world.stores.health;
  const disk = { isFull: true };
  world.store.replace({
    recordPoll: async (poll) => {
      if (disk.isFull) throw new AppFailure({ code: 'storage', message: 'The disk is full.' });
      await recordPoll(poll);
    },
  });
  world.channel.isDiskFull = true;
  const drain = () => {
    disk.isFull = false;
    world.channel.isDiskFull = false;
  };
  return { ...world, node, drain };
}

it.each([
  ['goes down', true, 'node-1 isn’t responding', noAnswer],
  ['has a check that fails', false, 'C-Chain on node-1: C is down', 'C'],
])('a node that %s while the disk is full is told of, once, and stored when it is not', async (...given) => {
  const [, isDown, title, check] = given;
  const { time, node, drain, down, up, titles, service, store } = await build();
  const beganMs = time.clock.nowMs();
  if (isDown) down('node-1.example');
  else node.failing.add('C');
  await time.advance(30 * minuteMs);
  expect(titles()).toEqual([title]);
  drain();
  await time.advance(5 * minuteMs);
  expect(titles()).toEqual([title]);
  const [id = ''] = service.list().map((one) => one.node.id);
  const episodes = await store.port.readEpisodes(id, null, 10);
  expect(episodes.map((episode) => [episode.check, episode.startedAtMs - beganMs < minuteMs])).toEqual([
    [check, true],
  ]);
  if (isDown) up('node-1.example', node);
  else node.failing.clear();
  await time.advance(5 * minuteMs);
  expect(titles()).toHaveLength(2);
});

it('a failure that begins and ends while the disk is full is told and stored', async () => {
  const { time, node, drain, titles, service, store } = await build();
  node.failing.add('C');
  await time.advance(10 * minuteMs);
  node.failing.clear();
  await time.advance(10 * minuteMs);
  expect(titles()).toHaveLength(2);
  drain();
  await time.advance(minuteMs);
  const [id = ''] = service.list().map((one) => one.node.id);
  const [episode] = await store.port.readEpisodes(id, null, 10);
  expect((episode?.endedAtMs ?? 0) - (episode?.startedAtMs ?? 0)).toBeGreaterThan(8 * minuteMs);
});

it('a failure that the disk has refused is stored when the app quits before the next poll', async () => {
  const { time, node, drain, service, store } = await build();
  node.failing.add('C');
  await time.advance(10 * minuteMs);
  node.failing.clear();
  await time.advance(10 * minuteMs);
  drain();
  const [id = ''] = service.list().map((one) => one.node.id);
  await service.stop();
  const [episode] = await store.port.readEpisodes(id, null, 10);
  expect((episode?.endedAtMs ?? 0) - (episode?.startedAtMs ?? 0)).toBeGreaterThan(8 * minuteMs);
});

it.each([
  ['soon after the disk has room again, so that a crash does', minuteMs],
  ['when the app quits just after the disk has room again, so that the next start does', 0],
])('an alert is stored %s not tell it again', async (_when, runsMs) => {
  const world = await createAlertWorld();
  const node = await world.addNode('node-1.example');
  await world.time.advance(2 * minuteMs);
  world.channel.isDiskFull = true;
  node.failing.add('C');
  await world.time.advance(3 * minuteMs);
  world.channel.isDiskFull = false;
  await world.time.advance(runsMs);
  if (runsMs === 0) await world.alerts.stop();
  await world.crash();
  await world.time.advance(3 * minuteMs);
  expect(world.sent).toHaveLength(1);
});

it('an alert that the disk has refused is listed once, as it is now, with what was sent about it', async () => {
  const { time, node, alerts, channel, service, status, drain, sent } = await build();
  drain();
  const pause = (paused: boolean) => service.update({ ...status('id-1').node, headers: [], paused });
  const isOpen = async () => (await alerts.list()).alerts.map(({ endedAtMs }) => endedAtMs === null);
  node.failing.add('C');
  await time.advance(3 * minuteMs);
  await pause(true);
  await time.advance(minuteMs);
  expect(await isOpen()).toEqual([false]);
  channel.isDiskFull = true;
  // It goes on, and ends.
  await pause(false);
  await time.advance(2 * minuteMs);
  expect(await isOpen()).toEqual([true]);
  node.failing.clear();
  await time.advance(3 * minuteMs);
  expect(await isOpen()).toEqual([false]);
  node.failing.add('C');
  await time.advance(3 * minuteMs);
  node.failing.clear();
  await time.advance(3 * minuteMs);
  expect(await isOpen()).toEqual([false, false]);
  const { messages } = await alerts.list();
  expect(messages.map(({ id }) => id)).toEqual(sent.map(({ id }) => id).reverse());
});
