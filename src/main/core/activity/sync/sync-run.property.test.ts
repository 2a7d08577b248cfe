import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { otherLists, type ListId } from '../../../../shared/activity/types.ts';
import { storedReorgs } from '../../../adapters/storage/activity/stored-codes.ts';
import type { HttpOutcome } from '../../ports.ts';
import { mergeBlocks, proofsOf, readIntervals, writeIntervals } from '../../../../shared/activity/blocks.ts';
import { buildInterruptedSync } from '../testing/interrupted-sync.ts';
import { refuse, type MadeOrder } from '../testing/paging-service.ts';
import { without, type StoredValues } from '../testing/stored-list.ts';
import { unreachable, type buildSyncHarness } from '../testing/sync-harness.ts';

describe('any history, any interruption', () => {
  const step = fc.record({
    killAtSave: fc.option(fc.nat(6)),
    killAfterWrite: fc.boolean(),
    fullAtSave: fc.option(fc.nat(6)),
    failAtRequest: fc.option(fc.nat(8)),
    failure: fc.constantFrom<HttpOutcome>(
      unreachable,
      refuse(429, 'slow down', { 'retry-after': '3600' }),
      refuse(503, 'away'),
    ),
    expireAtRequest: fc.option(fc.nat(8)),
    hoursLater: fc.constantFrom(0, 1, 25),
    what: fc.constantFrom('all', 'newer', 'holes', 'older'),
    growAtRequest: fc.option(fc.nat(8)),
    grown: fc.array(fc.nat(1), { maxLength: 6 }),
    reorganised: fc.nat(12),
    taken: fc.nat(4),
  });

  const orders: readonly MadeOrder[] = ['descending', 'ascending', 'none'];
  const cases: [ListId, MadeOrder, number][] = [
    ['transactions', 'descending', 1],
    ['transactions', 'descending', 3],
    ...otherLists.flatMap((list) => orders.map((order): [ListId, MadeOrder, number] => [list, order, 1])),
  ];

  it.each(cases)(
    '%s in %s order, %i blocks a second: ends as if nothing had happened, and never claims a block that it does not have',
    async (list, order, blocksPerSecond) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.nat(4), { maxLength: 40 }),
          fc.integer({ min: 1, max: 4 }),
          fc.array(step, { maxLength: 6 }),
          async (gaps, pageSize, steps) => {
            const afterSave = (missing: unknown): void => expect(missing).toEqual([]);
            const sync = buildInterruptedSync({ list, order, blocksPerSecond, pageSize, gaps, afterSave });
            for (const one of steps) await sync.play(one);
            const { harness, result, missing, fresh, freshResult } = await sync.settle();
            expect([result, missing]).toEqual([{ ok: true, value: null }, []]);
            expect((await harness.sync())?.reachedStart).toBe(true);
            // The same service, walked once without any interruption.
            expect(freshResult).toEqual({ ok: true, value: null });
            expect(contentOf(harness)).toEqual(contentOf(fresh));
            // The newest second may go on with the next page, and is asked for again.
            if (blocksPerSecond === 1) expect([unprovenOf(harness), unprovenOf(fresh)]).toEqual([[], []]);
            expectConsistent(harness);
          },
        ),
        { numRuns: list === 'transactions' ? 100 : 20 },
      );
    },
  );
});

const reorganised = storedReorgs.indexOf('reorganised');
const gone = storedReorgs.indexOf('gone');

/** Differs between two walks of the same chain: when and with which page it was fetched, and what it was before. */
const ofTheWalk = ['fetched_at_ms', 'seen_at_ms', 'first_seen_ms', 'request_ref', 'reorg'];

/** What is stored of the list and is on the chain: the same for the same chain. */
function contentOf(harness: ReturnType<typeof buildSyncHarness>): unknown {
  const { sync } = harness.stores.storedList(harness.ref);
  return {
    content: elementsOf(harness).map((values) => without(values, ofTheWalk)),
    holes: sync?.covered.slice(1),
    reachedStart: sync?.reachedStart,
  };
}

/** All is proven, in one piece, whose end tells how far the chain went before it was reorganised. */
function unprovenOf(harness: ReturnType<typeof buildSyncHarness>): unknown {
  const end = BigInt(harness.stores.storedList(harness.ref).sync?.covered[0]?.toBlock ?? 0);
  return elementsOf(harness).filter(({ block_number: block }) => BigInt(Number(block)) >= end);
}

function elementsOf({ stores, ref }: ReturnType<typeof buildSyncHarness>): StoredValues[] {
  const { rows, records } = stores.storedList(ref);
  return [...rows.flatMap(({ row }) => (isMarked(row, gone) ? [] : [row])), ...records];
}

/** The rest of what is stored agrees with itself. */
function expectConsistent({ stores, ref }: ReturnType<typeof buildSyncHarness>): void {
  const { sync, proofs, rows, records } = stores.storedList(ref);
  const stored = [...rows.map(({ row }) => row), ...records];
  const times = stored.map(({ timestamp_ms: timeMs }) => Number(timeMs));
  expect(sync).toMatchObject({
    rowCount: stored.length,
    newestTimestampMs: times.length === 0 ? null : Math.max(...times),
    oldestTimestampMs: times.length === 0 ? null : Math.min(...times),
  });
  // The ledger has all that counts as proven.
  const covered = sync?.covered ?? [];
  expect(writeIntervals(mergeBlocks(readIntervals(proofsOf(covered, proofs))))).toEqual(covered);
  for (const { row, versions } of rows) {
    // Each version was in another block than the one after it.
    const hashes = [...versions, row].map(
      ({ transaction_json: json }) => /"blockHash":"(\w+)"/.exec(String(json))?.[1],
    );
    expect(hashes.filter((hash, place) => hash === hashes[place - 1])).toEqual([]);
    expect(hashes.at(-1)).toBe(row['block_hash']);
    if (isMarked(row, reorganised)) expect(versions).not.toEqual([]);
  }
}

function isMarked(row: StoredValues, mark: number): boolean {
  return row['reorg'] !== null && Number(row['reorg']) === mark;
}
