import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { SampleService } from '../e2e/sample-service.ts';
import type { OpenedStore } from '../src/main/adapters/storage/thread/open-store.ts';
import { serviceFolder } from '../src/main/adapters/storage/opening/service-folder.ts';
import { rowOfElement } from '../src/main/core/activity/rows/stored-rows.ts';
import { nativeOf } from '../src/main/core/activity/watchlist/watchlist-views.ts';
import { addressChains, addressTransactions } from '../src/shared/endpoints/data.ts';
import { decodeAnswer } from '../src/shared/endpoints/decode-answer.ts';
import type { AddressTransaction, ChainRecord } from '../src/shared/endpoints/records.ts';
import { unwrap } from '../src/shared/errors.ts';
import { openStoreIn } from './bench-harness.ts';

/**
 * A long history of the sample service's demo account in the store of a profile: its transactions repeated, each
 * with its own hash, block and time. The account is paused, so that nothing is fetched during measurements.
 */

const pageRows = 5_000;
const pagesUnderWay = 2;
const newestMs = 1_760_000_000_000;
const newestBlock = 2_000_000_000;
const secondsApart = 13;

interface Source {
  chain: ChainRecord;
  elements: readonly AddressTransaction[];
}

/** Stores the rows `from` up to `to`, counted from the newest; those before `from` are stored already. */
export async function storeRows(
  profileDir: string,
  service: SampleService,
  from: number,
  to: number,
): Promise<void> {
  const store = await openStoreIn(join(profileDir, 'services', serviceFolder(service.ready.dataUrl)));
  const { address } = service.ready.examples;
  const sources = await readSources(service);
  if (from === 0) {
    await store.watchlist.put({
      address,
      label: 'Treasury',
      tags: [],
      colour: 'teal',
      paused: true,
      addedAtMs: 1,
    });
    await store.watchlist.writeChains(address, {
      indexedJson: JSON.stringify(sources.map(({ chain }) => chain)),
      unindexedIds: [],
      fetchedAtMs: newestMs,
      newSinceMs: {},
    });
  }
  let next = from;
  const lanes = Array.from({ length: pagesUnderWay }, async () => {
    while (next < to) {
      const first = next;
      next = Math.min(to, first + pageRows * sources.length);
      for (const [index, source] of sources.entries()) {
        await store.activity.savePage(
          pageOf(address, source, placesFrom(first + index, next, sources.length)),
        );
      }
    }
  });
  await Promise.all(lanes);
  // Otherwise the app would make a backup a minute after its start, during the measurements.
  await store.backup();
  await store.close();
}

function* placesFrom(first: number, end: number, step: number): Generator<number> {
  for (let place = first; place < end; place += step) yield place;
}

async function readSources(service: SampleService): Promise<Source[]> {
  const { address } = service.ready.examples;
  const read = async (path: string) => JSON.stringify(await service.answerTo(path));
  const chains = unwrap(decodeAnswer(addressChains, await read(`/v1/address/${address}/chains`)));
  return await Promise.all(
    (chains.data.indexedChains ?? []).map(async (chain) => {
      const list = `/v1/chains/${chain.chainId}/addresses/${address}/transactions?sortOrder=desc&pageSize=100`;
      const { data } = unwrap(decodeAnswer(addressTransactions, await read(list)));
      return { chain, elements: data.transactions };
    }),
  );
}

function pageOf(
  address: string,
  { chain, elements }: Source,
  places: Iterable<number>,
): Parameters<OpenedStore['activity']['savePage']>[0] {
  const { chainId } = chain;
  const owner = { address, chainId, native: nativeOf(chain), fetchedAtMs: newestMs };
  const rows = Array.from(places, (place) => {
    const element = elements[place % elements.length];
    const row =
      element === undefined
        ? null
        : rowOfElement(elementAt(element, place), { text: null, mayBeOdd: false, url: '' }, owner);
    if (row === null) throw new Error(`The sample service has nothing to store on chain ${chainId}.`);
    return row;
  });
  return {
    address,
    chainId,
    list: 'transactions',
    rows,
    records: [],
    sync: {
      covered: [{ fromBlock: '0', toBlock: String(newestBlock + 1) }],
      reachedStart: true,
      checkedAtMs: newestMs,
    },
    proof: null,
    walkAtMs: 1,
    sweep: [],
    doubts: 0,
  };
}

function elementAt(element: AddressTransaction, place: number): AddressTransaction {
  return {
    ...element,
    nativeTransaction: {
      ...element.nativeTransaction,
      txHash: `0x${hashOf(place)}`,
      blockNumber: String(newestBlock - place),
      blockHash: `0x${hashOf(-1 - place)}`,
      blockTimestamp: newestMs / 1000 - place * secondsApart,
    },
  };
}

function hashOf(place: number): string {
  return createHash('sha256').update(String(place)).digest('hex');
}
