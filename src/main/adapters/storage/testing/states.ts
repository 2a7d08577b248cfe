import type { CheckState, NodeState } from '../../../../shared/health/types.ts';

export const checkStates: readonly CheckState[] = ['pass', 'fail', 'pending', 'unknown', 'stalled'];
export const nodeStates: readonly NodeState[] = [
  'healthy',
  'unhealthy',
  'starting',
  'unreachable',
  'unknown',
  'stalled',
];
