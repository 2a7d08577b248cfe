import { expect, it } from 'vitest';
import { createMemoryStores } from '../../../adapters/storage/testing/memory-stores.ts';
import { createFakeNode, createServiceWorld, nodeFields } from '../testing/service-world.ts';

const url = 'https://node.example';
const print = (pair: string) => Array.from({ length: 32 }, () => pair).join(':');

it('a node’s certificate goes with each of its requests, and a changed one is tried at once', async () => {
  const world = await createServiceWorld(createMemoryStores().health);
  const { time, http } = world;
  http.serve(url, createFakeNode(time, ['C']).server);
  const { id } = await world.add(url, 30_000, { certificate: print('AB').toLowerCase() });
  await time.advance(90_000);
  const asked = () => [...new Set(http.requests.map(({ certificate }) => certificate))];
  expect(asked()).toEqual([print('AB')]);

  http.serve(url, () => ({ kind: 'failure', reason: 'tls', detail: 'Another.', certificate: print('CD') }));
  await time.advance(31_000);
  expect(world.status(id)).toMatchObject({ state: 'unreachable', error: { message: /Another/ } });

  http.serve(url, createFakeNode(time, ['C']).server);
  const before = http.requests.length;
  await world.service.update({ ...nodeFields(url), id, certificate: print('CD') });
  await time.advance(1_000);
  expect(http.requests.length).toBeGreaterThan(before);
  expect(http.requests.at(-1)?.certificate).toBe(print('CD'));
  expect(world.status(id)).toMatchObject({ state: 'healthy', node: { certificate: print('CD') } });
  expect(await world.service.accessTo(id)).toMatchObject({ value: { certificate: print('CD') } });

  await world.restart();
  expect(world.status(id).node.certificate).toBe(print('CD'));
});
