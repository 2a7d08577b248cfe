import { knownHash } from '../../../../shared/activity/block-hash.ts';
import type { NativeToken } from '../../../../shared/activity/legs.ts';
import type { ListId } from '../../../../shared/activity/types.ts';
import {
  addressErc1155Transfers,
  addressErc20Transfers,
  addressInternalTransactions,
  addressNativeTransactions,
  addressTransactions,
} from '../../../../shared/endpoints/data.ts';
import type { EndpointDefinition, ParamSpec } from '../../../../shared/endpoints/define.ts';
import { ok, type Result } from '../../../../shared/errors.ts';
import { jsonElementTexts } from '../../../../shared/json-text.ts';
import { timestampToMs } from '../../../../shared/time.ts';
import type { FetchOptions, ServiceClient } from '../../endpoints/service-client.ts';
import type { ListRef, StoredRecord, StoredRow } from '../../activity-ports.ts';
import { rowOfElement, storableBlock, type Received, type RowOwner } from '../rows/stored-rows.ts';

export interface ListElement {
  /** Identifies the element, whatever page it is on. */
  key: string;
  block: bigint;
  row: StoredRow | null;
  /** The run adds `number`, to tell equal records apart. */
  record: Omit<StoredRecord, 'number'> | null;
  /** A transaction may have several equal ones; otherwise one that comes again is the same, from a page that was shifted. */
  mayRepeat: boolean;
}

export interface ListAnswer {
  /** In the order of the answer; null for an element that cannot be stored. */
  elements: (ListElement | null)[];
  /** Null on the last page. */
  nextToken: string | null;
  fetchedAtMs: number;
  /** Of the HTTP exchange, without the time in the queue. */
  durationMs: number;
}

/** A list of an address's history: its endpoint, and how its elements are stored. */
export interface ListDefinition {
  /** The service promises an order by time, newest first. */
  isOrderPromised: boolean;
  fetchPage(
    service: ServiceClient,
    ref: ListRef,
    params: Readonly<Record<string, string>>,
    native: NativeToken,
    options: FetchOptions,
  ): Promise<Result<ListAnswer>>;
}

type ListEndpoint<Element> = EndpointDefinition<
  string,
  Readonly<Record<string, ParamSpec>>,
  { transactions: Element[]; nextPageToken?: string | undefined }
>;

/** `read` brings null for what cannot be stored: no hash, or a block or time out of range. */
function defineList<Element>(
  endpoint: ListEndpoint<Element>,
  read: (element: Element, received: Received, owner: RowOwner) => ListElement | null,
  isOrderPromised = false,
): ListDefinition {
  const order = isOrderPromised ? { sortOrder: 'desc' } : {};
  return {
    isOrderPromised,
    fetchPage: async (service, ref, params, native, options) => {
      const { address, chainId, list } = ref;
      const fetched = await service.fetch(endpoint, { chainId, address, ...order, ...params }, options);
      if (!fetched.ok) return fetched;
      const { data, notes, unreadableItems, bodyText, fetchedAtMs, durationMs, url } = fetched.value;
      const texts = list === 'transactions' ? jsonElementTexts(bodyText, 'transactions') : [];
      const token = data.nextPageToken;
      return ok({
        elements: inPlace(data.transactions, unreadableItems).map((element, place) => {
          const received = { text: texts[place] ?? null, mayBeOdd: notes.length > 0, url };
          return element && read(element, received, { ...ref, native, fetchedAtMs });
        }),
        nextToken: token === undefined || token === '' ? null : token,
        fetchedAtMs,
        durationMs,
      });
    },
  };
}

/** Puts the decoded items at their positions in the answer, with null for those that could not be decoded. */
function inPlace<Element>(items: readonly Element[], unreadable: readonly number[]): (Element | null)[] {
  const missing = new Set(unreadable);
  const rest = items.values();
  return Array.from({ length: items.length + missing.size }, (_nothing, place) =>
    missing.has(place) ? null : (rest.next().value ?? null),
  );
}

/** Fields that the elements of the other lists share. */
interface ChainRecordElement {
  txHash?: string | undefined;
  blockNumber?: string | undefined;
  blockTimestamp?: number | undefined;
}

function readRecord(element: ChainRecordElement, mayRepeat: boolean): ListElement | null {
  const { txHash, blockNumber, blockTimestamp } = element;
  const block = blockNumber === undefined ? null : storableBlock(blockNumber);
  const hash = knownHash(txHash ?? null);
  if (hash === null || block === null) return null;
  const recordJson = JSON.stringify(element);
  const timestampMs = blockTimestamp === undefined ? null : timestampToMs(blockTimestamp);
  const record = { txHash: hash, blockNumber: block, timestampMs, recordJson };
  return { key: recordJson, block, row: null, record, mayRepeat };
}

/** Endpoints 1, 4, 3, 6 and 7 of the specification. Only endpoint 1 has a parameter for the order. */
export const lists: Readonly<Record<ListId, ListDefinition>> = {
  transactions: defineList(
    addressTransactions,
    (element, received, owner) => {
      const row = rowOfElement(element, received, owner);
      return row && { key: row.txHash, block: row.blockNumber, row, record: null, mayRepeat: false };
    },
    true,
  ),
  erc20: defineList(addressErc20Transfers, (element) => readRecord(element, element.logIndex === undefined)),
  // A log of ERC-1155 may hold several equal transfers.
  erc1155: defineList(addressErc1155Transfers, (element) => readRecord(element, true)),
  internal: defineList(addressInternalTransactions, (element) => readRecord(element, true)),
  native: defineList(addressNativeTransactions, (element) => readRecord(element, false)),
};
