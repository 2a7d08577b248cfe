import { expect, it } from 'vitest';
import { csvLine } from './csv.ts';

it.each([
  ['', ''],
  ['Avalanche C-Chain', 'Avalanche C-Chain'],
  ['-12', '-12'],
  ['-0.000000000000000001', '-0.000000000000000001'],
  // Whoever reads the file may cut blanks at the ends.
  ['Treasury ', '"Treasury "'],
  [' Treasury', '" Treasury"'],
  // What begins like a negative number is a formula all the same.
  ['-1+2', "'-1+2"],
  ['-1.', "'-1."],
  ['- 1', "'- 1"],
  ['-A1', "'-A1"],
  ['a\t-A1', "a\t'-A1"],
  ['a, b', '"a, b"'],
  ['12"', '"12"""'],
  ['a\u200Bb', 'a\uFFFDb'],
])('the cell of %j is %j', (text, cell) => {
  expect(csvLine([text, 'x'])).toBe(`${cell},x\r\n`);
});
