import { afterEach, expect, it } from 'vitest';
import { setNotation } from '../../../ui/text/notation.svelte.ts';
import { priceText, valueAt } from './token-record.ts';

afterEach(() => setNotation(null));

it('prices and values are written as the amounts beside them, in the user’s notation', () => {
  setNotation('de-DE');
  expect(priceText({ value: '31.4201', currency: 'USD' })).toBe('31,4201 USD');
  expect(valueAt('-1250500000', 6, { value: '1.0004', currency: 'USD' })).toEqual({
    text: '−1.251,00 USD',
    exact: '−1.251,0002 USD',
  });
  expect(valueAt('1', 6, { value: '1', currency: 'USD' })?.text).toBe('less than 0,01 USD');
});
