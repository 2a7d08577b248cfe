import * as z from 'zod/mini';

/** A call from the window: the schema of its argument and, at compile time only, the type of its result. */
export interface Call<Schema extends z.ZodMiniType, Answer> {
  readonly schema: Schema;
  readonly answer?: Answer;
}

const call = <Schema extends z.ZodMiniType, Answer>(schema: Schema): Call<Schema, Answer> => ({ schema });

/** Used as `answer<Incident>().to({ id, note })`. */
export const answer = <Answer>() => ({
  /** The argument is an object with exactly these fields. */
  to: <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
    call<z.ZodMiniObject<Shape, z.core.$strict>, Answer>(z.strictObject(shape)),
  toNothing: () => call<z.ZodMiniUndefined, Answer>(z.undefined()),
});

export const text = (most: number) => z.string().check(z.maxLength(most));
export const filled = (most: number) => z.string().check(z.minLength(1), z.maxLength(most));
export const oneTo = (most: number) => z.int().check(z.gte(1), z.lte(most));
