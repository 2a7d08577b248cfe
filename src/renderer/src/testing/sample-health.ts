import type {
  CheckReport,
  CheckState,
  FailureEpisode,
  NodeConfig,
  NodeState,
  NodeStatus,
  Strip,
  StripCell,
} from '../../../shared/health/types.ts';
import { Random } from './random.ts';

interface SampleNode {
  id: string;
  name: string;
  url: string;
  state: NodeState;
  reason: string;
}

const nodes: readonly SampleNode[] = [
  {
    id: 'n1',
    name: 'Frankfurt 1',
    url: 'http://10.0.4.11:9650',
    state: 'healthy',
    reason: 'All 8 checks pass.',
  },
  {
    id: 'n2',
    name: 'Ashburn 2',
    url: 'http://10.0.9.23:9650',
    state: 'unhealthy',
    reason: '2 of 8 checks fail: C-Chain and Disk space.',
  },
  {
    id: 'n3',
    name: 'Staging',
    url: 'http://192.168.1.40:9650',
    state: 'starting',
    reason: 'Still bootstrapping 1 subnet; no check fails.',
  },
  {
    id: 'n4',
    name: 'Basement',
    url: 'http://192.168.1.77:9650',
    state: 'unreachable',
    reason: 'No answer since 3 polls: connection refused. What it reported last is shown.',
  },
];

/** A node that has not been polled yet. */
export function newStatus(node: NodeConfig): NodeStatus {
  return {
    node,
    state: 'unknown',
    reason: 'The app hasn’t polled this node yet.',
    report: null,
    reportAtMs: null,
    lastPollAtMs: null,
    silentAtMs: null,
    nextPollAtMs: null,
    polling: !node.paused,
    error: null,
    nodeId: null,
    nodeIds: [],
    previousNodeId: null,
    readiness: null,
    liveness: null,
    tagView: null,
    tagChecks: [],
    periodMs: null,
    keepsConnection: null,
    heldBackCount: 0,
    slowChecks: [],
    heights: [],
  };
}

function chainMessage(height: number, connected: number) {
  return {
    engine: {
      consensus: {
        lastAcceptedHeight: height,
        lastAcceptedID: '2QxN5pLZ8mEu7mWJqHb1YyqQ6mTz7oXv1LQb4VbDdYwZ7o1A3b',
        longestProcessingBlock: '0s',
        processingBlocks: 0,
      },
      vm: null,
    },
    networking: { percentConnected: connected },
  };
}

function checksOf(state: NodeState, nowMs: number): CheckReport[] {
  const ranAtMs = nowMs - (state === 'unreachable' ? 5 * 3_600_000 : 12_000);
  const base = { error: null, ranAtMs, contiguousFailures: null, firstFailureAtMs: null };
  const pass = (name: string, durationNs: string, message: CheckReport['message']): CheckReport => ({
    ...base,
    name,
    state: 'pass',
    durationNs,
    message,
  });
  const checks = [
    pass('C', '1843291', chainMessage(51_204_331, 0.9921)),
    pass('P', '921833', chainMessage(14_882_019, 0.9921)),
    pass('X', '712003', chainMessage(9_003_112, 0.9921)),
    pass('bootstrapped', '11034', []),
    pass('database', '43021', null),
    pass('diskspace', '22044', { availableDiskBytes: 388_120_776_704, availableDiskPercentage: 41 }),
    pass('network', '8812', {
      connectedPeers: 1_204,
      sendFailRate: 0.00021,
      timeSinceLastMsgReceived: '293.098ms',
      timeSinceLastMsgSent: '411.2ms',
    }),
    pass('router', '1204', { longestRunningRequest: '1.204s', outstandingRequests: 14 }),
  ];
  if (state === 'unhealthy') {
    checks[0] = {
      ...base,
      name: 'C',
      state: 'fail',
      error: 'block processing too long: 54m47.7s > 30s',
      message: {
        engine: {
          consensus: {
            lastAcceptedHeight: 51_199_870,
            lastAcceptedID: '2QxN5pLZ8mEu7mWJqHb1YyqQ6mTz7oXv1LQb4VbDdYwZ7o1A3b',
            longestProcessingBlock: '54m47.7s',
            processingBlocks: 12,
          },
          vm: null,
        },
        networking: { percentConnected: 0.71 },
      },
      durationNs: '150212000000',
      contiguousFailures: 109,
      firstFailureAtMs: nowMs - 55 * 60_000,
    };
    checks[5] = {
      ...base,
      name: 'diskspace',
      state: 'fail',
      error: 'remaining available disk space percentage (7%) is below the warning threshold (10%)',
      message: { availableDiskBytes: 66_120_776_704, availableDiskPercentage: 7 },
      durationNs: '22044',
      contiguousFailures: 12,
      firstFailureAtMs: nowMs - 6 * 60_000,
    };
  }
  if (state === 'starting') {
    checks[3] = {
      ...base,
      name: 'bootstrapped',
      state: 'fail',
      error: 'subnets not bootstrapped',
      message: ['p4jUwqZsA2LuSftroCd3zb4ytH8W99oXKuKVZdsty7eQ3rXD6'],
      durationNs: '11034',
      contiguousFailures: 40,
      firstFailureAtMs: nowMs - 20 * 60_000,
    };
    checks[7] = {
      ...base,
      name: 'router',
      state: 'pending',
      error: 'not yet run',
      message: null,
      ranAtMs: null,
      durationNs: '0',
    };
  }
  return checks;
}

/** Four nodes: healthy, unhealthy, starting, unreachable. */
export function sampleNodes(nowMs: number): NodeStatus[] {
  return nodes.map(({ id, name, url, state, reason }, index) => {
    const isReachable = state !== 'unreachable';
    const config: NodeConfig = {
      id,
      name,
      url,
      intervalMs: id === 'n2' ? null : 30_000,
      tags: [],
      headerNames: id === 'n2' ? ['authorization'] : [],
      certificate: null,
      paused: false,
      addedAtMs: nowMs - 40 * 86_400_000,
    };
    return {
      ...newStatus(config),
      state,
      reason,
      report: { healthy: state === 'healthy', checks: checksOf(state, nowMs), notes: [] },
      reportAtMs: isReachable ? nowMs - 8_000 - index * 3_000 : nowMs - 5 * 3_600_000,
      lastPollAtMs: nowMs - 8_000,
      silentAtMs: null,
      nextPollAtMs: nowMs + 22_000,
      polling: false,
      error: isReachable ? null : { code: 'unreachable', message: 'connect ECONNREFUSED 192.168.1.77:9650' },
      nodeId: isReachable ? `NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3L${index}` : null,
      periodMs: isReachable ? 30_000 : null,
      readiness: isReachable
        ? {
            says: state === 'starting' ? 'no' : 'yes',
            words:
              state === 'starting'
                ? 'The node hasn’t finished initialising: 1 of 1 checks fails: Bootstrapping.'
                : 'The node has finished initialising.',
            askedAtMs: nowMs - 40_000,
          }
        : null,
      liveness: isReachable ? { says: 'yes', words: 'The node responds.', askedAtMs: nowMs - 40_000 } : null,
    };
  });
}

/** Results that lead to the node's present state. */
export function sampleStrips(status: NodeStatus, fromMs: number, toMs: number, cellCount: number): Strip[] {
  const cellMs = (toMs - fromMs) / cellCount;
  const random = new Random(status.node.id.charCodeAt(1));
  const strip = (check: string | null, last: CheckState): Strip => {
    const bad = random.integer(cellCount);
    const cells: StripCell[] = Array.from({ length: cellCount }, (_, index) => {
      const isNew = index >= cellCount - 4;
      const isUnseen = status.state === 'unreachable' && index > cellCount - 20;
      const state: StripCell['state'] =
        index < cellCount * 0.08
          ? 'none'
          : isUnseen
            ? 'unknown'
            : isNew
              ? last
              : Math.abs(index - bad) < 2 && random.fraction() < 0.7
                ? 'fail'
                : 'pass';
      return {
        fromMs: fromMs + index * cellMs,
        toMs: fromMs + (index + 1) * cellMs,
        state,
        runs: state === 'none' ? 0 : 30,
        failures: state === 'fail' ? 4 : 0,
        error: state === 'fail' ? 'block processing too long: 54m47.7s > 30s' : null,
      };
    });
    return { check, cells };
  };
  const whole: CheckState =
    status.state === 'healthy'
      ? 'pass'
      : status.state === 'unhealthy'
        ? 'fail'
        : status.state === 'starting'
          ? 'pending'
          : 'unknown';
  return [
    strip(null, whole),
    ...(status.report?.checks ?? []).map((check) => strip(check.name, check.state)),
  ];
}

export function sampleEpisodes(status: NodeStatus, nowMs: number): FailureEpisode[] {
  if (status.state === 'healthy') return [];
  const hour = 3_600_000;
  return [
    {
      id: 'e1',
      check: 'C',
      startedAtMs: nowMs - 55 * 60_000,
      startKnownFrom: 'node-reported',
      endedAtMs: null,
      endKnownFrom: null,
      failuresSeen: 98,
      failuresReported: 109,
      firstError: 'block processing too long: 31.2s > 30s',
      lastError: 'block processing too long: 54m47.7s > 30s',
      passes: 20,
    },
    {
      id: 'e2',
      check: 'network',
      startedAtMs: nowMs - 31 * hour,
      startKnownFrom: 'seen',
      endedAtMs: nowMs - 30.6 * hour,
      endKnownFrom: 'seen',
      failuresSeen: 48,
      failuresReported: 48,
      firstError: 'not connected to enough peers: 0 < 1',
      lastError: 'not connected to enough peers: 0 < 1',
      passes: 20,
    },
    {
      id: 'e3',
      check: 'C',
      startedAtMs: nowMs - 130 * hour,
      startKnownFrom: 'seen',
      endedAtMs: nowMs - 128 * hour,
      endKnownFrom: 'inferred',
      failuresSeen: 6,
      failuresReported: 6,
      firstError: 'block processing too long: 44.9s > 30s',
      lastError: 'block processing too long: 44.9s > 30s',
      passes: 20,
    },
  ];
}
