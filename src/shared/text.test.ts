import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanText, shown, shownWhole, visibleJson, visibleText } from './text.ts';

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
    expect(cleanText('👩\u200d👩 and', 4)).toBe('👩…');
    expect(cleanText('👩\u200d👩 and', 5)).toBe('👩…');
    expect(cleanText('x'.repeat(10_000_000), 5)).toBe('xxxx…');
  });

  it('is never too long and never holds what could move the cursor or the reading direction', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 40 }), (text, maxLength) => {
        const clean = cleanText(text, maxLength);
        expect(clean.length).toBeLessThanOrEqual(maxLength);
        expect(clean).not.toMatch(/[\p{Cc}\p{Cs}]|(?!\u200d)\p{Cf}/u);
      }),
    );
  });
});

describe('visibleText', () => {
  it.each([
    ['US\u202eDT', 'US\ufffdDT'],
    ['\u2066a\u2069\u200b\u061c', '\ufffda\ufffd\ufffd\ufffd'],
    ['\u0000\u0007\u009b', '\ufffd\ufffd\ufffd'],
    ['\u3164', '\ufffd'],
    ['US\ufe0fDT \ufe00', 'US\ufffdDT \ufffd'],
    ['US\u{e0100}DT', 'US\ufffdDT'],
    ['\u2065\u17b4\u17b5\u180b\u{e0fff}', '\ufffd\ufffd\ufffd\ufffd\ufffd'],
    ['1\ufe0f ☎\ufe0e ☎\ufe0e\ufe0e \ufe0f', '1\ufffd ☎\ufe0e ☎\ufe0e\ufffd \ufffd'],
    ['lines\n\tstay\u2028', 'lines\n\tstay\n'],
    ['Zürich 東京 ❤\ufe0f é नि', 'Zürich 東京 ❤\ufe0f é नि'],
    [
      '👩🏽\u200d💻 🏳\ufe0f\u200d🌈 👨\u200d👩\u200d👧 1\ufe0f\u20e3',
      '👩🏽\u200d💻 🏳\ufe0f\u200d🌈 👨\u200d👩\u200d👧 1\ufe0f\u20e3',
    ],
    [
      'a\u200db 👩\u200d \u200d👩 👩\u200d\u200d👩 a\ufe0f\u20e3',
      'a\ufffdb 👩\ufffd \ufffd👩 👩\ufffd\ufffd👩 a\ufffd\u20e3',
    ],
    [`Z${'\u0335'.repeat(50)}algo`, `Z${'\u0335'.repeat(4)}\ufffdalgo`],
  ])('%j', (text, visible) => {
    expect(visibleText(text)).toBe(visible);
    expect(visibleText(visible)).toBe(visible);
  });
});

describe('visibleJson', () => {
  it('is the same JSON with escapes for what cannot be seen', () => {
    const value = { 'a\u202eb': 'c\u200bd\u{e0041}', n: [1, '\u2067'] };
    const json = visibleJson(JSON.stringify(value, null, 2));
    expect(JSON.parse(json)).toEqual(value);
    expect(json).not.toMatch(/[\p{Cf}\p{Cs}]/u);
    expect(json).toContain('"a\\u202eb"');
    expect(visibleJson('"a\u{e0100}\ufe0f"')).toBe('"a\\udb40\\udd00\\ufe0f"');
  });
});

describe('what a template draws', () => {
  it('is bounded with a word on how much there is, unless it is where a text is shown whole', () => {
    const long = 'x'.repeat(200_000);
    expect(shown(long)).toBe(`${'x'.repeat(1_000)}… (199,000 more characters)`);
    expect(shownWhole(long)).toBe(long);
    expect(shownWhole('a\u202eb\nc')).toBe('a\ufffdb\nc');
  });

  it('is as it is where it is no text, and a text where it is a list of texts', () => {
    expect([shown(7), shown(null), shown(undefined), shown(0n), shown(true)]).toEqual([
      7,
      null,
      undefined,
      0n,
      true,
    ]);
    expect(shown(['a\u202e', 'b'])).toBe('a\ufffd,b');
  });
});
