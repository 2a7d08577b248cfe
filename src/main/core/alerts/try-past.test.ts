import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../../../shared/settings.ts';
import { foldRun } from '../health/episodes/episodes.ts';
import { createAlertWorld } from './testing/alert-world.ts';

const minuteMs = 60_000;
const { failAfter, recoverAfter, silentSeconds } = defaultSettings.alerts;
const failureOf = (id: string, check: string, ranAtMs: number) => {
  const unreported = { contiguousFailures: null, firstFailureAtMs: null };
  const run = { check, state: 'fail', ranAtMs, error: `${check} is down`, ...unreported } as const;
  const { changed } = foldRun(null, null, run, () => id);
  return changed[0] ?? expect.unreachable();
};
const usual = { nodeId: null, failAfter, recoverAfter, silentSeconds };

/** Two nodes with a past: a single failed run, half an hour of failures, both without an answer, one of them briefly. */
async function createPast() {
  const world = await createAlertWorld();
  const hosts = ['127.0.0.1:9650', '127.0.0.2:9650'];
  const [first, second] = await Promise.all(hosts.map((host) => world.addNode(host)));
  if (first === undefined || second === undefined) throw new Error('two nodes');
  const hours = (count: number) => world.time.advance(count * 60 * minuteMs);
  const serve = () => {
    world.http.serve('http://127.0.0.1:9650', first.server);
    world.http.serve('http://127.0.0.2:9650', second.server);
  };
  await hours(0.1);
  first.failing.add('C');
  await world.time.advance(50_000);
  first.failing.clear();
  await hours(0.5);
  first.failing.add('C');
  await hours(0.5);
  first.failing.clear();
  await hours(0.5);
  for (const host of hosts) world.down(host);
  await hours(0.9);
  serve();
  await hours(0.5);
  world.down(hosts[1] ?? '');
  await world.time.advance(75_000);
  serve();
  await hours(0.1);
  return world;
}

describe('thresholds tried on the past', () => {
  let past: ReturnType<typeof createPast> | null = null;
  /** The past, which trying leaves as it is, with the settings of before. */
  const withPast = async () => {
    const world = await (past ??= createPast());
    world.settings.update({ alerts: defaultSettings.alerts });
    return world;
  };

  it('find what was really told by the same ones', async () => {
    const world = await withPast();
    const begun = world.sent.filter(({ id }) => id.includes(' begin '));
    const { count, newest } = await world.alerts.tryPast(usual);
    expect(begun.map(({ title }) => title)).toEqual(['C-Chain on 127: C is down', '127 isn’t responding']);
    expect(newest.map(({ title }) => title).reverse()).toEqual(begun.map(({ title }) => title));
    expect(count).toBe(2);
    expect(newest.map(({ incident }) => incident?.nodeId)).toEqual(['id-1', 'id-1']);
  });

  it('of one node are tried on its past alone, and a pause hides nothing of it', async () => {
    const world = await withPast();
    const { alerts } = world.settings.current();
    world.settings.update({ alerts: { ...alerts, pausedUntilMs: Infinity } });
    const told = async (nodeId: string | null) => (await world.alerts.tryPast({ ...usual, nodeId })).count;
    expect(await Promise.all([null, 'id-1', 'id-2'].map(told))).toEqual([2, 2, 1]);
  });

  it('find more by stricter ones, and less by more patient ones', async () => {
    const world = await withPast();
    const told = async (changed: Partial<typeof usual>) =>
      (await world.alerts.tryPast({ ...usual, ...changed })).count;
    expect(await told({ failAfter: 1 })).toBe(3);
    expect(await told({ silentSeconds: 30 })).toBe(3);
    expect(await told({ silentSeconds: 3_600 })).toBe(1);
    const { alerts } = world.settings.current();
    world.settings.update({ alerts: { ...alerts, rules: { ...alerts.rules, incident: 'off' } } });
    expect(await told({})).toBe(0);
  });

  it('count nothing that was told before the last 30 days, also where its node has failed otherwise since', async () => {
    const world = await createAlertWorld();
    await world.addNode('node-1.example');
    const nowMs = world.time.clock.nowMs();
    const ago = (days: number, check: string) => ({
      ...failureOf(check, check, nowMs - days * 86_400_000),
      failuresSeen: 9,
    });
    world.store.replace({ readEpisodes: async () => [ago(10, 'disk'), ago(40, 'C')] });
    const { newest } = await world.alerts.tryPast(usual);
    expect(newest.map(({ title }) => title)).toEqual(['disk on node-1: disk is down']);
  });

  it('leave the app time for other work where thousands of failures are stored', async () => {
    const world = await createAlertWorld();
    await world.addNode('node-1.example');
    const nowMs = world.time.clock.nowMs();
    const episodes = Array.from({ length: 10_000 }, (_, index) => ({
      ...failureOf(`e${index}`, 'C', nowMs - (index + 1) * 4 * minuteMs),
      ...{ endedAtMs: nowMs - (index + 1) * 4 * minuteMs + minuteMs, passes: 3, failuresSeen: 3 },
    }));
    world.store.replace({
      readEpisodes: async (_node, _check, limit, after) => {
        const first = Number((after?.id ?? 'e-1').slice(1)) + 1;
        return episodes.slice(first, first + limit);
      },
    });
    const counts: number[] = [];
    void world.alerts.tryPast(usual).then(({ count }) => counts.push(count));
    await world.time.settle();
    expect(counts).toEqual([]);
    for (let turn = 0; turn < 200; turn += 1) await world.time.advance(0);
    expect(counts).toEqual([2]);
  });
});
