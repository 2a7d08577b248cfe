/**
 * Exact amounts. Everything here is `bigint` or decimal text; a double never takes part, because token amounts have
 * more digits than it holds.
 */

/** A decimal number: `digits` divided by ten to the power of `scale`; `scale` is not negative. */
export interface Decimal {
  digits: bigint;
  scale: number;
}

/** Decimals beyond this are nonsense: ERC-20 declares them as `uint8`. */
const maxDecimals = 255;

/** Larger exponents would only make very long texts. */
const maxExponent = 1_000;

const decimalPattern = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,9}))?$/;

/** The number that a text such as `-12.50` or `1.5e-7` says; null for anything else. */
export function parseDecimal(text: string): Decimal | null {
  const match = decimalPattern.exec(text.trim());
  if (match === null) return null;
  const [, sign, whole = '', fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > maxExponent) return null;
  const magnitude = BigInt(whole + fraction);
  const digits = sign === '-' ? -magnitude : magnitude;
  const scale = fraction.length - exponent;
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

/** The whole number that a text of digits says; null for anything else, an empty text included. */
export function parseInteger(value: bigint | string): bigint | null {
  if (typeof value === 'bigint') return value;
  return /^-?\d+$/.test(value) ? BigInt(value) : null;
}

export interface DecimalFormat {
  /** Put between groups of three digits; empty for none. */
  groupSeparator?: string;
  /** More digits than this are rounded, half away from zero. Without it every digit is written. */
  maxFractionDigits?: number;
  /** Zeros are added up to this many digits. */
  minFractionDigits?: number;
}

/** Writes a decimal number with grouped whole digits and without idle zeros at its end. */
export function formatDecimal(value: Decimal, format: DecimalFormat = {}): string {
  const { groupSeparator = ',', maxFractionDigits, minFractionDigits = 0 } = format;
  const { digits, scale } =
    maxFractionDigits === undefined
      ? value
      : roundDecimal(value, Math.max(maxFractionDigits, minFractionDigits));
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  const fraction = text
    .slice(text.length - scale)
    .replace(/0+$/, '')
    .padEnd(minFractionDigits, '0');
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, groupSeparator);
  return `${digits < 0n ? '-' : ''}${grouped}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Negative where `a` is less than `b`, 0 where both are the same number, however it is written. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const left = a.digits * 10n ** BigInt(Math.max(0, b.scale - a.scale));
  const right = b.digits * 10n ** BigInt(Math.max(0, a.scale - b.scale));
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The nearest decimal with at most `fractionDigits` digits after the point; halves go away from zero. */
export function roundDecimal(value: Decimal, fractionDigits: number): Decimal {
  if (value.scale <= fractionDigits) return value;
  const divisor = 10n ** BigInt(value.scale - fractionDigits);
  const magnitude = value.digits < 0n ? -value.digits : value.digits;
  const rounded = (magnitude * 2n + divisor) / (divisor * 2n);
  return { digits: value.digits < 0n ? -rounded : rounded, scale: fractionDigits };
}

/** An amount as text. `unit` is `base` when the decimals are not known: the text then counts base units. */
export interface AmountText {
  text: string;
  unit: 'token' | 'base';
}

/**
 * Writes an amount of base units (wei and the like) in tokens, every digit kept. Decimals that are unknown, or that
 * no token can have, are never guessed: the base units are written and `unit` says so. Null when `baseUnits` is not a
 * whole number.
 */
export function formatAmount(
  baseUnits: bigint | string,
  decimals: number | null | undefined,
  format: DecimalFormat = {},
): AmountText | null {
  const digits = parseInteger(baseUnits);
  if (digits === null) return null;
  const known = knownDecimals(decimals);
  return known === null
    ? { text: formatDecimal({ digits, scale: 0 }, format), unit: 'base' }
    : { text: formatDecimal({ digits, scale: known }, format), unit: 'token' };
}

/** Decimals as far as they can be believed: a whole number from 0 to 255, else null. */
export function knownDecimals(decimals: number | null | undefined): number | null {
  if (decimals === null || decimals === undefined) return null;
  return Number.isInteger(decimals) && decimals >= 0 && decimals <= maxDecimals ? decimals : null;
}

/** What a transaction paid: gas used times gas price, in base units of the native token. Null when either is unknown. */
export function transactionFee(gasUsed: string | undefined, gasPrice: string | undefined): bigint | null {
  const used = parseInteger(gasUsed ?? '');
  const price = parseInteger(gasPrice ?? '');
  return used === null || price === null || used < 0n || price < 0n ? null : used * price;
}

/** Amount times price, exactly. Null when the decimals are unknown or the price is no number. */
export function amountValue(
  baseUnits: bigint | string,
  decimals: number | null | undefined,
  price: string,
): Decimal | null {
  const digits = parseInteger(baseUnits);
  const scale = knownDecimals(decimals);
  const parsedPrice = parseDecimal(price);
  if (digits === null || scale === null || parsedPrice === null) return null;
  return { digits: digits * parsedPrice.digits, scale: scale + parsedPrice.scale };
}
