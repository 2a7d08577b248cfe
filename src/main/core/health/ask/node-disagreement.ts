import type { CheckReport } from '../../../../shared/health/types.ts';
import { nameList } from '../../../../shared/health/names.ts';

/** A report, whatever clock its times are by. */
interface Compared<Time> {
  healthy: boolean;
  checks: readonly (Pick<CheckReport, 'name' | 'state'> & { ranAtMs: Time })[];
}

/**
 * How the responses by GET and by JSON-RPC contradict each other, null when they agree. The node may have run its checks
 * in between, so only results of the same run are compared: undefined when these are too few to decide. Two results
 * without a time count as the same run: some nodes never send times.
 */
export function compareAnswers<Time>(
  byGet: Compared<Time>,
  byRpc: Compared<Time>,
): string | null | undefined {
  const rpcChecks = new Map(byRpc.checks.map((check) => [check.name, check]));
  const sameRun = byGet.checks.filter(({ name, ranAtMs }) => rpcChecks.get(name)?.ranAtMs === ranAtMs);
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
  if (parts.length > 0)
    return `GET says ${byGet.healthy ? 'healthy' : 'unhealthy'}; JSON-RPC answers ${parts.join(', ')}.`;
  return isComparable ? null : undefined;
}

/** The state as the node reported it: `stalled` is the app's own judgement of a passing check. */
function saidState({ state }: Pick<CheckReport, 'state'>): CheckReport['state'] {
  return state === 'stalled' ? 'pass' : state;
}
