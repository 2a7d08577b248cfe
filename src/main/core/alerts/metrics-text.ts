import type { FigureName } from '../../../shared/health/figures.ts';
import { nodeState } from '../../../shared/health/stored.ts';
import type { NodeStatus } from '../../../shared/health/types.ts';
import { figuresOf } from './rules.ts';

export interface MetricsFacts {
  nodes: readonly NodeStatus[];
  openAlerts: number;
  openIncidents: number;
}

interface Sample {
  labels: Readonly<Record<string, string>>;
  value: number | string;
}

interface Family {
  name: string;
  help: string;
  /** The sample's name of a counter ends with `_total`. */
  type: 'gauge' | 'counter';
  samples: Sample[];
}

/** Prometheus' two formats: `open` is OpenMetrics 1.0, else the text format 0.0.4. */
export function metricsText(facts: MetricsFacts, format: 'open' | 'text'): string {
  const lines = familiesOf(facts).flatMap(({ name, help, type, samples }) => {
    const sampleName = type === 'counter' ? `${name}_total` : name;
    const family = format === 'open' ? name : sampleName;
    return [
      `# HELP ${family} ${help}`,
      `# TYPE ${family} ${type}`,
      ...samples.map(({ labels, value }) => `${sampleName}${labelsText(labels)} ${value}`),
    ];
  });
  return [...lines, ...(format === 'open' ? ['# EOF'] : []), ''].join('\n');
}

function labelsText(labels: Sample['labels']): string {
  const texts = Object.entries(labels).map(
    ([name, value]) =>
      `${name}="${value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')}"`,
  );
  return texts.length === 0 ? '' : `{${texts.join(',')}}`;
}

function familiesOf({ nodes, openAlerts, openIncidents }: MetricsFacts): Family[] {
  const polled = nodes.filter(({ node }) => !node.paused);
  const node = ({ node: { id, name } }: NodeStatus) => ({ node: name, node_id: id });
  const gauge = (name: string, help: string, samples: Sample[]): Family => ({
    ...{ name: `watchkeeper_${name}`, help, type: 'gauge', samples },
  });
  const perNode = (value: (status: NodeStatus) => number | null, some = polled): Sample[] =>
    some.flatMap((status) => {
      const given = value(status);
      return given === null ? [] : [{ labels: node(status), value: given }];
    });
  /** What the last report of each node that answers says of a figure. */
  const figure = (name: FigureName, divisor = 1): Sample[] =>
    perNode((status) => {
      const [first] = figuresOf(status, name);
      return first === undefined ? null : first.measure.value / divisor;
    }, answering(polled));
  const perCheck = (value: (check: ReturnType<typeof checksOf>[number]) => number | null): Sample[] =>
    answering(polled).flatMap((status) =>
      checksOf(status).flatMap((check) => {
        const given = value(check);
        return given === null ? [] : [{ labels: { ...node(status), check: check.name }, value: given }];
      }),
    );
  return [
    gauge(
      'node_up',
      'Whether the node responds (1) or not (0); absent while unknown.',
      perNode(({ state }) => (state === 'unknown' ? null : Number(state !== 'unreachable'))),
    ),
    gauge(
      'node_state',
      'State of the node: 1 for the current state, 0 for the others.',
      polled.flatMap((status) =>
        nodeState.options.map((state) => ({
          labels: { ...node(status), state },
          value: status.state === state ? 1 : 0,
        })),
      ),
    ),
    gauge(
      'check_failing_runs',
      'Consecutive failed runs of a check.',
      perCheck(({ state, contiguousFailures }) => (state === 'fail' ? (contiguousFailures ?? 1) : 0)),
    ),
    gauge(
      'check_duration_seconds',
      'Duration of a check’s last run.',
      perCheck(({ durationNs }) => (durationNs === null ? null : Number(durationNs) / 1e9)),
    ),
    gauge(
      'chain_height',
      'Newest block that a check has reported.',
      answering(polled).flatMap((status) =>
        status.heights.map(({ check, height }) => ({
          labels: { ...node(status), check },
          value: height.replaceAll(',', ''),
        })),
      ),
    ),
    gauge('node_stake_connected_ratio', 'Share of the stake that the node is connected to.', figure('stake')),
    gauge('node_peers', 'Connected peers.', figure('peers')),
    gauge('node_disk_free_bytes', 'Free disk space.', figure('freeBytes')),
    gauge('node_disk_free_ratio', 'Share of the disk that is free.', figure('freeShare', 100)),
    gauge(
      'node_last_report_timestamp_seconds',
      'When the last report was received.',
      perNode(({ reportAtMs }) => reportAtMs && reportAtMs / 1_000),
    ),
    {
      name: 'watchkeeper_node_requests_delayed',
      help: 'Requests delayed because the node’s request limit was reached.',
      type: 'counter',
      samples: perNode(({ heldBackCount }) => heldBackCount),
    },
    gauge('incidents_open', 'Open incidents.', [{ labels: {}, value: openIncidents }]),
    gauge('alerts_open', 'Open alerts.', [{ labels: {}, value: openAlerts }]),
  ];
}

const answering = (nodes: readonly NodeStatus[]): NodeStatus[] =>
  nodes.filter(({ state }) => state !== 'unreachable' && state !== 'unknown');

const checksOf = ({ report }: NodeStatus) => report?.checks ?? [];
