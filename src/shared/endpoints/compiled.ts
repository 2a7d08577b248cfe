import * as z from 'zod/mini';

const compiled = new WeakMap<z.ZodMiniType, z.ZodMiniType>();

/**
 * The same schema with generated code that reads what fits about five times as fast; what does not fit is read by the
 * schema itself. For the main process: the window's policy forbids code from strings, so nothing there calls this.
 */
export function compiledSchema<T>(schema: z.ZodMiniType<T>): z.ZodMiniType<T> {
  const known = compiled.get(schema);
  if (known !== undefined) {
    // Only this function fills the map, with the schema's own compiled form.
    return known as z.ZodMiniType<T>;
  }
  const fresh = z.compile(schema);
  compiled.set(schema, fresh);
  return fresh;
}
