import type { NodeConfig, NodeStatus, ReceivedAnswer } from '../../../../shared/health/types.ts';
import { Turns } from '../../../../shared/turns.ts';
import type { StoredNode } from '../../health-ports.ts';
import type { CheckNames } from '../ask/check-names.ts';
import type { CheckHistory } from '../episodes/check-history.ts';
import type { PollTarget } from '../poll/schedule.ts';
import type { PollStatus } from '../poll/poller.ts';
import type { Durations } from '../episodes/slow.ts';
import type { StandingChecks } from '../episodes/stall.ts';
import { noSubnetTag } from './tag-view.ts';

/** Requests beyond the health poll; `tags` asks which checks each tag selects. */
export type FollowUpKind = 'tags' | 'readiness' | 'rpc' | 'liveness';

/** The part of a node's status, as sent to the window, that polls fill in. */
type Seen = Omit<NodeStatus, 'node' | 'previousNodeId' | 'tagChecks' | keyof PollStatus>;

/** The state of a watched node while the app runs. */
export interface NodeEntry {
  stored: StoredNode;
  seen: Seen;
  names: CheckNames;
  standing: StandingChecks | null;
  /** The last known period, from before sleep or from the stored past; null while unknown. */
  usualPeriodMs: number | null;
  durations: ReadonlyMap<string, Durations>;
  /** Stored reports up to this time still have to be read for the usual durations; null when there are none. */
  pastUntilMs: number | null;
  /** Reports since the app started or the address changed. */
  reportCount: number;
  /** Whether the last poll changed the node's state. */
  hasChanged: boolean;
  /** Tags whose checks are up to date; cleared when they have to be asked for again. */
  askedTags: Set<string>;
  /** Pending follow-up requests, the longest pending first. */
  followUps: Set<Exclude<FollowUpKind, 'tags'>>;
  /** When each node last answered at this address (monotonic), the last few minutes. */
  answeredMs: Map<string, number>;
  /** The last response as received. */
  received: ReceivedAnswer | null;
  /** Since when requests have failed below HTTP, by the monotonic clock; null while something answers. */
  failingSinceMs: number | null;
  /** When anything last answered at this address (monotonic); null for never. */
  lastAnsweredMs: number | null;
  /** The last poll says nothing of the network: it was not sent, or what answered may stand in every host's place. */
  saysNothing: boolean;
  /** Polls that have failed since then. */
  failedPolls: number;
  /**
   * While our own network seems to be down, so that the node's state is unknown: the failed polls that this explains.
   * Null while it is not.
   */
  blindPolls: number | null;
  /** A poll was under way when our own network came back: if it fails, that may be of before. */
  mayFailOfBefore: boolean;
  /** How far our clock is ahead of the node's (`clockAhead`); null before its first report. */
  aheadMs: number | null;
  /** Null until read from the store. */
  history: CheckHistory | null;
  /** Serialises writes to this node's stored data. */
  turns: Turns;
  /** Incremented when what to ask of the node has changed. */
  revision: number;
  removed: boolean;
}

export function newEntry(stored: StoredNode): NodeEntry {
  return {
    stored,
    history: null,
    names: new Map(),
    answeredMs: new Map(),
    pastUntilMs: null,
    turns: new Turns(),
    revision: 0,
    removed: false,
    ...blank(stored.paused ? pausedReason : 'The node was not asked yet.', null),
  };
}

const pausedReason = 'Polling of this node is paused.';

/** State that is reset when the node's address changes or it is paused or resumed; the last report stays visible. */
function blank(reason: string, before: Seen | null) {
  const seen: Seen = {
    report: before?.report ?? null,
    reportAtMs: before?.reportAtMs ?? null,
    lastPollAtMs: before?.lastPollAtMs ?? null,
    nodeId: before?.nodeId ?? null,
    nodeIds: before?.nodeIds ?? [],
    state: 'unknown',
    reason,
    error: null,
    readiness: null,
    liveness: null,
    disagreement: null,
    tagView: null,
    slowChecks: [],
    heights: before?.heights ?? [],
  };
  return {
    seen,
    standing: null,
    usualPeriodMs: null,
    durations: new Map(),
    reportCount: 0,
    hasChanged: false,
    askedTags: new Set<string>(),
    received: null,
    followUps: new Set<Exclude<FollowUpKind, 'tags'>>(),
    failingSinceMs: null,
    lastAnsweredMs: null,
    saysNothing: false,
    failedPolls: 0,
    blindPolls: null,
    mayFailOfBefore: false,
    aheadMs: null,
  } satisfies Partial<NodeEntry>;
}

/** Applies changed options and resets what they made obsolete: a changed address, a pause or its end. */
export function changeOptions(entry: NodeEntry, stored: StoredNode): void {
  const { stored: before, seen } = entry;
  entry.stored = stored;
  const isMoved = before.url !== stored.url;
  if (isMoved) {
    entry.pastUntilMs = null;
    entry.answeredMs.clear();
  } else if (before.paused && !stored.paused) entry.pastUntilMs = seen.reportAtMs;
  if (isMoved || before.paused !== stored.paused) {
    const reason = isMoved
      ? 'The address was changed and not asked yet.'
      : 'The node was not asked since the pause.';
    Object.assign(entry, blank(stored.paused ? pausedReason : reason, seen));
    // At the new address may be another node at the same height; that must not look like a standstill.
    if (isMoved) Object.assign(entry.seen, { heights: [], nodeId: null, nodeIds: [] });
  }
  if (stored.tags.length === 0) entry.seen.tagView = null;
}

export function configOf({ previousNodeId, tagChecks, ...config }: StoredNode): NodeConfig {
  void previousNodeId;
  void tagChecks;
  return config;
}

export function targetOf({ stored, revision }: NodeEntry): PollTarget {
  const { id, url, intervalMs, paused } = stored;
  return { id, url, intervalMs, paused, revision };
}

export function statusOf({ stored, seen }: NodeEntry, poll: PollStatus): NodeStatus {
  const { previousNodeId, tagChecks } = stored;
  return {
    node: configOf(stored),
    ...seen,
    ...poll,
    previousNodeId,
    tagChecks: tagChecks.filter(({ tag }) => tag !== noSubnetTag),
  };
}
