/** Chance that one text decides: the same words give the same numbers on every machine. */
export interface Chance {
  /** Uniform in [0, 1). */
  fraction(): number;
  /** A whole number of `least` to `most`, both included. */
  from(least: number, most: number): number;
  happens(probability: number): boolean;
  pick<T>(choices: readonly [T, ...T[]]): T;
}

/** The numbers that follow from these words and no others. */
export function chanceOf(...words: readonly (string | number)[]): Chance {
  let state = 2_166_136_261;
  for (const letter of words.join('|')) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 16_777_619);
  // The generator "mulberry32".
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const from = (least: number, most: number): number => least + Math.floor(fraction() * (most - least + 1));
  return {
    fraction,
    from,
    happens: (probability) => fraction() < probability,
    pick: (choices) => choices[from(0, choices.length - 1)] ?? choices[0],
  };
}
