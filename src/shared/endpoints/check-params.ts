import { idPattern, nodeIdPattern } from '../base58.ts';
import { checkAddress } from '../address.ts';
import { err, ok, type Result } from '../errors.ts';
import { largestInteger } from '../integers.ts';
import { isObject } from '../json.ts';
import { nodeLimits } from '../limits.ts';
import type { FieldSpec, ParamRule } from './define.ts';

/** Seconds since 1970 beyond this (the year 5138) must be milliseconds by mistake. */
const largestSeconds = 100_000_000_000n;

/** Anything with parameters: an endpoint, or a call to a node. */
export interface TakesParams {
  readonly params: Readonly<Record<string, FieldSpec>>;
  readonly rules?: readonly ParamRule[];
}

/** A problem with parameters; `words` is the end of a sentence about the parameter. */
export interface ParamIssue {
  /** Null: the combination of parameters is wrong. */
  name: string | null;
  /** The parameter is required but missing. */
  isMissing: boolean;
  words: string;
}

export interface ParamCheck {
  /** The valid ones: trimmed and in canonical spelling. */
  params: Record<string, string>;
  issues: ParamIssue[];
}

type ValueCheck = { ok: true; value: string } | { ok: false; problem: string };

const accept = (value: string): ValueCheck => ({ ok: true, value });
const refuse = (problem: string): ValueCheck => ({ ok: false, problem });

/**
 * Validates parameters from a form, the window or the store against a definition. The result has only known names, with
 * values trimmed and in canonical spelling (checksummed address, lower-case hash, number without leading zeros); an
 * empty parameter counts as absent. The error lists all problems with their parameters.
 */
export function checkParams(definition: TakesParams, input: unknown): Result<Record<string, string>> {
  if (!isObject(input))
    return invalid(['The parameters must be a JSON object whose values are all strings.']);
  const { params, issues } = findParamIssues(definition, new Map(Object.entries(input)));
  return issues.length === 0
    ? ok(params)
    : invalid(issues.map(({ name, words }) => (name === null ? words : `${name}: ${words}`)));
}

/** The same, with the problems by parameter. */
export function findParamIssues(definition: TakesParams, given: ReadonlyMap<string, unknown>): ParamCheck {
  const issues: ParamIssue[] = [];
  const note = (name: string | null, words: string, isMissing = false) =>
    void issues.push({ name, words, isMissing });
  for (const name of given.keys()) {
    if (!Object.hasOwn(definition.params, name))
      note(name.slice(0, 40), 'isn’t a parameter of this endpoint.');
  }
  const params: Record<string, string> = {};
  for (const [name, spec] of Object.entries(definition.params)) {
    const value = given.get(name);
    if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) {
      if (spec.required) note(name, 'is required.', true);
      continue;
    }
    const check = typeof value === 'string' ? checkParamValue(spec, value.trim()) : refuse('must be text.');
    if (check.ok) params[name] = check.value;
    else note(name, check.problem);
  }
  // With invalid values, a rule would only report the same problem again.
  if (issues.length === 0) {
    for (const rule of definition.rules ?? []) {
      const problem = rule(params);
      if (problem !== null) note(null, problem);
    }
  }
  return { params, issues };
}

function invalid(issues: string[]): Result<never> {
  return err({ code: 'invalid-params', message: issues.join(' '), issues });
}

/** Kinds that can be checked by a pattern alone, and what is wrong with other values. */
const forms = {
  chain: [/^[A-Za-z0-9]{1,100}$/, 'must be a chain ID: letters and digits only.'],
  'tx-hash': [/^0x[0-9a-f]{64}$/, 'must be a transaction hash: 0x and 64 hexadecimal digits.'],
  'node-id': [new RegExp(`^${nodeIdPattern}$`), 'must be a node ID: NodeID- followed by base58 text.'],
  'subnet-id': [new RegExp(`^${idPattern}$`), 'must be a base58 ID.'],
  // The specification says only that it is a string; services take chain ids, too.
  'blockchain-id': [
    /^[A-Za-z0-9]{1,100}$/,
    'must be a blockchain ID or a chain ID: letters and digits only.',
  ],
  // The content of a token is not documented, so only what cannot be sent in a URL is refused.
  'page-token': [/^\P{Surrogate}{1,4096}$/u, 'must be a page token from a previous response.'],
} as const;

/** Validates a trimmed value; returns it in canonical spelling, or a problem as the end of a sentence. */
function checkParamValue(spec: FieldSpec, given: string): ValueCheck {
  const { kind, values = [] } = spec;
  const value = kind === 'tx-hash' || kind === 'block' ? given.toLowerCase() : given;
  if (values.includes(value)) return accept(value);
  switch (kind) {
    case 'address':
      return checkAddressValue(value);
    case 'block':
      return /^0x[0-9a-f]{64}$/.test(value)
        ? accept(value)
        : checkInteger(spec, value, 'must be a block number, or a block hash: 0x and 64 hexadecimal digits.');
    case 'integer':
      return checkInteger(spec, value, 'must be a whole number.');
    case 'timestamp':
      return checkTimestamp(spec, value);
    case 'watched-node':
      return accept(value);
    case 'tags':
      return checkTags(value);
    case 'choice':
      return refuse(`must be one of ${values.join(', ')}.`);
    default: {
      const [form, problem] = forms[kind];
      return form.test(value) ? accept(value) : refuse(problem);
    }
  }
}

function checkTags(value: string): ValueCheck {
  const { tags: most, tagLength: longest } = nodeLimits;
  const tags = value.split(/[\s,]+/);
  return tags.length <= most && tags.every(({ length }) => length <= longest)
    ? accept(value)
    : refuse(`must list at most ${most} IDs, each with at most ${longest} characters.`);
}

function checkAddressValue(value: string): ValueCheck {
  const check = checkAddress(value);
  if (check.ok) return accept(check.address);
  return check.reason === 'wrong-checksum'
    ? refuse(
        `has a wrong checksum: a character may be mistyped. If only the capitalisation is wrong, the correct address is ${check.checksummed}.`,
      )
    : refuse('must be an address: 0x and 40 hexadecimal digits.');
}

function checkInteger(spec: FieldSpec, value: string, problem: string): ValueCheck {
  if (!/^-?\d{1,40}$/.test(value)) return refuse(problem);
  const number = BigInt(value);
  const min = BigInt(spec.min ?? 0);
  // Block numbers and timestamps that the store's integers cannot hold are mistakes.
  const max = spec.max === undefined ? largestInteger : BigInt(spec.max);
  if (number >= min && number <= max) return accept(number.toString());
  return refuse(
    spec.max === undefined && number < min ? `must be ${min} or more.` : `must be from ${min} to ${max}.`,
  );
}

function checkTimestamp(spec: FieldSpec, value: string): ValueCheck {
  const check = checkInteger(spec, value, 'must be a Unix time in whole seconds.');
  return check.ok && BigInt(check.value) > largestSeconds
    ? refuse('must be a Unix time in seconds; this looks like milliseconds.')
    : check;
}
