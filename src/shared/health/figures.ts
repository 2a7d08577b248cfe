/** How nodes spell the keys of the figures that the app knows. No check is known by its name. */
const spellings = {
  stake: /^percent_?connected$/i,
  peers: /^(connected_?)?peers$/i,
  freeBytes: /^(avail|free).*bytes$/i,
  freeShare: /^(avail|free).*percent(age)?$/i,
  failedSends: /^send_?fail_?rate$/i,
  processing: /^processing(_?(blocks|vtxs|txs))?$/i,
} as const;

export type FigureName = keyof typeof spellings;

// `Object.keys` loses the type of the keys.
const names = Object.keys(spellings) as FigureName[];

/** The figure that a message's key stands for; used by overviews and forecasts. */
export function figureOf(key: string): FigureName | null {
  return names.find((name) => spellings[name].test(key)) ?? null;
}

/** What two figures have in common that tell the same in different units. */
export function withoutUnit(field: string): string {
  return field.replace(/_?(bytes|percent(age)?)$/i, '').toLowerCase();
}
