import { standardChecks } from '../sample-service/node/checks.ts';
import { openDatabase } from '../src/main/adapters/storage/sqlite/database.ts';
import type { HistoryPoll } from '../src/main/adapters/storage/health/history/block.ts';
import { saveBlock } from '../src/main/adapters/storage/health/history/upkeep.ts';
import { loadDriver } from '../src/main/adapters/storage/sqlite/load-driver.ts';
import { integer } from '../src/main/adapters/storage/sqlite/row.ts';
import { storesOver } from '../src/main/adapters/storage/testing/memory-stores.ts';
import { createRandom } from '../src/main/adapters/storage/testing/noise.ts';
import type { Json } from '../src/shared/json.ts';
import { runOf } from '../src/shared/health/check-run.ts';
import type { StoredEpisode, StoredNode } from '../src/main/core/health-ports.ts';

/** The past of a node as the app would have recorded it: the sample service's checks, run every 30 s. */

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
export const roundMs = 30_000;
/** `BENCH_DAYS` makes it shorter. */
export const days = Number(process.env['BENCH_DAYS'] ?? 365);
/** At the start of a day, and ends before today, so that no day is older than the app keeps. */
export const yearStartMs = (Math.floor(Date.now() / dayMs) - days - 1) * dayMs;
export const endMs = yearStartMs + days * dayMs;

/**
 * New blocks a round. The id of an accepted block is 32 random bytes, by far the largest part of a stored report; a
 * chain whose id changes in every round costs 34 MB a year.
 */
const chains = [
  { alias: 'P', startHeight: 19_204_411, blocksPerRound: 0.5 },
  { alias: 'X', startHeight: 511_873, blocksPerRound: 0.1 },
  { alias: 'C', startHeight: 61_000_000, blocksPerRound: 15 },
  { alias: '2TTSLdR6uEM3R5Ukej3YThHSyPf6XCfppAsh5vAuzFA1rY5w2f', startHeight: 900_000, blocksPerRound: 0.5 },
];

/** A chain fails for ten minutes every fifth day, and for one run several times a day. */
function isStuck(round: number): boolean {
  return round % (5 * 2_880) < 20 || round % 1_009 === 0;
}

export function createNodePast(seed: number): (hour: number, withMessages: boolean) => HistoryPoll[] {
  const checks = standardChecks(
    seed,
    chains.map((chain) => ({ ...chain, subnetId: 'primary', blocksPerRound: 1 })),
  );
  const random = createRandom(seed);
  return (hour, withMessages) =>
    Array.from({ length: hourMs / roundMs }, (_, place) => {
      const round = (hour * hourMs) / roundMs + place;
      const startedMs = yearStartMs + round * roundMs + random(4);
      const polledAtMs = startedMs + 350 + random(400);
      const failed = isStuck(round) ? 'C' : null;
      const firstFailedRound = round % (5 * 2_880) < 20 ? round - (round % (5 * 2_880)) : round;
      const reports = checks.map((check, index) => {
        const isFailed = check.name === failed;
        const durationNs = Math.floor(check.durationNs(round));
        const chain = chains[index];
        return {
          name: check.name,
          state: isFailed ? ('fail' as const) : ('pass' as const),
          error: isFailed ? check.failing(round).error : null,
          // Part of the sample's JSON.
          message: withMessages ? (messageOf(check, chain, round, isFailed) as Json) : null,
          ranAtMs: Math.floor(startedMs + durationNs / 1e6),
          durationNs: String(durationNs),
          contiguousFailures: isFailed ? round - firstFailedRound + 1 : null,
          firstFailureAtMs: isFailed ? yearStartMs + firstFailedRound * roundMs : null,
        };
      });
      const runs = reports.map((check) => runOf(check, check.ranAtMs));
      return {
        polledAtMs,
        state: failed === null ? ('healthy' as const) : ('unhealthy' as const),
        isChange: true,
        reason: failed === null ? 'All 10 checks pass.' : '1 of 10 checks fails: C.',
        reportedNodeId: 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg',
        reportJson: JSON.stringify({ healthy: failed === null, checks: reports, notes: [] }),
        runs,
      };
    });
}

function messageOf(
  check: ReturnType<typeof standardChecks>[number],
  chain: (typeof chains)[number] | undefined,
  round: number,
  isFailed: boolean,
): unknown {
  const messageAt = (at: number) => (isFailed ? check.failing(at).message : check.message(at));
  if (chain === undefined) return messageAt(round) ?? null;
  type ChainMessage = { engine: { consensus: object; vm: null }; networking: object };
  // The last accepted block. All chain checks of the sample service have this shape.
  const { engine } = messageAt(Math.floor(round * Math.min(1, chain.blocksPerRound))) as ChainMessage;
  // The same shape; the current network state.
  const { networking } = messageAt(round) as ChainMessage;
  const lastAcceptedHeight = Math.floor(chain.startHeight + round * chain.blocksPerRound);
  return { engine: { ...engine, consensus: { ...engine.consensus, lastAcceptedHeight } }, networking };
}

/** The failures of the same past: each ends with the first run that passes. */
export function failuresOf(fromDay: number): StoredEpisode[] {
  const episodes: StoredEpisode[] = [];
  const first = (fromDay * dayMs) / roundMs;
  let since: number | null = null;
  for (let round = first; round <= (days * dayMs) / roundMs; round += 1) {
    if (isStuck(round)) {
      since ??= round;
    } else if (since !== null) {
      episodes.push({
        id: `e${since}`,
        check: 'C',
        startedAtMs: yearStartMs + since * roundMs,
        startKnownFrom: 'seen',
        endedAtMs: yearStartMs + round * roundMs,
        endKnownFrom: 'seen',
        failuresSeen: round - since,
        failuresReported: round - since,
        firstError: 'not connected to enough stake',
        lastError: 'not connected to enough stake',
        passes: 20,
      });
      since = null;
    }
  }
  return episodes;
}

export function nodeOf(id: string): StoredNode {
  return {
    id,
    name: id,
    url: `http://${id}`,
    intervalMs: null,
    tags: [],
    headerNames: [],
    certificate: null,
    paused: false,
    addedAtMs: 1,
    previousNodeId: null,
    tagChecks: [],
  };
}

/**
 * Messages take by far the most time to pack, so only two days of twenty have them, and the newest
 * twenty days; runs are complete.
 */
export const hasMessages = (day: number): boolean => day % 20 < 2 || day >= days - 20;
/** The first of each pair of days with messages: a day in the user's time zone begins in one and ends in the other. */
export const daysWithMessages = Array.from({ length: Math.floor(days / 20) }, (_, index) => index * 20);

export const limits = {
  nowMs: endMs + 2 * hourMs,
  keepDays: 400,
  keepBytesPerNode: 150_000_000,
  recoverAfter: 1,
};

/** The times of packing each hour and computing each day, for those with messages. */
export interface Seeded {
  packMs: number[];
  dayMs: number[];
}

/** Packs the past of a node hour by hour like the upkeep, without recording single polls first. */
export function seedNode(
  storeFile: string,
  id: string,
  fromDay: number,
  seed: number,
  hours = days * 24,
): Seeded {
  const database = openDatabase(loadDriver(), storeFile, { access: 'read-write', busyTimeoutMs: 1_000 });
  database.pragma('foreign_keys = ON');
  database.pragma('synchronous = OFF');
  const row = database.get('SELECT id FROM health_node WHERE node_id = ?', [id]) ?? {};
  const node = integer(row, 'id');
  const past = createNodePast(seed);
  const seeded: Seeded = { packMs: [], dayMs: [] };
  for (let hour = fromDay * 24; hour < hours; hour += 1) {
    const isWhole = hasMessages(Math.floor(hour / 24));
    const polls = past(hour, isWhole);
    const startMs = performance.now();
    database.transaction((writer) => saveBlock(writer, node, polls));
    if (isWhole) seeded.packMs.push(performance.now() - startMs);
  }
  const { health } = storesOver(database);
  for (;;) {
    const startMs = performance.now();
    if (!health.maintain(limits)) break;
    seeded.dayMs.push(performance.now() - startMs);
  }
  database.close();
  return seeded;
}
