import { describe, expect, it } from 'vitest';
import { LookAlikes } from './look-alike.ts';

const known = '0x1234aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa5678';
const other = '0xABCDaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaEF01';

describe('look-alikes', () => {
  it.each([
    ['0x1234bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb5678', known],
    ['0x1234BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB5678', known],
    ['0xabcdbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbef01', other.toLowerCase()],
    [known, null],
    [known.toUpperCase().replace('0X', '0x'), null],
    ['0x1235bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb5678', null],
    ['0x1234bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb5679', null],
    ['0x12345678', null],
    ['', null],
    [null, null],
  ])('%s', (address, expected) => {
    expect(new LookAlikes([known, other, 'no address']).of(address)).toBe(expected);
  });

  it('are none where both are known, in whatever order they became so', () => {
    const second = '0x1234bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb5678';
    expect(new LookAlikes([known, second]).of(second)).toBeNull();
    expect(new LookAlikes([second, known]).of(known)).toBeNull();
  });
});
