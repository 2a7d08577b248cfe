const pattern = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?(?:Z|([+-])(\d{2}):(\d{2}))$/i;

/**
 * Milliseconds since 1970 of an RFC 3339 time, with any zone and up to nine fraction digits (cut to milliseconds); a
 * leap second counts as the next second. Null for any other text and for Go's zero time in year 1.
 */
export function parseRfc3339(text: string): number | null {
  const match = pattern.exec(text);
  if (match === null || isZeroTime(text)) return null;
  const group = (index: number): number => Number(match[index] ?? 0);
  const [month, day] = [group(2) - 1, group(3)];
  const date = new Date(0);
  date.setUTCFullYear(group(1), month, day);
  // `Date` would turn an invalid day into one of the next month.
  if (date.getUTCMonth() !== month || date.getUTCDate() !== day) return null;
  const [hour, minute, second, zoneHours, zoneMinutes] = [group(4), group(5), group(6), group(9), group(10)];
  if (hour > 23 || minute > 59 || second > 60 || zoneHours > 23 || zoneMinutes > 59) return null;
  const zoneMs = (match[8] === '-' ? -1 : 1) * (zoneHours * 60 + zoneMinutes) * 60_000;
  const fractionMs = Number((match[7] ?? '.').slice(1, 4).padEnd(3, '0'));
  return date.getTime() + ((hour * 60 + minute) * 60 + second) * 1_000 + fractionMs - zoneMs;
}

/** True for the time that Go writes when there is none: the first instant of the year 1, whatever its zone. */
export const isZeroTime = (text: string): boolean => /^000[01]-/.test(text) && pattern.test(text);
