import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listIds, type ListId } from '../../../shared/activity/types.ts';
import { AppFailure } from '../../../shared/errors.ts';
import type { ListPage } from '../activity-ports.ts';
import type { HttpOutcome } from '../ports.ts';
import { readIntervals } from './coverage.ts';
import { hashOf, refuse, type MadeOrder, type MadeTransaction } from './testing/paging-service.ts';
import { address, buildSyncHouse, chainId, unreachable } from './testing/sync-house.ts';

describe('any history, any interruption', () => {
  class Killed extends Error {}

  const step = fc.record({
    /** The process dies with this save of the run, before or after the store has it. */
    killAtSave: fc.option(fc.nat(6)),
    killAfterWrite: fc.boolean(),
    /** The disk is full from this save of the run on. */
    fullAtSave: fc.option(fc.nat(6)),
    /** The network fails, or the service wants no more requests for long, with this request of the run. */
    failAtRequest: fc.option(fc.nat(8)),
    failure: fc.constantFrom<HttpOutcome>(
      unreachable,
      refuse(429, 'slow down', { 'retry-after': '3600' }),
      refuse(503, 'away'),
    ),
    /** Tokens expire with this request of the run; for good, as far as this run goes. */
    expireAtRequest: fc.option(fc.nat(8)),
    hoursLater: fc.constantFrom(0, 1, 25),
    what: fc.constantFrom('all', 'newer', 'holes', 'older'),
    /** New transactions appear with this request: in the newest block, and above it. */
    growAtRequest: fc.option(fc.nat(8)),
    grown: fc.array(fc.nat(1), { maxLength: 6 }),
    /** Before the run the newest blocks are reorganised: other hashes, and some transactions are gone. */
    reorganised: fc.nat(12),
    taken: fc.nat(4),
  });

  const orders: readonly MadeOrder[] = ['descending', 'ascending', 'none'];
  const cases: [ListId, MadeOrder][] = listIds.flatMap((list) =>
    (list === 'transactions' ? orders.slice(0, 1) : orders).map((order): [ListId, MadeOrder] => [
      list,
      order,
    ]),
  );

  it.each(cases)(
    '%s in %s order: ends as if nothing had happened, and never claims a block that it does not have',
    async (list, order) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.nat(4), { maxLength: 40 }),
          fc.integer({ min: 1, max: 4 }),
          fc.array(step, { maxLength: 6 }),
          async (gaps, maxPageSize, steps) => {
            let onRequest: (number: number) => HttpOutcome | null = () => null;
            let requestNumber = 0;
            let pageSize = maxPageSize;
            const options = { list, order, maxPageSize: () => pageSize };
            const house = buildSyncHouse({
              ...options,
              fault: () => {
                requestNumber += 1;
                return onRequest(requestNumber);
              },
            });
            const { time, paging, stores } = house;
            let newest = 0;
            const grow = (increments: readonly number[]): void => {
              for (const increment of increments) {
                newest += increment;
                const index = paging.transactions.filter(({ block }) => block === newest).length;
                const isThere = paging.transactions.some(
                  (made) => made.block === newest && made.index === index,
                );
                const transfers = (newest % 3) + 1;
                if (!isThere) paging.transactions.push({ block: newest, index, transfers });
              }
            };
            const reorganise = (depth: number, taken: number): void => {
              for (const made of paging.transactions) {
                if (made.block > newest - depth) made.fork = (made.fork ?? 0) + 1;
              }
              const gone = new Set(
                paging.transactions.filter(({ block }) => block > newest - depth).slice(0, taken),
              );
              const left = paging.transactions.filter((made) => !gone.has(made));
              paging.transactions.splice(0, paging.transactions.length, ...left);
            };
            grow(gaps);

            const assertHonest = async (): Promise<void> => {
              const covered = readIntervals((await house.sync())?.covered ?? []);
              const stored = new Set(house.storedHashes());
              const isClaimed = ({ block }: MadeTransaction) =>
                covered.some(({ from, to }) => from <= BigInt(block) && BigInt(block) < to) &&
                // The newest block may be read while it is being written; it is always asked for again.
                BigInt(block) !== (covered.at(-1)?.to ?? 0n) - 1n;
              const missing = paging.transactions.filter(
                (made) => isClaimed(made) && !stored.has(hashOf(made)),
              );
              expect(missing).toEqual([]);
            };

            const savePage = stores.activity.savePage.bind(stores.activity);
            for (const one of steps) {
              if (one.reorganised > 0) reorganise(one.reorganised, one.taken);
              requestNumber = 0;
              let saveNumber = 0;
              onRequest = (number) => {
                if (number - 1 === one.expireAtRequest) paging.expireTokens();
                if (number - 1 === one.growAtRequest) grow(one.grown);
                return number - 1 === one.failAtRequest ? one.failure : null;
              };
              stores.activity.savePage = async (page: ListPage) => {
                const isFatal = saveNumber === one.killAtSave;
                const isFull = one.fullAtSave !== null && saveNumber >= one.fullAtSave;
                saveNumber += 1;
                if (isFatal && !one.killAfterWrite) throw new Killed();
                if (isFull) throw new AppFailure({ code: 'storage', message: 'the disk is full' });
                const saved = await savePage(page);
                await assertHonest();
                if (isFatal) throw new Killed();
                return saved;
              };
              const running = house.run({ what: one.what }).then(
                () => null,
                (cause: unknown) => cause,
              );
              // Pauses between attempts, and bans, pass.
              const cause = await ended(running, house);
              const isExpected = cause === null || cause instanceof Killed || cause instanceof AppFailure;
              expect(isExpected).toBe(true);
              await time.advance(one.hoursLater * 3_600_000 + 3_600_000);
            }
            onRequest = () => null;
            stores.activity.savePage = savePage;
            // Where nothing can be compared, the newest blocks fit on a page as far as a reorganisation may reach.
            if (list !== 'transactions') pageSize = 100;
            expect(await ended(house.run(), house)).toEqual({ ok: true, value: null });
            await assertHonest();
            expect((await house.sync())?.reachedStart).toBe(true);

            // The same service, walked once without any interruption.
            const fresh = buildSyncHouse(options);
            fresh.paging.transactions.push(...paging.transactions);
            expect(await ended(fresh.run(), fresh)).toEqual({ ok: true, value: null });
            expect(contentOf(house)).toEqual(contentOf(fresh));
          },
        ),
        { numRuns: list === 'transactions' ? 200 : 50 },
      );
    },
    60_000,
  );
});

/** What a run comes to, while time goes by as long as it takes; a run that never ends is a failure. */
async function ended<T>(
  running: Promise<T>,
  { time, stores }: ReturnType<typeof buildSyncHouse>,
): Promise<T> {
  const state = { isEnded: false };
  const end = (): void => void (state.isEnded = true);
  running.then(end, end);
  for (let minute = 0; !state.isEnded; minute += 1) {
    if (minute === 600) throw new Error('The run did not end within ten hours.');
    await time.advance(60_000);
    await stores.idle();
  }
  return await running;
}

/** What is stored of the list and is on the chain: times and versions of before aside, the same for the same chain. */
function contentOf({ stores, ref }: ReturnType<typeof buildSyncHouse>): unknown {
  const there = stores.rowsOf(address, chainId).filter(({ reorg }) => reorg !== 'gone');
  return {
    rows: there.map(({ reorg: _reorg, ...row }) => row),
    records: stores.recordsOf(ref),
  };
}
