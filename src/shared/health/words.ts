import type { CheckState, KnownFrom, NodeState, StripCell } from './types.ts';

/** The word that stands beside the shape and colour of a node's state. */
export const nodeStateWords: Readonly<Record<NodeState, string>> = {
  healthy: 'Healthy',
  unhealthy: 'Unhealthy',
  starting: 'Starting',
  unreachable: 'Unreachable',
  unknown: 'Unknown',
  stalled: 'Not running its checks',
};

/** The word that stands beside the shape and colour of a check's state, or of a cell of a strip. */
export const checkStateWords: Readonly<Record<CheckState | StripCell['state'], string>> = {
  pass: 'Passing',
  fail: 'Failing',
  pending: 'Not run yet',
  unknown: 'Unknown',
  stalled: 'Not running',
  unreachable: 'Did not answer',
  none: 'No data',
};

/** How the moment is known at which a failure began or ended. */
export const knownWords: Readonly<Record<KnownFrom, string>> = {
  seen: 'seen',
  'node-reported': 'as the node reported it',
  inferred: 'inferred: a new first failure or a smaller count proves it',
  unreported: 'no longer reported by the node',
};
