import type { StorageStatus } from '../../../../shared/ipc/answers.ts';

/** The stores of the app as one: the worst of their states, and all that there is to say. */
export function mergeStatuses(statuses: readonly StorageStatus[]): StorageStatus {
  const order = ['failed', 'memory', 'opening'] as const;
  return {
    state: order.find((state) => statuses.some((status) => status.state === state)) ?? 'ready',
    notices: statuses.flatMap(({ notices }) => notices),
  };
}
