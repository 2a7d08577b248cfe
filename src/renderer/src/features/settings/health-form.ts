import type { HealthSettings } from '../../../../shared/settings.ts';

export type HealthField = keyof HealthSettings;

interface FieldWords {
  name: HealthField;
  label: string;
  hint: string;
  min: number;
  max: number;
}

/** The limits are those of `settingsSchema`. */
export const healthFields: readonly FieldWords[] = [
  {
    name: 'keepDays',
    label: 'Keep for days',
    hint: 'Older history is forgotten; incidents stay.',
    min: 1,
    max: 3_650,
  },
  {
    name: 'keepMegabytesPerNode',
    label: 'Megabytes a node',
    hint: 'Above it the oldest days are rolled up.',
    min: 5,
    max: 10_000,
  },
  {
    name: 'failAfter',
    label: 'An incident begins after',
    hint: 'Failed runs in a row.',
    min: 1,
    max: 20,
  },
  {
    name: 'recoverAfter',
    label: 'It ends after',
    hint: 'Passing runs in a row.',
    min: 1,
    max: 20,
  },
];

/** What to say about one field, or null. */
export function healthProblem(name: HealthField, text: string): string | null {
  const field = healthFields.find((candidate) => candidate.name === name);
  if (field === undefined) return null;
  const value = /^\d{1,6}$/.test(text.trim()) ? Number(text) : null;
  return value === null || value < field.min || value > field.max
    ? `A whole number from ${field.min} to ${field.max.toLocaleString('en-US')}.`
    : null;
}

/** The settings, or null while a field is not right. */
export function parseHealth(texts: Readonly<Record<HealthField, string>>): HealthSettings | null {
  if (healthFields.some(({ name }) => healthProblem(name, texts[name]) !== null)) return null;
  return {
    keepDays: Number(texts.keepDays),
    keepMegabytesPerNode: Number(texts.keepMegabytesPerNode),
    failAfter: Number(texts.failAfter),
    recoverAfter: Number(texts.recoverAfter),
  };
}
