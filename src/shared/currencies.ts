/** The currencies of endpoint 2, in the specification's order. */
export const currencies = [
  'usd',
  'eur',
  'aud',
  'cad',
  'chf',
  'clp',
  'cny',
  'czk',
  'dkk',
  'gbp',
  'hkd',
  'huf',
  'jpy',
  'nzd',
] as const;

export type Currency = (typeof currencies)[number];
