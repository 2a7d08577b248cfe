import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indentJson } from './indent-json.ts';

describe('indentJson', () => {
  it('keeps the digits that a double would lose', () => {
    expect(indentJson('{"a":9007199254740993.10,"b":[]}')).toBe(
      '{\n  "a": 9007199254740993.10,\n  "b": []\n}',
    );
  });

  it('leaves the inside of strings alone', () => {
    expect(indentJson('["a,{\\"b\\":[ 1 ]}"]')).toBe('[\n  "a,{\\"b\\":[ 1 ]}"\n]');
  });

  it('lays out any JSON as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
      }),
    );
  });
});
