import type { StorageStatus } from '../../../../shared/ipc/answers.ts';

/** Combines the statuses of the app's stores: the worst state, and all notices, each once: a full disk is told by all. */
export function mergeStatuses(statuses: readonly StorageStatus[]): StorageStatus {
  const order = ['failed', 'memory', 'opening'] as const;
  return {
    state: order.find((state) => statuses.some((status) => status.state === state)) ?? 'ready',
    notKept: statuses.some(({ notKept }) => notKept),
    notices: [...new Set(statuses.flatMap(({ notices }) => notices))],
  };
}
