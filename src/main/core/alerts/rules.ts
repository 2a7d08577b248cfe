import { nodeRules, type AlertLevel, type AlertMember } from '../../../shared/alerts/types.ts';
import { figureOf, type FigureName } from '../../../shared/health/figures.ts';
import { incidentTitle } from '../../../shared/health/incident-title.ts';
import { listed, piecesOf, shortName, type ChainNames } from '../../../shared/health/names.ts';
import { noAnswer } from '../../../shared/health/no-answer.ts';
import type { CheckReport, Forecast, Incident, NodeStatus } from '../../../shared/health/types.ts';
import { measuresOf, type Measure } from '../../../shared/health/worst-values.ts';
import type { AlertSettings } from '../../../shared/settings.ts';
import { counted } from '../../../shared/text.ts';
import { dayMs, spanWords } from '../../../shared/time.ts';

/** What is the case at a node. */
export interface Condition extends AlertMember {
  /** False for what has begun but not reached its threshold: there is no alert for it yet, except beside its cause. */
  isDue: boolean;
}

/** What rules look at. */
export interface Sight {
  status: NodeStatus;
  /** All watched nodes. */
  nodes: readonly NodeStatus[];
  /** By the thresholds of alerts. */
  incidents: readonly Incident[];
  /** By thresholds of 1, so that it has those that have just begun. */
  beginnings: readonly Incident[];
  /** For how long the node has been seen not to answer, without a gap. */
  silentMs: number;
  /** When its disks will be full; null while it is not known. */
  forecasts: readonly Forecast[] | null;
  atMs: number;
  /** What was the case at the node when it was last looked at. */
  before: readonly Condition[];
  /** Whether a condition with this id is the case already: it ends at another value than it begins. */
  holds: (id: string) => boolean;
  /** Names of chains, by their blockchain ids. */
  chains: ChainNames;
  settings: AlertSettings;
}

type Found = Pick<Condition, 'ids' | 'subject' | 'words' | 'sinceMs'> &
  Partial<Pick<Condition, 'level' | 'because' | 'endedAtMs' | 'isDue'>>;

const rules: Readonly<Record<(typeof nodeRules)[number], (sight: Sight) => Found[]>> = {
  incident: ({ status, nodes, incidents, beginnings, silentMs, holds, chains, settings }) => {
    const told = new Set(incidents.flatMap(({ parts }) => parts.map(({ id }) => id)));
    const begun = beginnings.filter(({ endedAtMs }) => endedAtMs === null);
    const pending = begun.filter(({ parts }) => !parts.some(({ id }) => told.has(id)));
    // An open alert goes on with what has just begun in its incident and not reached its threshold.
    const goingOn = new Set(begun.flatMap(({ parts }) => parts.map(({ id }) => id).filter(holds)));
    const checks = status.report?.checks ?? [];
    const gone = goneOf(checks, nodes);
    // One that passes may be over: the disk may have refused its end.
    const passing = new Set(checks.flatMap(({ name, state }) => (state === 'pass' ? [name] : [])));
    const isSilent = silentMs >= settings.silentSeconds * 1_000;
    const found = (incident: Incident, hasFailed: boolean): Found => {
      const isGone = incident.leadingCheck === noAnswer;
      return {
        ...factsOf(incident, { node: status.node.name, chains, nodes: namesOf(nodes) }),
        endedAtMs: incident.parts.some(({ id }) => goingOn.has(id)) ? null : incident.endedAtMs,
        because: isGone ? [] : gone(incident),
        isDue: isGone ? isSilent : hasFailed && incident.parts.some(({ check }) => !passing.has(check)),
      };
    };
    return [...incidents.map((one) => found(one, true)), ...pending.map((one) => found(one, false))];
  },

  standstill: (sight) =>
    sight.status.state === 'unreachable' ? [] : [...stalledOf(sight), ...chainsOf(sight)],

  disk: ({ status, holds, forecasts, atMs, settings: { rules: levels } }) => {
    const found = (check: string, words: string): Found => ({
      ids: [`disk ${status.node.id} ${check}`],
      subject: check,
      words: `${status.node.name} ${words}`,
      sinceMs: atMs,
    });
    const isKnown = (check: string): boolean => holds(`disk ${status.node.id} ${check}`);
    const withBytes = new Set(figuresOf(status, 'freeBytes').map(({ check }) => check));
    // What its own check finds too full is alerted to as an incident, if that is as urgent.
    const isIncident = levels.incident === 'wake' || levels.incident === levels.disk;
    const failing = (status.report?.checks ?? []).filter(({ state }) => isIncident && state === 'fail');
    const told = new Set(failing.map(({ name }) => name));
    const shares = figuresOf(status, 'freeShare').sort((a, b) => a.measure.value - b.measure.value);
    const all = [
      ...shares
        // Beside bytes: a share alone may be of memory.
        .filter(({ check }) => withBytes.has(check) && (isKnown(check) || !told.has(check)))
        .filter(({ check, measure }) => measure.value < (isKnown(check) ? leastDisk + 1 : leastDisk))
        .map(({ check, measure }) => found(check, `has ${measure.text} of its disk space left`)),
      ...(forecasts ?? [])
        .map((forecast) => ({ ...forecast, leftMs: forecast.atMs - atMs }))
        .filter(({ check, leftMs }) => leftMs < (isKnown(check) ? notSoonMs : soonMs))
        .map(({ check, threshold, leftMs }) =>
          found(check, `will reach its disk limit of ${threshold} in ${spanWords(leftMs)} at this rate`),
        ),
    ];
    // Of several disks in one message the fullest: they have one id.
    return [...Map.groupBy(all, ({ subject }) => subject).values()].flatMap((same) => same.slice(0, 1));
  },

  peers: ({ status, before, holds, atMs }) => {
    const [peers] = figuresOf(status, 'peers');
    const id = `peers ${status.node.id}`;
    // One more ends it, which a node of a network of five can have.
    if (peers === undefined || peers.measure.value >= (holds(id) ? fewestPeers + 1 : fewestPeers)) return [];
    const ranMs = status.report?.checks.find(({ name }) => name === peers.check)?.ranAtMs ?? atMs;
    const sinceMs = before.find(({ ids }) => ids.includes(id))?.sinceMs ?? ranMs;
    const count = peers.measure.value;
    return [
      {
        ids: [id],
        subject: peers.check,
        words: `${status.node.name} is connected to ${count === 0 ? 'no peers' : counted(count, 'peer')}`,
        sinceMs,
        // A node that has just started has none in its first run.
        isDue: ranMs > sinceMs,
      },
    ];
  },
};

/** What an alert says of an incident. */
export function factsOf(
  incident: Incident,
  names: Parameters<typeof incidentTitle>[1],
): Pick<Condition, 'ids' | 'subject' | 'words' | 'sinceMs'> {
  return {
    ids: incident.parts.map(({ id }) => id),
    subject: incident.leadingCheck,
    words: incidentTitle({ ...incident, endedAtMs: null }, names),
    sinceMs: incident.startedAtMs,
  };
}

/**
 * Checks that the node has stopped running. After a start of the app or a sleep they pass by their old run until it is late again:
 * an open alert lasts meanwhile.
 */
function stalledOf({ status: { node, report }, holds, chains, atMs }: Sight): Found[] {
  const checks = report?.checks ?? [];
  const idOf = ({ ranAtMs }: CheckReport) => `stalled ${node.id} ${ranAtMs}`;
  const stalled = checks.filter(
    (check) => check.state === 'stalled' || (check.state === 'pass' && holds(idOf(check))),
  );
  const [first] = stalled;
  if (first === undefined) return [];
  const names = stalled.map(({ name }) => shortName(name, chains));
  const which = stalled.length === checks.length ? 'its checks' : listed(names);
  const ids = [`stalled ${node.id}`, ...new Set(stalled.map(idOf))];
  return [{ ids, subject: first.name, words: `${node.name} has stopped running ${which}`, sinceMs: atMs }];
}

/** Chains that stand still while another node's goes on. */
function chainsOf({ status, nodes, holds, chains }: Sight): Found[] {
  return status.heights.flatMap(({ check, height, sinceMs, ranAtMs }) => {
    const stoodMs = ranAtMs - sinceMs;
    const id = `standstill ${status.node.id} ${check} ${height}`;
    const goesOn = nodes.find(
      ({ node, heights, state }) =>
        node.id !== status.node.id &&
        state !== 'unreachable' &&
        heights.some(
          (other) =>
            other.check === check &&
            isAhead(other.height, height, holds(id)) &&
            other.sinceMs - sinceMs >= standsMs,
        ),
    );
    // An open alert lasts until the height changes, whatever becomes of the other node, and over a restart.
    const isNews = stoodMs >= standsMs && goesOn !== undefined;
    if (!isNews && !holds(id)) return [];
    return [
      {
        ids: [id],
        subject: check,
        words: `${shortName(check, chains)} on ${status.node.name} has stalled at ${height}${goesOn === undefined ? '' : `, while ${goesOn.node.name} is making progress`}`,
        sinceMs,
        ...(stoodMs >= standsLongMs ? { level: 'wake' as const } : {}),
      },
    ];
  });
}

const standsMs = 3 * 60_000;
const standsLongMs = 10 * 60_000;
/** Some hours of the quickest chain. */
const leastFarBlocks = 10_000n;
/** In percent of its size. */
const leastDisk = 10;
/** A disk that will be full sooner than this causes an alert, until it is later than that. */
const [soonMs, notSoonMs] = [7 * dayMs, 10 * dayMs] as const;
const fewestPeers = 3;
/** More than any real node has. */
const mostFigures = 100;

/** All that the rules that are on find at a node. */
export function conditionsOf(sight: Sight): Condition[] {
  const { node } = sight.status;
  return nodeRules.flatMap((rule) => {
    const level = sight.settings.rules[rule];
    if (level === 'off') return [];
    return rules[rule](sight).map((found) => ({
      rule,
      nodeId: node.id,
      nodeName: node.name,
      because: [],
      endedAtMs: null,
      isDue: true,
      ...found,
      level: higher(level, found.level ?? 'tell'),
    }));
  });
}

export const higher = (a: AlertLevel, b: AlertLevel): AlertLevel =>
  a === 'wake' || b === 'wake' ? 'wake' : 'tell';

/** What the last report of a node says of a figure, if the node answers. */
export function figuresOf(
  { report, state }: NodeStatus,
  name: FigureName,
): { check: string; measure: Measure }[] {
  if (state === 'unreachable' || report === null) return [];
  return report.checks
    .flatMap(({ name: check, message }) =>
      measuresOf(message, (key) => figureOf(key) === name).map((measure) => ({ check, measure })),
    )
    .slice(0, mostFigures);
}

/** Each network has chains of these names: one that is far ahead from the start is of another network. */
function isAhead(height: string, of: string, fromAnyDistance: boolean): boolean {
  const behind = blocksOf(of);
  const blocks = blocksOf(height) - behind;
  return blocks > 0n && (fromAnyDistance || blocks < leastFarBlocks || blocks < behind / 100n);
}

const blocksOf = (height: string): bigint => BigInt(height.replaceAll(',', ''));

const namesOf = (nodes: readonly NodeStatus[]): ReadonlyMap<string, string> =>
  new Map(nodes.flatMap(({ nodeId, node }) => (nodeId === null ? [] : [[nodeId, node.name] as const])));

/** Ids of watched nodes that do not answer and of which failing checks of an incident speak. */
function goneOf(
  checks: readonly CheckReport[],
  nodes: readonly NodeStatus[],
): (incident: Incident) => string[] {
  const gone = nodes.flatMap(({ node, state, nodeId }) =>
    state === 'unreachable' && nodeId !== null ? [{ id: node.id, nodeId }] : [],
  );
  if (gone.length === 0) return () => [];
  const named = new Map(
    checks
      .filter(({ state }) => state === 'fail')
      .map(({ name, message }) => {
        const pieces = piecesOf(JSON.stringify(message)).filter(({ isNodeId }) => isNodeId);
        return [name, new Set(pieces.map(({ text }) => text))];
      }),
  );
  return ({ parts }) =>
    gone.filter(({ nodeId }) => parts.some(({ check }) => named.get(check)?.has(nodeId))).map(({ id }) => id);
}
