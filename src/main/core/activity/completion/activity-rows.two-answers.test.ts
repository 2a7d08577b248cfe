import { expect, it } from 'vitest';
import {
  address,
  buildCompletionHarness as build,
  chainId,
  everything,
  hashAsked,
  other,
} from '../testing/completion-harness.ts';
import { refuse, respond } from '../testing/paging-service.ts';

/**
 * Twenty rows on the screen for an hour in which the list is checked each minute. The transaction's own answer has the
 * hashes of the list as `spell` writes them.
 */
async function liveAnHour(field: 'blockHash' | 'txHash', spell: (hash: string) => string) {
  const harness = await build(20, (request) => {
    const txHash = hashAsked(request) ?? '';
    const block = parseInt(txHash.slice(2, 62), 16);
    const native = {
      txHash,
      blockNumber: String(block),
      blockHash: `0x${block.toString(16).padStart(64, '0')}`,
      blockTimestamp: 1_600_000_000 + block,
      blockIndex: 0,
      value: '1',
    };
    return respond({ nativeTransaction: { ...native, [field]: spell(native[field]) } });
  });
  for (let minute = 0; minute < 60; minute += 1) {
    harness.completion.showing(await harness.rowIds());
    await harness.work();
    harness.sync.start({ address, chainId, list: 'transactions' }, 'user');
    await harness.rest();
    await harness.time.advance(59_000);
  }
  const query = { filter: everything, offset: 0, anchor: null, limit: 100 };
  const { rows } = await harness.stores.activity.readRows(query);
  return {
    partialCount: await harness.partial(),
    versionCount: rows.reduce((sum, { marks }) => sum + marks.versionCount, 0),
    requestCount: harness.paging.requests.length,
    error: harness.completion.status().error,
  };
}

it.each<['blockHash' | 'txHash', string, (hash: string) => string]>([
  ['blockHash', 'without 0x', (hash) => hash.slice(2)],
  ['blockHash', 'in capitals', (hash) => hash.toUpperCase()],
  ['blockHash', 'with a blank', (hash) => `${hash} `],
  ['txHash', 'without 0x', (hash) => hash.slice(2)],
  ['txHash', 'in capitals', (hash) => hash.toUpperCase()],
])('a %s that the transaction’s own answer spells %s is the same hash', async (field, _words, spell) => {
  expect(await liveAnHour(field, spell)).toEqual({
    partialCount: 0,
    versionCount: 0,
    requestCount: 20 + 60,
    error: null,
  });
});

it('a list and the transaction’s own answer that name different blocks do not replace each other without end', async () => {
  const { partialCount, versionCount, requestCount, error } = await liveAnHour(
    'blockHash',
    (hash) => `0x9${hash.slice(3)}`,
  );
  expect({ partialCount, error }).toMatchObject({ partialCount: 20, error: { code: 'bad-response' } });
  // The row of the list, and the one answer that was taken for a reorganisation.
  expect(versionCount).toBe(40);
  expect(requestCount).toBeLessThan(60 + 100);
});

it('a row that is not completed, while another address’s row of the same transaction is, is not asked for without end', async () => {
  let isOver = false;
  const { sync, rest, completion, paging, partial, work } = await build(1, (request, number) => {
    // Otherwise nothing would end a test that fails.
    isOver = number > 20;
    return isOver ? refuse(401, 'enough') : respond(inOtherBlock(hashAsked(request) ?? ''));
  });
  const lists = [address, other].map((owner) => ({ address: owner, chainId, list: 'transactions' as const }));
  for (const list of lists) sync.start(list, 'user');
  await rest();
  await completion.completeAll(everything, true);
  await work();
  expect(await partial()).toBe(0);
  // The list of the one still has the transaction in its own block; that of the other is not read again.
  sync.start({ address, chainId, list: 'transactions' }, 'user');
  await rest();
  paging.requests.length = 0;
  await completion.completeAll(everything, true);
  await work();
  expect(isOver).toBe(false);
  expect(paging.requests).toHaveLength(1);
  expect(completion.status()).toMatchObject({ partialCount: 1, error: { code: 'bad-response' } });
});

/** The transaction as a service shows it that has it in another block than its list. */
function inOtherBlock(txHash: string) {
  const block = parseInt(txHash.slice(2, 62), 16);
  return {
    nativeTransaction: {
      txHash,
      blockNumber: String(block),
      blockHash: `0x9${block.toString(16).padStart(63, '0')}`,
      blockTimestamp: 1_600_000_000 + block,
      value: '1',
    },
  };
}
