import { orAdd } from '../../../../shared/or-add.ts';
import { cleanText, counted } from '../../../../shared/text.ts';
import type { CheckReport, HealthReport, NodeState } from '../../../../shared/health/types.ts';
import { isObject, parseCutJson } from '../../../../shared/json.ts';
import { oddityWords, readCheck, unreadCheck, type Oddity, type TellOddity } from './check.ts';
import type { NodeCheck, NodeReport } from './node-clock.ts';
import { nameList } from '../../../../shared/health/names.ts';
import { classifyAnswer, type NoReport } from './no-report.ts';

/** A parsed response of a node: a report, or why there is none. */
export type Reading<Report = NodeReport> =
  { kind: 'report'; report: Report; state: NodeState; /** One sentence. */ reason: string } | NoReport;

/** What the state of a node is judged by; the times are of no matter. */
type Judged = Pick<HealthReport, 'healthy'> & {
  checks: readonly Pick<CheckReport, 'name' | 'state' | 'message'>[];
};

/** Deeper nesting holds nothing that the app shows, and could overflow the stack. */
const deepestLevel = 64;
/** More than any real node has; keeps a hostile one from filling the store. */
const mostChecks = 5_000;
const longestName = 1_000;
/** For all messages and errors of one report: they are stored, compared and sent to the window at each poll. */
const largestDetailsChars = 1_048_576;
/** Characters of a value that cannot be parsed that are quoted in a note. */
const longestSeen = 80;
/** Characters of an error that are kept once the limit for the report is used up. */
const shortError = 200;

/**
 * Parses a response of the node health interface (specification A; older and odd shapes as far as they are known). A
 * report is a body with `checks` and a boolean `healthy` under status 2xx or 503; a 503 with any other body comes from
 * a proxy, not from the node. Never throws.
 */
export function readReport(status: number, bodyText: string): Reading {
  const mayBeReport = (status >= 200 && status < 300) || status === 503;
  if (!mayBeReport) return classifyAnswer(status, bodyText, null);
  let report: NodeReport;
  try {
    report = toReport(parseBody(bodyText));
  } catch (cause) {
    return classifyAnswer(status, bodyText, problemOf(cause));
  }
  const { healthy, notes } = report;
  if ((status === 503) === healthy) {
    notes.push(
      `The HTTP status is ${status}, but the report says ${healthy ? 'healthy' : 'unhealthy'}. The app goes by the report.`,
    );
  }
  return reportReading(report);
}

/** Adds state and reason to a report. */
export function reportReading<Report extends Judged>(report: Report): Reading<Report> {
  return { kind: 'report', report, ...judgeReport(report) };
}

/**
 * State and reason of a node that sent a report. A failing check outweighs `healthy: true`; `healthy: false` is always
 * believed. `starting`: unhealthy only because checks have not run yet or `bootstrapped` fails. `stalled`: healthy by
 * results of runs that are long past. `unknown`: healthy, but no check could be parsed.
 */
export function judgeReport(report: Judged): { state: NodeState; reason: string } {
  const names = (state: CheckReport['state']): string[] =>
    report.checks.filter((check) => check.state === state).map((check) => check.name);
  const [failing, pending, stalled] = [names('fail'), names('pending'), names('stalled')];
  const unreadable = names('unknown');
  const total = report.checks.length;
  const isBootstrapping = failing.includes(bootstrapCheck);
  const saysHealthy = 'The node reports that it’s healthy';
  const share = (some: readonly string[], what: string): string =>
    `${some.length} of ${counted(total, 'check')} ${what}: ${nameList(some)}`;
  const notRun = share(pending, `${pending.length === 1 ? 'has' : 'have'} not run yet`);

  if (failing.some((name) => name !== bootstrapCheck))
    return { state: 'unhealthy', reason: `${share(failing, failing.length === 1 ? 'fails' : 'fail')}.` };
  if (report.healthy && !isBootstrapping) {
    if (stalled.length > 0) {
      const some = share(stalled, `${stalled.length === 1 ? 'is' : 'are'} not running`);
      const all = total === 1 ? 'its only check isn’t running' : `none of its ${total} checks is running`;
      return { state: 'stalled', reason: `${saysHealthy}, but ${stalled.length === total ? all : some}.` };
    }
    if (unreadable.length > 0) {
      const isAll = unreadable.length === total;
      const which = isAll ? 'any check' : `${unreadable.length} of ${counted(total, 'check')}`;
      return {
        state: isAll ? 'unknown' : 'healthy',
        reason: `${saysHealthy}; the app couldn’t read ${which}: ${nameList(unreadable)}.`,
      };
    }
    if (total === 0) return { state: 'healthy', reason: `${saysHealthy} and reports no checks.` };
    if (pending.length > 0) return { state: 'healthy', reason: `${saysHealthy}; ${notRun}.` };
    return { state: 'healthy', reason: total === 1 ? 'The only check passes.' : `All ${total} checks pass.` };
  }
  if (unreadable.length > 0) {
    const words = `the app couldn’t read ${counted(unreadable.length, 'check')}: ${nameList(unreadable)}`;
    return { state: 'unhealthy', reason: `The node reports that it’s unhealthy; ${words}.` };
  }
  if (isBootstrapping) {
    // While it fails, its message lists the subnets that are still bootstrapping.
    const waiting = report.checks.find((check) => check.name === bootstrapCheck)?.message;
    const left =
      Array.isArray(waiting) && waiting.length > 0 ? `, ${counted(waiting.length, 'subnet')} to go` : '';
    const more = pending.length > 0 ? `; ${notRun}` : '';
    return { state: 'starting', reason: `The node is bootstrapping${left}${more}.` };
  }
  if (pending.length > 0) return { state: 'starting', reason: `The node is starting; ${notRun}.` };
  if (total === 0)
    return { state: 'unhealthy', reason: 'The node reports that it’s unhealthy and reports no checks.' };
  const passes = total === 1 ? 'its only check passes' : `all ${total} checks pass`;
  const notAll = stalled.length > 0 ? ' and not all of them run' : '';
  return { state: 'unhealthy', reason: `The node reports that it’s unhealthy, although ${passes}${notAll}.` };
}

/** The one check whose name has a meaning to the app: it is expected to fail while a node starts. */
const bootstrapCheck = 'bootstrapped';

/** Parses untrusted JSON with a limit on nesting; numbers keep every digit. */
export const parseBody = (bodyText: string): { value: unknown; isCut: boolean } =>
  parseCutJson(bodyText, deepestLevel);

/** The parsed body; null when it is not JSON. */
export function bodyValue(bodyText: string): unknown {
  try {
    return parseBody(bodyText).value;
  } catch (cause) {
    problemOf(cause);
    return null;
  }
}

/** Why a body is not a report, from the parser's `SyntaxError`; anything else is a bug and is rethrown. */
export function problemOf(cause: unknown): string {
  if (!(cause instanceof SyntaxError)) throw cause;
  // The parser's message quotes the body, which is untrusted text.
  return cleanText(cause.message, 200);
}

/** Parses `{checks, healthy}`; throws `SyntaxError` for anything else. Go writes an empty map as null. */
export function toReport({ value, isCut }: ReturnType<typeof parseBody>): NodeReport {
  if (!isObject(value)) throw new SyntaxError('not a JSON object');
  const { healthy, checks } = value;
  if (typeof healthy !== 'boolean') throw new SyntaxError('`healthy` isn’t true or false');
  if (checks === undefined) throw new SyntaxError('there are no `checks`');
  const report = buildReport(healthy, checks ?? {});
  if (isCut) report.notes.push('Some deeply nested parts of the report were left out.');
  return report;
}

function buildReport(healthy: boolean, checks: unknown): NodeReport {
  const oddities = new Map<Oddity, { names: string[]; value: unknown }>();
  const tell =
    (name: string): TellOddity =>
    (oddity, value) => {
      const { names } = orAdd(oddities, oddity, () => ({ names: [], value }));
      if (names.at(-1) !== name) names.push(name);
    };
  const byName = new Map<string, NodeCheck>();
  const entries = isObject(checks) ? Object.entries(checks) : [];
  let detailsChars = 0;
  for (const [rawName, value] of entries.slice(0, mostChecks)) {
    const name = identityOf(rawName);
    const odd = tell(name);
    const check = readCheck(name, value, odd);
    const chars = detailsLength(check);
    if (detailsChars + chars <= largestDetailsChars) {
      detailsChars += chars;
      byName.set(name, check);
    } else {
      odd('details-too-large');
      byName.set(name, { ...check, message: null, error: check.error?.slice(0, shortError) ?? null });
    }
  }
  if (!isObject(checks)) {
    tell('checks')('no-checks');
    byName.set('checks', unreadCheck('checks', checks, tell('checks')));
  }
  const report: NodeReport = { healthy, checks: [...byName.values()], notes: [] };
  if (entries.length > mostChecks)
    report.notes.push(`The report has ${entries.length} checks; the app reads only the first ${mostChecks}.`);
  if (byName.size < Math.min(entries.length, mostChecks))
    report.notes.push('Checks with the same name, or the same first 1,000 characters, are read as one.');
  for (const [oddity, { names, value }] of oddities) {
    const seen = value === undefined ? '' : ` (${cleanText(JSON.stringify(value), longestSeen)})`;
    report.notes.push(`${nameList(names)}: ${oddityWords[oddity]}${seen}.`);
  }
  noteContradiction(report);
  return report;
}

const detailsLength = ({ message, error }: NodeCheck): number =>
  (message === null ? 0 : JSON.stringify(message).length) + (error?.length ?? 0);

/** By definition, `healthy` means that all checks in the response pass; a node that contradicts this gets a note. */
function noteContradiction({ healthy, checks, notes }: NodeReport): void {
  const failed = checks.filter(({ state }) => state === 'fail').length;
  const notPassing = checks.filter(({ state }) => state !== 'pass').length;
  const note = (says: string, fact: string) =>
    notes.push(`The node reports that it’s ${says}, although ${fact}.`);
  if (healthy && failed > 0) note('healthy', `${counted(failed, 'check')} failed`);
  else if (healthy && notPassing > 0) note('healthy', `${counted(notPassing, 'check')} hadn’t passed yet`);
  else if (!healthy && notPassing === 0 && checks.length > 0) note('unhealthy', 'every check passes');
}

/** Names are keys in the store: kept as they came, but cut and made storable. The empty name is `noAnswer`. */
const identityOf = (rawName: string): string =>
  rawName.slice(0, longestName).replace(/\p{Cs}/gu, '\uFFFD') || '(no name)';
