import { AppFailure } from '../../../../shared/errors.ts';
import type { RowFacets } from '../../../../shared/activity/facets.ts';
import type {
  ListPage,
  ReadRow,
  StoredAddress,
  StoredRecord,
  StoredRow,
  SyncState,
} from '../../../core/activity-ports.ts';
import type { StoredNode, StoredPoll } from '../../../core/health-ports.ts';

export const alice = '0x52908400098527886E0F7030069857D2E4169EE7';
export const bob = '0xde709f2102306220921060314715629080e2fb77';

/** The facets of a sample row: AVAX received from an unnamed address. */
export function sampleFacets(fields: Partial<RowFacets> = {}): RowFacets {
  return {
    kind: 'transfer',
    direction: 'in',
    status: 'success',
    counterparty: '0x00000000000000000000000000000000000000ff',
    otherSides: [],
    counterpartyName: null,
    method: null,
    tokens: [
      { token: '43114 native', symbol: 'AVAX', name: null, decimals: 18, amount: '1500000000000000000' },
    ],
    rules: [],
    isOwnDoing: false,
    hasUnreadParts: false,
    awaitsPrice: false,
    valueThen: null,
    valueCurrency: null,
    fee: null,
    messageId: null,
    ...fields,
  };
}

export function sampleRow(fields: Partial<StoredRow> = {}): StoredRow {
  return {
    chainId: '43114',
    address: alice,
    txHash: '0x01',
    blockNumber: 1n,
    blockIndex: 0,
    blockHash: null,
    timestampMs: 1_000,
    completeness: 'partial',
    transactionJson: '{"partial":true}',
    isReceived: true,
    requestUrl: null,
    fetchedAtMs: 2_000,
    facets: sampleFacets(),
    ...fields,
  };
}

/** A row as it was stored: without fields that the store adds, with the facets that it does not return. */
export function storedRow({
  id: _id,
  marks: _marks,
  firstSeenMs: _firstSeenMs,
  isMoved: _isMoved,
  ...row
}: ReadRow): StoredRow {
  return { ...row, facets: sampleFacets() };
}

export function sampleAddress(fields: Partial<StoredAddress> = {}): StoredAddress {
  return { address: alice, label: null, tags: [], colour: null, paused: false, addedAtMs: 1, ...fields };
}

export function sampleSync(fields: Partial<SyncState> = {}): SyncState {
  return { covered: [], reachedStart: false, checkedAtMs: null, ...fields };
}

/** A page of Alice's transactions on chain 43114. */
export function samplePage(fields: Partial<ListPage> = {}): ListPage {
  return {
    address: alice,
    chainId: '43114',
    list: 'transactions',
    rows: [],
    records: [],
    sync: sampleSync(),
    doubts: 0,
    proof: null,
    walkAtMs: 1,
    sweep: [],
    ...fields,
  };
}

export function sampleNode(fields: Partial<StoredNode> = {}): StoredNode {
  return {
    id: 'n1',
    name: 'One',
    url: 'http://127.0.0.1:9650',
    intervalMs: 30_000,
    tags: [],
    headerNames: [],
    certificate: null,
    paused: false,
    addedAtMs: 1,
    previousNodeId: null,
    tagChecks: [],
    ...fields,
  };
}

export function samplePoll(fields: Partial<StoredPoll> = {}): StoredPoll {
  return {
    nodeId: 'n1',
    polledAtMs: 10_000,
    state: 'healthy',
    reason: 'All checks pass.',
    reportedNodeId: 'NodeID-1',
    reportJson: '{"healthy":true}',
    runs: [],
    episodes: [],
    ...fields,
  };
}

/** The message of the storage failure with which a call is expected to end. */
export async function storageMessage(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (cause) {
    if (cause instanceof AppFailure && cause.error.code === 'storage') return cause.error.message;
    throw cause;
  }
  throw new Error('The call did not fail.');
}

export function sampleRecord(fields: Partial<StoredRecord> = {}): StoredRecord {
  return {
    txHash: '0x01',
    blockNumber: 5n,
    timestampMs: 1_000,
    recordJson: '{"a":1}',
    number: 0,
    ...fields,
  };
}
