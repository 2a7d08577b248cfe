import * as z from 'zod/mini';
import { describe, expect, it } from 'vitest';
import { compiledSchema, schemaForRead } from './compiled.ts';
import { endpoints, type EndpointId } from './registry.ts';
import { sampleBodies } from './testing/sample-bodies.ts';

describe.each(Object.keys(endpoints) as EndpointId[])('the compiled schema of %s', (id) => {
  const schema: z.ZodMiniType = endpoints[id].response;

  it('reads the same as the schema itself, to the order of the fields', () => {
    const read = (by: z.ZodMiniType) => JSON.stringify(z.parse(by, structuredClone(sampleBodies[id])));
    expect(read(compiledSchema(schema))).toBe(read(schema));
  });

  it('finds the same issues', () => {
    const issues = (by: z.ZodMiniType, value: unknown) => z.safeParse(by, value).error?.issues;
    for (const odd of [
      null,
      {},
      { transactions: [5, {}] },
      { indexedChains: 'x' },
      { nativeTransaction: {} },
    ]) {
      expect(issues(compiledSchema(schema), odd)).toEqual(issues(schema, odd));
    }
  });

  it('is compiled once, and is indeed another', () => {
    expect(compiledSchema(schema)).toBe(compiledSchema(schema));
    expect(compiledSchema(schema)).not.toBe(schema);
    expect(() => z.compile(schema, { strict: true })).not.toThrow();
  });
});

it('leaves a schema as it is for its first reads, and compiles it when it is used much', () => {
  const schema = z.object({ a: z.string() });
  const used = Array.from({ length: 201 }, () => schemaForRead(schema));
  expect(used.slice(0, 200).every((each) => each === schema)).toBe(true);
  expect(used[200]).toBe(compiledSchema(schema));
});
