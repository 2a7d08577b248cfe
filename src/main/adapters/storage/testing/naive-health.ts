import type { ReportMoment } from '../../../../shared/health/types.ts';
import {
  claimsOf,
  nothingPrior,
  oldestRunMs,
  passesOf,
  runTimeMs,
  spanHistory,
  sumKnown,
  type Claim,
} from '../../../../shared/health/uptime.ts';
import type {
  HealthStore,
  StoredCell,
  StoredNode,
  StoredPoll,
  StoredUptime,
} from '../../../core/health-ports.ts';
import { checkLimit } from '../sqlite/cursor.ts';
import { CellCounter } from '../health/history/cell-counter.ts';
import { momentsIn, nodeRuns, sightOf } from '../health/history/day.ts';
import { isChanged } from '../health/history/report-change.ts';
import { SqlFailure } from '../sqlite/sql.ts';
import type { Synchronous } from '../store-ports.ts';

/** The methods that the property tests of the history use. */
type Asked =
  'putNode' | 'recordPoll' | 'readCells' | 'readUptime' | 'readMoments' | 'readPollAt' | 'scanPolls';

interface KeptPoll extends StoredPoll {
  isChange: boolean;
}

interface Node {
  lastReport: StoredPoll | null;
  /** In the order of recording. */
  polls: KeptPoll[];
  claims: Claim[];
  lastPassMs: Map<string, number>;
  /** Runs by check and time. */
  known: Set<string>;
}

/** A plain implementation of the contract: stores every poll as it is, and computes each result from all of them. */
export class NaiveHealthStore implements Pick<Synchronous<HealthStore>, Asked> {
  readonly #nodes = new Map<string, Node>();

  putNode(stored: StoredNode): void {
    this.#nodes.set(stored.id, {
      lastReport: null,
      polls: [],
      claims: [],
      lastPassMs: new Map(),
      known: new Set(),
    });
  }

  recordPoll(poll: StoredPoll): void {
    const node = this.#require(poll.nodeId);
    const runs = poll.runs.filter((run) => {
      const key = JSON.stringify([run.check, run.ranAtMs]);
      if (node.known.has(key)) return false;
      node.known.add(key);
      return true;
    });
    const kept: KeptPoll = { ...poll, runs, episodes: [], isChange: isChanged(node.lastReport, poll) };
    node.claims.push(...claimsOf(kept, (check) => node.lastPassMs.get(check) ?? null));
    for (const [check, atMs] of passesOf(kept)) {
      const knownMs = node.lastPassMs.get(check) ?? atMs;
      // One after this poll is of a time when our clock was ahead.
      node.lastPassMs.set(check, knownMs > kept.polledAtMs ? atMs : Math.max(knownMs, atMs));
    }
    node.polls.push(kept);
    if (poll.reportJson !== null) node.lastReport = poll;
  }

  readCells(nodeId: string, fromMs: number, cellMs: number, cellCount: number, ofNode = false): StoredCell[] {
    const counter = new CellCounter(fromMs, cellMs, cellCount);
    for (const poll of this.#polls(nodeId)) {
      counter.add(sightOf(poll));
      for (const { check, ranAtMs, state, error } of poll.runs) {
        counter.add({ check, atMs: runTimeMs(ranAtMs, poll.polledAtMs), state, error });
      }
    }
    for (const claim of this.#nodes.get(nodeId)?.claims ?? []) counter.addClaim(claim);
    return counter.counted().filter(({ check }) => !ofNode || check === null);
  }

  readUptime(nodeId: string, fromMs: number, toMs: number): StoredUptime[] {
    const node = this.#nodes.get(nodeId);
    if (node === undefined) return [];
    const polls = this.#polls(nodeId);
    const firstMs = Math.min(fromMs, (polls[0]?.polledAtMs ?? fromMs) - oldestRunMs);
    const { changes, runs } = spanHistory(nothingPrior(), polls, firstMs, Infinity);
    const uptimes: StoredUptime[] = [];
    for (const check of new Set([null, ...changes.keys(), ...node.claims.map((claim) => claim.check)])) {
      const claims = node.claims.filter((claim) => claim.check === check);
      const sums = sumKnown(changes.get(check) ?? [], claims, fromMs, toMs);
      const counts = check === null ? nodeRuns(polls, fromMs, toMs) : { runs: 0, failedRuns: 0 };
      for (const run of check === null ? [] : (runs.get(check) ?? [])) {
        if (run.atMs < fromMs || run.atMs >= toMs) continue;
        if (run.state === 'pass' || run.state === 'fail') counts.runs += run.counted;
        if (run.state === 'fail') counts.failedRuns += run.counted;
      }
      if (check !== null && sums.upMs + sums.downMs + counts.runs === 0) continue;
      uptimes.push({ check, ...sums, runs: counts.runs, failedRuns: counts.failedRuns });
    }
    return uptimes;
  }

  readMoments(
    nodeId: string,
    fromMs: number,
    toMs: number,
    limit: number,
  ): { moments: ReportMoment[]; isCut: boolean } {
    const moments = momentsIn(this.#polls(nodeId), fromMs, toMs);
    return { moments: moments.slice(0, limit), isCut: moments.length > limit };
  }

  readPollAt(nodeId: string, atMs: number): StoredPoll | null {
    const found = this.#inOrder(nodeId).findLast(
      ({ polledAtMs, reportJson }) => polledAtMs <= atMs && reportJson !== null,
    );
    return found === undefined ? null : { ...withoutMark(found), runs: [] };
  }

  scanPolls(nodeId: string, afterMs: number, toMs: number, limit: number): StoredPoll[] {
    const polls = this.#inOrder(nodeId).filter(
      ({ polledAtMs }) => polledAtMs > afterMs && polledAtMs <= toMs,
    );
    const lastMs = polls[checkLimit(limit) - 1]?.polledAtMs ?? Infinity;
    return polls.filter(({ polledAtMs }) => polledAtMs <= lastMs).map(withoutMark);
  }

  #require(id: string): Node {
    const node = this.#nodes.get(id);
    if (node === undefined) throw new SqlFailure('missing-parent', '');
    return node;
  }

  #inOrder(nodeId: string): KeptPoll[] {
    return [...(this.#nodes.get(nodeId)?.polls ?? [])].sort((a, b) => a.polledAtMs - b.polledAtMs);
  }

  #polls(nodeId: string): (KeptPoll & { hasReport: boolean })[] {
    return this.#inOrder(nodeId).map((poll) => ({ ...poll, hasReport: poll.reportJson !== null }));
  }
}

function withoutMark({ isChange, ...poll }: KeptPoll): StoredPoll {
  void isChange;
  return poll;
}
