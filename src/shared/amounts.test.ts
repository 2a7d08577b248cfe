import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  amountValue,
  formatAmount,
  formatDecimal,
  compareDecimals,
  parseDecimal,
  roundDecimal,
  transactionFee,
} from './amounts.ts';

describe('formatAmount', () => {
  it.each([
    ['1500000000000000000', 18, '1.5'],
    ['123456789012345678901234567890', 18, '123,456,789,012.34567890123456789'],
    ['1', 18, '0.000000000000000001'],
    ['-1500', 3, '-1.5'],
    ['0', 18, '0'],
    ['1000', 0, '1,000'],
    ['000123', 2, '1.23'],
  ])('writes %s with %i decimals as %s', (base, decimals, text) => {
    expect(formatAmount(base, decimals)).toEqual({ text, unit: 'token' });
  });

  it.each([null, undefined, -1, 256, 1.5])('does not guess decimals: %s', (decimals) => {
    expect(formatAmount('1500000000000000000', decimals)).toEqual({
      text: '1,500,000,000,000,000,000',
      unit: 'base',
    });
  });

  it.each(['', '1.5', '0x10', ' 1', '1e5'])('is null for what is no whole number: %j', (base) => {
    expect(formatAmount(base, 18)).toBeNull();
  });

  it('loses no digit of any amount', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.integer({ min: 0, max: 255 }), (base, decimals) => {
        const shown = formatAmount(base, decimals);
        const [whole = '', fraction = ''] = (shown?.text ?? '').replaceAll(',', '').split('.');
        expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(base);
        expect(fraction.endsWith('0')).toBe(false);
      }),
    );
  });

  it('groups in threes with any separator', () => {
    expect(formatAmount('1234567', 0, { groupSeparator: '\u202f' })?.text).toBe('1\u202f234\u202f567');
    expect(formatAmount('1234567', 0, { groupSeparator: '' })?.text).toBe('1234567');
  });
});

describe('decimal numbers', () => {
  it.each([
    ['1', '1.0', 0],
    ['-0.5', '-0.25', -1],
    ['100000000000000000000.1', '100000000000000000000.09', 1],
    ['2', '10', -1],
  ])('%s compares with %s exactly', (a, b, order) => {
    const [left, right] = [parseDecimal(a), parseDecimal(b)];
    if (left === null || right === null) throw new Error('both are numbers');
    expect([compareDecimals(left, right), compareDecimals(right, left)]).toEqual([
      order,
      order === 0 ? 0 : -order,
    ]);
  });

  it.each([
    ['1.50', 150n, 2],
    ['-12', -12n, 0],
    ['+3', 3n, 0],
    ['1.5e-7', 15n, 8],
    ['1.5e3', 1500n, 0],
    ['1E+2', 100n, 0],
    [' 7 ', 7n, 0],
    ['1e1000', 10n ** 1000n, 0],
  ])('parses %s', (text, digits, scale) => {
    expect(parseDecimal(text)).toEqual({ digits, scale });
  });

  it.each(['', '1.', '.5', '1,5', '0x1', '1e', '1e1001', '1e-99999999999', '--1'])('refuses %j', (text) => {
    expect(parseDecimal(text)).toBeNull();
  });

  it('refuses more digits than anything has: to read a million of them takes long', () => {
    expect(parseDecimal('7'.repeat(10_000))?.scale).toBe(0);
    expect(parseDecimal('7'.repeat(10_001))).toBeNull();
  });

  it.each([
    ['1.005', 2, '1.01'],
    ['-1.005', 2, '-1.01'],
    ['1.0049', 2, '1'],
    ['999.999', 2, '1,000'],
  ])('rounds %s to %i digits, halves away from zero', (text, digits, shown) => {
    const value = parseDecimal(text);
    if (value === null) throw new Error('it is a number');
    expect(formatDecimal(value, { maxFractionDigits: digits })).toBe(shown);
    expect(formatDecimal(roundDecimal(value, digits))).toBe(shown);
  });

  it('adds zeros where a form wants them', () => {
    expect(formatDecimal({ digits: 15n, scale: 1 }, { minFractionDigits: 2, maxFractionDigits: 2 })).toBe(
      '1.50',
    );
    expect(formatDecimal({ digits: 2n, scale: 0 }, { minFractionDigits: 2 })).toBe('2.00');
  });
});

describe('fees and values', () => {
  it('multiplies gas by its price exactly', () => {
    expect(transactionFee('52311', '25000000000')).toBe(1_307_775_000_000_000n);
    expect(transactionFee('0', '25000000000')).toBe(0n);
    expect(transactionFee('52311', '0')).toBe(0n);
    expect(transactionFee('99999999999999999999', '99999999999999999999')).toBe(99999999999999999999n ** 2n);
  });

  it.each([
    [undefined, '1'],
    ['1', undefined],
    ['x', '1'],
    ['1', 'x'],
    ['-1', '1'],
    ['1', '-1'],
  ])('does not know the fee of gas %s at price %s', (used, price) => {
    expect(transactionFee(used, price)).toBeNull();
  });

  it('multiplies an amount by a price exactly', () => {
    const value = amountValue('123456789012345678901', 18, '0.1234567890123456789');
    expect(value).toEqual({ digits: 123456789012345678901n * 1234567890123456789n, scale: 37 });
    expect(amountValue('3', 0, '1e-7')).toEqual({ digits: 3n, scale: 7 });
    expect(amountValue('3', null, '1')).toBeNull();
    expect(amountValue('3', 0, 'free')).toBeNull();
    expect(amountValue('three', 0, '1')).toBeNull();
  });
});
