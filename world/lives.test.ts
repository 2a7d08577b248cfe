import { expect, it } from 'vitest';
import { addresses } from './service-answers.ts';
import { historyOf } from './seeds.ts';
import { World } from './world.ts';

/** The whole app in a world where nothing happens by itself. */
async function build() {
  const history = { ...historyOf('4'), latencyMs: 20, happenings: [] };
  const world = new World(history, () => undefined, ['no-block']);
  const { machine, time } = world;
  const pass = async (ms: number): Promise<void> => {
    const untilMs = time.nowMs + ms;
    while (time.nowMs < untilMs) await world.step(untilMs);
  };
  const done = async <T>(promise: Promise<T>): Promise<T> => {
    const state = { isDone: false };
    const end = (): void => void (state.isDone = true);
    promise.then(end, end);
    while (!state.isDone) await pass(1);
    return await promise;
  };
  machine.start();
  await pass(2_000);
  const { app } = machine;
  if (app === null) throw new Error('not started');
  return { world, machine, app, pass, done };
}

it('a node that is removed just before the app ends is gone, however far its poll is', async () => {
  const wrong: number[] = [];
  for (let afterMs = 0; afterMs <= 120; afterMs += 10) {
    const { world, machine, app, pass, done } = await build();
    const fields = { name: '', intervalMs: 30_000, tags: [], headers: [], certificate: null, paused: false };
    const added = await done(app.invoke('nodes.add', { ...fields, url: world.nodes[0]?.url ?? '' }));
    if (!added.ok) throw new Error('not added');
    await pass(60_000);
    machine.storeTakesMs.nodes = 30;
    while (app.services().nodes.list()[0]?.polling !== true) await pass(1);
    await pass(afterMs);
    void app.invoke('nodes.remove', { id: added.value.id });
    await done(machine.quit());
    if (machine.nodeStore.all('SELECT node_id FROM health_node').length > 0) wrong.push(afterMs);
  }
  expect(wrong).toEqual([]);
});

it('what is still asked of a service that was left does not reach the window', async () => {
  const { machine, app, pass, done } = await build();
  const [address] = addresses;
  const added = await done(app.invoke('watchlist.add', { address, label: null }));
  expect(added.ok).toBe(true);
  await pass(1_000);
  const { watchlist: left } = app.services();
  await done(app.invoke('settings.update', { service: machine.profile(1) }));
  await pass(5_000);
  expect(app.window()?.watchlist).toEqual([]);
  await done(left.refreshChains(address).catch(() => null));
  await pass(1_000);
  expect(left.views()).toHaveLength(1);
  expect(app.window()?.watchlist).toEqual([]);
});
