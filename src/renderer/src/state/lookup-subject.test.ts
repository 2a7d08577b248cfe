import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { subjectsNamed } from './lookup-subject.ts';

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

describe('subjectsNamed', () => {
  it.each([
    ['12345', ['block'], '12345'],
    [' 58,467,796 ', ['block'], '58467796'],
    ['58.467.796', ['block'], '58467796'],
    ['58\u202f467\u202f796', ['block'], '58467796'],
    ['58’467’796', ['block'], '58467796'],
    ['5,84,67,796', ['block'], '58467796'],
    ['007', ['block'], '7'],
    [`0x${'AB'.repeat(32)}`, ['transaction', 'block'], `0x${'ab'.repeat(32)}`],
    [address.toLowerCase(), ['address'], address],
    [` ${address}\n`, ['address'], address],
  ])('takes %j for %j', (text, kinds, value) => {
    expect(subjectsNamed(text)).toEqual({ kinds, value, problem: null });
  });

  it('offers the right spelling of an address with a wrong capital letter', () => {
    const { kinds, problem } = subjectsNamed(address.replace('dA', 'da'));
    expect(kinds).toEqual([]);
    expect(problem).toContain(address);
  });

  const hash = `0x${'0'.repeat(64)}`;
  it.each([
    ...['0x12', 'vitalik.eth', '-5', '-1.204', '1.5', '1.204,5', '1.2345', '9'.repeat(40)],
    ...[hash.replace(/0$/, 'g'), `${hash}0`, `tx ${hash}`],
  ])('says what is wrong with %j', (text) => {
    expect(subjectsNamed(text).kinds).toEqual([]);
    expect(subjectsNamed(text).problem).toMatch(/40 digits after 0x, a hash has 64/);
  });

  it('says nothing about an empty field', () => {
    expect(subjectsNamed('  ')).toMatchObject({ kinds: [], problem: null });
  });

  it('never throws, and either names something or says why not', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const { kinds, problem } = subjectsNamed(text);
        expect(kinds.length > 0).toBe(problem === null && text.trim() !== '');
      }),
    );
  });
});
