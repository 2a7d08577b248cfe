import { findParamIssues, type TakesParams } from '../../../../../shared/endpoints/check-params.ts';
import type { FieldSpec } from '../../../../../shared/endpoints/define.ts';
import { readableDate } from '../../../ui/text/days.ts';

/** The result of checking a form. */
export interface FormCheck {
  /** The parameters to send; null while something is wrong or missing. */
  params: Record<string, string> | null;
  /** What is wrong with the entered values, by parameter. */
  problems: ReadonlyMap<string, string>;
  /** Why it cannot be sent, in a sentence; null when it can. */
  reason: string | null;
}

/** Checks a form as it is filled in. */
export function checkForm(definition: TakesParams, values: Readonly<Record<string, string>>): FormCheck {
  const { params, issues } = findParamIssues(definition, new Map(Object.entries(values)));
  const missing = issues.flatMap(({ name, isMissing }) => (isMissing ? [name] : []));
  const combination = issues.find(({ name }) => name === null);
  const problems = new Map<string, string>();
  for (const { name, isMissing, words } of issues) {
    if (name !== null && !isMissing) problems.set(name, words.charAt(0).toUpperCase() + words.slice(1));
  }
  if (issues.length === 0) return { params, problems, reason: null };
  const reason =
    missing.length > 0
      ? `Fill in ${missing.join(', ')}.`
      : (combination?.words ?? 'Fix the highlighted fields.');
  return { params: null, problems, reason };
}

/**
 * Why a value of a choice cannot be combined with the rest of the form, or null: the problem of a rule that the form
 * breaks with this value but not without it.
 */
export function choiceProblem(
  definition: TakesParams,
  values: Readonly<Record<string, string>>,
  name: string,
  value: string,
): string | null {
  const given = Object.fromEntries(
    Object.entries(values)
      .map(([key, text]) => [key, text.trim()] as const)
      .filter(([, text]) => text !== ''),
  );
  const { [name]: _present, ...others } = given;
  for (const rule of definition.rules ?? []) {
    const problem = rule({ ...others, [name]: value });
    if (problem !== null && rule(others) === null) return problem;
  }
  return null;
}

/** The text about a parameter: its description, its range, its default. */
export function describeParam(spec: FieldSpec): string {
  const words = [spec.description];
  if (spec.min !== undefined && spec.max !== undefined) words.push(`From ${spec.min} to ${spec.max}.`);
  if (spec.default !== undefined) words.push(`Default: ${spec.default}.`);
  return words.join(' ');
}

/** Seconds since 1970 as the text of a `datetime-local` field in UTC; empty for what is no time. */
export function dateOfSeconds(text: string): string {
  const ms = /^\d{1,12}$/.test(text.trim()) ? Number(text) * 1_000 : NaN;
  return ms < largestDateMs ? new Date(ms).toISOString().slice(0, 19) : '';
}

/** The reverse; empty for an empty field. */
export function secondsOfDate(date: string): string {
  const ms = Date.parse(`${readableDate(date)}Z`);
  return Number.isNaN(ms) ? '' : String(Math.floor(ms / 1_000));
}

/** The end of the year 9999. */
const largestDateMs = 253_402_300_800_000;

const examples: Partial<Record<FieldSpec['kind'], string>> = {
  address: '0x…',
  'tx-hash': '0x…',
  chain: '43114',
  block: 'number or 0x…',
  'node-id': 'NodeID-…',
};

/** Shown in an empty field: the default, else an example. */
export const placeholderOf = (spec: FieldSpec): string => spec.default ?? examples[spec.kind] ?? '';
