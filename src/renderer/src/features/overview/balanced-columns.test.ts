import { describe, expect, it } from 'vitest';
import { balancedColumns } from './balanced-columns.ts';

describe('columns of tiles', () => {
  it.each([
    // Three fit.
    [1, 900, 2],
    [2, 900, 2],
    [3, 900, 3],
    [4, 900, 2],
    [5, 900, 3],
    [7, 900, 3],
    // Four fit.
    [5, 1_200, 3],
    [6, 1_200, 3],
    [9, 1_200, 3],
    // One fits.
    [4, 400, 1],
    [0, 0, 1],
  ])('%i tiles in %i px have %i', (count, widthPx, columns) => {
    expect(balancedColumns(count, widthPx, 264, 12)).toBe(columns);
  });
});
