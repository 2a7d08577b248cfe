import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanText } from './text.ts';

describe('cleanText', () => {
  it.each([
    ['plain', 'plain'],
    ['  two\n\tlines ', 'two lines'],
    ['a\u0000b\u001Bc', 'a\uFFFDb\uFFFDc'],
    ['safe\u202Egpj.exe', 'safe\uFFFDgpj.exe'],
    ['half \uD83D', 'half \uFFFD'],
    ['<b>markup</b>', '<b>markup</b>'],
    ['', ''],
  ])('%j', (text, clean) => {
    expect(cleanText(text, 100)).toBe(clean);
  });

  it('says where it cut', () => {
    expect(cleanText('abcdef', 5)).toBe('abcd…');
    expect(cleanText('abcde', 5)).toBe('abcde');
    expect(cleanText('abc😀def', 5)).toBe('abc…');
    expect(cleanText('x'.repeat(10_000_000), 5)).toBe('xxxx…');
  });

  it('is never too long and never holds what could move the cursor or the reading direction', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 40 }), (text, maxLength) => {
        const clean = cleanText(text, maxLength);
        expect(clean.length).toBeLessThanOrEqual(maxLength);
        expect(clean).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
      }),
    );
  });
});
