import { historyLimits } from '../../../../shared/limits.ts';
import { formatCount, plainNumber } from '../../ui/text/format.ts';

/** A setting that is a whole number. */
export interface NumberField<Name extends string> {
  name: Name;
  label: string;
  hint: string;
  min: number;
  max: number;
}

/** With the limits of `settingsSchema`. */
export const healthFields = [
  {
    name: 'keepDays',
    label: 'Days to keep',
    hint: 'The app deletes older history and incidents.',
    ...historyLimits.keepDays,
  },
  {
    name: 'keepMegabytesPerNode',
    label: 'Megabytes per node',
    hint: 'Above this size, the app deletes the oldest reports.',
    ...historyLimits.keepMegabytesPerNode,
  },
  { name: 'failAfter', label: 'Incident starts after', hint: 'Failed runs in a row.', min: 1, max: 20 },
  { name: 'recoverAfter', label: 'Incident ends after', hint: 'Passing runs in a row.', min: 1, max: 20 },
] as const satisfies readonly NumberField<string>[];

/** With the limits of `settingsSchema`. */
export const thresholdFields = [
  { name: 'failAfter', label: 'Alert after', hint: 'Failed runs in a row.', min: 1, max: 20 },
  { name: 'recoverAfter', label: 'Recovered after', hint: 'Passing runs in a row.', min: 1, max: 20 },
  {
    name: 'silentSeconds',
    label: 'Unreachable after',
    hint: 'Seconds without a response.',
    min: 30,
    max: 3_600,
  },
] as const satisfies readonly NumberField<string>[];

/** The number that a text says, or null where it is none that is allowed. */
export function numberOf(text: string, { min, max }: { min: number; max: number }): number | null {
  const digits = plainNumber(text.trim());
  const value = /^\d{1,6}$/.test(digits) ? Number(digits) : NaN;
  return value >= min && value <= max ? value : null;
}

/** The problem with the text of one field, or null. */
export function numberProblem(field: NumberField<string>, text: string): string | null {
  return numberOf(text, field) === null
    ? `Enter a whole number from ${field.min} to ${formatCount(field.max)}.`
    : null;
}

/** The texts of fields with these values. */
export function textsOf<Name extends string>(
  fields: readonly NumberField<Name>[],
  values: Readonly<Record<Name, number>>,
): Record<Name, string> {
  // Each name of a field is in it.
  return Object.fromEntries(fields.map(({ name }) => [name, String(values[name])])) as Record<Name, string>;
}

/** The values of all fields, or null while one of them is invalid. */
export function numbersOf<Name extends string>(
  fields: readonly NumberField<Name>[],
  texts: Readonly<Record<Name, string>>,
): Record<Name, number> | null {
  const values = fields.map((field) => [field.name, numberOf(texts[field.name], field)] as const);
  if (values.some(([, value]) => value === null)) return null;
  // Each name of a field is in it.
  return Object.fromEntries(values) as Record<Name, number>;
}
