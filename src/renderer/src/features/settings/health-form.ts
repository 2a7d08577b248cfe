import type { HealthSettings } from '../../../../shared/settings.ts';
import { formatCount } from '../../ui/text/format.ts';

export type HealthField = keyof HealthSettings;

interface HealthFieldForm {
  name: HealthField;
  label: string;
  hint: string;
  min: number;
  max: number;
}

/** With the limits of `settingsSchema`. */
export const healthFields: readonly HealthFieldForm[] = [
  {
    name: 'keepDays',
    label: 'Keep for days',
    hint: 'Older history is deleted; incidents stay.',
    min: 1,
    max: 3_650,
  },
  {
    name: 'keepMegabytesPerNode',
    label: 'Megabytes per node',
    hint: 'Above this, the oldest days are condensed.',
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

/** The problem with one field, or null. */
export function healthProblem({ min, max }: HealthFieldForm, text: string): string | null {
  const value = /^\d{1,6}$/.test(text.trim()) ? Number(text) : NaN;
  return value >= min && value <= max ? null : `A whole number from ${min} to ${formatCount(max)}.`;
}

/** The settings, or null while a field is invalid. */
export function parseHealth(texts: Readonly<Record<HealthField, string>>): HealthSettings | null {
  if (healthFields.some((field) => healthProblem(field, texts[field.name]) !== null)) return null;
  return {
    keepDays: Number(texts.keepDays),
    keepMegabytesPerNode: Number(texts.keepMegabytesPerNode),
    failAfter: Number(texts.failAfter),
    recoverAfter: Number(texts.recoverAfter),
  };
}
