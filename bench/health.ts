import { fork } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createHttpClient } from '../src/main/adapters/http/http-client.ts';
import { openNetwork } from '../src/main/adapters/http/testing/open-network.ts';
import { createNodeLines } from '../src/main/adapters/http/node-line.ts';
import { filesIn } from '../src/main/adapters/storage/opening/files.ts';
import { createMemoryStores } from '../src/main/adapters/storage/testing/memory-stores.ts';
import { createRandom } from '../src/main/adapters/storage/testing/noise.ts';
import type { HealthStore } from '../src/main/core/health-ports.ts';
import { IncidentService } from '../src/main/core/health/incidents/incident-service.ts';
import { createNodeService } from '../src/main/core/health/node/node-service.ts';
import { HistoryService } from '../src/main/core/health/history/history-service.ts';
import { jsonAnswer } from '../src/main/core/health/testing/fake-ports.ts';
import { createServiceWorld } from '../src/main/core/health/testing/service-world.ts';
import { forecastSample, forecastsOf } from '../src/shared/health/forecast.ts';
import { defaultSettings } from '../src/shared/settings.ts';
import {
  clock,
  isAsked,
  load,
  log,
  median,
  openBenchStore,
  random,
  report,
  timers,
} from './bench-harness.ts';
import {
  benchDoors,
  benchFlippingChecks,
  benchLongFailure,
  benchManyChecks,
  benchManyEpisodes,
} from './bench-node-doors.ts';
import {
  createNodePast,
  dayMs,
  days,
  daysWithMessages,
  endMs,
  failuresOf,
  hourMs,
  limits,
  nodeOf,
  seedNode,
  yearStartMs,
} from './bench-node-history.ts';

/**
 * Node health: the disk space of a year of history and how fast it is read; how soon a change is seen, with how many
 * requests; what polling 200 nodes costs.
 */

/** Also prints processor time, which does not depend on how busy the machine is. */
async function timed<T>(name: string, work: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const rounds = 7;
  const times: number[] = [];
  let value = await work();
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round += 1) {
    const startMs = performance.now();
    value = await work();
    times.push(performance.now() - startMs);
  }
  console.log(`${name}: ${(cpuMs(before) / rounds).toFixed(0)} ms of the processor; ${load()}`);
  return { ms: median(times), value };
}

function cpuMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Runs once for each place, with nothing cached; returns the slowest time in ms. */
async function onceEach(
  name: string,
  places: readonly number[],
  work: (place: number) => Promise<unknown>,
): Promise<number> {
  let slowest = 0;
  const before = process.cpuUsage();
  for (const place of places) {
    const startMs = performance.now();
    await work(place);
    slowest = Math.max(slowest, performance.now() - startMs);
  }
  console.log(`${name}: ${(cpuMs(before) / places.length).toFixed(0)} ms of the processor each; ${load()}`);
  return slowest;
}

/** The services that read the past for the window, without any caches yet. */
function pastOf(store: HealthStore, ids: readonly string[]) {
  const all = ids.map((id) => ({ id, name: id, store, chainChecks: null, sinceMs: 0 }));
  const find = (id: string) => all.find((source) => source.id === id) ?? null;
  const sources = { all: () => all, every: () => all, find };
  const saver = { choose: () => Promise.resolve(null), write: () => Promise.resolve() };
  const thresholds = () => defaultSettings.health;
  const forecaster = {
    sample: (...args: Parameters<typeof forecastSample>) => Promise.resolve(forecastSample(...args)),
    forecasts: (...args: Parameters<typeof forecastsOf>) => Promise.resolve(forecastsOf(...args)),
  };
  return {
    past: new HistoryService(sources, forecaster),
    incidents: new IncidentService({ sources, thresholds, saver, clock, emit: () => undefined }),
  };
}

/** The user's time zone: a half-hour offset, so that no day of the user's equals a UTC day of the store. */
const zoneMs = 5.5 * hourMs;

/** The window's calls for opening a day: strips in cells of five minutes, uptime, changes, the newest report. */
async function openDay({ past }: ReturnType<typeof pastOf>, id: string, day: number): Promise<void> {
  const fromMs = yearStartMs + (day + 1) * dayMs - zoneMs;
  const toMs = fromMs + dayMs;
  const [strips, , changes] = await Promise.all([
    past.strips({ id, fromMs, toMs, cellCount: 288, limit: 26 }),
    past.uptime({ id, fromMs, toMs }),
    past.moments({ id, fromMs, toMs: toMs - 1, limit: 20_000 }),
  ]);
  const shown = await past.reportAt({ id, atMs: changes.moments.at(-1)?.atMs ?? toMs });
  if (strips.length < 11 || !shown?.report?.checks.some(({ message }) => message !== null)) {
    throw new Error(`The day ${day} of ${id} is not complete.`);
  }
}

const nodeIds = Array.from({ length: Math.min(20, Math.ceil(days / 10)) }, (_, index) => `node-${index}`);

async function benchHistory(): Promise<void> {
  const { store: empty, directory, reopen, remove } = await openBenchStore();
  for (const id of nodeIds) await empty.health.putNode(nodeOf(id));
  await empty.close();
  const startedMs = performance.now();
  const seeded = nodeIds.map((id, index) =>
    seedNode(filesIn(directory).store, id, index === 0 ? 0 : days - 2, index + 1),
  );
  console.log(
    `seeded in ${((performance.now() - startedMs) / 1000).toFixed(0)} s: one node with ${days} days of runs every 30 s, ${nodeIds.length - 1} with two`,
  );
  const { health } = await reopen();
  const failures = failuresOf(0);
  for (const [index, id] of nodeIds.entries()) {
    const last = createNodePast(index + 1)(days * 24, true).slice(0, 5);
    for (const [place, poll] of last.entries()) {
      const episodes = index > 0 ? [] : failures.slice(place * 500, place * 500 + 500);
      await health.recordPoll({ nodeId: id, ...poll, episodes });
    }
  }
  report('packing an hour, median', median(seeded[0]?.packMs ?? []), { atMost: 50 }, ' ms');
  report('computing a day, median', median(seeded[0]?.dayMs ?? []), { atMost: 150 }, ' ms');
  const services = pastOf(health, nodeIds);
  report(
    `a day opened for the first time, slowest of ${daysWithMessages.length}`,
    await onceEach('a day', daysWithMessages, (day) => openDay(services, 'node-0', day)),
    { atMost: 100 },
    ' ms',
  );
  report(
    `a day of each of ${nodeIds.length} nodes, slowest`,
    await onceEach(
      'a day of each node',
      nodeIds.map((_, index) => index),
      (index) => openDay(services, `node-${index}`, days - 2),
    ),
    { atMost: 100 },
    ' ms',
  );
  const year = { id: 'node-0', fromMs: yearStartMs, toMs: endMs };
  const strip = await timed(
    'year strip',
    async () => await services.past.strips({ ...year, cellCount: days, limit: 26 }),
  );
  if (strip.value.length !== 12) throw new Error('The year strip is not complete.');
  report('year strip', strip.ms, { atMost: 50 }, ' ms');
  const odd = await timed('year strip, cells beginning at an odd second', () =>
    health.readCells('node-0', yearStartMs + 12_345, dayMs, days - 1),
  );
  console.log(`year strip, cells beginning at an odd second: ${odd.ms.toFixed(0)} ms`);
  const uptime = await timed('uptime of a year', async () => await services.past.uptime(year));
  report('uptime of a year', uptime.ms, { atMost: 100 }, ' ms');
  const month = await timed('changes of a month', () =>
    health.readMoments('node-0', endMs - 30 * dayMs, endMs, 100_000),
  );
  console.log(`changes of a month (${month.value.moments.length}): ${month.ms.toFixed(0)} ms`);

  const filter = { nodeId: null, check: null, state: 'all', fromMs: null, toMs: null, text: '' } as const;
  // New services in each round, so nothing is cached between rounds.
  const page = { filter, offset: 0, limit: 50 };
  const incidents = await timed('incidents', async () => await pastOf(health, nodeIds).incidents.list(page));
  const { totalCount } = incidents.value;
  if (totalCount !== failures.length) {
    throw new Error(`Of ${failures.length} failures there are ${totalCount} incidents.`);
  }
  // A list does not wait for all of these: the window asks again when they are there.
  const whole = await timed('incidents, until all of the newest 50 have their worst values', async () => {
    const service = pastOf(health, nodeIds).incidents;
    for (;;) {
      const { incidents: shown } = await service.list(page);
      if (shown.every(({ worst }) => worst.length > 0)) return;
    }
  });
  console.log(`incidents, until all of the newest 50 have their worst values: ${whole.ms.toFixed(0)} ms`);
  report(
    `incidents of a year from ${failures.length} failures, the newest 50`,
    incidents.ms,
    { atMost: 100 },
    ' ms',
  );
  await remove();
}

/** Records polls with all messages and packs them hour by hour; measured after the first days, in which the file grows faster. */
async function benchYearOnDisk(): Promise<void> {
  const recordedDays = Math.min(12, days);
  const warmUpDays = Math.ceil(recordedDays / 4);
  const { store, directory, reopen, remove } = await openBenchStore();
  await store.health.putNode(nodeOf('node-0'));
  const past = createNodePast(1);
  let open = store;
  // Closing empties the write-ahead log; backups are not counted.
  const bytes = async () => {
    await open.close();
    const { size } = await stat(filesIn(directory).store);
    open = await reopen();
    return size;
  };
  let before = 0;
  for (let hour = 0; hour < recordedDays * 24; hour += 1) {
    if (hour === warmUpDays * 24) before = await bytes();
    for (const poll of past(hour, true)) {
      await open.health.recordPoll({ nodeId: 'node-0', ...poll, episodes: [] });
    }
    const nowMs = yearStartMs + (hour + 1) * hourMs + 60_000;
    while (await open.health.maintain({ ...limits, nowMs }));
  }
  const grown = (await bytes()) - before;
  const measuredDays = recordedDays - warmUpDays;
  report(
    `a year of one node: growth of the file on the disk in ${measuredDays} days, times ${(365 / measuredDays).toFixed(1)}`,
    ((grown / measuredDays) * 365) / 1e6,
    { atMost: 150 },
    ' MB',
  );
  await remove();
}

// ---- Detection -------------------------------------------------------------------------------------------------------

/**
 * How long after its runs a node's changes are stored, and how many requests the node gets, from the whole service under a clock
 * that is moved by hand, including readiness, liveness, tags and JSON-RPC.
 */
async function benchDetection(periodMs: number, jitterMs: number): Promise<void> {
  const world = await createServiceWorld(createMemoryStores().health);
  const { time, http, service } = world;
  const noise = createRandom(periodMs);
  const forMs = 6 * hourMs;
  const runsMs: number[] = [];
  for (let atMs = noise(periodMs); atMs < forMs; atMs += periodMs) runsMs.push(atMs + noise(jitterMs + 1));
  let newest = -1;
  http.serve('http://a/', () => {
    while ((runsMs[newest + 1] ?? Infinity) <= time.clock.monotonicMs()) newest += 1;
    const ranMs = runsMs[newest];
    const check =
      ranMs === undefined
        ? { error: 'not yet run', timestamp: '0001-01-01T00:00:00Z' }
        : { timestamp: new Date(1_700_000_000_000 + Math.floor(ranMs)).toISOString(), duration: 1 };
    return jsonAnswer(200, { checks: { C: check }, healthy: true });
  });
  const storedMs: number[] = [];
  service.onPoll(() => storedMs.push(time.clock.monotonicMs()));
  await world.add('http://a', null);
  await time.advance(forMs);
  await service.stop();
  // From the second hour on; the first is for learning the period.
  let next = 0;
  const delaysMs = runsMs
    .filter((ms) => ms >= hourMs && ms < forMs - hourMs)
    .map((ms) => {
      while ((storedMs[next] ?? Infinity) < ms) next += 1;
      return (storedMs[next] ?? Infinity) - ms;
    })
    .sort((a, b) => a - b);
  const share = (part: number) => delaysMs[Math.floor(delaysMs.length * part)] ?? Infinity;
  const name = `period ${periodMs / 1000} s, jitter ${jitterMs} ms`;
  console.log(`${name}: seen after ${(share(0.5) / 1000).toFixed(2)} s (half of the runs)`);
  report(`${name}: seen after (95 of 100)`, share(0.95) / 1000, { atMost: 2 }, ' s');
  report(`${name}: all requests a minute`, (http.requests.length / forMs) * 60_000, {
    atMost: Math.max(5, (1.1 * 60_000) / periodMs),
  });
}

// ---- Many nodes ------------------------------------------------------------------------------------------------------

const nodeCount = 200;
/** Until every node's period is learned, which takes a few extra polls. */
const warmUpMs = 125_000;
const measuredMs = 30_000;

/** The whole service, with its store on the disk, against 200 addresses of a server in another process. */
async function benchManyNodes(): Promise<void> {
  const server = fork(join(import.meta.dirname, 'bench-node-stub.ts'), { stdio: 'inherit' });
  const port = await new Promise<number>((resolve) =>
    server.once('message', (value) => resolve(Number(value))),
  );
  const { store, remove } = await openBenchStore();
  for (let index = 0; index < nodeCount; index += 1) {
    const id = `node-${index}`;
    await store.health.putNode({ ...nodeOf(id), url: `http://127.0.0.1:${port}/${id}` });
  }
  const keychain = {
    read: () => Promise.resolve({ ok: true as const, value: null }),
    write: () => Promise.resolve({ ok: true as const, value: null }),
    remove: () => Promise.resolve({ ok: true as const, value: null }),
  };
  const nodes = createNodeService({
    emit: () => undefined,
    store: store.health,
    http: createHttpClient(openNetwork),
    openLine: createNodeLines(openNetwork),
    keychain,
    isOnline: () => true,
    remoteServiceUrl: () => null,
    limits: () => ({ keepDays: 365, keepMegabytesPerNode: 150, recoverAfter: 1 }),
    clock,
    timers,
    random,
    log,
  });
  let polls = 0;
  nodes.onPoll(() => (polls += 1));
  await nodes.start();
  await new Promise((resolve) => setTimeout(resolve, warmUpMs));
  polls = 0;
  const before = process.cpuUsage();
  await new Promise((resolve) => setTimeout(resolve, measuredMs));
  const used = process.cpuUsage(before);
  console.log(`${nodeCount} nodes: ${polls} polls in ${measuredMs / 1000} s`);
  report(
    `polling ${nodeCount} nodes of 16 checks with their messages, storing included`,
    (100 * (used.user + used.system)) / 1000 / measuredMs,
    { atMost: 2 },
    ' % of a core',
  );
  // Some polls fall just outside of the measured time.
  if (polls < 0.95 * nodeCount) throw new Error('Not every node was polled.');
  await nodes.historyUse();
  await nodes.stop();
  server.kill();
  await remove();
}

if (isAsked('history')) await benchHistory();
if (isAsked('disk')) await benchYearOnDisk();
for (const periodMs of isAsked('detection') ? [15_000, 30_000, 60_000] : [])
  await benchDetection(periodMs, 500);
if (isAsked('doors')) await benchDoors();
if (isAsked('checks')) await benchManyChecks();
if (isAsked('failure')) await benchLongFailure();
if (isAsked('episodes')) await benchManyEpisodes();
if (isAsked('flips')) await benchFlippingChecks();
if (isAsked('nodes')) await benchManyNodes();
