import type { AskLimits, AskPorts, NodeAnswer } from './ask-node.ts';
import { askByRpc, askNode } from './ask-node.ts';
import { compareAnswers } from './node-disagreement.ts';
import type { NodeEntry } from './node-entry.ts';
import type { FollowUp } from './poller.ts';
import { probeAnswer } from './probe.ts';
import { judgeTags, tagsToLearn, withTagChecks, type TagChecks } from './tag-view.ts';

/** Which further requests a poll makes. */
export interface FollowUpsDue {
  rpc: boolean;
  readiness: boolean;
  liveness: boolean;
  /** Everything about tags is to be learned anew. */
  relearnsTags: boolean;
}

/**
 * What is asked beside health, now and then so that a node has about as few requests as polls: with the first report, after
 * a change of state, readiness and liveness with every tenth report, JSON-RPC with every twentieth, what tags select with
 * every 120th. `reportCount` counts the report that has just arrived.
 */
export function followUpsDue(reportCount: number, hasChanged: boolean): FollowUpsDue {
  const isEvery = (nth: number): boolean => (reportCount - 1) % nth === 0;
  const areProbesDue = hasChanged || isEvery(10);
  return {
    rpc: hasChanged || isEvery(20),
    readiness: areProbesDue,
    liveness: areProbesDue,
    relearnsTags: isEvery(120),
  };
}

/** Makes the further requests of a poll, one after the other, as far as its time goes. Returns what was learned of tags. */
export async function followUp(ports: AskPorts, entry: NodeEntry, rest: FollowUp): Promise<TagChecks[]> {
  const { clock } = ports;
  const { endpoint, signal, untilMs } = rest;
  const isAbandoned = (): boolean => signal.aborted;
  const due = followUpsDue(entry.reportCount, entry.hasChanged);
  if (due.relearnsTags) entry.askedTags.clear();

  async function within(ask: (limits: AskLimits) => Promise<NodeAnswer>): Promise<NodeAnswer | null> {
    const timeoutMs = Math.ceil(untilMs - clock.monotonicMs());
    if (timeoutMs <= 0 || isAbandoned()) return null;
    const answer = await ask({ timeoutMs, signal });
    // Abandoned meanwhile: the answer may be about another address.
    return isAbandoned() ? null : answer;
  }

  const { tags } = entry.stored;
  const learned = await askForTags();
  if (due.rpc) await compareWithRpc();
  if (due.readiness) {
    const answer = await within((limits) =>
      askNode(ports, endpoint, limits, { what: 'readiness', tags: [] }),
    );
    if (answer !== null) entry.readiness = probeAnswer('readiness', answer.reading, clock.nowMs());
  }
  if (due.liveness) {
    const answer = await within((limits) => askNode(ports, endpoint, limits, { what: 'liveness', tags: [] }));
    if (answer !== null) entry.liveness = probeAnswer('liveness', answer.reading, clock.nowMs());
  }
  return learned;

  async function askForTags(): Promise<TagChecks[]> {
    let known: TagChecks[] = entry.stored.tagChecks;
    if (tags.length === 0) {
      entry.tagView = null;
      return [];
    }
    const selected = await within((limits) => askNode(ports, endpoint, limits, { what: 'health', tags }));
    for (const tag of tagsToLearn(tags, known, entry.askedTags)) {
      // With one tag the answer is there already.
      const answer =
        tags.length === 1 && tag === tags[0]
          ? selected
          : await within((limits) => askNode(ports, endpoint, limits, { what: 'health', tags: [tag] }));
      if (answer?.reading.kind !== 'report') continue;
      entry.askedTags.add(tag);
      const checks = answer.reading.report.checks.map(({ name }) => name);
      known = withTagChecks(known, tags, { tag, checks });
    }
    if (isAbandoned()) return known;
    entry.tagView =
      selected?.reading.kind === 'report' && entry.report !== null
        ? judgeTags(tags, entry.report, selected.reading.report, known)
        : null;
    return known;
  }

  async function compareWithRpc(): Promise<void> {
    const { report } = entry;
    const answer = await within((limits) => askByRpc(ports, endpoint, 'health.health', [], limits));
    if (answer === null || report === null) return;
    if (answer.reading.kind === 'no-report') {
      entry.disagreement = null;
      return;
    }
    const compared = compareAnswers(report, answer.reading.report);
    if (compared !== null) entry.disagreement = compared.words;
  }
}
