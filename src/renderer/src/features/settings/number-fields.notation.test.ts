import { afterEach, expect, it } from 'vitest';
import { formatCount } from '../../ui/text/format.ts';
import { setNotation } from '../../ui/text/notation.svelte.ts';
import { healthFields, numberOf } from './number-fields.ts';

afterEach(() => setNotation(null));

it.each([null, 'de-DE', 'de-CH', 'fr-FR', 'en-IN'])('%s: a limit can be typed as it is shown', (locale) => {
  setNotation(locale);
  for (const field of healthFields) expect(numberOf(formatCount(field.max), field)).toBe(field.max);
  expect(numberOf('30', healthFields[0])).toBe(30);
});

it.each([
  [null, '3.650'],
  ['de-DE', '3,650'],
  ['de-DE', '1,5'],
  ['de-DE', '-5'],
])('%s: %s is no whole number', (locale, text) => {
  setNotation(locale);
  expect(numberOf(text, healthFields[0])).toBeNull();
});
