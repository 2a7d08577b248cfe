import { expect, it } from 'vitest';
import { ok } from '../../../shared/errors.ts';
import { FakeBridge, installBridge } from '../testing/fake-bridge.ts';
import { sampleIncidents } from '../testing/sample-past.ts';
import { fullWorld } from '../testing/sample-world.ts';
import { allIncidents, IncidentList } from './incidents.ts';

it('the list of incidents is read once at a time, however many nodes fail at once', async () => {
  const nowMs = Date.UTC(2026, 8, 16, 14);
  const bridge = new FakeBridge(fullWorld(nowMs));
  installBridge(bridge);
  const list = new IncidentList();
  list.show();
  await list.setFilter(allIncidents);
  const end = list.follow();
  const answers: (() => void)[] = [];
  bridge.answer('incidents.list', async () => {
    await new Promise<void>((resolve) => answers.push(resolve));
    return ok({ incidents: sampleIncidents(nowMs).slice(0, answers.length), totalCount: answers.length });
  });
  const fail = () => {
    for (let node = 0; node < 50; node += 1) bridge.emit('incidents.changed', { nodeId: `n${node}` });
  };
  fail();
  await expect.poll(() => answers.length).toBe(1);
  fail();
  answers[0]?.();
  // What came meanwhile is read with the next answer, and the one before is shown already.
  await expect.poll(() => [answers.length, list.rows.length]).toEqual([2, 1]);
  answers[1]?.();
  await expect.poll(() => list.rows.length).toBe(2);
  expect(answers).toHaveLength(2);
  end();
});
