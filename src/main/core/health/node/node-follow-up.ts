import type { TagChecks } from '../../../../shared/health/types.ts';
import type { Clock } from '../../ports.ts';
import type { NodeAnswer, Question } from '../ask/ask-node.ts';
import type { FollowUpKind, NodeEntry } from './node-entry.ts';
import { noteNodeId } from './node-identity.ts';
import type { FollowUp } from '../poll/poller.ts';
import { probeAnswer } from '../ask/probe.ts';
import { judgeTags, tagsToLearn, withTagChecks } from './tag-view.ts';

/**
 * The follow-up requests that become due with a report: readiness and liveness with the first and every tenth, and after a
 * change of state; tags with every 120th. Liveness is usually asked between polls, and here only where the caller has no
 * answer yet. `reportCount` includes the report just received.
 */
export function followUpsDue(reportCount: number, hasChanged: boolean): FollowUpKind[] {
  const isEvery = (nth: number): boolean => (reportCount - 1) % nth === 0;
  const due: FollowUpKind[] = [];
  if (isEvery(120)) due.push('tags');
  if (hasChanged || isEvery(10)) due.push('readiness', 'liveness');
  return due;
}

/**
 * Sends pending follow-up requests of a poll, one after the other, while its time and the node's spare requests last;
 * the rest stays pending. Returns what is known of each tag's checks and updates the view by tags.
 */
export async function followUp(clock: Clock, entry: NodeEntry, rest: FollowUp): Promise<TagChecks[]> {
  const { tags } = entry.stored;
  let learned: TagChecks[] = tags.length === 0 ? [] : entry.stored.tagChecks;
  for (const kind of followUpsDue(entry.reportCount, entry.hasChanged)) {
    if (kind === 'tags') entry.askedTags.clear();
    else if (kind !== 'liveness' || entry.seen.liveness === null) entry.followUps.add(kind);
  }
  judgeByTags();

  async function ask(question: Question): Promise<NodeAnswer | null> {
    const answer = await rest.ask(question);
    // The budget lets no more through, so it is asked again with a later report.
    const wasRefused = answer?.reading.kind === 'no-report' && answer.reading.failure === 'not-allowed';
    // Abandoned meanwhile: the answer may be from a previous address.
    if (answer === null || rest.signal.aborted || wasRefused) return null;
    const { reportedNodeId } = answer;
    if (reportedNodeId !== null) noteNodeId(entry, reportedNodeId, clock.monotonicMs());
    return entry.seen.nodeIds.length > 0 ? null : answer;
  }

  for (const tag of tagsToLearn(tags, learned, entry.askedTags)) {
    const answer = await ask({ what: 'health', tags: [tag] });
    if (answer?.reading.kind !== 'report') continue;
    entry.askedTags.add(tag);
    const checks = answer.reading.report.checks.map(({ name }) => name);
    learned = withTagChecks(learned, tags, { tag, checks });
    judgeByTags();
  }
  for (const kind of entry.followUps) {
    const answer = await ask({ what: kind, tags: [] });
    if (answer === null) break;
    entry.followUps.delete(kind);
    entry.seen[kind] = probeAnswer(kind, answer.reading, clock.nowMs());
  }
  return learned;

  function judgeByTags(): void {
    if (rest.signal.aborted) return;
    const { report } = entry.seen;
    entry.seen.tagView = report === null || tags.length === 0 ? null : judgeTags(tags, report, learned);
  }
}
