import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonElementTexts, jsonTextAt } from './json-text.ts';

describe('the text of a part of a JSON text', () => {
  const text = ' { "a" : [ 1.50 , {"b\\u0063":"x]\\"}"} , [ ] ] , "n": -0e5, "a2":"" , "n" : null} ';

  it.each([
    [[], text.trim()],
    [['a'], '[ 1.50 , {"b\\u0063":"x]\\"}"} , [ ] ]'],
    [['a', 0], '1.50'],
    [['a', 1], '{"b\\u0063":"x]\\"}"}'],
    [['a', 1, 'bc'], '"x]\\"}"'],
    [['a', 2], '[ ]'],
    [['n'], 'null'],
    [['a2'], '""'],
    [['a', 3], null],
    [['b'], null],
    [['n', 'x'], null],
  ])('%j', (path, expected) => {
    expect(jsonTextAt(text, path)).toBe(expected);
  });

  it('elements of a list', () => {
    expect(jsonElementTexts(text, 'a')).toEqual(['1.50', '{"b\\u0063":"x]\\"}"}', '[ ]']);
    for (const key of ['b', 'n', 'a2']) expect(jsonElementTexts(text, key)).toEqual([]);
    expect(jsonElementTexts('7', 'a')).toEqual([]);
  });

  it('is what JSON.parse makes of it, whatever it is and however it is written', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.array(fc.jsonValue())), fc.nat(4), (value, indent) => {
        const written = JSON.stringify(value, null, indent);
        for (const [key, list] of Object.entries(value)) {
          expect(jsonElementTexts(written, key).map((one): unknown => JSON.parse(one))).toEqual(
            JSON.parse(JSON.stringify(list)),
          );
        }
      }),
    );
  });

  it('ends for any text at all', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[[\]{}",:\\ a1]*$/), (odd) => {
        try {
          jsonTextAt(odd, ['a', 0]);
          jsonElementTexts(odd, 'a');
        } catch (cause) {
          // A key with an escape that is none.
          expect(cause).toBeInstanceOf(SyntaxError);
        }
      }),
    );
  });
});
