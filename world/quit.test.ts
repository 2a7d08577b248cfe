import { expect, it } from 'vitest';
import { historyOf } from './seeds.ts';
import { World } from './world.ts';

/** Each call of the nodes' store takes so long. */
const diskMs = 30;

it('a node that is removed just before the app ends is gone, however far its poll is', async () => {
  const wrong: number[] = [];
  for (let afterMs = 0; afterMs <= 120; afterMs += 10) {
    const history = { ...historyOf('1'), latencyMs: 20, happenings: [] };
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
    const fields = { name: '', intervalMs: 30_000, tags: [], headers: [], certificate: null, paused: false };
    const added = await done(app.invoke('nodes.add', { ...fields, url: world.nodes[0]?.url ?? '' }));
    if (!added.ok) throw new Error('not added');
    await pass(60_000);
    machine.storeTakesMs.nodes = diskMs;
    while (app.services().nodes.list()[0]?.polling !== true) await pass(1);
    await pass(afterMs);
    void app.invoke('nodes.remove', { id: added.value.id });
    await done(machine.quit());
    if (machine.nodeStore.all('SELECT node_id FROM health_node').length > 0) wrong.push(afterMs);
  }
  expect(wrong).toEqual([]);
});
