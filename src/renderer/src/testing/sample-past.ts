import { err, ok, type Result } from '../../../shared/errors.ts';
import { chainOf } from '../../../shared/health/scope.ts';
import type {
  FieldDifference,
  Forecast,
  Incident,
  NodeStatus,
  RecordingInfo,
  ReportAt,
  ReportMoment,
  Uptime,
} from '../../../shared/health/types.ts';
import type { IncidentFilter, InvokeChannel } from '../../../shared/ipc/contract.ts';
import type { Emit, FakeAnswers } from './fake-answers.ts';
import { newStatus, sampleEpisodes, sampleStrips } from './sample-health.ts';
import type { World } from './sample-world.ts';

const hourMs = 3_600_000;

/** Two incidents of the unhealthy node, one of them open, and one of the first node. */
export function sampleIncidents(nowMs: number): Incident[] {
  return [
    {
      id: 'i1',
      nodeId: 'n2',
      startedAtMs: nowMs - 55 * 60_000,
      startKnownFrom: 'node-reported',
      endedAtMs: null,
      endKnownFrom: null,
      leadingCheck: 'diskspace',
      firstError: 'remaining available disk space percentage (9%) is below the warning threshold (10%)',
      parts: [
        {
          id: 'e1',
          check: 'diskspace',
          startedAtMs: nowMs - 55 * 60_000,
          startKnownFrom: 'node-reported',
          endedAtMs: null,
          endKnownFrom: null,
          failures: 109,
          firstError: 'remaining available disk space percentage (9%) is below the warning threshold (10%)',
        },
        {
          id: 'e2',
          check: 'C',
          startedAtMs: nowMs - 54 * 60_000,
          startKnownFrom: 'seen',
          endedAtMs: nowMs - 20 * 60_000,
          endKnownFrom: 'inferred',
          failures: 12,
          firstError: 'block processing too long: 31.2s > 30s',
        },
      ],
      worst: [{ check: 'diskspace', label: 'available disk', value: '7%' }],
      gone: [],
      note: '',
    },
    {
      id: 'i2',
      nodeId: 'n2',
      startedAtMs: nowMs - 31 * hourMs,
      startKnownFrom: 'seen',
      endedAtMs: nowMs - 30.6 * hourMs,
      endKnownFrom: 'seen',
      leadingCheck: 'network',
      firstError: 'not connected to enough peers: 0 < 1',
      parts: [
        {
          id: 'e3',
          check: 'network',
          startedAtMs: nowMs - 31 * hourMs,
          startKnownFrom: 'seen',
          endedAtMs: nowMs - 30.6 * hourMs,
          endKnownFrom: 'seen',
          failures: 48,
          firstError: 'not connected to enough peers: 0 < 1',
        },
      ],
      worst: [{ check: 'network', label: 'connected peers', value: '0' }],
      gone: [],
      note: 'Switch replaced.',
    },
    {
      id: 'i3',
      nodeId: 'n1',
      startedAtMs: nowMs - 130 * hourMs,
      startKnownFrom: 'seen',
      endedAtMs: nowMs - 128 * hourMs,
      endKnownFrom: 'seen',
      leadingCheck: 'C',
      firstError: 'block processing too long: 44.9s > 30s',
      parts: [
        {
          id: 'e4',
          check: 'C',
          startedAtMs: nowMs - 130 * hourMs,
          startKnownFrom: 'seen',
          endedAtMs: nowMs - 128 * hourMs,
          endKnownFrom: 'seen',
          failures: 6,
          firstError: 'block processing too long: 44.9s > 30s',
        },
      ],
      worst: [],
      gone: [],
      note: '',
    },
  ];
}

const sampleRecording = (nowMs: number): RecordingInfo => ({
  id: 'r1',
  nodeName: 'Singapore 3',
  fromMs: nowMs - 60 * hourMs,
  toMs: nowMs - 12 * hourMs,
  reportCount: 40,
  path: '/home/me/singapore-3.watchkeeper-recording',
});

const sampleForecast = (nowMs: number): Forecast => ({
  check: 'diskspace',
  field: 'availableDiskPercentage',
  label: 'available disk',
  now: '41%',
  threshold: '10%',
  atMs: nowMs + 9.2 * 24 * hourMs,
  earliestMs: nowMs + 6.1 * 24 * hourMs,
  latestMs: nowMs + 14.3 * 24 * hourMs,
});

const peers: FieldDifference = {
  check: 'network',
  field: 'message.connectedPeers',
  label: 'connected peers',
  before: '48',
  after: '3',
};

/** A change every half hour, up to the newest report. */
function momentsOf(status: NodeStatus, count: number): ReportMoment[] {
  const lastMs = status.reportAtMs ?? 0;
  return Array.from({ length: count }, (_, index) => ({
    atMs: lastMs - (count - 1 - index) * (hourMs / 2),
    state: index === count - 1 ? status.state : index % 5 === 3 ? 'unhealthy' : 'healthy',
  }));
}

function reportAt(status: NodeStatus, count: number, atMs: number): ReportAt | null {
  const moments = momentsOf(status, count);
  const index = moments.findLastIndex((moment) => moment.atMs <= atMs);
  const moment = moments[index];
  if (moment === undefined) return null;
  return {
    ...moment,
    reason: moment.state === 'healthy' ? 'All 8 checks pass.' : '1 of 8 checks fails: Network.',
    report: status.report,
    differences: index === 0 ? [] : [peers],
    previousAtMs: moments[index - 1]?.atMs ?? null,
  };
}

/** The first tenth of a span is unknown; the rest is up, except for current failures. */
function uptimesOf(status: NodeStatus, fromMs: number, toMs: number): Uptime[] {
  const spanMs = toMs - fromMs;
  const one = (scope: Uptime['scope'], name: string, downMs: number): Uptime => {
    const unknownMs = Math.round(spanMs * 0.004);
    const upMs = spanMs - unknownMs - downMs;
    return {
      scope,
      name,
      upMs,
      downMs,
      unreachableMs: 0,
      unknownMs,
      runs: Math.round(spanMs / 30_000),
      failedRuns: Math.round(downMs / 30_000),
      uptimePpm: Math.floor((upMs / (upMs + downMs)) * 1e6),
    };
  };
  return [
    one('node', '', spanMs * 0.00018),
    ...(status.report?.checks ?? []).map((check) =>
      one(
        chainOf(check.name, check.message) === null ? 'check' : 'chain',
        check.name,
        check.state === 'fail' ? spanMs * 0.031 : 0,
      ),
    ),
  ];
}

function matches(incident: Incident, filter: IncidentFilter): boolean {
  const text = JSON.stringify(incident).toLowerCase();
  return (
    (filter.nodeId === null || incident.nodeId === filter.nodeId) &&
    (filter.check === null || incident.parts.some(({ check }) => check === filter.check)) &&
    (filter.state === 'all' || (filter.state === 'open') === (incident.endedAtMs === null)) &&
    (filter.fromMs === null || (incident.endedAtMs ?? Infinity) >= filter.fromMs) &&
    (filter.toMs === null || incident.startedAtMs <= filter.toMs) &&
    text.includes(filter.text.toLowerCase())
  );
}

const missing = err({ code: 'not-found', message: 'no such thing in the sample world' } as const);

/** The fake main process's answers about nodes and their past. */
export function healthAnswers(
  world: World,
  emit: Emit,
): Pick<FakeAnswers, Extract<InvokeChannel, `${'nodes' | 'incidents' | 'alerts' | 'recordings'}.${string}`>> {
  const { snapshot, nowMs } = world;
  let incidents = sampleIncidents(nowMs);
  const recording = sampleRecording(nowMs);

  /** A recording of the second sample node, under its own name. */
  const statusOf = (id: string): NodeStatus | undefined => {
    const known = snapshot.nodes.find((status) => status.node.id === id);
    if (known !== undefined || id !== recording.id) return known;
    const like = snapshot.nodes[1];
    return like === undefined ? undefined : { ...like, reportAtMs: recording.toMs };
  };
  const about = <T>(id: string, answer: (status: NodeStatus) => T): Result<T> => {
    const status = statusOf(id);
    return status === undefined ? missing : ok(answer(status));
  };
  const changeIncident = (id: string, change: (incident: Incident) => Incident): Result<Incident> => {
    const known = incidents.find((incident) => incident.id === id);
    if (known === undefined) return missing;
    const changed = change(known);
    incidents = incidents.map((incident) => (incident.id === id ? changed : incident));
    emit('incidents.changed', { nodeId: changed.nodeId });
    return ok(changed);
  };

  return {
    'nodes.add': ({ headers, ...fields }) => {
      const config = {
        id: `n${snapshot.nodes.length + 1}`,
        ...fields,
        name: fields.name === '' ? new URL(fields.url).host : fields.name,
        headerNames: headers.map(({ name }) => name),
        addedAtMs: nowMs,
      };
      snapshot.nodes = [...snapshot.nodes, newStatus(config)];
      emit('nodes.changed', snapshot.nodes);
      return ok(config);
    },
    'nodes.update': ({ id, headers, ...fields }) =>
      about(id, ({ node }) => ({ ...node, ...fields, headerNames: headers.map(({ name }) => name) })),
    'nodes.remove': ({ id }) => {
      snapshot.nodes = snapshot.nodes.filter((status) => status.node.id !== id);
      emit('nodes.changed', snapshot.nodes);
      return ok({ undoId: `node ${id}` });
    },
    'nodes.poll': ({ id }) => about(id, (status) => status),
    'nodes.probe': () => {
      const answer = { says: 'yes', words: 'All 8 checks pass.', askedAtMs: nowMs } as const;
      return ok({
        get: answer,
        rpc: answer,
        readiness: { ...answer, words: 'The node has finished initialising.' },
        liveness: { ...answer, words: 'The node responds.' },
        nodeId: 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lx',
        advice: [],
        certificate: null,
        checks: ['C', 'P', 'X', 'network'],
      });
    },
    'nodes.strips': ({ id, fromMs, toMs, cellCount, limit }) =>
      about(id, (status) => sampleStrips(status, fromMs, toMs, cellCount).slice(0, limit)),
    'nodes.episodes': ({ id, check }) =>
      about(id, (status) =>
        sampleEpisodes(status, nowMs).filter((episode) => check === null || episode.check === check),
      ),
    'nodes.uptime': ({ id, fromMs, toMs }) => about(id, (status) => uptimesOf(status, fromMs, toMs)),
    'nodes.moments': ({ id, fromMs, toMs, limit }) =>
      about(id, (status) => {
        const within = momentsOf(status, recording.reportCount).filter(
          ({ atMs }) => atMs >= fromMs && atMs <= toMs,
        );
        return { moments: within.slice(0, limit), isCut: within.length > limit };
      }),
    'nodes.reportAt': ({ id, atMs }) => about(id, (status) => reportAt(status, recording.reportCount, atMs)),
    'nodes.forecasts': ({ id }) => ok(id === 'n1' ? [sampleForecast(nowMs)] : []),
    'nodes.historyUse': () =>
      ok(
        snapshot.nodes.map(({ node }, index) => ({
          nodeId: node.id,
          bytes: 12_400_000 + index * 3_100_000,
          fromMs: node.addedAtMs,
          pollCount: 115_200,
        })),
      ),
    'incidents.list': ({ filter, offset, limit }) => {
      const found = incidents.filter((incident) => matches(incident, filter));
      return ok({ incidents: found.slice(offset, offset + limit), totalCount: found.length });
    },
    'incidents.find': ({ nodeId, id }) => {
      const found = incidents.find((incident) => incident.nodeId === nodeId && incident.id === id);
      return found === undefined ? missing : ok(found);
    },
    'incidents.note': ({ id, note }) => changeIncident(id, (incident) => ({ ...incident, note })),
    'incidents.export': ({ filter, format }) =>
      ok({
        path: `/home/me/incidents.${format}`,
        count: incidents.filter((incident) => matches(incident, filter)).length,
      }),
    'incidents.postMortem': ({ id }) => ok({ path: `/home/me/post-mortem-${id}.html` }),
    'alerts.list': () => ok({ alerts: [], messages: [] }),
    'alerts.tryPast': () => ok({ count: 0, newest: [] }),
    'recordings.save': () => ok({ path: recording.path, reportCount: recording.reportCount }),
    'recordings.open': () => ok(recording),
    'recordings.close': ({ id }) => ok({ undoId: `recording ${id}` }),
  };
}
