import { mix } from './random.ts';

/** The currencies of endpoint 2 with the value of one US dollar, made up. */
const unitsPerUsd: Readonly<Record<string, number>> = {
  usd: 1,
  eur: 0.92,
  aud: 1.53,
  cad: 1.37,
  chf: 0.88,
  clp: 951,
  cny: 7.21,
  czk: 23.2,
  dkk: 6.86,
  gbp: 0.79,
  hkd: 7.82,
  huf: 362,
  jpy: 153,
  nzd: 1.69,
};

/** A price in a currency at a time: the average, moved by slow waves that differ from token to token. */
export function priceAt(
  seed: number,
  token: number,
  averageUsd: number,
  seconds: number,
  currency: string,
): number {
  const days = seconds / 86_400;
  const phase = mix(seed, 0x9a1, token) % 1000;
  const wave =
    0.3 * Math.sin((days + phase) / 53) + 0.12 * Math.sin((days + phase) / 9) + 0.02 * Math.sin(days + phase);
  // Tokens worth a dollar are stablecoins.
  const swing = averageUsd === 1 ? 0.004 : 1;
  return averageUsd * (1 + swing * wave) * (unitsPerUsd[currency] ?? 1);
}
