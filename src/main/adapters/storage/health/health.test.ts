import { beforeEach, describe, expect, it } from 'vitest';
import type { CheckRun } from '../../../../shared/health/check-run.ts';
import type { StoredCell, StoredEpisode } from '../../../core/health-ports.ts';
import type { StorePorts } from '../store-ports.ts';
import { backends } from '../testing/backends.ts';
import { sampleNode, samplePoll, storageMessage } from '../testing/sample-data.ts';

describe.each(backends)('health over $name', ({ open }) => {
  let stores: StorePorts;
  beforeEach(() => {
    stores = open();
  });

  const node = sampleNode();
  const run = {
    check: 'C',
    state: 'pass' as const,
    ranAtMs: 9_000,
    contiguousFailures: null,
    firstFailureAtMs: null,
    error: null,
  };

  beforeEach(() => stores.health.putNode(node));

  it('lists nodes in the order in which they were added, and changes them', async () => {
    await stores.health.putNode({ ...node, id: 'n0', addedAtMs: 0 });
    const changed = { ...node, name: 'Two', url: 'http://[::1]:1', intervalMs: 5 };
    await stores.health.putNode(changed);
    expect(await stores.health.listNodes()).toEqual([{ ...node, id: 'n0', addedAtMs: 0 }, changed]);
  });

  it('keeps every option of a node', async () => {
    const chosen = sampleNode({
      intervalMs: null,
      tags: ['a\0', '\ud800'],
      headerNames: ['x-key'],
      certificate: 'AB:CD',
      paused: true,
      previousNodeId: 'NodeID-0',
      tagChecks: [{ tag: 'a', checks: ['C'] }],
    });
    await stores.health.putNode(chosen);
    expect(await stores.health.listNodes()).toEqual([chosen]);
  });

  it('forgets a node with its history, and nothing else', async () => {
    await stores.health.putNode({ ...node, id: 'n2' });
    for (const nodeId of ['n1', 'n2']) {
      await stores.health.recordPoll(
        samplePoll({ nodeId, runs: [run], episodes: [episode({ id: nodeId })] }),
      );
    }
    await stores.health.removeNode('n1');
    expect((await stores.health.listNodes()).map(({ id }) => id)).toEqual(['n2']);
    await stores.health.putNode(node);
    expect(await stores.health.latest('n1')).toEqual({ poll: null, lastReport: null });
    expect(await stores.health.readCells('n1', 0, 1_000_000, 1)).toEqual([]);
    expect(await stores.health.readEpisodes('n1', null, 10)).toEqual([]);
    expect(await stores.health.readCells('n2', 0, 1_000_000, 1)).toHaveLength(2);
    expect(await stores.health.readEpisodes('n2', null, 10)).toHaveLength(1);
  });

  it('refuses a poll of a node that is not there', async () => {
    const poll = stores.health.recordPoll(samplePoll({ nodeId: 'gone' }));
    expect(await storageMessage(poll)).toMatch(/removed/);
  });

  describe('what is known now', () => {
    it('is nothing at first', async () => {
      expect(await stores.health.latest('n1')).toEqual({ poll: null, lastReport: null });
      expect(await stores.health.latest('gone')).toEqual({ poll: null, lastReport: null });
    });

    it('is the last poll and the last report', async () => {
      const first = samplePoll({ polledAtMs: 1, reportedNodeId: null, reason: 'a\0b\ud800' });
      const silent = samplePoll({
        polledAtMs: 2,
        reportJson: null,
        state: 'unreachable',
        reason: 'refused',
      });
      const later = samplePoll({ polledAtMs: 3, reportJson: '{"healthy":false}', state: 'unhealthy' });
      await stores.health.recordPoll(first);
      expect(await stores.health.latest('n1')).toEqual({ poll: first, lastReport: first });
      await stores.health.recordPoll(silent);
      expect(await stores.health.latest('n1')).toEqual({ poll: silent, lastReport: first });
      await stores.health.recordPoll(later);
      expect(await stores.health.latest('n1')).toEqual({ poll: later, lastReport: later });
    });

    it('is the poll that was recorded last, even when the clock was set back', async () => {
      await stores.health.recordPoll(samplePoll({ polledAtMs: 100 }));
      const earlier = samplePoll({ polledAtMs: 50, state: 'starting' });
      await stores.health.recordPoll(earlier);
      expect(await stores.health.latest('n1')).toEqual({ poll: earlier, lastReport: earlier });
    });

    it('comes without runs and episodes', async () => {
      await stores.health.recordPoll(samplePoll({ runs: [run], episodes: [episode()] }));
      expect((await stores.health.latest('n1')).poll).toEqual(samplePoll());
    });
  });

  describe('cells', () => {
    it('count runs and polls by span and state, each with the first error', async () => {
      const poll = (polledAtMs: number, fields: Partial<CheckRun> = {}) =>
        samplePoll({
          polledAtMs,
          state: fields.state === undefined ? 'healthy' : 'unhealthy',
          reason: `at ${polledAtMs}`,
          runs: [{ ...run, ranAtMs: polledAtMs - 1, ...fields }],
        });
      const fail = { state: 'fail' } as const;
      await stores.health.recordPoll(poll(99));
      await stores.health.recordPoll(poll(101));
      await stores.health.recordPoll(poll(140, { ...fail, error: 'second' }));
      await stores.health.recordPoll(poll(130, { ...fail, error: 'first\0' }));
      await stores.health.recordPoll(poll(150, { ...fail, error: null }));
      await stores.health.recordPoll(poll(201));
      await stores.health.recordPoll(poll(301));
      const cells = await stores.health.readCells('n1', 100, 50, 4);
      const inOrder = (a: StoredCell, b: StoredCell) =>
        `${a.check} ${a.cell} ${a.state}` < `${b.check} ${b.cell} ${b.state}` ? -1 : 1;
      expect(cells.sort(inOrder)).toEqual([
        { check: 'C', cell: 0, state: 'fail', count: 3, firstError: 'first\0' },
        { check: 'C', cell: 0, state: 'pass', count: 1, firstError: null },
        { check: 'C', cell: 2, state: 'pass', count: 1, firstError: null },
        { check: null, cell: 0, state: 'healthy', count: 1, firstError: 'at 101' },
        { check: null, cell: 0, state: 'unhealthy', count: 2, firstError: 'at 130' },
        { check: null, cell: 1, state: 'unhealthy', count: 1, firstError: 'at 150' },
        { check: null, cell: 2, state: 'healthy', count: 1, firstError: 'at 201' },
      ]);
    });

    it('tell checks and nodes apart, whatever their names', async () => {
      const names = ['C', 'c', '', 'C\0', '\ud800', '<b>', '__proto__', '"'];
      const runs = names.map((check) => ({ ...run, check }));
      await stores.health.putNode({ ...node, id: 'n2' });
      await stores.health.recordPoll(samplePoll({ runs }));
      await stores.health.recordPoll(samplePoll({ nodeId: 'n2', runs: [run] }));
      const cells = await stores.health.readCells('n1', 0, 1_000_000, 1);
      const checks = cells.map(({ check }) => check).filter((check) => check !== null);
      expect(new Set(checks)).toEqual(new Set(names));
      expect(cells.every(({ count }) => count === 1)).toBe(true);
    });

    it('count a run once, however often it is reported', async () => {
      await stores.health.recordPoll(samplePoll({ polledAtMs: 10_000, runs: [run] }));
      const again = { ...run, state: 'fail' as const, error: 'later' };
      await stores.health.recordPoll(samplePoll({ polledAtMs: 20_000, runs: [again, again] }));
      const cells = await stores.health.readCells('n1', 0, 1_000_000, 1);
      expect(cells.filter(({ check }) => check === 'C')).toEqual([
        { check: 'C', cell: 0, state: 'pass', count: 1, firstError: null },
      ]);
    });

    it('know every state', async () => {
      const ofChecks = ['pass', 'fail', 'pending', 'unknown', 'stalled', 'pass'] as const;
      const ofNodes = ['healthy', 'unhealthy', 'starting', 'unreachable', 'unknown', 'stalled'] as const;
      for (const [place, state] of ofNodes.entries()) {
        const runs = [{ ...run, ranAtMs: place, state: ofChecks[place] ?? 'pass' }];
        await stores.health.recordPoll(samplePoll({ polledAtMs: place, state, runs }));
      }
      const cells = await stores.health.readCells('n1', 0, 1, 6);
      const statesOf = (check: string | null) =>
        cells
          .filter((cell) => cell.check === check)
          .sort((a, b) => a.cell - b.cell)
          .map((cell) => [cell.cell, cell.state]);
      expect(statesOf('C')).toEqual([
        [0, 'pass'],
        [1, 'fail'],
        [2, 'pending'],
        [3, 'unknown'],
        [4, 'stalled'],
        [5, 'pass'],
      ]);
      expect(statesOf(null)).toEqual([
        [0, 'healthy'],
        [1, 'unhealthy'],
        [2, 'starting'],
        [3, 'unreachable'],
        [4, 'unknown'],
        [5, 'stalled'],
      ]);
    });
  });

  it('gives episodes in pages, also those of one time', async () => {
    const begun = (id: string, startedAtMs: number, check = 'C') => episode({ id, check, startedAtMs });
    const episodes = [begun('a', 0), begun('b', 1), begun('c', 1, 'X'), begun('d', 1), begun('e', 20)];
    await stores.health.recordPoll(samplePoll({ episodes }));
    const pages = async (check: string | null) => {
      const found: string[] = [];
      for (let last: (typeof episodes)[number] | undefined; ;) {
        [last] = await stores.health.readEpisodes('n1', check, 1, last);
        if (last === undefined) return found;
        found.push(last.id);
      }
    };
    expect(await pages(null)).toEqual(['e', 'd', 'c', 'b', 'a']);
    expect(await pages('C')).toEqual(['e', 'd', 'b', 'a']);
  });

  it('counts as failing in cells what the node says afterwards, as uptime does', async () => {
    const minuteMs = 60_000;
    const atMs = 100 * minuteMs;
    const failing = {
      check: 'C',
      state: 'fail',
      ranAtMs: atMs,
      contiguousFailures: 9,
      firstFailureAtMs: atMs - 5 * minuteMs,
      error: 'behind',
    } as const;
    await stores.health.recordPoll(
      samplePoll({ polledAtMs: atMs, state: 'unhealthy', reason: 'C fails.', runs: [failing] }),
    );
    const cells = await stores.health.readCells('n1', atMs - 10 * minuteMs, minuteMs, 20);
    const of = (check: string | null) =>
      cells.filter((cell) => cell.check === check).map(({ cell, state, count }) => [cell, state, count]);
    expect(of('C').sort()).toEqual([
      [10, 'fail', 1],
      [5, 'fail', 0],
      [6, 'fail', 0],
      [7, 'fail', 0],
      [8, 'fail', 0],
      [9, 'fail', 0],
    ]);
    expect(of(null)).toHaveLength(6);
    expect(cells.find(({ check, cell }) => check === 'C' && cell === 10)?.firstError).toBe('behind');
    const uptime = await stores.health.readUptime('n1', atMs - 10 * minuteMs, atMs);
    expect(uptime.find(({ check }) => check === 'C')).toMatchObject({ downMs: 5 * minuteMs, upMs: 0 });
  });

  describe('episodes', () => {
    it('are replaced by what is known later', async () => {
      await stores.health.recordPoll(samplePoll({ episodes: [episode()] }));
      const ended = episode({
        startedAtMs: 4_000,
        startKnownFrom: 'node-reported',
        endedAtMs: 9_000,
        endKnownFrom: 'inferred',
        failuresSeen: 3,
        failuresReported: 12,
        lastError: 'last\0',
        passes: 20,
      });
      await stores.health.recordPoll(samplePoll({ episodes: [ended] }));
      expect(await stores.health.readEpisodes('n1', null, 10)).toEqual([ended]);
      const gone = { ...ended, endKnownFrom: 'unreported' } as const;
      await stores.health.recordPoll(samplePoll({ episodes: [gone] }));
      expect(await stores.health.readEpisodes('n1', null, 10)).toEqual([gone]);
      expect(await stores.health.currentEpisodes('n1')).toEqual([]);
    });

    it('are read newest start first, of all checks or one', async () => {
      const episodes = [
        episode({ id: 'a', check: 'C', startedAtMs: 1 }),
        episode({ id: 'b', check: 'P', startedAtMs: 3, endedAtMs: 4, endKnownFrom: 'seen' }),
        episode({ id: 'c', check: 'C', startedAtMs: 2, endedAtMs: 4, endKnownFrom: 'seen' }),
      ];
      await stores.health.recordPoll(samplePoll({ episodes }));
      const idsOf = (found: StoredEpisode[]) => found.map(({ id }) => id);
      expect(idsOf(await stores.health.readEpisodes('n1', null, 10))).toEqual(['b', 'c', 'a']);
      expect(idsOf(await stores.health.readEpisodes('n1', null, 2))).toEqual(['b', 'c']);
      expect(idsOf(await stores.health.readEpisodes('n1', 'C', 10))).toEqual(['c', 'a']);
      expect(idsOf(await stores.health.readEpisodes('n1', 'X', 10))).toEqual([]);
      expect(idsOf(await stores.health.currentEpisodes('n1'))).toEqual(['a']);
      expect(idsOf(await stores.health.currentEpisodes('gone'))).toEqual([]);
      // Passes are counted only until the check fails again.
      const [first, second] = [1, 5].map((startedAtMs) =>
        episode({
          id: `x${startedAtMs}`,
          check: 'X',
          startedAtMs,
          endedAtMs: startedAtMs + 1,
          endKnownFrom: 'seen',
        }),
      );
      if (first === undefined || second === undefined) throw new Error('two were made');
      const current = async (...changed: StoredEpisode[]) => {
        await stores.health.recordPoll(samplePoll({ episodes: changed }));
        return idsOf(await stores.health.currentEpisodes('n1'));
      };
      expect(await current({ ...first, passes: 2 })).toEqual(['a', 'x1']);
      expect(await current({ ...second, passes: 1 })).toEqual(['a', 'x5']);
      expect(await current({ ...second, passes: 20 })).toEqual(['a']);
    });
  });

  it('records all of a poll or nothing', async () => {
    await stores.health.recordPoll(samplePoll({ polledAtMs: 1 }));
    const hostile = { ...run, check: 'P', contiguousFailures: 2 ** 64 };
    const poll = samplePoll({
      polledAtMs: 2,
      state: 'unhealthy',
      runs: [run, hostile],
      episodes: [episode()],
    });
    expect(await storageMessage(stores.health.recordPoll(poll))).toMatch(/not exact/);
    expect((await stores.health.latest('n1')).poll?.polledAtMs).toBe(1);
    expect(await stores.health.readCells('n1', 0, 1_000_000, 1)).toHaveLength(1);
    expect(await stores.health.readEpisodes('n1', null, 10)).toEqual([]);
  });

  it('forgets days that are too old and keeps episodes and what is known now', async () => {
    const dayMs = 86_400_000;
    const poll = (polledAtMs: number) =>
      samplePoll({ polledAtMs, runs: [{ ...run, ranAtMs: polledAtMs }], episodes: [episode()] });
    await stores.health.recordPoll(poll(10_000));
    await stores.health.recordPoll(poll(dayMs + 10_000));
    const maintain = async (day: number) => {
      const limits = { nowMs: day * dayMs + 1, keepDays: 3, keepBytesPerNode: 1e9, recoverAfter: 1 };
      while (await stores.health.maintain(limits));
    };
    const counts = async () =>
      (await stores.health.readCells('n1', 0, dayMs, 5)).map(({ check, cell }) => [check, cell]);
    await maintain(3);
    expect(new Set(await counts())).toEqual(
      new Set([
        [null, 0],
        [null, 1],
        ['C', 0],
        ['C', 1],
      ]),
    );
    await maintain(4);
    expect(await counts()).toEqual([
      [null, 1],
      ['C', 1],
    ]);
    await maintain(5);
    expect(await counts()).toEqual([]);
    expect((await stores.health.latest('n1')).lastReport).toEqual(samplePoll({ polledAtMs: dayMs + 10_000 }));
    expect(await stores.health.readEpisodes('n1', null, 10)).toEqual([episode()]);
  });

  it('keeps what the user has said about incidents, and changes it', async () => {
    const mark = { episodeId: 'e2', note: 'a\0b' };
    await stores.health.putIncidentMark('n1', mark);
    await stores.health.putIncidentMark('n1', { episodeId: 'e1', note: '' });
    await stores.health.putIncidentMark('n1', { ...mark, note: 'disk was full' });
    expect(await stores.health.readIncidentMarks('n1')).toEqual([
      { episodeId: 'e1', note: '' },
      { ...mark, note: 'disk was full' },
    ]);
    expect(await stores.health.readIncidentMarks('gone')).toEqual([]);
    expect(await storageMessage(stores.health.putIncidentMark('gone', mark))).toMatch(/removed/);
  });
});

function episode(fields: Partial<StoredEpisode> = {}): StoredEpisode {
  return {
    id: 'e1',
    check: 'C',
    startedAtMs: 5_000,
    startKnownFrom: 'seen',
    endedAtMs: null,
    endKnownFrom: null,
    failuresSeen: 1,
    failuresReported: null,
    firstError: 'first',
    lastError: null,
    passes: 20,
    ...fields,
  };
}
