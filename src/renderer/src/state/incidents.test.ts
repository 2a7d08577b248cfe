import { beforeEach, describe, expect, it } from 'vitest';
import { err, ok, type Result } from '../../../shared/errors.ts';
import type { Incident } from '../../../shared/health/types.ts';
import { FakeBridge, installBridge } from '../testing/fake-bridge.ts';
import { sampleIncidents } from '../testing/sample-past.ts';
import { fullWorld } from '../testing/sample-world.ts';
import { allIncidents, IncidentList } from './incidents.ts';

const nowMs = Date.UTC(2026, 8, 16, 14);
let bridge: FakeBridge;
let list: IncidentList;

beforeEach(() => {
  bridge = new FakeBridge(fullWorld(nowMs));
  installBridge(bridge);
  list = new IncidentList();
  list.show();
});

function many(count: number): Incident[] {
  const [first] = sampleIncidents(nowMs);
  if (first === undefined) throw new Error('the sample has incidents');
  return Array.from({ length: count }, (_, index) => ({ ...first, id: `x${index}` }));
}

describe('a list of incidents', () => {
  it('reads fifty more at a time, without gaps or doubles, and again as many as are shown', async () => {
    const all = many(120);
    bridge.answer('incidents.list', ({ offset, limit }) =>
      ok({ incidents: all.slice(offset, offset + limit), totalCount: all.length }),
    );
    await list.setFilter(allIncidents);
    expect([list.rows.length, list.totalCount]).toEqual([50, 120]);
    await list.more();
    await list.refresh();
    expect(list.rows).toHaveLength(100);
    await list.more();
    expect(list.rows.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    // Of another filter as many as usual.
    await list.setFilter({ ...allIncidents, text: 'a' });
    expect(bridge.argsOf('incidents.list').at(-1)).toMatchObject({ offset: 0, limit: 50 });
  });

  it('shows the answer to the last filter only', async () => {
    const answers: ((result: Result<{ incidents: Incident[]; totalCount: number }>) => void)[] = [];
    bridge.answer('incidents.list', () => new Promise((resolve) => answers.push(resolve)));
    const first = list.setFilter({ ...allIncidents, text: 'a' });
    const second = list.setFilter({ ...allIncidents, text: 'ab' });
    await Promise.resolve();
    answers[1]?.(ok({ incidents: many(1), totalCount: 1 }));
    answers[0]?.(ok({ incidents: many(9), totalCount: 9 }));
    await Promise.all([first, second]);
    expect(list.totalCount).toBe(1);
  });

  it('keeps what it shows when it cannot be read anew', async () => {
    await list.setFilter(allIncidents);
    bridge.answer('incidents.list', () => err({ code: 'storage', message: 'busy' }));
    await list.refresh();
    expect(list.error?.code).toBe('storage');
    expect(list.rows).toHaveLength(3);
  });

  it('shows no fewer when more cannot be read, and as many more when it is tried again', async () => {
    const all = many(120);
    await list.setFilter(allIncidents);
    bridge.answer('incidents.list', ({ offset, limit }) =>
      ok({ incidents: all.slice(offset, offset + limit), totalCount: all.length }),
    );
    await list.refresh();
    bridge.answer('incidents.list', () => err({ code: 'storage', message: 'busy' }));
    await list.more();
    await list.more();
    expect([list.rows.length, list.error?.code, list.busy]).toEqual([50, 'storage', false]);
    bridge.answer('incidents.list', ({ offset, limit }) =>
      ok({ incidents: all.slice(offset, offset + limit), totalCount: all.length }),
    );
    await list.retry();
    expect([list.rows.length, list.error]).toEqual([100, null]);
  });

  it('reads again as many as are shown, though one answer does not hold them', async () => {
    const all = many(700);
    bridge.answer('incidents.list', ({ offset, limit }) =>
      ok({ incidents: all.slice(offset, offset + limit), totalCount: all.length }),
    );
    await list.setFilter(allIncidents);
    while (list.rows.length < 600) await list.more();
    await list.refresh();
    expect(list.rows.map(({ id }) => id)).toEqual(all.slice(0, 600).map(({ id }) => id));
    // One that has ended earlier by now.
    all.splice(550);
    await list.refresh();
    expect([list.rows.length, list.totalCount]).toEqual([550, 550]);
  });

  it('has no count before the first answer, and shows those of the filter before until the others are there', async () => {
    expect(list.totalCount).toBe(0);
    await list.setFilter(allIncidents);
    const finding = list.setFilter({ ...allIncidents, text: 'none has this' });
    expect([list.rows.length, list.totalCount]).toEqual([3, 3]);
    await finding;
  });
});
