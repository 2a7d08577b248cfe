import type { HealthStore, StoredEpisode, StoredIncidentMark, StoredNode, StoredPoll } from '../../ports.ts';

/** The part of a store of nodes that incidents, recordings and forecasts read, in memory. */
export function createFakeHealthStore(): HealthStore {
  const nodes = new Map<string, StoredNode>();
  const polls = new Map<string, StoredPoll[]>();
  const episodes = new Map<string, Map<string, StoredEpisode>>();
  const marks = new Map<string, Map<string, StoredIncidentMark>>();
  const pollsOf = (id: string): StoredPoll[] => polls.get(id) ?? [];
  const bare = (poll: StoredPoll | undefined): StoredPoll | null =>
    poll === undefined ? null : { ...poll, runs: [], episodes: [] };
  const episodesOf = (id: string): StoredEpisode[] =>
    [...(episodes.get(id)?.values() ?? [])].sort(
      (a, b) => b.startedAtMs - a.startedAtMs || (a.id < b.id ? 1 : -1),
    );
  return {
    listNodes: async () => [...nodes.values()],
    putNode: async (node) => void nodes.set(node.id, node),
    removeNode: async (id) => {
      for (const map of [nodes, polls, episodes, marks]) map.delete(id);
    },
    recordPoll: async (poll) => {
      polls.set(poll.nodeId, [...pollsOf(poll.nodeId), poll]);
      const known = episodes.get(poll.nodeId) ?? new Map<string, StoredEpisode>();
      for (const episode of poll.episodes) known.set(episode.id, episode);
      episodes.set(poll.nodeId, known);
    },
    latest: async (id) => ({
      poll: bare(pollsOf(id).at(-1)),
      lastReport: bare(pollsOf(id).findLast(({ reportJson }) => reportJson !== null)),
    }),
    readCells: async (id, fromMs, cellMs, cellCount) =>
      pollsOf(id).flatMap(({ runs, state, reason, polledAtMs }) => {
        const seen = [
          { check: null, state, atMs: polledAtMs, error: reason },
          ...runs.map((run) => ({ check: run.check, state: run.state, atMs: run.ranAtMs, error: run.error })),
        ];
        return seen
          .map((each) => ({ ...each, cell: Math.floor((each.atMs - fromMs) / cellMs) }))
          .filter(({ cell }) => cell >= 0 && cell < cellCount)
          .map(({ check, cell, state: of, error }) => ({
            check,
            cell,
            state: of,
            count: 1,
            firstError: error,
          }));
      }),
    openEpisodes: async (id) => episodesOf(id).filter(({ endedAtMs }) => endedAtMs === null),
    readEpisodes: async (id, check, limit) =>
      episodesOf(id)
        .filter((episode) => check === null || episode.check === check)
        .slice(0, limit),
    readEpisodesIn: async (id, fromMs, toMs, limit) =>
      episodesOf(id)
        .filter(({ startedAtMs, endedAtMs }) => startedAtMs < toMs && (endedAtMs ?? toMs) >= fromMs)
        .slice(0, limit),
    readUptime: async (_id, fromMs, toMs) => [
      { check: null, upMs: toMs - fromMs, downMs: 0, unknownMs: 0, runs: 0, failedRuns: 0 },
    ],
    readMoments: async (id, fromMs, toMs, limit) => {
      const moments = pollsOf(id)
        .filter(
          (poll, index, all) => poll.reportJson !== null && poll.reportJson !== all[index - 1]?.reportJson,
        )
        .filter(({ polledAtMs }) => polledAtMs >= fromMs && polledAtMs <= toMs)
        .map(({ polledAtMs, state }) => ({ atMs: polledAtMs, state }));
      return { moments: moments.slice(0, limit), isCut: moments.length > limit };
    },
    readPollAt: async (id, atMs) =>
      bare(pollsOf(id).findLast((poll) => poll.reportJson !== null && poll.polledAtMs <= atMs)),
    scanPolls: async (id, afterMs, toMs, limit) =>
      pollsOf(id)
        .filter(({ polledAtMs }) => polledAtMs > afterMs && polledAtMs <= toMs)
        .slice(0, limit)
        .map((poll) => ({ ...poll, episodes: [] })),
    historyUse: async () => [],
    maintain: async () => false,
    readIncidentMarks: async (id) => [...(marks.get(id)?.values() ?? [])],
    putIncidentMark: async (id, mark) => {
      const known = marks.get(id) ?? new Map<string, StoredIncidentMark>();
      marks.set(id, known.set(mark.episodeId, mark));
    },
  };
}
