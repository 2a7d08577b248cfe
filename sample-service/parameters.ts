import type { EndpointDefinition, ParamSpec } from '../src/shared/endpoints/define.ts';
import { ServiceError } from './errors.ts';

/** Checked parameters of one call, as strings; absent ones are missing. */
export type Params = Readonly<Record<string, string>>;

/**
 * Checks a request against an endpoint's definition. Refuses with 400 and one message for each fault, in the
 * wording of the public service; like there, unknown parameters are ignored.
 */
export function checkParams(endpoint: EndpointDefinition, path: unknown, query: unknown): Params {
  const sent = { path: asRecord(path), query: asRecord(query) };
  const params: Record<string, string> = {};
  const faults: string[] = [];
  for (const [name, spec] of Object.entries(endpoint.params)) {
    const value = sent[spec.in][name];
    if (value === undefined || (value === '' && spec.in === 'query')) {
      if (spec.required) faults.push(`${name} should not be empty`);
      continue;
    }
    if (typeof value !== 'string') {
      faults.push(`${name} must be a string`);
      continue;
    }
    const found = faultsOf(name, spec, value);
    faults.push(...found);
    if (found.length === 0) params[name] = value;
  }
  if (faults.length === 0) {
    for (const rule of endpoint.rules ?? []) {
      const fault = rule(params);
      if (fault !== null) faults.push(fault);
    }
  }
  if (faults.length > 0) throw new ServiceError(400, faults);
  return params;
}

/** The kinds that are checked by form alone, and the name of a valid value. */
const forms: Partial<Record<ParamSpec['kind'], readonly [RegExp, string]>> = {
  address: [/^0x[0-9a-fA-F]{40}$/, 'a valid EVM address'],
  'tx-hash': [/^0x[0-9a-fA-F]{64}$/, 'a valid transaction hash'],
  block: [/^(0x[0-9a-fA-F]{64}|\d{1,15})$/, 'a block number or block hash'],
  'node-id': [/^NodeID-[1-9A-HJ-NP-Za-km-z]{20,40}$/, 'a valid node id'],
};

function faultsOf(name: string, spec: ParamSpec, value: string): string[] {
  const { kind, values } = spec;
  if (kind === 'integer' || kind === 'timestamp') return integerFaults(name, spec, value);
  if (kind === 'choice' && values?.includes(value) === false) {
    return [`${name} must be one of the following values: ${values.join(', ')}`];
  }
  const form = forms[kind];
  return form === undefined || form[0].test(value) ? [] : [`${name} must be ${form[1]}`];
}

function integerFaults(name: string, spec: ParamSpec, value: string): string[] {
  const number = /^-?\d{1,15}$/.test(value) ? Number(value) : NaN;
  const faults: string[] = [];
  if (spec.max !== undefined && !(number <= spec.max))
    faults.push(`${name} must not be greater than ${spec.max}`);
  if (spec.min !== undefined && !(number >= spec.min))
    faults.push(`${name} must not be less than ${spec.min}`);
  if (Number.isNaN(number)) faults.push(`${name} must be an integer number`);
  return faults;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  // Fastify gives path and query parameters as objects; their values stay unknown.
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
