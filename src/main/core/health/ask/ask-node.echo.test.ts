import { expect, it } from 'vitest';
import { createMemoryStores } from '../../../adapters/storage/testing/memory-stores.ts';
import { jsonAnswer } from '../testing/fake-ports.ts';
import { createServiceWorld } from '../testing/service-world.ts';

const url = 'https://node.example';
const token = 'tk_9f8e7d6c5b4a';
const headers = [
  { name: 'authorization', value: `Bearer ${token}` },
  { name: 'x-proxy', value: 'proxy-secret-00112233' },
];

it('values of extra headers that a node repeats are neither shown nor stored, by poll, probe or JSON-RPC', async () => {
  const world = await createServiceWorld(createMemoryStores().health);
  world.http.serve(url, (request) => {
    const said = `not allowed: ${request.headers['authorization']} (${token}), ${request.headers['x-proxy']}`;
    const body = { healthy: false, checks: { [`for ${token}`]: { error: said, message: { said } } } };
    return request.method === 'POST'
      ? jsonAnswer(200, { error: { code: -32_000, message: said, data: said } })
      : jsonAnswer(503, body, { 'node-id': token });
  });
  const probing = world.service.probe({ id: null, url, headers, certificate: null });
  await world.time.advance(10_000);
  const probe = await probing;
  const { id } = await world.add(url, 30_000, { headers });
  await world.time.advance(120_000);
  const [check] = world.status(id).report?.checks ?? [];
  expect(check?.error).toBe('not allowed: (hidden key) ((hidden key)), (hidden key)');
  expect(JSON.stringify(check?.message)).toContain('(hidden key)');
  const seen = JSON.stringify([world.status(id), probe, world.store.recorded], (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  expect(seen).not.toContain(token);
  expect(seen).not.toContain('proxy-secret');
});
