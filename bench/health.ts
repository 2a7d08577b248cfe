import { fork } from 'node:child_process';
import { join } from 'node:path';
import { loadDriver } from '../src/main/adapters/storage/load-driver.ts';
import { filesIn } from '../src/main/adapters/storage/files.ts';
import { openDatabase } from '../src/main/adapters/storage/database.ts';
import { packPolls } from '../src/main/adapters/storage/history/upkeep.ts';
import { createSqlStores } from '../src/main/adapters/storage/stores.ts';
import { integer } from '../src/main/adapters/storage/row.ts';
import { createHttpClient } from '../src/main/adapters/http/http-client.ts';
import { openNodeLine } from '../src/main/adapters/http/node-line.ts';
import { composeStrips } from '../src/main/core/health/strips.ts';
import { createNodeService } from '../src/main/core/health/node-service.ts';
import { createPoller } from '../src/main/core/health/poller.ts';
import { createFakeHttp, createFakeTime, jsonAnswer } from '../src/main/core/health/testing/fake-ports.ts';
import type { HealthStore, StoredEpisode, StoredNode } from '../src/main/core/health-ports.ts';
import { ok, unwrap } from '../src/shared/errors.ts';
import { foldIncidents } from '../src/shared/health/incidents.ts';
import { createRandom } from '../src/main/adapters/storage/testing/noise.ts';
import { clock, log, median, openBenchStore, random, report, timers } from './bench-house.ts';
import { createNodePast, dayMs, hourMs, yearStartMs } from './bench-node-history.ts';

/**
 * Node health: how much room a year of history takes and how fast it is read; how soon a change is seen, with how many
 * requests; what polling 200 nodes costs.
 */

const days = 365;
const endMs = yearStartMs + days * dayMs;
/**
 * Taking messages apart takes by far the most time, so only every so many days have theirs; all runs are there. The room of
 * a year is that of the days with messages.
 */
const messagesEveryDays = 20;

function nodeOf(id: string): StoredNode {
  return {
    id,
    name: id,
    url: `http://${id}`,
    intervalMs: null,
    tags: [],
    headerNames: [],
    paused: false,
    addedAtMs: 1,
    previousNodeId: null,
    tagChecks: [],
  };
}

const limits = { nowMs: endMs + 2 * hourMs, keepDays: 400, keepBytesPerNode: 150_000_000 };

interface Seeded {
  /** Bytes of blocks of days that have their messages. */
  wholeDayBytes: number;
  wholeDays: number;
  packMs: number[];
  dayMs: number[];
}

/** Packs the past of a node as the upkeep does, hour by hour, without recording poll by poll first. */
function seedNode(directory: string, id: string, fromDay: number, seed: number): Seeded {
  const database = openDatabase(loadDriver(), filesIn(directory).store, {
    access: 'read-write',
    busyTimeoutMs: 1_000,
  });
  database.pragma('foreign_keys = ON');
  database.pragma('synchronous = OFF');
  const row = database.prepare('SELECT id FROM health_node WHERE node_id = ?').get(id) ?? {};
  const node = integer(row, 'id');
  const past = createNodePast(seed);
  const seeded: Seeded = { wholeDayBytes: 0, wholeDays: 0, packMs: [], dayMs: [] };
  const bytes = () =>
    integer(
      database
        .prepare('SELECT coalesce(sum(byte_count), 0) AS n FROM health_block WHERE node_ref = ?')
        .get(node) ?? {},
      'n',
    );
  for (let day = fromDay; day < days; day += 1) {
    // The last days have theirs in any case, for they are looked at.
    const isWhole = day % messagesEveryDays === 0 || day >= days - 1;
    const before = isWhole ? bytes() : 0;
    for (let hour = day * 24; hour < day * 24 + 24; hour += 1) {
      const polls = past(hour, isWhole);
      const startMs = performance.now();
      database.transaction((writer) => packPolls(writer, node, polls));
      if (isWhole) seeded.packMs.push(performance.now() - startMs);
    }
    if (!isWhole) continue;
    seeded.wholeDays += 1;
    seeded.wholeDayBytes += bytes() - before;
  }
  const { health } = createSqlStores(database);
  for (;;) {
    const startMs = performance.now();
    if (!health.maintain(limits)) break;
    seeded.dayMs.push(performance.now() - startMs);
  }
  database.close();
  return seeded;
}

/** Also prints the processor's time, which tells the same on a machine that is busy with something else. */
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
  console.log(`${name}: ${(cpuMs(before) / rounds).toFixed(0)} ms of the processor`);
  return { ms: median(times), value };
}

function cpuMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Opened for the first time: nothing of the day is in memory. */
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
  console.log(`${name}: ${(cpuMs(before) / places.length).toFixed(0)} ms of the processor each`);
  return slowest;
}

/** Strip in quarters of an hour, uptime, changes and the report at noon: what a day's view asks for. */
async function openDay(store: HealthStore, id: string, day: number): Promise<void> {
  const fromMs = yearStartMs + day * dayMs;
  await Promise.all([
    store.readCells(id, fromMs, 900_000, 96),
    store.readUptime(id, fromMs, fromMs + dayMs),
    store.readMoments(id, fromMs, fromMs + dayMs, 5_000),
    store.readPollAt(id, fromMs + dayMs / 2),
  ]);
}

function episodesOf(count: number): StoredEpisode[] {
  return Array.from({ length: count }, (_, index) => {
    const startedAtMs = yearStartMs + Math.floor((index * days * dayMs) / count);
    return {
      id: `e${index}`,
      check: index % 3 === 0 ? 'network' : 'C',
      startedAtMs,
      startKnownFrom: 'seen',
      endedAtMs: startedAtMs + 600_000,
      endKnownFrom: 'seen',
      failuresSeen: 20,
      failuresReported: 20,
      firstError: 'block processing too long',
      lastError: 'block processing too long',
    };
  });
}

async function benchHistory(): Promise<void> {
  const { store: empty, directory, reopen, remove } = await openBenchStore();
  const ids = Array.from({ length: 20 }, (_, index) => `node-${index}`);
  for (const id of ids) await empty.health.putNode(nodeOf(id));
  await empty.close();
  const startedMs = performance.now();
  const seeded = seedNode(directory, 'node-0', 0, 1);
  for (const [index, id] of ids.entries()) if (index > 0) seedNode(directory, id, days - 1, index + 1);
  console.log(
    `seeded in ${((performance.now() - startedMs) / 1000).toFixed(0)} s: one node with a year of runs every 30 s, every ${messagesEveryDays}th day and the last one with all messages; 19 nodes with one day`,
  );
  const { health } = (await reopen()).store;
  const bytesADay = seeded.wholeDayBytes / seeded.wholeDays;
  const rollUps = await health.historyUse();
  report('a year of one node, by its days with messages', (bytesADay * days) / 1e6, { atMost: 150 }, ' MB');
  const others = rollUps.slice(1);
  const othersADay = others.reduce((sum, use) => sum + use.bytes, 0) / others.length;
  console.log(
    `a year of 20 nodes, by one day of each: ${((20 * othersADay * days) / 1e9).toFixed(2)} GB, days' roll-ups included`,
  );
  report('packing an hour, median', median(seeded.packMs), { atMost: 50 }, ' ms');
  report('computing a day, median', median(seeded.dayMs), { atMost: 150 }, ' ms');

  const wholeDays = Array.from({ length: 16 }, (_, index) => index * messagesEveryDays + messagesEveryDays);
  report(
    'a day opened for the first time, slowest of 16',
    await onceEach('a day', wholeDays, (day) => openDay(health, 'node-0', day)),
    { atMost: 100 },
    ' ms',
  );
  report(
    'a day of each of 20 nodes, slowest',
    await onceEach(
      'a day of each of 20 nodes',
      ids.map((_, index) => index),
      (index) => openDay(health, `node-${index}`, days - 1),
    ),
    { atMost: 100 },
    ' ms',
  );
  const span = { fromMs: yearStartMs, cellMs: dayMs, cellCount: days };
  const strip = await timed('year strip', async () =>
    composeStrips(await health.readCells('node-0', span.fromMs, span.cellMs, span.cellCount), [], span),
  );
  if (strip.value.length !== 11) throw new Error('The year strip is not complete.');
  report('year strip', strip.ms, { atMost: 50 }, ' ms');
  const odd = await timed('year strip, cells beginning at an odd second', () =>
    health.readCells('node-0', yearStartMs + 12_345, dayMs, days - 1),
  );
  console.log(`year strip, cells beginning at an odd second: ${odd.ms.toFixed(0)} ms`);
  const uptime = await timed('uptime of a year', () => health.readUptime('node-0', yearStartMs, endMs));
  report('uptime of a year', uptime.ms, { atMost: 100 }, ' ms');
  const month = await timed('changes of a month', () =>
    health.readMoments('node-0', endMs - 30 * dayMs, endMs, 100_000),
  );
  console.log(`changes of a month (${month.value.moments.length}): ${month.ms.toFixed(0)} ms`);

  const episodes = episodesOf(2_000);
  for (let at = 0; at < episodes.length; at += 500) {
    const poll = createNodePast(1)(days * 24, true)[at / 500];
    if (poll === undefined) throw new Error('There is no such poll.');
    await health.recordPoll({ nodeId: 'node-0', ...poll, episodes: episodes.slice(at, at + 500) });
  }
  const incidents = await timed('incidents', async () =>
    foldIncidents({
      nodeId: 'node-0',
      episodes: await health.readEpisodesIn('node-0', yearStartMs, endMs, 20_000),
      marks: await health.readIncidentMarks('node-0'),
      chainChecks: new Set(['P', 'X', 'C']),
      thresholds: { failAfter: 3, recoverAfter: 1 },
      passesAfter: () => 1,
    }),
  );
  if (incidents.value.length === 0) throw new Error('There are no incidents.');
  report(`incidents from 2,000 episodes of a year`, incidents.ms, { atMost: 100 }, ' ms');
  await remove();
}

// ---- Detection -------------------------------------------------------------------------------------------------------

/** How long after its runs a node's changes are seen, with the poller of the app under a clock that is moved by hand. */
async function benchDetection(periodMs: number, jitterMs: number): Promise<void> {
  const time = createFakeTime();
  const http = createFakeHttp(time, 100);
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
  const answersMs: number[] = [];
  const poller = createPoller(
    { openLine: http.openLine, clock: time.clock, timers: time.timers, random, log },
    {
      headersFor: () => Promise.resolve(ok({})),
      onAnswer: () => {
        answersMs.push(time.clock.monotonicMs());
        return Promise.resolve();
      },
      onReport: () => Promise.resolve(),
      onLiveness: () => undefined,
      onChanged: () => undefined,
    },
  );
  poller.put({ id: 'a', url: 'http://a', intervalMs: null, paused: false, revision: 0 });
  await time.advance(forMs);
  poller.suspend();
  // From the second hour on; what comes before is learning.
  let next = 0;
  const delaysMs = runsMs
    .filter((ms) => ms >= hourMs && ms < forMs - hourMs)
    .map((ms) => {
      while ((answersMs[next] ?? Infinity) < ms) next += 1;
      return (answersMs[next] ?? Infinity) - ms;
    })
    .sort((a, b) => a - b);
  const share = (part: number) => delaysMs[Math.floor(delaysMs.length * part)] ?? Infinity;
  const name = `period ${periodMs / 1000} s, jitter ${jitterMs} ms`;
  console.log(`${name}: seen after ${(share(0.5) / 1000).toFixed(2)} s (half of the runs)`);
  report(`${name}: seen after (95 of 100)`, share(0.95) / 1000, { atMost: 2 }, ' s');
  report(`${name}: requests a minute`, (http.requests.length / forMs) * 60_000, {
    atMost: Math.max(5, (1.1 * 60_000) / periodMs),
  });
}

// ---- Many nodes ------------------------------------------------------------------------------------------------------

const nodeCount = 200;
/** Until every node's rhythm is learned, which takes a few more polls. */
const warmUpMs = 125_000;
const measuredMs = 30_000;

/** The whole service, with its store on the disk, against 200 addresses of a server in a process of its own. */
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
    store: store.health,
    http: createHttpClient(),
    openLine: openNodeLine,
    keychain,
    isOnline: () => true,
    remoteServiceUrl: () => null,
    limits: () => ({ keepDays: 365, keepMegabytesPerNode: 150 }),
    clock,
    timers,
    random,
    log,
  });
  let polls = 0;
  nodes.onRecorded(() => (polls += 1));
  await nodes.start();
  await new Promise((resolve) => setTimeout(resolve, warmUpMs));
  polls = 0;
  const before = process.cpuUsage();
  await new Promise((resolve) => setTimeout(resolve, measuredMs));
  const used = process.cpuUsage(before);
  console.log(`${nodeCount} nodes: ${polls} polls in ${measuredMs / 1000} s`);
  report(
    `polling ${nodeCount} nodes, storing included`,
    (100 * (used.user + used.system)) / 1000 / measuredMs,
    { atMost: 2 },
    ' % of a core',
  );
  // Those at the edges of the span may fall out of it.
  if (polls < 0.95 * nodeCount) throw new Error('Not every node was polled.');
  unwrap(await nodes.historyUse());
  await nodes.stop();
  server.kill();
  await remove();
}

await benchHistory();
for (const periodMs of [7_000, 30_000, 60_000]) await benchDetection(periodMs, 500);
await benchManyNodes();
