import type { CheckReport, HealthReport } from '../../../shared/health/types.ts';
import { nameList } from './name-list.ts';

/**
 * How the answers by GET and by JSON-RPC contradict each other, in words; null when they agree. The node may have run its
 * checks between the two, so only results of the same run are compared: `undecided` when there are none.
 */
export function disagreementOf(byGet: HealthReport, byRpc: HealthReport): string | null | 'undecided' {
  const rpcChecks = new Map(byRpc.checks.map((check) => [check.name, check]));
  const sameRun = byGet.checks.filter((check) => isSameRun(check, rpcChecks.get(check.name)));
  const isComparable = sameRun.length === byGet.checks.length && byGet.checks.length === byRpc.checks.length;
  const parts: string[] = [];
  const different = sameRun.filter((check) => rpcChecks.get(check.name)?.state !== saidState(check));
  if (different.length > 0) parts.push(`${nameList(different.map(({ name }) => name))} in another state`);
  const onlyGet = byGet.checks.filter(({ name }) => !rpcChecks.has(name)).map(({ name }) => name);
  if (onlyGet.length > 0) parts.push(`without ${nameList(onlyGet)}`);
  const getNames = new Set(byGet.checks.map(({ name }) => name));
  const onlyRpc = byRpc.checks.filter(({ name }) => !getNames.has(name)).map(({ name }) => name);
  if (onlyRpc.length > 0) parts.push(`with ${nameList(onlyRpc)} in addition`);
  if (isComparable && byGet.healthy !== byRpc.healthy) {
    parts.unshift(byRpc.healthy ? 'healthy' : 'unhealthy');
  }
  if (parts.length > 0) {
    return `GET says ${byGet.healthy ? 'healthy' : 'unhealthy'}; JSON-RPC answers ${parts.join(', ')}.`;
  }
  return isComparable ? null : 'undecided';
}

/** What the node said, without our own judgement of it. */
function saidState({ state }: CheckReport): CheckReport['state'] {
  return state === 'stalled' ? 'pass' : state;
}

/** Two results without a time are compared as well: a node that tells no times has no other. */
function isSameRun(check: CheckReport, other: CheckReport | undefined): boolean {
  return other !== undefined && other.ranAtMs === check.ranAtMs;
}
