import type { Chain } from './chains.ts';
import { fraction } from './random.ts';

const hourSeconds = 3600;
const pastHours = 400 * 24;
/** How far the world extends beyond the start, for clocks that are stepped forward. */
const futureHours = 60 * 24;

/** The distribution of transactions over time: many in busy hours, few at night. */
export type Timeline = ReturnType<typeof createTimeline>;

/** `startSeconds` is when the service starts. */
export function createTimeline(seed: number, startSeconds: number) {
  const genesisSeconds = startSeconds - pastHours * hourSeconds;
  /** Cumulative activity before each hour. */
  const before = new Float64Array(pastHours + futureHours + 1);
  const at = (hour: number) => before[hour] ?? NaN;
  const genesisHour = Math.floor(genesisSeconds / hourSeconds);
  let ofDay = 0;
  for (let hour = 0; hour < pastHours + futureHours; hour += 1) {
    const hourOfDay = (genesisHour + hour) % 24;
    if (hour === 0 || hourOfDay === 0) ofDay = dayActivity(seed, Math.floor((genesisHour + hour) / 24));
    before[hour + 1] = at(hour) + ofDay * (ofHour[hourOfDay] ?? 1);
  }
  return {
    genesisSeconds,
    /** The share of all activity before the start at which the prepared future ends; above 1. */
    lastShare: at(pastHours + futureHours - 1) / at(pastHours),
    /** The time, in seconds since 1970, at which this share of the activity has happened: 0 at genesis, 1 at the service's start. */
    secondsAt(share: number) {
      const wanted = share * at(pastHours);
      let low = 0;
      let high = before.length - 2;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (at(middle) <= wanted) low = middle;
        else high = middle - 1;
      }
      const hours = low + (wanted - at(low)) / (at(low + 1) - at(low));
      return genesisSeconds + hours * hourSeconds;
    },
    /** The block of a chain at a time. */
    blockAt: (chain: Chain, seconds: number) =>
      chain.firstBlock + Math.floor((seconds - genesisSeconds) / chain.blockSeconds),
    blockSeconds: (chain: Chain, block: number) =>
      genesisSeconds + (block - chain.firstBlock) * chain.blockSeconds,
  };
}

/** Relative activity of the hours of a day, in UTC. */
const ofHour = Array.from({ length: 24 }, (_, hour) => 1 + 0.55 * Math.sin(((hour - 9) / 24) * 2 * Math.PI));

/** Relative activity of a day, counted from 1970: working days, slow waves, a few busy days. */
function dayActivity(seed: number, day: number): number {
  const weekly = (day + 3) % 7 < 5 ? 1 : 0.7;
  const slow = 1 + 0.35 * Math.sin(day / 41) + 0.15 * Math.sin(day / 11);
  const draw = fraction(seed, day, 0xac7);
  return weekly * slow * (draw > 0.97 ? 2.5 : 0.8 + 0.4 * draw);
}
