import type { AppError } from '../../../../shared/errors.ts';
import type {
  HealthReport,
  NodeConfig,
  NodeState,
  NodeStatus,
  ProbeAnswer,
  TagView,
} from '../../../../shared/health/types.ts';
import type { StoredNode } from '../../health-ports.ts';
import type { CheckNames } from '../ask/check-names.ts';
import type { History } from '../fold/history.ts';
import type { PollTarget } from '../poll/poll-state.ts';
import type { PollStatus } from '../poll/poller.ts';
import type { Durations } from '../fold/slow.ts';
import type { StandingChecks } from '../fold/stall.ts';
import { noSubnetTag } from './tag-view.ts';

/** What is asked beside health. `tags` is what each tag selects. */
export type FollowUpKind = 'tags' | 'readiness' | 'rpc' | 'liveness';

/** All that is known of a watched node while the app runs. */
export interface NodeEntry {
  stored: StoredNode;
  state: NodeState;
  reason: string;
  report: HealthReport | null;
  reportAtMs: number | null;
  lastPollAtMs: number | null;
  error: AppError | null;
  nodeId: string | null;
  readiness: ProbeAnswer | null;
  liveness: ProbeAnswer | null;
  disagreement: string | null;
  tagView: TagView | null;
  names: CheckNames;
  standing: StandingChecks | null;
  /** The period as it was before sleep, or as the past has it; null while that is not known. */
  usualPeriodMs: number | null;
  durations: ReadonlyMap<string, Durations>;
  slowChecks: NodeStatus['slowChecks'];
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
  /** Since when exchanges fail below HTTP, by the monotonic clock; null while something answers. */
  failingSinceMs: number | null;
  /** It is our own network that seems to be down, so that nothing is known of the node. */
  isBlind: boolean;
  /** Null until it could be read from the store. */
  history: History | null;
  /** Ends when the last answer is stored; answers of one node are taken in one after the other. */
  recording: Promise<void>;
  /** Counts the changes of what is asked. */
  revision: number;
  removed: boolean;
}

export function newEntry(stored: StoredNode): NodeEntry {
  return {
    stored,
    report: null,
    reportAtMs: null,
    lastPollAtMs: null,
    nodeId: null,
    history: null,
    names: new Map(),
    pastUntilMs: null,
    recording: Promise.resolve(),
    revision: 0,
    removed: false,
    ...blank(stored.paused ? pausedReason : 'The node was not asked yet.'),
  };
}

const pausedReason = 'Polling of this node is paused.';

/** What holds only as long as the same address is asked in the same way. */
function blank(reason: string) {
  return {
    state: 'unknown',
    reason,
    error: null,
    readiness: null,
    liveness: null,
    disagreement: null,
    tagView: null,
    standing: null,
    usualPeriodMs: null,
    durations: new Map(),
    slowChecks: [],
    reportCount: 0,
    hasChanged: false,
    askedTags: new Set<string>(),
    followUps: new Set<Exclude<FollowUpKind, 'tags'>>(),
    failingSinceMs: null,
    isBlind: false,
  } satisfies Partial<NodeEntry>;
}

/** Takes over changed options, and forgets what holds no longer: what was seen at another address, or before a pause. */
export function changeOptions(entry: NodeEntry, stored: StoredNode): void {
  const before = entry.stored;
  entry.stored = stored;
  if (before.url !== stored.url) entry.pastUntilMs = null;
  else if (before.paused && !stored.paused) entry.pastUntilMs = entry.reportAtMs;
  if (stored.paused) {
    if (!before.paused || before.url !== stored.url) Object.assign(entry, blank(pausedReason));
  } else if (before.url !== stored.url) {
    Object.assign(entry, blank('The address was changed and not asked yet.'));
  } else if (before.paused) {
    Object.assign(entry, blank('The node was not asked since the pause.'));
  }
  if (stored.tags.length === 0) entry.tagView = null;
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

export function statusOf(entry: NodeEntry, poll: PollStatus): NodeStatus {
  const { stored, state, reason, report, reportAtMs, lastPollAtMs, error, nodeId } = entry;
  const { readiness, liveness, disagreement, tagView } = entry;
  return {
    node: configOf(stored),
    state,
    reason,
    report,
    reportAtMs,
    lastPollAtMs,
    nextPollAtMs: poll.nextPollAtMs,
    polling: poll.polling,
    error,
    nodeId,
    previousNodeId: stored.previousNodeId,
    readiness,
    liveness,
    disagreement,
    tagView,
    tagChecks: stored.tagChecks.filter(({ tag }) => tag !== noSubnetTag),
    periodMs: poll.periodMs,
    keepsConnection: poll.isKept,
    slowChecks: entry.slowChecks,
  };
}
