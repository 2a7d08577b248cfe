import type { CheckState, NodeState } from '../../../../../shared/health/types.ts';

// Places are the numbers that are stored: what is added goes to the end.
export const checkStates: readonly CheckState[] = ['pass', 'fail', 'pending', 'unknown', 'stalled'];
export const nodeStates: readonly NodeState[] = [
  'healthy',
  'unhealthy',
  'starting',
  'unreachable',
  'unknown',
  'stalled',
];
