import { beforeAll, describe, expect, it } from 'vitest';
import { createMemoryStores } from '../../../adapters/storage/testing/memory-stores.ts';
import { unwrap } from '../../../../shared/errors.ts';
import { noAnswer } from '../../../../shared/health/no-answer.ts';
import type { Incident } from '../../../../shared/health/types.ts';
import { readIncidents } from '../incidents/known-incidents.ts';
import { clusterNodes, playCluster, urlOfNode } from '../testing/real-cluster.ts';
import { createServiceWorld } from '../testing/service-world.ts';

type Moment = [second: number, state: string, reason: string];

interface Seen {
  states: Moment[];
  incidents: [fromSecond: number, toSecond: number | null, checks: string, error: string | null][];
  /** Of the node, in whole seconds. */
  uptime: { up: number; down: number; unreachable: number; unknown: number };
  uptimeOfC: { up: number; down: number };
  requests: number;
}

/** What the app shows of ten minutes of real nodes, by node. */
const seen = new Map<number, Seen>();

beforeAll(async () => {
  const world = await createServiceWorld(createMemoryStores().health);
  const { startMs } = playCluster(world);
  const inSeconds = (ms: number): number => Math.round((ms - startMs) / 1_000);
  const states = new Map<string, Moment[]>();
  world.events.on('node.changed', ({ node, state, reason, lastPollAtMs }) => {
    const moments = states.get(node.id) ?? [];
    states.set(node.id, moments);
    const last = moments.at(-1);
    if (lastPollAtMs === null || (last?.[1] === state && last[2] === reason)) return;
    moments.push([inSeconds(world.time.clock.nowMs()), state, reason]);
  });
  const ids: string[] = [];
  for (const node of clusterNodes) ids.push((await world.add(urlOfNode(node), null)).id);
  await world.time.advance(600_000);
  const partsOf = ({ parts }: Incident): string =>
    parts
      .map(({ check }) => (check === noAnswer ? 'no answer' : check))
      .sort()
      .join(' ');
  for (const node of clusterNodes) {
    const id = ids[node - 1] ?? '';
    const source = { id, name: '', store: world.store.port, chainChecks: null, sinceMs: 0 };
    const { incidents } = await readIncidents(source, { failAfter: 1, recoverAfter: 1 });
    const uptimes = unwrap(await world.past.uptime({ id, fromMs: startMs, toMs: startMs + 600_000 }));
    const [ofNode] = uptimes;
    const ofC = uptimes.find(({ name }) => name === 'C');
    const rounded = (ms: number | undefined): number => Math.round((ms ?? 0) / 1_000);
    seen.set(node, {
      states: states.get(id) ?? [],
      incidents: incidents
        .map((incident): Seen['incidents'][number] => [
          inSeconds(incident.startedAtMs),
          incident.endedAtMs === null ? null : inSeconds(incident.endedAtMs),
          partsOf(incident),
          incident.firstError,
        ])
        .reverse(),
      uptime: {
        up: rounded(ofNode?.upMs),
        down: rounded(ofNode?.downMs),
        unreachable: rounded(ofNode?.unreachableMs),
        unknown: rounded(ofNode?.unknownMs),
      },
      uptimeOfC: { up: rounded(ofC?.upMs), down: rounded(ofC?.downMs) },
      requests: world.http.requests.filter(({ url }) => url.startsWith(`${urlOfNode(node)}/`)).length,
    });
  }
}, 120_000);

const all = 'All 10 checks pass.';
const refused = 'The node refused the connection.';
const starting = '2 of 10 checks fail: Next upgrade and Network.';
const noStake = '3 of 10 checks fail: C-Chain, P-Chain and X-Chain.';
const noPeers = 'no validators in the current validator set';
const stake = expect.stringContaining('connected to 60.000000%') as string;
/** The first recorded answers came ten seconds after the start, with checks that had run. */
const first: Moment[] = [
  [0, 'unreachable', refused],
  [11, 'unhealthy', starting],
];

describe('five real nodes', () => {
  // What was recorded is seen up to 10 s late, and so half a minute later where that is just after a poll.
  it.each<[string, number, Moment[]]>([
    [
      'node 1, which runs its checks every 10 s, sees the stake go and come back',
      1,
      [...first, [26, 'healthy', all], [180, 'unhealthy', noStake], [300, 'healthy', all]],
    ],
    [
      'node 2 is told to end, and starts with a disk warning',
      2,
      [
        ...first,
        [41, 'healthy', all],
        [191, 'unhealthy', noStake],
        [311, 'healthy', all],
        [510, 'unreachable', refused],
        [542, 'unhealthy', '3 of 10 checks fail: Disk space, Next upgrade and Network.'],
        [581, 'unhealthy', '1 of 10 checks fails: Disk space.'],
      ],
    ],
    [
      'node 3 hangs for a minute',
      3,
      [
        ...first,
        [41, 'healthy', all],
        [191, 'unhealthy', noStake],
        [311, 'healthy', all],
        [404, 'unreachable', 'The node didn’t respond in time.'],
        [460, 'unhealthy', '1 of 10 checks fails: Network.'],
        [499, 'healthy', all],
      ],
    ],
    [
      'node 4 is killed after 170 s',
      4,
      [
        ...first,
        [41, 'healthy', all],
        [170, 'unreachable', refused],
        [302, 'unhealthy', starting],
        [338, 'healthy', all],
      ],
    ],
    [
      'node 5 is killed after 100 s',
      5,
      [
        ...first,
        [41, 'healthy', all],
        [100, 'unreachable', refused],
        [322, 'unhealthy', starting],
        [351, 'healthy', all],
      ],
    ],
  ])('%s', (_what, node, states) => {
    expect(seen.get(node)?.states).toEqual(states);
  });

  it.each<[number, Seen['incidents']]>([
    [1, [[170, 290, 'C P X', stake]]],
    [
      2,
      [
        [180, 300, 'C P X', stake],
        [510, 542, 'no answer', refused],
        [530, null, 'diskspace futureupgrade network', expect.stringContaining('(29%) is below') as string],
      ],
    ],
    [
      3,
      [
        [180, 300, 'C P X', stake],
        [404, 460, 'no answer', 'The node didn’t respond in time.'],
        [460, 480, 'network', expect.stringContaining('no messages from network received in') as string],
      ],
    ],
    [
      4,
      [
        [170, 302, 'no answer', refused],
        [290, 320, 'futureupgrade network', noPeers],
      ],
    ],
    [
      5,
      [
        [100, 322, 'no answer', refused],
        [310, 340, 'futureupgrade network', noPeers],
      ],
    ],
  ])('leave incidents behind: node %i', (node, incidents) => {
    const [silent, begun, ...later] = seen.get(node)?.incidents ?? [];
    expect(silent).toEqual([0, 11, 'no answer', refused]);
    expect(begun).toMatchObject({ 0: 0, 1: node === 1 ? 10 : 30, 2: 'futureupgrade network' });
    expect(later).toEqual(incidents);
  });

  it('have an uptime to the run, in which a dead node is not up', () => {
    const unreachable = [0, 20, 56, 120, 210];
    for (const [index, node] of clusterNodes.entries()) {
      const uptime = seen.get(node)?.uptime ?? { up: 0, down: 0, unreachable: 0, unknown: 0 };
      const expected = unreachable[index] ?? 0;
      expect(Math.abs(uptime.unreachable - expected)).toBeLessThanOrEqual(1);
      const { up, down, unknown } = uptime;
      expect(Math.abs(up + down + uptime.unreachable + unknown - 600)).toBeLessThanOrEqual(2);
    }
    expect(seen.get(5)?.uptime).toEqual({ up: 330, down: 60, unreachable: 210, unknown: 0 });
    // C failed where the stake was away: in four runs of 30 s, twelve of 10 s; the dead have not run it.
    expect(clusterNodes.map((node) => seen.get(node)?.uptimeOfC.down)).toEqual([120, 120, 120, 0, 0]);
  });

  it('have few requests to answer', () => {
    // Ten minutes each, with a connection every 2 s while nobody is there.
    for (const node of clusterNodes) expect(seen.get(node)?.requests).toBeLessThanOrEqual(53);
  });
});
