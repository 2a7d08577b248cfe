import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toChecksumAddress } from '../../../../../shared/activity/address.ts';
import { guessWord, shapeOfInput, wordsOfInput } from './input-words.ts';

const hexDigits = fc.stringMatching(/^[0-9a-fA-F]{0,700}$/);
const word = (digits: string) => digits.padStart(64, '0');

describe('shapeOfInput', () => {
  it('loses nothing: selector, words and tail put together are the input', () => {
    fc.assert(
      fc.property(hexDigits, fc.boolean(), (digits, isCode) => {
        const input = `0x${digits}`;
        const shape = shapeOfInput(input, isCode);
        if (shape === null) throw new Error('hexadecimal text was refused');
        const words = wordsOfInput(input, shape, Infinity);
        expect((shape.selector ?? '0x') + words.map(({ hex }) => hex).join('') + (shape.tail ?? '')).toBe(
          input,
        );
        expect(words.every(({ hex }) => hex.length === 64)).toBe(true);
        expect((shape.tail ?? '').length).toBeLessThan(64);
        expect(shape.byteCount).toBe(Math.ceil(digits.length / 2));
        expect(words.map(({ offset }) => offset)).toEqual(words.map((_, index) => index * 32));
      }),
    );
  });

  it('finds a selector in a call of four bytes or more, and none in code', () => {
    expect(shapeOfInput('0xa9059cbb', false)?.selector).toBe('0xa9059cbb');
    expect(shapeOfInput('0xa9059c', false)?.selector).toBeNull();
    expect(shapeOfInput('0x60806040', true)?.selector).toBeNull();
    expect(shapeOfInput('0x', false)).toEqual({ byteCount: 0, selector: null, wordCount: 0, tail: null });
  });

  it.each(['', 'a9059cbb', '0xzz', '0x12 34', '0x12\n', 'hello'])(
    'refuses what is not hexadecimal: %j',
    (text) => {
      expect(shapeOfInput(text, false)).toBeNull();
    },
  );

  it('reads no more words than asked for, however long the input is', () => {
    const input = `0xa9059cbb${'0'.repeat(64 * 40_000)}`;
    const shape = shapeOfInput(input, false);
    expect(shape?.wordCount).toBe(40_000);
    expect(shape === null ? [] : wordsOfInput(input, shape, 16)).toHaveLength(16);
  });
});

describe('guessWord', () => {
  it.each([
    ['0', { kind: 'number', text: '0' }],
    ['f4240', { kind: 'number', text: '1,000,000' }],
    ['f'.repeat(64), { kind: 'number', text: 'the largest number, or −1' }],
    [`${'f'.repeat(62)}85`, { kind: 'number', text: '−123' }],
  ])('takes %s for a number', (digits, guess) => {
    expect(guessWord(word(digits))).toEqual(guess);
  });

  it('takes twenty bytes behind zeros for an address, in its checksummed spelling', () => {
    const address = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045';
    expect(guessWord(word(address.slice(2)))).toEqual({ kind: 'address', text: toChecksumAddress(address) });
  });

  it('takes letters before zeros for a text', () => {
    const digits = Buffer.from('Grüße, 世界!').toString('hex');
    expect(guessWord(digits.padEnd(64, '0'))).toEqual({ kind: 'text', text: 'Grüße, 世界!' });
  });

  it.each([
    ['bytes that are no UTF-8', 'ff9c80'],
    ['a control character', Buffer.from('ab\u0007cd').toString('hex')],
    ['a sign that turns the direction of writing', Buffer.from('abc\u202etxt').toString('hex')],
    ['zeros in the middle', '4142430044'],
    ['two letters', '4142'],
  ])('says nothing about %s', (_, digits) => {
    expect(guessWord(digits.padEnd(64, '0'))).toBeNull();
  });

  it('never throws, and never shows what cannot be seen', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const guess = guessWord(Buffer.from(bytes).toString('hex'));
        expect(guess === null || !/\p{C}/u.test(guess.text)).toBe(true);
      }),
    );
  });
});
