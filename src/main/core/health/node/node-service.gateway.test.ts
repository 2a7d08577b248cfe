import { expect, it } from 'vitest';
import { createMemoryStores } from '../../../adapters/storage/testing/memory-stores.ts';
import { defaultSettings } from '../../../../shared/settings.ts';
import { noAnswer } from '../../../../shared/health/no-answer.ts';
import { readIncidents } from '../incidents/known-incidents.ts';
import { jsonAnswer } from '../testing/fake-ports.ts';
import { createFakeNode, createServiceWorld } from '../testing/service-world.ts';

it.each([[[520]], [[530]], [[500]], [[502, 521, 521]], [[503, 500, 524]]])(
  'a dead node of which the gateway says %j does not answer, and has one incident until it is back',
  async (statuses) => {
    const { time, http, service, add, status } = await createServiceWorld(createMemoryStores().health);
    const url = 'https://node.example';
    http.serve(url, createFakeNode(time, ['C']).server);
    const { id } = await add(url);
    await time.advance(61_000);
    let asked = 0;
    http.serve(url, () => jsonAnswer(statuses[Math.min(asked++, statuses.length - 1)] ?? 0, '<html>'));
    await time.advance(300_000);
    expect(status(id)).toMatchObject({ state: 'unreachable' });
    expect(status(id).reason).toMatch(/^The node isn’t responding \(the gateway returned 5\d\d\)\.$/);
    const incidents = async () => {
      const [source] = service.historySources();
      return source === undefined ? [] : (await readIncidents(source, defaultSettings.health)).incidents;
    };
    const [first, ...others] = await incidents();
    expect(first).toMatchObject({ leadingCheck: noAnswer, endedAtMs: null });
    // It began with the first of these answers.
    expect((first?.startedAtMs ?? 0) - (time.clock.nowMs() - 300_000)).toBeLessThan(30_000);
    expect(others).toEqual([]);
    http.serve(url, createFakeNode(time, ['C']).server);
    await time.advance(121_000);
    expect(await incidents()).toMatchObject([{ id: first?.id, endKnownFrom: 'seen' }]);
  },
);
