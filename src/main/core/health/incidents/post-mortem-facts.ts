import { reportDifferences } from '../../../../shared/health/differences.ts';
import { noAnswer } from '../../../../shared/health/no-answer.ts';
import type { Json } from '../../../../shared/json.ts';
import { parseStoredReport } from '../../../../shared/health/stored.ts';
import type { FieldDifference, HealthReport, Incident, Strip } from '../../../../shared/health/types.ts';
import { dayMs, hourMs } from '../../../../shared/time.ts';
import type { StoredPoll, StoredUptime } from '../../health-ports.ts';
import { scanPolls, type HistorySource } from '../history/history-source.ts';
import { composeStrips } from '../history/strips.ts';

/** The contents of a post-mortem. Texts are untrusted and not yet escaped. */
export interface PostMortem {
  nodeName: string;
  incident: Incident;
  /** The time span covered: the incident with a margin before and after it. */
  fromMs: number;
  toMs: number;
  /** Its end or, while it is open, when its node was last heard. */
  untilMs: number;
  strips: Strip[];
  uptimes: StoredUptime[];
  /** Changes of the reports during the incident, oldest first. */
  changes: { atMs: number; differences: FieldDifference[] }[];
  /** Number of changes that are not listed. */
  furtherChanges: number;
  writtenAtMs: number;
  /** Names of watched nodes by their node id; empty where names are left out. */
  nodeNames: ReadonlyMap<string, string>;
  /** Replaces names and addresses in a text; null where they stay. */
  redact: ((text: string) => string) | null;
}

const longestMarginMs = 7 * dayMs;
const stripCells = 120;
const mostChanges = 300;

export async function readPostMortem(
  source: HistorySource,
  incident: Incident,
  { nowMs, redact, nodeNames }: Pick<PostMortem, 'redact' | 'nodeNames'> & { nowMs: number },
): Promise<PostMortem> {
  const { id, name, store, sinceMs, untilMs = nowMs } = source;
  const { poll, lastReport } = await store.latest(id);
  const heardMs = (incident.leadingCheck === noAnswer ? poll : lastReport)?.polledAtMs ?? nowMs;
  const endMs = Math.max(incident.startedAtMs, incident.endedAtMs ?? Math.min(heardMs, nowMs));
  const marginMs = Math.min(longestMarginMs, Math.max(hourMs, endMs - incident.startedAtMs));
  // What lies outside of the watched time does not count as unknown.
  const fromMs = Math.floor(
    Math.min(incident.startedAtMs, Math.max(incident.startedAtMs - marginMs, sinceMs)),
  );
  const toMs = Math.max(fromMs + 1, endMs, Math.min(Math.ceil(endMs + marginMs), untilMs));
  const cellMs = Math.ceil((toMs - fromMs) / stripCells);
  const checks = new Set(incident.parts.map(({ check }) => check).filter((check) => check !== noAnswer));
  const cells = await store.readCells(id, fromMs, cellMs, stripCells);
  const isOfIt = (check: string | null): boolean => check === null || checks.has(check);
  const strips = composeStrips([cells.filter(({ check }) => isOfIt(check))], checks, [
    { fromMs, cellMs, cellCount: stripCells },
  ]);
  const uptimes = await store.readUptime(id, fromMs, toMs);
  return {
    nodeName: name,
    incident,
    fromMs,
    toMs,
    untilMs: endMs,
    strips,
    uptimes: uptimes.filter(({ check }) => isOfIt(check)),
    ...(await readChanges(source, incident, endMs, redact)),
    writtenAtMs: nowMs,
    nodeNames,
    redact,
  };
}

/** States and errors of all checks; messages only of failing ones, as figures of healthy ones always change. */
async function readChanges(
  source: HistorySource,
  incident: Incident,
  endMs: number,
  redact: PostMortem['redact'],
): Promise<Pick<PostMortem, 'changes' | 'furtherChanges'>> {
  const changes: PostMortem['changes'] = [];
  let listed = 0;
  let furtherChanges = 0;
  let before = reportOf(await source.store.readPollAt(source.id, incident.startedAtMs - 1), redact);
  // The poll that saw the end comes shortly after it.
  for await (const poll of scanPolls(source, incident.startedAtMs - 1, endMs + hourMs)) {
    const report = reportOf(poll, redact);
    if (report === null) continue;
    const failing = new Set([...failingIn(before), ...failingIn(report)]);
    const differences = reportDifferences(before, report).filter(
      ({ check, field }) => failing.has(check) || !field.startsWith('message'),
    );
    before = report;
    if (differences.length > 0) {
      const room = mostChanges - listed;
      listed += Math.min(room, differences.length);
      furtherChanges += Math.max(0, differences.length - room);
      if (room > 0) changes.push({ atMs: poll.polledAtMs, differences: differences.slice(0, room) });
    }
    if (poll.polledAtMs >= endMs) break;
  }
  return { changes, furtherChanges };
}

const failingIn = (report: HealthReport | null): string[] =>
  (report?.checks ?? []).filter(({ state }) => state === 'fail').map(({ name }) => name);

function reportOf(poll: StoredPoll | null, redact: PostMortem['redact']): HealthReport | null {
  const report = parseStoredReport(poll?.reportJson ?? null);
  if (report === null || redact === null) return report;
  const checks = report.checks.map((check) => ({ ...check, message: redactKeys(check.message, redact) }));
  return { ...report, checks };
}

/** Redacts keys first: in the path of a field, dots of an address look like those between keys. */
function redactKeys(message: Json | null, redact: (text: string) => string): Json | null {
  if (typeof message !== 'object' || message === null) return message;
  if (Array.isArray(message)) return message.map((item) => redactKeys(item, redact));
  return Object.fromEntries(
    Object.entries(message).map(([key, value]) => [redact(key), redactKeys(value, redact)]),
  );
}
