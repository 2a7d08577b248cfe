import { expect, it } from 'vitest';
import { isOtherBlock, knownHash } from './block-hash.ts';

it.each([
  ['0xab', '0xab', false],
  ['0xab', '0xac', true],
  ['0xab', null, false],
  [null, null, false],
  // What is no hash is not known: the store keeps none, and no block is another one for it.
  ['0xab', '0x\u00e9', false],
  ['0xab', '', false],
])('of blocks with the hashes %j and %j, being different is %j', (a, b, isOther) => {
  expect([isOtherBlock(a, b), isOtherBlock(b, a)]).toEqual([isOther, isOther]);
});

it('keeps a hash as it is', () => {
  expect([knownHash('0xAb'), knownHash('0x\u0000'), knownHash(null)]).toEqual(['0xAb', null, null]);
});
