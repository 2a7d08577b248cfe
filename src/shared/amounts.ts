/**
 * Exact amounts: only `bigint` and decimal text, never doubles, since amounts of tokens have more digits than these can
 * hold.
 */

/** A decimal number: `digits` divided by ten to the power of `scale`; `scale` is not negative. */
export interface Decimal {
  digits: bigint;
  scale: number;
}

/** ERC-20 declares decimals as `uint8`, so larger values are invalid. */
const maxDecimals = 255;

/** Larger exponents would only produce very long texts. */
const maxExponent = 1_000;

/** No amount or value has as many characters; reading a number takes the square of them. */
const maxLength = 10_000;

const decimalPattern = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,9}))?$/;

/** Parses a text such as `-12.50` or `1.5e-7`; null for anything else. */
export function parseDecimal(text: string): Decimal | null {
  const match = text.length > maxLength ? null : decimalPattern.exec(text.trim());
  if (match === null) return null;
  const [, sign, whole = '', fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > maxExponent) return null;
  const magnitude = BigInt(whole + fraction);
  const digits = sign === '-' ? -magnitude : magnitude;
  const scale = fraction.length - exponent;
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

/** Parses a text of digits; null for anything else, including an empty text. */
export function parseInteger(value: bigint | string): bigint | null {
  if (typeof value === 'bigint') return value;
  return /^-?\d+$/.test(value) ? BigInt(value) : null;
}

export interface DecimalFormat {
  /** Inserted between groups of three digits; empty for none. */
  groupSeparator?: string;
  /** Rounds to this many digits, half away from zero. Without it every digit is written. */
  maxFractionDigits?: number;
  /** Pads with zeros to this many digits. */
  minFractionDigits?: number;
}

/** Formats a decimal number with grouped digits and without trailing zeros. */
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
  const grouped = groupSeparator === '' ? whole : whole.replace(/\B(?=(?:\d{3})+$)/g, groupSeparator);
  return `${digits < 0n ? '-' : ''}${grouped}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Negative if `a` is less than `b`, 0 if they are equal, however they are written. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const left = a.digits * 10n ** BigInt(Math.max(0, b.scale - a.scale));
  const right = b.digits * 10n ** BigInt(Math.max(0, a.scale - b.scale));
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Rounds to at most `fractionDigits` digits after the point; halves are rounded away from zero. */
export function roundDecimal(value: Decimal, fractionDigits: number): Decimal {
  if (value.scale <= fractionDigits) return value;
  const divisor = 10n ** BigInt(value.scale - fractionDigits);
  const magnitude = value.digits < 0n ? -value.digits : value.digits;
  const rounded = (magnitude * 2n + divisor) / (divisor * 2n);
  return { digits: value.digits < 0n ? -rounded : rounded, scale: fractionDigits };
}

/** A formatted amount. If the decimals are unknown, `unit` is `base` and the text is in base units. */
export interface AmountText {
  text: string;
  unit: 'token' | 'base';
}

/**
 * Converts base units (such as wei) to tokens, keeping every digit. Unknown or invalid decimals are never guessed: the
 * text is then in base units, and `unit` says so. Null if `baseUnits` is not a whole number.
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

/** Validates decimals: a whole number from 0 to 255, else null. */
export function knownDecimals(decimals: number | null | undefined): number | null {
  if (decimals === null || decimals === undefined) return null;
  return Number.isInteger(decimals) && decimals >= 0 && decimals <= maxDecimals ? decimals : null;
}

/** The fee of a transaction: gas used times gas price, in native base units. Null if either is unknown. */
export function transactionFee(gasUsed: string | undefined, gasPrice: string | undefined): bigint | null {
  const used = parseInteger(gasUsed ?? '');
  const price = parseInteger(gasPrice ?? '');
  return used === null || price === null || used < 0n || price < 0n ? null : used * price;
}

/** Amount times price, exactly. Null if the decimals are unknown or the price is invalid. */
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
