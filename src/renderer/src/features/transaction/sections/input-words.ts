import { toChecksumAddress } from '../../../../../shared/activity/address.ts';

/** How the input of a transaction falls into parts. Put together again, the parts are the input. */
export interface InputShape {
  byteCount: number;
  /** The first four bytes; null for code, and where there are fewer. */
  selector: string | null;
  /** Whole words of 32 bytes behind the selector. */
  wordCount: number;
  /** What is left behind the last whole word; null when nothing is. */
  tail: string | null;
}

export interface InputWord {
  index: number;
  /** Bytes from the first word on, as references inside of the input count them. */
  offset: number;
  hex: string;
}

/** What a word may mean. Nothing in the input says so: the reader decides. */
export interface WordGuess {
  kind: 'number' | 'address' | 'text';
  text: string;
}

const wordDigits = 64;
const selectorDigits = 8;

/** Null for text that is not hexadecimal. Code (`isCode`: the input of a creation) has no selector. */
export function shapeOfInput(input: string, isCode: boolean): InputShape | null {
  if (!/^0x[0-9a-fA-F]*$/.test(input)) return null;
  const digits = input.length - 2;
  const hasSelector = !isCode && digits >= selectorDigits;
  const begin = hasSelector ? selectorDigits : 0;
  const wordCount = Math.floor((digits - begin) / wordDigits);
  const tail = input.slice(2 + begin + wordCount * wordDigits);
  return {
    byteCount: Math.ceil(digits / 2),
    selector: hasSelector ? input.slice(0, 2 + selectorDigits) : null,
    wordCount,
    tail: tail === '' ? null : tail,
  };
}

/** The first `limit` words of an input of this shape. */
export function wordsOfInput(input: string, shape: InputShape, limit: number): InputWord[] {
  const begin = 2 + (shape.selector === null ? 0 : selectorDigits);
  return Array.from({ length: Math.min(limit, shape.wordCount) }, (_, index) => ({
    index,
    offset: index * 32,
    hex: input.slice(begin + index * wordDigits, begin + (index + 1) * wordDigits),
  }));
}

const smallNumber = /^0{32}/;
const paddedAddress = /^0{24}/;
const negativeNumber = /^f{32}/i;
const allOnes = /^f{64}$/i;

/** What the 64 digits of a word may mean; null where nothing suggests itself. */
export function guessWord(hex: string): WordGuess | null {
  if (allOnes.test(hex)) return { kind: 'number', text: 'the largest number, or −1' };
  const value = BigInt(`0x${hex}`);
  if (smallNumber.test(hex)) return { kind: 'number', text: value.toLocaleString('en-US') };
  if (negativeNumber.test(hex)) {
    return { kind: 'number', text: `−${(2n ** 256n - value).toLocaleString('en-US')}` };
  }
  if (paddedAddress.test(hex)) return { kind: 'address', text: toChecksumAddress(`0x${hex.slice(24)}`) };
  const text = textOf(hex);
  return text === null ? null : { kind: 'text', text };
}

/** Letters, figures, signs and blanks: nothing that is invisible or turns the direction of writing. */
const visible = /^[\p{L}\p{N}\p{P}\p{S} ]{3,}$/u;

function textOf(hex: string): string | null {
  const bytes = Uint8Array.from({ length: 32 }, (_, index) =>
    parseInt(hex.slice(index * 2, index * 2 + 2), 16),
  );
  const end = bytes.findLastIndex((byte) => byte !== 0) + 1;
  // A replacement character is a sign too, but no text holds one.
  const text = new TextDecoder().decode(bytes.subarray(0, end));
  return visible.test(text) && !text.includes('\u{fffd}') ? text : null;
}
