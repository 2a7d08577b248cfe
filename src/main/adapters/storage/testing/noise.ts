/** Pseudo-random numbers: the same seed gives the same sequence. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** A copy of the bytes with `length` of them replaced by noise. */
export function withNoise(bytes: Buffer, at: number, length: number, seed: number): Buffer {
  const random = createRandom(seed);
  const noisy = Buffer.from(bytes);
  for (let place = at; place < Math.min(at + length, bytes.length); place += 1) noisy[place] = random(256);
  return noisy;
}
