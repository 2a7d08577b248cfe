import { describe, expect, it } from 'vitest';
import { createMemoryStores } from '../../../adapters/storage/testing/memory-stores.ts';
import { unwrap } from '../../../../shared/errors.ts';
import { anything, createIncidentWorld, failTwice, green } from '../testing/incident-world.ts';
import { failing, passing, recordNode } from '../testing/past-world.ts';

describe('files of incidents', () => {
  it('of all that is filtered, as CSV, with nothing that a spreadsheet would run', async () => {
    const world = await createIncidentWorld();
    await world.node.repeat(2, () => ({ '=cmd()': failing('=1+1, "quoted"\nline', { peers: 3 }) }));
    await world.node.poll({ '=cmd()': passing() });
    const path = 'incidents-2023-11-15.csv';
    expect(unwrap(await world.service.export({ filter: anything, format: 'csv' }))).toEqual({
      path,
      count: 1,
    });
    expect(world.files.text(path)).toBe(
      'node,started,start known from,ended,end known from,seconds,leading check,checks,failures,first error,worst values,gone nodes,note,id\r\n' +
        `My node,2023-11-14T22:13:20.000Z,seen,2023-11-14T22:14:20.000Z,seen,60,'=cmd(),'=cmd(),2,"'=1+1, ""quoted""\nline",'=cmd(): peers 3,,,node-1-e1\r\n`,
    );
  });

  it('of all that is filtered, as JSON', async () => {
    const world = await createIncidentWorld();
    await failTwice(world);
    const exported = unwrap(
      await world.service.export({ filter: { ...anything, check: 'C' }, format: 'json' }),
    );
    const rows = JSON.parse(world.files.text(exported?.path ?? '')) as unknown[];
    expect(rows).toEqual((await world.list()).map((incident) => ({ nodeName: 'My node', ...incident })));
    unwrap(await world.service.export({ filter: { ...anything, check: 'none' }, format: 'json' }));
    expect(JSON.parse(world.files.text('incidents-2023-11-15.json'))).toEqual([]);
  });

  it('of a recording are made of it, although its node has incidents with the same ids', async () => {
    const world = await createIncidentWorld();
    await failTwice(world);
    const [incident] = await world.list();
    const id = incident?.id ?? '';
    const episodes = (await world.store.readEpisodes('node-1', null, 10)).map((each) => ({
      ...each,
      firstError: 'as it was recorded',
    }));
    const recorded = createMemoryStores().health;
    const node = await recordNode(recorded, 'rec-1', 'A recording');
    await node.poll(green);
    const [poll] = await recorded.scanPolls('rec-1', 0, 8.64e15, 1);
    if (poll === undefined) throw new Error('no poll');
    await recorded.recordPoll({ ...poll, polledAtMs: poll.polledAtMs + 1, runs: [], episodes });
    world.every.splice(2, 1, {
      id: 'rec-1',
      name: 'A recording',
      store: recorded,
      chainChecks: null,
      sinceMs: 0,
    });
    const saved = unwrap(await world.service.postMortem({ nodeId: 'rec-1', id, redact: false }));
    expect(world.files.text(saved?.path ?? '')).toContain('as it was recorded');
    unwrap(await world.service.note({ nodeId: 'rec-1', id, note: 'of the recording' }));
    expect(await world.list({ text: 'of the recording' })).toEqual([]);
  });

  it('are not written when the user wants none', async () => {
    const world = await createIncidentWorld();
    await failTwice(world);
    world.files.refuse();
    const [incident] = await world.list();
    expect(await world.service.export({ filter: anything, format: 'csv' })).toEqual({
      ok: true,
      value: null,
    });
    expect(
      await world.service.postMortem({ nodeId: 'node-1', id: incident?.id ?? '', redact: true }),
    ).toEqual({
      ok: true,
      value: null,
    });
    expect(world.files.files.size).toBe(0);
  });

  it('of a post-mortem are named after the node, the check and the second, without names that are left out', async () => {
    const world = await createIncidentWorld();
    await failTwice(world);
    const [incident] = await world.list();
    const id = incident?.id ?? '';
    expect(unwrap(await world.service.postMortem({ nodeId: 'node-1', id, redact: false }))).toEqual({
      path: 'my-node-c-2023-11-14-22-23-20.html',
    });
    expect(unwrap(await world.service.postMortem({ nodeId: 'node-1', id, redact: true }))).toEqual({
      path: 'incident-c-2023-11-14-22-23-20.html',
    });
    expect(await world.service.postMortem({ nodeId: 'node-1', id: 'none', redact: true })).toMatchObject({
      error: { code: 'not-found' },
    });
  });

  it('of a redacted post-mortem name no other node, as a note may', async () => {
    const world = await createIncidentWorld();
    await failTwice(world);
    const [incident] = await world.list();
    const id = incident?.id ?? '';
    await world.service.note({ nodeId: 'node-1', id, note: 'Began when Other went down, see A recording.' });
    const { path } = unwrap(await world.service.postMortem({ nodeId: 'node-1', id, redact: true })) ?? {
      path: '',
    };
    expect(world.files.text(path)).toMatch(/Began when \[name \d\] went down, see \[name \d\]\./);
  });
});
