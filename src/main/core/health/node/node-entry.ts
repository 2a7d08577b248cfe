import type { NodeConfig, NodeStatus, ReceivedAnswer } from '../../../../shared/health/types.ts';
import { Turns } from '../../../../shared/turns.ts';
import type { StoredNode, StoredPoll } from '../../health-ports.ts';
import type { CheckNames } from '../ask/check-names.ts';
import { countedAnew, type CheckHistory } from '../episodes/check-history.ts';
import type { PollTarget } from '../poll/schedule.ts';
import type { PollStatus } from '../poll/poller.ts';
import type { Durations } from '../episodes/slow.ts';
import type { StandingChecks } from '../episodes/stall.ts';
import { noSubnetTag } from './tag-view.ts';

/** Requests beyond the health poll; `tags` asks which checks each tag selects. */
export type FollowUpKind = 'tags' | 'readiness' | 'liveness';

/** The part of a node's status, as sent to the window, that polls fill in. */
type Seen = Omit<NodeStatus, 'node' | 'previousNodeId' | 'tagChecks' | keyof PollStatus>;

/** What a changed address, a pause or its end makes obsolete. */
class SinceAsked {
  standing: StandingChecks | null = null;
  /** The last known period, from before sleep or from the stored past; null while unknown. */
  usualPeriodMs: number | null = null;
  durations: ReadonlyMap<string, Durations> = new Map();
  reportCount = 0;
  /** Whether the last poll changed the node's state. */
  hasChanged = false;
  /** Tags whose checks are up to date; cleared when they have to be asked for again. */
  askedTags = new Set<string>();
  /** Pending follow-up requests, the longest pending first. */
  followUps = new Set<Exclude<FollowUpKind, 'tags'>>();
  /** When the last poll was stored, by both clocks; null before the first. */
  recorded: { wallMs: number; monotonicMs: number } | null = null;
  /** The last response as received. */
  received: ReceivedAnswer | null = null;
  /** Since when requests have failed below HTTP, by the monotonic clock; null while something answers. */
  failingSinceMs: number | null = null;
  /** When anything last answered at this address (monotonic); null for never. */
  lastAnsweredMs: number | null = null;
  /** The last poll says nothing of the network: it was not sent, or what answered may stand in every host's place. */
  saysNothing = false;
  /** Polls that have failed since then. */
  failedPolls = 0;
  /** The failed polls that our own network explains while it seems to be down; null while it is not. */
  blindPolls: number | null = null;
  /** A poll was under way when our own network came back: if it fails, that may be of before. */
  mayFailOfBefore = false;
  /** How far our clock is ahead of the node's (`clockAhead`); null before its first report. */
  aheadMs: number | null = null;
}

/** The state of a watched node while the app runs. */
export class NodeEntry extends SinceAsked {
  stored: StoredNode;
  seen: Seen;
  names: CheckNames = new Map();
  /** Stored reports up to this time still have to be read for the usual durations; null when there are none. */
  pastUntilMs: number | null = null;
  /** When each node last answered at this address (monotonic), the last few minutes. */
  readonly answeredMs = new Map<string, number>();
  /** Null until read from the store. */
  history: CheckHistory | null = null;
  /** The history with the polls that the disk refused, and the last of these with all episodes; else null. */
  unsaved: { history: CheckHistory; poll: StoredPoll } | null = null;
  /** Serialises writes to this node's stored data. */
  readonly turns = new Turns();
  /** Incremented when what to ask of the node has changed. */
  revision = 0;
  removed = false;

  constructor(stored: StoredNode) {
    super();
    this.stored = stored;
    this.seen = {
      report: null,
      reportAtMs: null,
      lastPollAtMs: null,
      ...elsewhere,
      ...unasked(stored.paused ? pausedReason : 'The app hasn’t polled this node yet.'),
    };
  }

  /** As `countedAnew`. */
  countAnew(): void {
    const anew = (history: CheckHistory) => ({ ...history, seen: countedAnew(history.seen) });
    this.history = this.history && anew(this.history);
    this.unsaved = this.unsaved && { ...this.unsaved, history: anew(this.unsaved.history) };
  }
}

const pausedReason = 'Polling is paused for this node.';
/** At another address may be another node at the same height; that must not look like a standstill. */
const elsewhere = { heights: [], nodeId: null, nodeIds: [], silentAtMs: null } satisfies Partial<Seen>;

function unasked(reason: string) {
  const nothing = { error: null, readiness: null, liveness: null, tagView: null, slowChecks: [] };
  return { ...nothing, state: 'unknown', reason } satisfies Partial<Seen>;
}

/** Applies changed options and resets what they made obsolete, all but the last report. */
export function changeOptions(entry: NodeEntry, stored: StoredNode): void {
  const { stored: before, seen } = entry;
  entry.stored = stored;
  const isMoved = before.url !== stored.url;
  if (isMoved) {
    entry.pastUntilMs = null;
    entry.answeredMs.clear();
    entry.countAnew();
  } else if (before.paused && !stored.paused) entry.pastUntilMs = seen.reportAtMs;
  if (isMoved || before.paused !== stored.paused) {
    const reason = isMoved
      ? 'The app hasn’t polled the new address yet.'
      : 'The app hasn’t polled this node since the pause.';
    entry.seen = { ...seen, ...unasked(stored.paused ? pausedReason : reason), ...(isMoved && elsewhere) };
    Object.assign(entry, new SinceAsked());
  }
  if (stored.tags.length === 0) entry.seen.tagView = null;
}

export const configOf = ({ previousNodeId: _id, tagChecks: _checks, ...config }: StoredNode): NodeConfig =>
  config;

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
