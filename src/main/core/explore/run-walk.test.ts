import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressInternalTransactions, chainTransactions } from '../../../shared/endpoints/data.ts';
import type { AppError } from '../../../shared/errors.ts';
import { unwrap } from '../../../shared/errors.ts';
import { beginWalk, nextParams, readWalk, restartWalk, takeRows, writeWalk } from './run-walk.ts';

const endpoint = addressInternalTransactions;
const refusal: AppError = { code: 'not-found', message: 'No such token.' };
const row = (block: number, txHash = 'a') => ({ blockNumber: String(block), txHash, value: '1' });
const begun = () => beginWalk();

/** The walk after pages of rows of these blocks. */
function walked(...pages: unknown[][]) {
  return pages.reduce<ReturnType<typeof begun>>(
    (walk, rows) => ({ ...takeRows(walk, endpoint, rows, false).walk, nextToken: 't' }),
    begun(),
  );
}

describe('a walk begun again', () => {
  it('asks for the last block once more, in the direction of the list', () => {
    const descending = unwrap(restartWalk(walked([row(9), row(7)]), endpoint, {}, refusal));
    expect(nextParams(descending, { endBlock: '20', pageToken: 'user' })).toEqual({ endBlock: '8' });
    const ascending = unwrap(restartWalk(walked([row(7), row(9)]), endpoint, {}, refusal));
    expect(nextParams(ascending, { startBlock: '1' })).toEqual({ startBlock: '9' });
    expect(nextParams({ ...ascending, nextToken: 'n' }, {})).toEqual({ startBlock: '9', pageToken: 'n' });
  });

  it('begins at the user’s own bounds while one block is all there was', () => {
    const walk = unwrap(restartWalk(walked([row(7), row(7)]), endpoint, { endBlock: '9' }, refusal));
    expect(nextParams(walk, { endBlock: '9' })).toEqual({ endBlock: '9' });
    expect(restartWalk(walked([row(7)]), endpoint, { pageToken: 'user' }, refusal).ok).toBe(false);
  });

  it('repeats no row of its only block where the list has grown above it', () => {
    const walk = unwrap(restartWalk(walked([row(7, 'a'), row(7, 'b')]), endpoint, {}, refusal));
    const grown = takeRows(walk, endpoint, [row(9), row(8), row(7, 'a'), row(7, 'b'), row(6)], false);
    expect(grown.repeatedRows).toEqual([2, 3]);
    expect(grown.walk).toMatchObject({ order: 'descending', block: '6' });
  });

  it.each([
    ['rows out of order', () => walked([row(9), row(7), row(8)])],
    ['rows without a block', () => walked([row(9), {}])],
    ['rows that could not be read', () => takeRows(begun(), endpoint, [row(9)], true).walk],
  ])('is not to be had after %s', (_name, walk) => {
    expect(restartWalk(walk(), endpoint, {}, refusal)).toMatchObject({ error: { code: 'not-found' } });
  });

  it('is not to be had for a list without bounds', () => {
    const { walk } = takeRows(begun(), chainTransactions, [row(9), row(7)], false);
    expect(restartWalk(walk, chainTransactions, {}, refusal).ok).toBe(false);
  });

  it('misses no row and repeats none, wherever its tokens are refused', () => {
    const lists = fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.constantFrom('a', 'b')), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(
        lists,
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.boolean()),
        fc.boolean(),
        (blocks, size, refusals, isUp) => {
          const rows = blocks
            .sort(([a], [b]) => (isUp ? a - b : b - a))
            .map(([block, hash]) => row(block, hash));
          const kept: unknown[] = [];
          let walk = begun();
          let offset = 0;
          for (let step = 0; step < 500; step += 1) {
            if (walk.nextToken !== null && refusals[step] === true) {
              const again = restartWalk(walk, endpoint, {}, refusal);
              if (again.ok) {
                walk = readWalk(writeWalk(again.value));
                offset = 0;
                continue;
              }
            }
            const { startBlock = '0', endBlock = '99' } = nextParams(walk, {});
            const list = rows.filter(
              ({ blockNumber }) =>
                Number(blockNumber) >= Number(startBlock) && Number(blockNumber) < Number(endBlock),
            );
            const page = list.slice(offset, offset + size);
            offset += size;
            const taken = takeRows(walk, endpoint, page, false);
            kept.push(...page.filter((_row, place) => !taken.repeatedRows.includes(place)));
            walk = { ...taken.walk, nextToken: offset < list.length ? 't' : null };
            if (walk.nextToken === null) break;
          }
          expect(kept).toEqual(rows);
        },
      ),
    );
  });
});
