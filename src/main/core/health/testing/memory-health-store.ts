import { AppFailure } from '../../../../shared/errors.ts';
import type {
  HealthStore,
  StoredCell,
  StoredCheckRun,
  StoredEpisode,
  StoredNode,
  StoredPoll,
} from '../../ports.ts';

/** The store as a test sees it; `fail` makes every call reject until it is switched off again. */
export interface MemoryHealthStore extends HealthStore {
  nodes: Map<string, StoredNode>;
  polls: StoredPoll[];
  runsOf(nodeId: string, check: string): StoredCheckRun[];
  fail(isFailing: boolean): void;
}

export function createMemoryHealthStore(): MemoryHealthStore {
  const nodes = new Map<string, StoredNode>();
  let polls: StoredPoll[] = [];
  let runs: { nodeId: string; run: StoredCheckRun }[] = [];
  const episodes = new Map<string, { nodeId: string; episode: StoredEpisode }>();
  let isFailing = false;

  async function attempt<T>(action: () => T): Promise<T> {
    if (isFailing) throw new AppFailure({ code: 'storage', message: 'the disk is full' });
    return action();
  }

  function episodesOf(nodeId: string): StoredEpisode[] {
    return [...episodes.values()].filter((entry) => entry.nodeId === nodeId).map((entry) => entry.episode);
  }

  function count(cells: Map<string, StoredCell>, seen: Omit<StoredCell, 'count'>): void {
    const key = JSON.stringify([seen.check, seen.cell, seen.state]);
    const cell = cells.get(key);
    if (cell === undefined) cells.set(key, { ...seen, count: 1 });
    else cell.count += 1;
  }

  return {
    nodes,
    get polls() {
      return polls;
    },
    runsOf: (nodeId, check) =>
      runs.filter((entry) => entry.nodeId === nodeId && entry.run.check === check).map((entry) => entry.run),
    fail: (value) => {
      isFailing = value;
    },
    listNodes: () => attempt(() => [...nodes.values()]),
    putNode: (node) => attempt(() => void nodes.set(node.id, node)),
    removeNode: (id) =>
      attempt(() => {
        nodes.delete(id);
        polls = polls.filter((poll) => poll.nodeId !== id);
        runs = runs.filter((entry) => entry.nodeId !== id);
        for (const [key, entry] of episodes) if (entry.nodeId === id) episodes.delete(key);
      }),
    recordPoll: (poll) =>
      attempt(() => {
        if (!nodes.has(poll.nodeId)) throw new Error(`no node ${poll.nodeId}`);
        polls.push(poll);
        for (const run of poll.runs) {
          const isKnown = runs.some(
            ({ nodeId, run: known }) =>
              nodeId === poll.nodeId && known.check === run.check && known.ranAtMs === run.ranAtMs,
          );
          if (!isKnown) runs.push({ nodeId: poll.nodeId, run });
        }
        for (const episode of poll.episodes) episodes.set(episode.id, { nodeId: poll.nodeId, episode });
      }),
    latest: (nodeId) =>
      attempt(() => {
        const own = polls.filter((poll) => poll.nodeId === nodeId);
        return {
          poll: own.at(-1) ?? null,
          lastReport: own.findLast((poll) => poll.reportJson !== null) ?? null,
        };
      }),
    readCells: (nodeId, fromMs, cellMs, cellCount) =>
      attempt(() => {
        const cells = new Map<string, StoredCell>();
        const cellOf = (ms: number): number => Math.floor((ms - fromMs) / cellMs);
        const isInside = (ms: number): boolean => cellOf(ms) >= 0 && cellOf(ms) < cellCount;
        for (const { nodeId: owner, polledAtMs, state, reason } of polls) {
          if (owner !== nodeId || !isInside(polledAtMs)) continue;
          count(cells, { check: null, cell: cellOf(polledAtMs), state, firstError: reason });
        }
        for (const { nodeId: owner, run } of runs) {
          if (owner !== nodeId || !isInside(run.ranAtMs)) continue;
          const { check, state, error } = run;
          count(cells, { check, cell: cellOf(run.ranAtMs), state, firstError: error });
        }
        return [...cells.values()];
      }),
    openEpisodes: (nodeId) =>
      attempt(() => episodesOf(nodeId).filter((episode) => episode.endedAtMs === null)),
    readEpisodes: (nodeId, check, limit) =>
      attempt(() =>
        episodesOf(nodeId)
          .filter((episode) => check === null || episode.check === check)
          .sort((a, b) => b.startedAtMs - a.startedAtMs)
          .slice(0, limit),
      ),
    prune: (beforeMs) =>
      attempt(() => {
        polls = polls.filter((poll) => poll.polledAtMs >= beforeMs);
        runs = runs.filter((entry) => entry.run.ranAtMs >= beforeMs);
      }),
  };
}
