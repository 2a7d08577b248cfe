import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HttpOutcome } from '../ports.ts';
import { readIntervals } from './coverage.ts';
import { hashOf, type MadeTransaction } from './testing/paging-service.ts';
import { buildSyncHouse, unreachable } from './testing/sync-house.ts';

describe('any history, any interruption', () => {
  class Killed extends Error {}

  const step = fc.record({
    /** The process dies with this save of the run, before or after the store has it. */
    killAtSave: fc.option(fc.nat(6)),
    killAfterWrite: fc.boolean(),
    /** The network fails with this request of the run. */
    failAtRequest: fc.option(fc.nat(8)),
    /** Tokens expire with this request of the run. */
    expireAtRequest: fc.option(fc.nat(8)),
    hoursLater: fc.constantFrom(0, 1, 25),
    /** New transactions appear with this request: in the newest block, and above it. */
    growAtRequest: fc.option(fc.nat(8)),
    grown: fc.array(fc.nat(2), { maxLength: 6 }),
  });

  it('ends with every transaction, and never claims a block that it does not have', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(4), { maxLength: 40 }),
        fc.integer({ min: 1, max: 4 }),
        fc.array(step, { maxLength: 6 }),
        async (gaps, maxPageSize, steps) => {
          let onRequest: (number: number) => HttpOutcome | null = () => null;
          let requestNumber = 0;
          const house = buildSyncHouse({
            maxPageSize: () => maxPageSize,
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
              paging.transactions.push({ block: newest, index });
            }
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
          for (const { killAtSave, killAfterWrite, failAtRequest, expireAtRequest, ...rest } of steps) {
            requestNumber = 0;
            let saveNumber = 0;
            onRequest = (number) => {
              if (number - 1 === expireAtRequest) paging.expireTokens();
              if (number - 1 === rest.growAtRequest) grow(rest.grown);
              return number - 1 === failAtRequest ? unreachable : null;
            };
            stores.activity.savePage = async (...page) => {
              const isFatal = saveNumber === killAtSave;
              saveNumber += 1;
              if (isFatal && !killAfterWrite) throw new Killed();
              const saved = await savePage(...page);
              await assertHonest();
              if (isFatal) throw new Killed();
              return saved;
            };
            try {
              await house.run();
            } catch (cause) {
              expect(cause).toBeInstanceOf(Killed);
            }
            await time.advance(rest.hoursLater * 3_600_000);
          }
          onRequest = () => null;
          stores.activity.savePage = savePage;
          expect(await house.run()).toEqual({ ok: true, value: null });
          expect(new Set(house.storedHashes())).toEqual(new Set(paging.transactions.map(hashOf)));
          expect((await house.sync())?.reachedStart).toBe(true);
          expect((await house.sync())?.covered.length).toBe(paging.transactions.length === 0 ? 0 : 1);
          await assertHonest();
        },
      ),
      { numRuns: 400 },
    );
  });
});
