import type { HttpOutcome } from '../src/main/core/ports.ts';
import { createMemoryStores } from '../src/main/adapters/storage/testing/memory-stores.ts';
import { jsonAnswer, type FakeServer } from '../src/main/core/health/testing/fake-ports.ts';
import { createServiceWorld, flippingChecks } from '../src/main/core/health/testing/service-world.ts';
import type { HistorySource } from '../src/main/core/health/history/history-source.ts';
import { IncidentService } from '../src/main/core/health/incidents/incident-service.ts';
import { defaultSettings } from '../src/shared/settings.ts';
import { clock, median, openBenchStore, report } from './bench-harness.ts';
import { dayMs, hourMs, nodeOf } from './bench-node-history.ts';

/** What a node gets behind doors that answer oddly, and what a day of a node with 200 checks costs the storage thread. */

const fails = (reason: Extract<HttpOutcome, { kind: 'failure' }>['reason']): FakeServer => {
  const outcome = { kind: 'failure', reason, detail: '' } as const;
  return ({ timeoutMs }) => (timeoutMs === 0 ? jsonAnswer(200, '') : outcome);
};
const report200: FakeServer = () => jsonAnswer(200, { healthy: true, checks: {} });

const doors: Readonly<Record<string, { server: FakeServer; endsIdleMs?: readonly number[] }>> = {
  'accepts and closes': { server: fails('reset') },
  'sends a banner': { server: fails('network') },
  'speaks no TLS': { server: fails('tls') },
  'accepts, and then refuses': { server: fails('refused') },
  'answers garbage': { server: () => jsonAnswer(200, 'garbage') },
  'ends idle connections after 4 and 9 s in turn': { server: report200, endsIdleMs: [4_000, 9_000] },
  'refuses GET': {
    server: ({ method, body = '{}' }) =>
      method === 'GET'
        ? jsonAnswer(405, '')
        : jsonAnswer(200, { ...JSON.parse(body), result: { healthy: true, checks: {} } }),
  },
};

export async function benchDoors(): Promise<void> {
  for (const [door, { server, endsIdleMs = [] }] of Object.entries(doors)) {
    const world = await createServiceWorld(createMemoryStores().health);
    const { time, http, service } = world;
    http.serve('http://a', server);
    await world.add('http://a', null);
    for (let at = 0; at * 7_000 < hourMs; at += 1) {
      const endsMs = endsIdleMs[at % endsIdleMs.length];
      if (endsMs !== undefined) http.endIdle('http://a', endsMs);
      await time.advance(7_000);
    }
    await service.stop();
    report(`a host that ${door}: requests a minute`, http.requests.length / 60, { atMost: 5 });
    report(`a host that ${door}: connections without a request`, http.connects.length / 60, { atMost: 30 });
  }
}

export async function benchManyChecks(): Promise<void> {
  const { store, remove } = await openBenchStore();
  const { health } = store;
  await health.putNode(nodeOf('many'));
  const endMs = Math.floor(Date.now() / hourMs) * hourMs - 20 * 60_000;
  const poll = async (polledAtMs: number): Promise<void> => {
    const runs = Array.from({ length: 200 }, (_, index) => ({
      check: `check ${index}`,
      state: 'pass' as const,
      ranAtMs: polledAtMs - 300 - index,
      contiguousFailures: null,
      firstFailureAtMs: null,
      error: null,
    }));
    const answer = { state: 'healthy' as const, reason: '', reportedNodeId: null, reportJson: null };
    await health.recordPoll({ nodeId: 'many', polledAtMs, ...answer, runs, episodes: [] });
  };
  for (let atMs = endMs - dayMs; atMs < endMs; atMs += 30_000) {
    await poll(atMs);
    if (atMs % hourMs >= 30_000) continue;
    while (
      await health.maintain({ nowMs: atMs + 60_000, keepDays: 365, keepBytesPerNode: 1e9, recoverAfter: 1 })
    );
  }
  const took = { uptime: [0], tile: [0] };
  for (let at = 0; at < 10; at += 1) {
    const toMs = endMs + at * 30_000;
    await poll(toMs);
    let startMs = performance.now();
    await health.readCells('many', toMs - dayMs, dayMs / 96, 96, true);
    const tileMs = performance.now() - startMs;
    startMs = performance.now();
    await health.readUptime('many', toMs - dayMs, toMs);
    const uptimeMs = performance.now() - startMs;
    if (at === 0)
      console.log(`200 checks, first time: a tile ${tileMs.toFixed(0)} ms, uptime ${uptimeMs.toFixed(0)} ms`);
    else {
      took.tile.push(tileMs);
      took.uptime.push(uptimeMs);
    }
  }
  report('200 checks: the cells of a tile after each poll', median(took.tile), { atMost: 5 }, ' ms');
  report('200 checks: the uptime of a day after each poll', median(took.uptime), { atMost: 50 }, ' ms');
  await remove();
}

const filter = { nodeId: null, check: null, state: 'all', fromMs: null, toMs: null, text: '' } as const;
const newest = { filter, offset: 0, limit: 50 };

/** Without anything kept yet. */
function incidentsOf(source: HistorySource): IncidentService {
  return new IncidentService({
    emit: () => undefined,
    sources: { all: () => [source], every: () => [source], find: () => source },
    thresholds: () => defaultSettings.health,
    saver: { choose: () => Promise.resolve(null), write: () => Promise.resolve() },
    clock,
  });
}

/** Three of 200 checks fail for six hours, with messages: how long the first list of incidents takes, and one while it reads on. */
export async function benchLongFailure(): Promise<void> {
  const { store, remove } = await openBenchStore();
  const { health } = store;
  await health.putNode(nodeOf('many'));
  const endMs = Math.floor(Date.now() / hourMs) * hourMs - 20 * 60_000;
  const fromMs = endMs - 6 * hourMs;
  for (let atMs = fromMs; atMs < endMs; atMs += 30_000) {
    const failures = 1 + (atMs - fromMs) / 30_000;
    const checks = Array.from({ length: 200 }, (_, index) => ({
      name: `check ${index}`,
      ranAtMs: atMs - 300 - index,
      durationNs: '1000000',
      message: { connectedPeers: (atMs / 30_000 + index) % 977, note: 'a text of a message' },
      ...(index < 3
        ? { state: 'fail' as const, error: 'down', contiguousFailures: failures, firstFailureAtMs: fromMs }
        : { state: 'pass' as const, error: null, contiguousFailures: null, firstFailureAtMs: null }),
    }));
    const runs = checks.map(
      ({ name: check, durationNs, message, ...run }) => (void [durationNs, message], { check, ...run }),
    );
    const episodes = checks.slice(0, 3).map(({ name: check }) => ({
      id: check,
      check,
      startedAtMs: fromMs - 1_000,
      startKnownFrom: 'seen' as const,
      endedAtMs: null,
      endKnownFrom: null,
      failuresSeen: failures,
      failuresReported: failures,
      firstError: 'down',
      lastError: 'down',
      passes: 0,
    }));
    const answer = { state: 'unhealthy' as const, reason: '', reportedNodeId: null };
    const reportJson = JSON.stringify({ healthy: false, checks, notes: [] });
    await health.recordPoll({ nodeId: 'many', polledAtMs: atMs, ...answer, reportJson, runs, episodes });
  }
  while (
    await health.maintain({ nowMs: endMs + 60_000, keepDays: 365, keepBytesPerNode: 1e9, recoverAfter: 1 })
  );
  const incidents = incidentsOf({ id: 'many', name: 'many', store: health, chainChecks: null, sinceMs: 0 });
  for (const which of ['first list of incidents', 'next one, while messages are read on']) {
    const startMs = performance.now();
    const { incidents: shown } = await incidents.list(newest);
    if (shown[0]?.worst.length === 0) throw new Error('Nothing was read of the messages.');
    report(`200 checks, a long failure: the ${which}`, performance.now() - startMs, { atMost: 100 }, ' ms');
  }
  await remove();
}

/** 5,000 checks fail and pass in turn for 60 polls, with room for 5 MB: what is kept, and how long the list of incidents takes. */
export async function benchFlippingChecks(): Promise<void> {
  const { health } = createMemoryStores();
  const world = await createServiceWorld(health);
  world.limits.keepMegabytesPerNode = 5;
  world.http.serve('http://a', flippingChecks(world.time, 5_000));
  await world.add('http://a', 30_000);
  const startMs = performance.now();
  let most = 0;
  for (let minutes = 0; minutes < 30; minutes += 1) {
    await world.time.advance(60_000);
    most = Math.max(most, (await health.historyUse())[0]?.bytes ?? 0);
  }
  console.log(`5,000 flipping checks: ${((performance.now() - startMs) / 60).toFixed(0)} ms a poll`);
  report('5,000 flipping checks, 60 polls: most that is stored', most / 1e6, { atMost: 5.5 }, ' MB');
  const [source] = world.service.historySources();
  if (source === undefined) throw new Error('The node is not watched.');
  const listedMs = performance.now();
  await incidentsOf(source).list(newest);
  report(
    '5,000 flipping checks: the list of incidents',
    performance.now() - listedMs,
    { atMost: 400 },
    ' ms',
  );
  await world.service.stop();
}

/** 5,000 failures of a node, of one check or of 2,500 at a time: the first list of incidents, and those after polls that change one. */
export async function benchManyEpisodes(): Promise<void> {
  const count = 5_000;
  for (const checks of [1, 2_500]) {
    const name = `${count} failures of ${checks === 1 ? 'one check' : `${checks} checks`}`;
    const { store, remove } = await openBenchStore();
    const { health } = store;
    await health.putNode(nodeOf('many'));
    const endMs = Math.floor(Date.now() / hourMs) * hourMs;
    const poll = { nodeId: 'many', state: 'healthy', reason: '', reportedNodeId: null } as const;
    const episodes = Array.from({ length: count }, (_, index) => {
      const startedAtMs =
        endMs - (count / checks - Math.floor(index / checks)) * 600_000 * Math.min(checks, 20);
      return {
        id: `2f1c90aa-4c55-4f0e-9d54-${String(index).padStart(12, '0')}`,
        check: `check ${index % checks}`,
        startedAtMs,
        startKnownFrom: 'seen' as const,
        endedAtMs: startedAtMs + 30_000,
        endKnownFrom: 'seen' as const,
        failuresSeen: 1,
        failuresReported: 1,
        firstError: 'not connected to a minimum of 1 peer(s) only 0',
        lastError: 'not connected to a minimum of 1 peer(s) only 0',
        passes: 20,
      };
    });
    for (let from = 0; from < count; from += 1_000) {
      const some = episodes.slice(from, from + 1_000);
      await health.recordPoll({ ...poll, polledAtMs: endMs, reportJson: null, runs: [], episodes: some });
    }
    const incidents = incidentsOf({ id: 'many', name: 'many', store: health, chainChecks: null, sinceMs: 0 });
    const list = async (): Promise<number> => {
      const startMs = performance.now();
      const answer = await incidents.list(newest);
      const tookMs = performance.now() - startMs;
      if (answer.totalCount !== count / checks) throw new Error(`There are ${answer.totalCount} incidents.`);
      return tookMs;
    };
    report(`${name}: the first list of incidents`, await list(), { atMost: 100 }, ' ms');
    const later: number[] = [];
    for (let at = 1; at <= 20; at += 1) {
      const [changed] = episodes.slice(-1);
      if (changed === undefined) break;
      const episode = {
        ...changed,
        endedAtMs: changed.endedAtMs + at * 30_000,
        failuresSeen: 1 + at,
        passes: 1,
      };
      const next = {
        ...poll,
        polledAtMs: endMs + at * 30_000,
        reportJson: null,
        runs: [],
        episodes: [episode],
      };
      await health.recordPoll(next);
      incidents.pollRecorded(next);
      later.push(await list());
    }
    report(`${name}: a list after each poll`, median(later), { atMost: 50 }, ' ms');
    await remove();
  }
}
