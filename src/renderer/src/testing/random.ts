import { toChecksumAddress } from '../../../shared/address.ts';

/** The same numbers for the same seed: samples look alike in every run. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Uniform in [0, 1) (mulberry32). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** From 0 to `below` - 1. */
  integer(below: number): number {
    return Math.floor(this.fraction() * below);
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.integer(items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  hex(digits: number): string {
    let text = '';
    while (text.length < digits) text += this.integer(16).toString(16);
    return `0x${text}`;
  }

  address(): string {
    return toChecksumAddress(this.hex(40));
  }

  /** A whole number of `digits` digits that does not begin with 0. */
  digits(digits: number): string {
    let text = String(1 + this.integer(9));
    while (text.length < digits) text += String(this.integer(10));
    return text;
  }
}
