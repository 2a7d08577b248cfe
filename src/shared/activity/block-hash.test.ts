import { expect, it } from 'vitest';
import { canonicalHash, isOtherBlock, knownHash } from './block-hash.ts';

const at = (blockHash: string | null, blockNumber = 1n) => ({ blockNumber, blockHash });

it.each([
  ['0xab', '0xab', false],
  ['0xab', '0xac', true],
  ['0xab', null, false],
  [null, null, false],
  // What is no hash is not known: the store keeps none, and no block is another one for it.
  ['0xab', '0x\u00e9', false],
  ['0xab', '', false],
])('of blocks of one height with the hashes %j and %j, being different is %j', (a, b, isOther) => {
  expect([isOtherBlock(at(a), at(b)), isOtherBlock(at(b), at(a))]).toEqual([isOther, isOther]);
  expect(isOtherBlock(at(a), at(b, 2n))).toBe(true);
});

const digits = 'ab'.repeat(32);

it.each([`0x${digits}`, `0X${digits.toUpperCase()}`, digits, digits.toUpperCase(), ` 0x${digits}\n`])(
  'spells %j as all others are spelled',
  (hash) => {
    expect(canonicalHash(hash)).toBe(`0x${digits}`);
    expect(isOtherBlock(at(hash), at(`0x${digits}`))).toBe(false);
    expect(isOtherBlock(at(hash), at(`0x${digits.slice(2)}cd`))).toBe(true);
  },
);

it.each(['', '0x', digits.slice(1), `${digits}0`, `0y${digits}`, `0x0x${digits}`, 'Ab'])(
  'leaves %j as it is',
  (hash) => {
    expect(canonicalHash(hash)).toBe(hash);
  },
);

it('keeps a hash as it is', () => {
  expect([knownHash('0xAb'), knownHash('0x\u0000'), knownHash(null)]).toEqual(['0xAb', null, null]);
});
