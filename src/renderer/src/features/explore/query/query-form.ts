import { checkParams } from '../../../../../shared/endpoints/check-params.ts';
import type { EndpointDefinition, ParamSpec } from '../../../../../shared/endpoints/define.ts';

/** What a form's texts amount to. */
export interface FormCheck {
  /** The parameters to send; null while something is wrong or missing. */
  params: Record<string, string> | null;
  /** What is wrong with what was entered, by parameter. */
  problems: ReadonlyMap<string, string>;
  /** Required parameters that are still empty. */
  missing: string[];
  /** Combinations that the service would refuse. */
  combinations: string[];
}

const missingWords = 'is missing.';

/** Checks a form as it is filled in. */
export function checkForm(endpoint: EndpointDefinition, values: Readonly<Record<string, string>>): FormCheck {
  const checked = checkParams(endpoint, values);
  const problems = new Map<string, string>();
  const missing: string[] = [];
  const combinations: string[] = [];
  if (checked.ok) return { params: checked.value, problems, missing, combinations };
  const issues = checked.error.code === 'invalid-params' ? checked.error.issues : [checked.error.message];
  for (const issue of issues) {
    const colon = issue.indexOf(': ');
    const name = issue.slice(0, Math.max(0, colon));
    const words = issue.slice(colon + 2);
    if (!Object.hasOwn(endpoint.params, name)) combinations.push(issue);
    else if (words === missingWords) missing.push(name);
    else problems.set(name, sentence(words));
  }
  return { params: null, problems, missing, combinations };
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * Why a value of a choice cannot be combined with the rest of the form, or null: what a rule says about the form with
 * this value and does not say about the form without it.
 */
export function choiceProblem(
  endpoint: EndpointDefinition,
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
  for (const rule of endpoint.rules ?? []) {
    const problem = rule({ ...others, [name]: value });
    if (problem !== null && rule(others) === null) return problem;
  }
  return null;
}

/** Words about a parameter: what it is, its range, what the service assumes. */
export function describeParam(spec: ParamSpec): string {
  const words = [spec.description];
  if (spec.min !== undefined && spec.max !== undefined) words.push(`From ${spec.min} to ${spec.max}.`);
  // The descriptions may say it in their own words.
  if (spec.kind === 'timestamp' && !spec.description.includes('1970')) words.push('Seconds since 1970.');
  if (spec.default !== undefined) words.push(`Default: ${spec.default}.`);
  return words.join(' ');
}

const examples: Partial<Record<ParamSpec['kind'], string>> = {
  address: '0x…',
  'tx-hash': '0x…',
  chain: '43114',
  block: 'number or 0x…',
  'node-id': 'NodeID-…',
  timestamp: '1767225600',
};

/** Shown in an empty field: what the service assumes, else what a value looks like. */
export function placeholderOf(spec: ParamSpec): string {
  return spec.default ?? examples[spec.kind] ?? '';
}
