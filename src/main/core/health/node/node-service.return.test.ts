import { describe, expect, it } from 'vitest';
import { createMemoryStores } from '../../../adapters/storage/testing/memory-stores.ts';
import { noAnswer } from '../../../../shared/health/no-answer.ts';
import { unwrap } from '../../../../shared/errors.ts';
import { jsonAnswer } from '../testing/fake-ports.ts';
import {
  createFakeNode,
  createServiceWorld,
  nodeFields,
  type ServiceWorld,
} from '../testing/service-world.ts';

const url = 'http://a';
const periodMs = 30_000;

/** A node that was up for `upMs`, restarted within `awayMs`, and was seen to be back. */
async function restarted(upMs: number, awayMs: number): Promise<ServiceWorld & { id: string }> {
  const world = await createServiceWorld(createMemoryStores().health);
  const { time, http } = world;
  const node = createFakeNode(time, ['C']);
  let startedAtMs = -Infinity;
  http.serve(url, (request) =>
    time.clock.nowMs() >= startedAtMs + periodMs
      ? node.server(request)
      : jsonAnswer(
          503,
          { healthy: false, checks: { C: { message: 'not yet run' } } },
          { 'node-id': 'NodeID-1' },
        ),
  );
  const { id } = await world.add(url, null);
  await time.advance(upMs);
  http.bar(url, 'refused');
  await time.advance(awayMs);
  expect(world.status(id).state).toBe('unreachable');
  http.bar(url, null);
  startedAtMs = time.clock.nowMs();
  await time.advance(5_000);
  expect(world.status(id).state).not.toBe('unreachable');
  return { ...world, id };
}

/** Just after something extra was asked, and between two polls. */
const moments = [1_211_000, 1_200_000];

describe.each(moments)(
  'a node that went after %i ms and is back, while its rhythm is learned anew',
  (upMs) => {
    it.each([3_000, 8_000, 20_000])(
      'is noticed within 20 s when it hangs, away for %i ms before',
      async (awayMs) => {
        for (const afterMs of [5_000, 43_000, 56_300, 63_000, 69_700, 76_400, 83_100, 89_800, 130_000]) {
          const { id, time, http, status } = await restarted(upMs, awayMs);
          await time.advance(afterMs);
          http.bar(url, 'hang');
          await time.advance(20_000);
          expect(status(id).state, `${afterMs} ms after`).toBe('unreachable');
        }
      },
    );

    it('is seen to be back within 5 s although it had just been started, so that the budget was used to learn it', async () => {
      for (const shortMs of [40_000, 92_000, 110_000]) {
        const { id, status } = await restarted(shortMs, 3_000);
        expect(status(id).state, `${shortMs} ms after`).not.toBe('unreachable');
      }
    });

    it('is noticed within 2 s when it dies again, also where the budget has no request left', async () => {
      for (const afterMs of [0, 1_000, 23_000, 48_000, 83_100]) {
        const { id, time, http, status } = await restarted(upMs, 3_000);
        await time.advance(afterMs);
        http.bar(url, 'refused');
        await time.advance(2_000);
        expect(status(id).state, `${afterMs} ms after`).toBe('unreachable');
      }
    });
  },
);

it('a node whose connection breaks before it refuses one is seen to be back within 5 s', async () => {
  const { time, http, add, status } = await createServiceWorld(createMemoryStores().health);
  const node = createFakeNode(time, ['C']);
  let breaksUntilMs = -Infinity;
  http.serve(url, (request) =>
    time.clock.monotonicMs() < breaksUntilMs
      ? { kind: 'failure', reason: 'reset', detail: '' }
      : node.server(request),
  );
  const { id } = await add(url, null);
  for (let times = 0; times < 40; times += 1) {
    await time.advance(125_000 + times * 4_300);
    breaksUntilMs = time.clock.monotonicMs() + 50;
    http.cut(url);
    await time.advance(60);
    http.bar(url, 'refused');
    await time.advance(3_000 + times * 500);
    expect(status(id).state, `${times}`).toBe('unreachable');
    http.bar(url, null);
    await time.advance(5_000);
    expect(status(id).state, `${times}`).toBe('healthy');
  }
});

it('a node that answers without a report is noticed within 2 s when it goes, also where the budget has no request left', async () => {
  const { time, http, add, status } = await createServiceWorld(createMemoryStores().health);
  http.serve(url, () => jsonAnswer(404, ''));
  const { id } = await add(url, null);
  await time.advance(1_000);
  for (let times = 0; times < 20; times += 1) {
    expect(status(id).state, `${times}`).toBe('unknown');
    http.bar(url, 'refused');
    await time.advance(2_000);
    expect(status(id).state, `${times}`).toBe('unreachable');
    http.bar(url, null);
    while (status(id).state === 'unreachable') await time.advance(1_000);
  }
});

it('what the full disk did not keep of a node that is paused since is stored with the next poll of another', async () => {
  const { time, http, add, store, service } = await createServiceWorld(createMemoryStores().health);
  http.serve(url, createFakeNode(time, ['C']).server);
  http.serve('http://b', createFakeNode(time, ['C']).server);
  const { id } = await add(url, null);
  await add('http://b', null);
  await time.advance(60_000);
  store.fail(true);
  http.bar(url, 'refused');
  await time.advance(20_000);
  store.fail(false);
  unwrap(await service.update({ ...nodeFields(url, null), id, paused: true }));
  await time.advance(30_000);
  expect(await store.port.readEpisodes(id, null, 10)).toMatchObject([{ check: noAnswer, endedAtMs: null }]);
});

it('a failure goes on over a restart of the node that the full disk did not keep', async () => {
  const { time, http, add, store } = await createServiceWorld(createMemoryStores().health);
  let node = createFakeNode(time, ['C']);
  http.serve(url, (request) => node.server(request));
  node.failing.add('C');
  const { id } = await add(url, null);
  await time.advance(300_000);
  store.fail(true);
  http.bar(url, 'refused');
  http.cut(url);
  await time.advance(20_000);
  // It counts anew.
  node = createFakeNode(time, ['C']);
  node.failing.add('C');
  http.bar(url, null);
  store.fail(false);
  await time.advance(120_000);
  const episodes = await store.port.readEpisodes(id, null, 10);
  expect(episodes.filter(({ check }) => check === 'C')).toMatchObject([{ endedAtMs: null }]);
});
