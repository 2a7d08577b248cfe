import type { CheckState } from '../../../../../shared/health/types.ts';
import { checkStates } from './states.ts';

/** One check of a report, as far as it is stored in columns. */
export interface ReportCheck {
  name: string;
  state: CheckState;
  error: string | null;
  /** JSON text; null for a message that is null. */
  messageJson: string | null;
  ranAtMs: number | null;
  durationNs: bigint | null;
  contiguousFailures: number | null;
  firstFailureAtMs: number | null;
  /** Its keys in the order in which they are written. */
  layout: string;
}

export interface ReportParts {
  healthy: boolean;
  /** JSON text. */
  notesJson: string;
  checks: ReportCheck[];
}

const writers: Readonly<Record<string, (check: ReportCheck) => string>> = {
  name: (check) => JSON.stringify(check.name),
  state: (check) => JSON.stringify(check.state),
  error: (check) => JSON.stringify(check.error),
  message: (check) => check.messageJson ?? 'null',
  ranAtMs: (check) => String(check.ranAtMs),
  durationNs: (check) => (check.durationNs === null ? 'null' : `"${check.durationNs}"`),
  contiguousFailures: (check) => String(check.contiguousFailures),
  firstFailureAtMs: (check) => String(check.firstFailureAtMs),
};

/**
 * The parts of a report's JSON from which `joinReport` makes the same text again, character for character; null for a text
 * that is of another shape or otherwise written.
 */
export function splitReport(reportJson: string): ReportParts | null {
  const report = parse(reportJson);
  if (report === null || typeof report['healthy'] !== 'boolean' || !Array.isArray(report['checks']))
    return null;
  const checks: ReportCheck[] = [];
  for (const value of report['checks']) {
    const check = toCheck(value);
    if (check === null) return null;
    checks.push(check);
  }
  if (!('notes' in report)) return null;
  const notesJson = JSON.stringify(report['notes']);
  const parts = { healthy: report['healthy'], notesJson, checks };
  return joinReport(parts) === reportJson ? parts : null;
}

export function joinReport({ healthy, notesJson, checks }: ReportParts): string {
  const texts = checks.map((check) => {
    const fields = check.layout.split(',').map((key) => `"${key}":${writers[key]?.(check) ?? 'null'}`);
    return `{${fields.join(',')}}`;
  });
  return `{"healthy":${healthy},"checks":[${texts.join(',')}],"notes":${notesJson}}`;
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    // Its fields are looked at one by one.
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    // Any text may be stored; one that is no JSON is stored whole.
    return null;
  }
}

function toCheck(value: unknown): ReportCheck | null {
  if (typeof value !== 'object' || value === null) return null;
  // As above.
  const fields = value as Record<string, unknown>;
  const keys = Object.keys(fields);
  if (keys.length !== 8 || keys.some((key) => !Object.hasOwn(writers, key))) return null;
  const { name, error, message, durationNs } = fields;
  const state = checkStates.find((known) => known === fields['state']);
  const ranAtMs = numberOrNull(fields['ranAtMs']);
  const contiguousFailures = numberOrNull(fields['contiguousFailures']);
  const firstFailureAtMs = numberOrNull(fields['firstFailureAtMs']);
  const duration = durationOrNull(durationNs);
  if (
    typeof name !== 'string' ||
    state === undefined ||
    (typeof error !== 'string' && error !== null) ||
    ranAtMs === undefined ||
    contiguousFailures === undefined ||
    firstFailureAtMs === undefined ||
    duration === undefined
  ) {
    return null;
  }
  return {
    name,
    state,
    error,
    messageJson: message === null ? null : JSON.stringify(message),
    ranAtMs,
    durationNs: duration,
    contiguousFailures,
    firstFailureAtMs,
    layout: keys.join(','),
  };
}

/** Differences of such numbers are exact. */
const largestNumber = 2 ** 50;

function numberOrNull(value: unknown): number | null | undefined {
  if (value === null) return null;
  return Number.isInteger(value) && Math.abs(Number(value)) <= largestNumber ? Number(value) : undefined;
}

function durationOrNull(value: unknown): bigint | null | undefined {
  if (value === null) return null;
  return typeof value === 'string' && /^\d{1,18}$/.test(value) ? BigInt(value) : undefined;
}
