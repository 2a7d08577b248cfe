import { afterEach, describe, expect, it } from 'vitest';
import { setNotation } from '../../../ui/text/notation.svelte.ts';
import { pillText } from './pill-text.ts';
import { readBound, writeBound } from './range-input.ts';

afterEach(() => setNotation(null));

describe('the ends of a range in the notation of the user', () => {
  it.each([
    ['de-DE', '1,25', '1.25'],
    ['de-DE', '1,250', '1.250'],
    ['de-DE', '1.250', '1250'],
    ['de-DE', '1.250.000,5', '1250000.5'],
    ['de-DE', '-0,000001', '-0.000001'],
    ['de-DE', '1250.5', '1250.5'],
    ['de-DE', '0.125', '0.125'],
    ['fr-FR', '1\u202f250,5', '1250.5'],
    ['de-CH', '1’250.5', '1250.5'],
    ['en-IN', '12,34,567.8', '1234567.8'],
    [null, '1,250.5', '1250.5'],
  ])('%s: the amount %s is %s', (locale, text, bound) => {
    setNotation(locale);
    expect(readBound('amount', text, 'min')).toEqual({ ok: true, bound });
    // What is written into the field is read as the same again.
    expect(readBound('amount', writeBound('amount', bound), 'min')).toEqual({
      ok: true,
      bound,
    });
  });

  it.each([
    ['de-DE', '1.25,5'],
    ['de-DE', '1,2,3'],
    [null, '0,125'],
  ])('%s: %s is no number', (locale, text) => {
    setNotation(locale);
    expect(readBound('amount', text, 'min').ok).toBe(false);
  });

  it('has a block as the window writes it, and the words of a pill and of a problem in it', () => {
    setNotation('de-DE');
    expect(readBound('block', '58.467.796', 'min')).toEqual({ ok: true, bound: '58467796' });
    expect(readBound('amount', 'much', 'min')).toEqual({
      ok: false,
      problem: 'Enter a number such as 1.250,5.',
    });
    const pill = { field: 'amount' as const, not: false, min: '1.25', max: null };
    expect(pillText(pill, (_field, value) => value)).toBe('Amount from 1,25');
  });
});
