import type { History } from './history.ts';
import type { PromiseName } from './promises.ts';
import { run } from './run.ts';

/**
 * The shortest history that still breaks the promise: happenings are left out, many at first and one by one at the end,
 * until none can be missed, then what there is from the beginning is made plain.
 */
export async function shorten(
  history: History,
  promise: PromiseName,
  unwatched: readonly PromiseName[] = [],
): Promise<History> {
  let shortest = history;
  const breaks = async (candidate: History): Promise<boolean> =>
    (await run(candidate, { unwatched })).violation?.promise === promise;
  const tryIt = async (candidate: History): Promise<boolean> => {
    const isShorter = JSON.stringify(candidate) !== JSON.stringify(shortest) && (await breaks(candidate));
    if (isShorter) shortest = candidate;
    return isShorter;
  };
  for (
    let size = Math.ceil(history.happenings.length / 2);
    size > 0;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let at = 0; at < shortest.happenings.length;) {
      const happenings = shortest.happenings.filter((_one, index) => index < at || index >= at + size);
      if (!(await tryIt({ ...shortest, happenings }))) at += size;
    }
  }
  for (const simpler of simplerThan(shortest)) await tryIt({ ...shortest, ...simpler });
  return shortest;
}

function* simplerThan(history: History): Generator<Partial<History>> {
  const { nodes, services, happenings, settings } = history;
  const lastMs = happenings.at(-1)?.atMs ?? 0;
  yield { durationMs: lastMs + 60_000 };
  yield { clock: { offMs: 0, standsStillAsleep: false, drift: 0 } };
  yield { latencyMs: 5 };
  yield { settings: { ...settings, keepDays: 365 } };
  yield { settings: { ...settings, failAfter: 1, recoverAfter: 1 } };
  yield { nodes: nodes.slice(0, 1) };
  yield { services: services.slice(0, 1) };
  const plainNode = { isLocal: false, periodMs: 30_000, checks: 3, clockMs: 0, intervalMs: null, lateMs: 0 };
  yield { nodes: nodes.map(() => plainNode) };
  yield { nodes: nodes.map((node) => ({ ...node, clockMs: 0, lateMs: 0 })) };
  yield { nodes: nodes.map((node) => ({ ...node, checks: Math.min(node.checks, 3), periodMs: 30_000 })) };
  yield {
    services: services.map((service) => ({
      ...service,
      chains: 1,
      callsPerMinute: null,
      spellsDetailsInCapitals: false,
    })),
  };
  yield {
    services: services.map((service) => ({ ...service, chains: 1, pageRows: 100, otherOrder: 'descending' })),
  };
}
