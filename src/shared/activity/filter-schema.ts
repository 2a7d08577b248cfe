import * as z from 'zod/mini';
import { choiceFields, type ActivityFilter, type SavedView } from './filter.ts';

const text = z.string().check(z.maxLength(500));
const bound = z.nullable(z.string().check(z.maxLength(100)));

const pill = z.union([
  z.strictObject({
    field: z.enum(choiceFields),
    not: z.boolean(),
    values: z.array(text).check(z.minLength(1), z.maxLength(200)),
  }),
  z.strictObject({
    field: z.enum(['amount', 'value', 'block', 'time']),
    not: z.boolean(),
    min: bound,
    max: bound,
    token: z.exactOptional(text),
  }),
]);

/** A filter from the window or from the settings file. */
export const activityFilterSchema: z.ZodMiniType<ActivityFilter> = z.strictObject({
  pills: z.array(pill).check(z.maxLength(30)),
  text: z.string().check(z.maxLength(200)),
  showHidden: z.boolean(),
});

export const savedViewSchema: z.ZodMiniType<SavedView> = z.strictObject({
  id: z.string().check(z.minLength(1), z.maxLength(100)),
  name: z.string().check(z.minLength(1), z.maxLength(100)),
  filter: activityFilterSchema,
});
