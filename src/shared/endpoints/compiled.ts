import * as z from 'zod/mini';
import { orAdd } from '../or-add.ts';

const compiled = new WeakMap<z.ZodMiniType, z.ZodMiniType>();

/**
 * The schema compiled to code, which parses valid input about five times as fast; invalid input is left to the original
 * schema. Only for the main process: the window's security policy forbids generated code.
 */
export function compiledSchema<T>(schema: z.ZodMiniType<T>): z.ZodMiniType<T> {
  // Only this function adds entries, each with the compiled form of its own schema.
  return orAdd(compiled, schema, () => z.compile(schema)) as z.ZodMiniType<T>;
}

const readsBeforeCompiling = 200;
const reads = new WeakMap<z.ZodMiniType, number>();

/**
 * For one read of something small: the schema itself for the first reads, then compiled. Compiling takes tens of
 * milliseconds, for which the first rows of the window should not wait.
 */
export function schemaForRead<T>(schema: z.ZodMiniType<T>): z.ZodMiniType<T> {
  const count = (reads.get(schema) ?? 0) + 1;
  if (count > readsBeforeCompiling) return compiledSchema(schema);
  reads.set(schema, count);
  return schema;
}
