import type { ParamKind, ParamRule, ParamSpec } from './define.ts';

/** Helpers for parameter specifications, and shared parameters (specification, "Conventions of the data endpoints"). */

type Details = Pick<ParamSpec, 'min' | 'max' | 'default' | 'values'>;

/** A part of the path; always required. */
export const inPath = (kind: ParamKind, description: string, details: Details = {}) =>
  ({ in: 'path', kind, required: true, description, ...details }) as const satisfies ParamSpec;

/** A query parameter; optional. */
export const inQuery = (kind: ParamKind, description: string, details: Details = {}) =>
  ({ in: 'query', kind, required: false, description, ...details }) as const satisfies ParamSpec;

export const chainId = inPath('chain', 'A supported EVM chain ID or blockchain ID.');

export const walletAddress = inPath('address', 'A wallet address.');

export const contractAddress = inPath('address', 'A contract address.');

export const pageToken = inQuery('page-token', 'Page token from a previous response; returns the next page.');

export const pageSize = inQuery('integer', 'Maximum number of items.', { min: 1, max: 100, default: '10' });

/** Page size of the series of staking and message metrics (specification, "Limits"). */
export const pointsPageSize = {
  ...pageSize,
  description: 'Maximum number of points.',
  max: 2160,
  default: '100',
};

export const blockRange = {
  startBlock: inQuery(
    'integer',
    'First block in the range (inclusive). Leave empty to start at the genesis block.',
    { min: 0 },
  ),
  endBlock: inQuery('integer', 'End of the range (exclusive). Leave empty to end at the most recent block.', {
    min: 0,
  }),
};

export const transactionStatus = inQuery('choice', 'Only failed or only successful transactions.', {
  values: ['failed', 'success'],
});

/** Parameters of the data interface's lists for one address. */
export const addressListParams = { chainId, address: walletAddress, ...blockRange, pageSize, pageToken };

/** The networks in the specification, which does not say how `testnet` and `fuji` differ. */
export const networks = ['mainnet', 'fuji', 'testnet'] as const;

export const networkFilter = inQuery('choice', 'Only this network.', { values: networks });

export const timeRange = {
  startTimestamp: inQuery('timestamp', 'Only points after this time.', { min: 0 }),
  endTimestamp: inQuery('timestamp', 'Only points before this time.', { min: 0 }),
};

const isWhole = (value: string) => /^\d+$/.test(value);

/** Refuses an empty range. Forms call this before values are validated; invalid ones are not its concern. */
const isNotEmpty =
  (start: string, end: string, problem: string): ParamRule =>
  ({ [start]: first = '', [end]: last = '' }) =>
    !isWhole(first) || !isWhole(last) || BigInt(first) < BigInt(last) ? null : problem;

/** `startBlock` is inclusive and `endBlock` exclusive, so equal bounds are empty. */
export const blockRangeIsNotEmpty = isNotEmpty(
  'startBlock',
  'endBlock',
  'endBlock must be greater than startBlock, because endBlock itself isn’t included.',
);

/** No point is after a time and also before the same or an earlier one. */
export const timeRangeIsNotEmpty = isNotEmpty(
  'startTimestamp',
  'endTimestamp',
  'endTimestamp must be later than startTimestamp.',
);
