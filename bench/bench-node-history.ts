import { standardChecks } from '../sample-service/node/checks.ts';
import type { HistoryPoll } from '../src/main/adapters/storage/history/poll-parts.ts';
import { createRandom } from '../src/main/adapters/storage/testing/noise.ts';

/** The past of a node as its polls would have recorded it: the checks of the sample service, run every 30 s. */

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
export const roundMs = 30_000;
/** Begins with a day. */
export const yearStartMs = 19_700 * dayMs;

/**
 * New blocks a round. The id of an accepted block is noise of 32 bytes, by far the largest part of what a node says; a
 * chain whose id changes in every round costs 34 MB a year.
 */
const chains = [
  { alias: 'P', startHeight: 19_204_411, blocksPerRound: 0.5 },
  { alias: 'X', startHeight: 511_873, blocksPerRound: 0.1 },
  { alias: 'C', startHeight: 61_000_000, blocksPerRound: 15 },
  { alias: '2TTSLdR6uEM3R5Ukej3YThHSyPf6XCfppAsh5vAuzFA1rY5w2f', startHeight: 900_000, blocksPerRound: 0.5 },
];

/** A chain stands still for ten minutes every fifth day, and for one run several times a day. */
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
          message: withMessages ? messageOf(check, chain, round, isFailed) : null,
          ranAtMs: Math.floor(startedMs + durationNs / 1e6),
          durationNs: String(durationNs),
          contiguousFailures: isFailed ? round - firstFailedRound + 1 : null,
          firstFailureAtMs: isFailed ? yearStartMs + firstFailedRound * roundMs : null,
        };
      });
      const runs = reports.map(({ name, message, durationNs, ...run }) => ({
        ...run,
        check: name,
        durationNs: BigInt(durationNs),
        messageJson: message === null ? null : JSON.stringify(message),
      }));
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
  // The block that was accepted last. All checks of chains in the sample service have this shape.
  const { engine } = messageAt(Math.floor(round * Math.min(1, chain.blocksPerRound))) as ChainMessage;
  // As above; how the network looks now.
  const { networking } = messageAt(round) as ChainMessage;
  const lastAcceptedHeight = Math.floor(chain.startHeight + round * chain.blocksPerRound);
  return { engine: { ...engine, consensus: { ...engine.consensus, lastAcceptedHeight } }, networking };
}
