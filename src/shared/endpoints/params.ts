import type { ParamSpec } from './define.ts';

/** Parameter specifications that several endpoints share (specification, "Conventions of the data endpoints"). */

export const chainId = {
  in: 'path',
  kind: 'chain',
  required: true,
  description: 'A supported EVM chain id or blockchain id.',
} as const satisfies ParamSpec;

export const walletAddress = {
  in: 'path',
  kind: 'address',
  required: true,
  description: 'A wallet address.',
} as const satisfies ParamSpec;

export const contractAddress = {
  ...walletAddress,
  description: 'The address of a contract.',
} as const satisfies ParamSpec;

export const pageToken = {
  in: 'query',
  kind: 'page-token',
  required: false,
  description: 'Token from a previous answer; returns the following page.',
} as const satisfies ParamSpec;

export const pageSize = {
  in: 'query',
  kind: 'integer',
  required: false,
  description: 'Maximum number of items.',
  min: 1,
  max: 100,
  default: '10',
} as const satisfies ParamSpec;

/** Page size of the series of staking and message metrics (specification, "Limits"). */
export const pointsPageSize = {
  ...pageSize,
  description: 'Maximum number of points.',
  max: 2160,
  default: '100',
} as const satisfies ParamSpec;

const startBlock = {
  in: 'query',
  kind: 'integer',
  required: false,
  description: 'First block of the range, inclusive; without it the range starts at the genesis block.',
  min: 0,
} as const satisfies ParamSpec;

const endBlock = {
  in: 'query',
  kind: 'integer',
  required: false,
  description: 'End of the range, exclusive; without it the range ends at the most recent block.',
  min: 0,
} as const satisfies ParamSpec;

export const blockRange = { startBlock, endBlock };

export const transactionStatus = {
  in: 'query',
  kind: 'choice',
  required: false,
  description: 'Only failed, or only successful transactions.',
  values: ['failed', 'success'],
} as const satisfies ParamSpec;

/** What lists of the data interface that concern one address take. */
export const addressListParams = { chainId, address: walletAddress, ...blockRange, pageSize, pageToken };

/** `startBlock` is inclusive and `endBlock` exclusive, so equal bounds select nothing. */
export function blockRangeIsNotEmpty(params: Readonly<Record<string, string>>): string | null {
  const start = params['startBlock'];
  const end = params['endBlock'];
  if (start === undefined || end === undefined) return null;
  if (!/^\d+$/.test(start) || !/^\d+$/.test(end)) return null;
  return BigInt(start) < BigInt(end) ? null : 'endBlock must be greater than startBlock: it is exclusive.';
}

/** The networks of the specification; what `testnet` and `fuji` differ in is not specified. */
export const networks = ['mainnet', 'fuji', 'testnet'] as const;

export const networkFilter = {
  in: 'query',
  kind: 'choice',
  required: false,
  description: 'Only this network.',
  values: networks,
} as const satisfies ParamSpec;

const startTimestamp = {
  in: 'query',
  kind: 'timestamp',
  required: false,
  description: 'Only points after this time, in seconds since 1970.',
  min: 0,
} as const satisfies ParamSpec;

const endTimestamp = {
  in: 'query',
  kind: 'timestamp',
  required: false,
  description: 'Only points before this time, in seconds since 1970.',
  min: 0,
} as const satisfies ParamSpec;

export const timeRange = { startTimestamp, endTimestamp };

/** No point lies after a time and before the same or an earlier one. Both values have passed their own checks. */
export function timeRangeIsNotEmpty(params: Readonly<Record<string, string>>): string | null {
  const start = params['startTimestamp'];
  const end = params['endTimestamp'];
  if (start === undefined || end === undefined) return null;
  return Number(start) < Number(end) ? null : 'endTimestamp must be later than startTimestamp.';
}
