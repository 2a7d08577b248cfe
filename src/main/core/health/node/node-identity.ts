import type { NodeEntry } from './node-entry.ts';

/** Who answers alone for so long is the node: about twenty answers, so that none of several is taken for it by chance. */
const aloneForMs = 300_000;
const mostTold = 10;

export const severalNodesReason =
  'Several nodes respond at this address. The app ignores their responses until only one of them has responded for five minutes.';

/**
 * Notes which node has answered. There are several where a load balancer stands or a host name has several addresses; a
 * node that was replaced does not come back.
 */
export function noteNodeId({ answeredMs, seen }: NodeEntry, nodeId: string, nowMs: number): void {
  // However long ago the judged node answered, it may come back; but not after another answered alone.
  const isCurrent = answeredMs.size === 0 || answeredMs.has(seen.nodeId ?? '');
  if (seen.nodeIds.length === 0 && seen.nodeId !== null && isCurrent) answeredMs.set(seen.nodeId, nowMs);
  answeredMs.set(nodeId, nowMs);
  for (const [known, atMs] of answeredMs) if (atMs <= nowMs - aloneForMs) answeredMs.delete(known);
  seen.nodeIds = answeredMs.size > 1 ? [...answeredMs.keys()].slice(-mostTold).sort() : [];
}

/** Judges the node of a poll's answer from now on, where no other answers. */
export function settleNodeId(entry: NodeEntry, nodeId: string): void {
  const { seen } = entry;
  const previousNodeId = seen.nodeId;
  if (seen.nodeIds.length > 0 || nodeId === previousNodeId) return;
  seen.nodeId = nodeId;
  if (previousNodeId === null) return;
  // What was learned is of the node before.
  Object.assign(entry, {
    stored: { ...entry.stored, previousNodeId },
    standing: null,
    usualPeriodMs: null,
    pastUntilMs: null,
    aheadMs: null,
    durations: new Map(),
  } satisfies Partial<NodeEntry>);
  entry.countAnew();
  seen.heights = [];
}
