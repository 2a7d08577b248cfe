import type { CheckState, KnownFrom, NodeState, StripCell } from './types.ts';

/** Text shown next to the symbol and colour of a node's state. */
export const nodeStateWords: Readonly<Record<NodeState, string>> = {
  healthy: 'Healthy',
  unhealthy: 'Unhealthy',
  starting: 'Starting',
  unreachable: 'Unreachable',
  unknown: 'Unknown',
  stalled: 'Not running its checks',
};

/** Text shown next to the symbol and colour of the state of a check or of a strip's cell. */
export const checkStateWords: Readonly<Record<CheckState | StripCell['state'], string>> = {
  pass: 'Passing',
  fail: 'Failing',
  pending: 'Not run yet',
  unknown: 'Unknown',
  stalled: 'Not running',
  unreachable: 'No response',
  none: 'No data',
};

/** How the time of a failure's beginning or end is known. */
export const knownWords: Readonly<Record<KnownFrom, string>> = {
  seen: 'observed by this app',
  'node-reported': 'reported by the node',
  inferred: 'inferred from later check runs',
  unreported: 'no longer reported by the node',
};
