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

/** What is asked beside health. `tags` is what each tag selects. */
export type FollowUpKind = 'tags' | 'readiness' | 'rpc' | 'liveness';

/** What was seen of a node, as the window is told. */
type Seen = Omit<NodeStatus, 'node' | 'previousNodeId' | 'tagChecks' | keyof PollStatus>;

/** All that is known of a watched node while the app runs. */
export interface NodeEntry {
  stored: StoredNode;
  seen: Seen;
  names: CheckNames;
  standing: StandingChecks | null;
  /** The period as it was before sleep, or as the past has it; null while that is not known. */
  usualPeriodMs: number | null;
  durations: ReadonlyMap<string, Durations>;
  /** Stored reports up to this moment have yet to be looked at for the usual durations; null when there are none. */
  pastUntilMs: number | null;
  /** Reports since the start, or since the address was changed. */
  reportCount: number;
  /** Whether the last report was another one in its state than the one before. */
  hasChanged: boolean;
  /** Tags whose checks were asked for since they were last to be learned anew. */
  askedTags: Set<string>;
  /** What is to be asked beside health when there is room for it, longest due first. */
  followUps: Set<Exclude<FollowUpKind, 'tags'>>;
  /** The last answer as it came. */
  received: ReceivedAnswer | null;
  /** Since when exchanges fail below HTTP, by the monotonic clock; null while something answers. */
  failingSinceMs: number | null;
  /** It is our own network that seems to be down, so that nothing is known of the node. */
  isBlind: boolean;
  /** Null until it could be read from the store. */
  history: CheckHistory | null;
  /** What is stored of one node is stored one after the other. */
  turns: Turns;
  /** Counts the changes of what is asked. */
  revision: number;
  removed: boolean;
}

export function newEntry(stored: StoredNode): NodeEntry {
  return {
    stored,
    history: null,
    names: new Map(),
    pastUntilMs: null,
    turns: new Turns(),
    revision: 0,
    removed: false,
    ...blank(stored.paused ? pausedReason : 'The node was not asked yet.', null),
  };
}

const pausedReason = 'Polling of this node is paused.';

/** What holds only as long as the same address is asked in the same way; the last report stays in sight. */
function blank(reason: string, before: Seen | null) {
  const seen: Seen = {
    report: before?.report ?? null,
    reportAtMs: before?.reportAtMs ?? null,
    lastPollAtMs: before?.lastPollAtMs ?? null,
    nodeId: before?.nodeId ?? null,
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
    isBlind: false,
  } satisfies Partial<NodeEntry>;
}

/** Takes over changed options, and forgets what holds no longer: what was seen at another address, or before a pause. */
export function changeOptions(entry: NodeEntry, stored: StoredNode): void {
  const { stored: before, seen } = entry;
  entry.stored = stored;
  const isMoved = before.url !== stored.url;
  if (isMoved) entry.pastUntilMs = null;
  else if (before.paused && !stored.paused) entry.pastUntilMs = seen.reportAtMs;
  if (isMoved || before.paused !== stored.paused) {
    const reason = isMoved
      ? 'The address was changed and not asked yet.'
      : 'The node was not asked since the pause.';
    Object.assign(entry, blank(stored.paused ? pausedReason : reason, seen));
    // Another node may have come as far, and that is no standing still.
    if (isMoved) entry.seen.heights = [];
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
