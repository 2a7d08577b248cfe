const pattern =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/**
 * Milliseconds since 1970 of an RFC 3339 time with any zone and up to nine fraction digits (those below a millisecond are
 * dropped); a leap second counts as the second after it. Null for any other text and for Go's zero time, the year 1.
 */
export function parseRfc3339(text: string): number | null {
  const match = pattern.exec(text);
  if (match === null || isZeroTime(text)) return null;
  const group = (index: number): number => Number(match[index] ?? 0);
  const [year, month, day] = [group(1), group(2), group(3)];
  const [hour, minute, second] = [group(4), group(5), group(6)];
  const fractionMs = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  const [zoneHours, zoneMinutes] = [group(9), group(10)];
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  if (hour > 23 || minute > 59 || second > 60 || zoneHours > 23 || zoneMinutes > 59) return null;
  const zoneMs = (match[8] === '-' ? -1 : 1) * (zoneHours * 60 + zoneMinutes) * 60_000;
  const dayMs = ((hour * 60 + minute) * 60 + second) * 1_000 + fractionMs;
  return daysSince1970(year, month, day) * 86_400_000 + dayMs - zoneMs;
}

/** True for the time that Go writes when there is none: the first instant of the year 1, whatever its zone. */
export function isZeroTime(text: string): boolean {
  return /^000[01]-/.test(text) && pattern.test(text);
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Days from 1970-01-01 in the Gregorian calendar, counted in years that begin in March. */
function daysSince1970(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const dayOfMarchYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + dayOfMarchYear - 719_468;
}
