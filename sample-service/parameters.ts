import type { EndpointDefinition, ParamSpec } from '../src/shared/endpoints/define.ts';
import { ServiceError } from './errors.ts';

/** Checked parameters of one call, as strings; absent ones are missing. */
export type Params = Readonly<Record<string, string>>;

/**
 * Checks what a client sent against an endpoint's definition. Refuses with 400 and one message for each fault, in the
 * wording of the public service; parameters that the definition does not know are ignored, as they are there.
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

function faultsOf(name: string, spec: ParamSpec, value: string): string[] {
  switch (spec.kind) {
    case 'integer':
    case 'timestamp':
      return integerFaults(name, spec, value);
    case 'choice':
      if (spec.values === undefined || spec.values.includes(value)) return [];
      return [`${name} must be one of the following values: ${spec.values.join(', ')}`];
    case 'address':
      return /^0x[0-9a-fA-F]{40}$/.test(value) ? [] : [`${name} must be a valid EVM address`];
    case 'tx-hash':
      return /^0x[0-9a-fA-F]{64}$/.test(value) ? [] : [`${name} must be a valid transaction hash`];
    case 'block':
      return /^(0x[0-9a-fA-F]{64}|\d{1,15})$/.test(value)
        ? []
        : [`${name} must be a block number or block hash`];
    case 'node-id':
      return /^NodeID-[1-9A-HJ-NP-Za-km-z]{20,40}$/.test(value) ? [] : [`${name} must be a valid node id`];
    case 'chain':
    case 'subnet-id':
    case 'blockchain-id':
    case 'page-token':
      return [];
  }
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
