import { orAdd } from '../../../../shared/or-add.ts';
import type { TimeZoneChoice } from '../../../../shared/settings.ts';

/** How dates and numbers are written in the whole window: as in a locale, or by ISO 8601. */
export interface Notation {
  /** Null: by ISO 8601, with numbers as in English. */
  locale: Intl.Locale | null;
  numbers: Intl.NumberFormat;
  /** The decimal separator. */
  point: string;
  compact: Intl.NumberFormat;
  scientific: Intl.NumberFormat;
}

function notationOf(locale: Intl.Locale | null): Notation {
  const tag = locale ?? 'en-US';
  const numbers = new Intl.NumberFormat(tag);
  return {
    locale,
    numbers,
    point: numbers.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.',
    compact: new Intl.NumberFormat(tag, { notation: 'compact', maximumFractionDigits: 2 }),
    scientific: new Intl.NumberFormat(tag, { notation: 'scientific', maximumFractionDigits: 2 }),
  };
}

const byIso = notationOf(null);
let present = $state.raw(byIso);
let zone = $state<TimeZoneChoice>('local');

/** Reactive: what uses it is drawn again when it changes. */
export const notation = (): Notation => present;

/**
 * Writes as in the locale that `tag` names, as the system spells it; null or an unknown tag means ISO. The digits
 * are always 0 to 9 and the calendar is the Gregorian one, to match the hashes and UTC times beside them.
 */
export function setNotation(tag: string | null): void {
  const locale = tag === null ? null : localeOf(tag);
  if (locale?.toString() !== present.locale?.toString())
    present = locale === null ? byIso : notationOf(locale);
}

/** The zone in which times are written and typed; reactive, too. */
export const timeZone = (): TimeZoneChoice => zone;

export function setTimeZone(chosen: TimeZoneChoice): void {
  zone = chosen;
}

function localeOf(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag, { numberingSystem: 'latn', calendar: 'gregory' });
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    return null;
  }
}

const two = '2-digit' as const;
const date = { year: 'numeric', month: two, day: two } as const;
const time = { hour: two, minute: two } as const;
const looks = {
  date,
  monthDay: { month: two, day: two },
  month: { year: 'numeric', month: two },
  time,
  clock: { ...time, second: two },
  minute: { ...date, ...time },
  second: { ...date, ...time, second: two },
  monthName: { year: 'numeric', month: 'long' },
  day: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  dayAlone: { day: 'numeric', month: 'short', year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

export type TimeLook = keyof typeof looks;

/** Kept, because making one takes longer than using it a hundred times. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** A valid time in the notation of the locale, by the clock on the wall: a format would keep the zone in which it was made. */
export function localTime(wallMs: number, look: TimeLook, locale: Intl.Locale): string {
  const makeFormat = () => new Intl.DateTimeFormat(locale, { ...looks[look], timeZone: 'UTC' });
  const format = orAdd(formats, `${locale.toString()} ${look}`, makeFormat);
  // East of Greenwich the last day that a date can hold would be beyond it.
  return format.format(Math.min(wallMs, 8.64e15));
}
