import { describe, expect, it } from 'vitest';
import { splitTags } from './tags.ts';

describe.each([',', ';'] as const)('tags parted by %s', (separator) => {
  it('are there once each, none too long, and not too many', () => {
    expect(splitTags('')).toEqual([]);
    expect(splitTags([' a', 'b ', '', ' a'].join(separator))).toEqual(['a', 'b']);
    expect(splitTags('x'.repeat(80))[0]).toHaveLength(50);
    expect(splitTags(Array.from({ length: 40 }, (_, at) => `t${at}`).join(separator))).toHaveLength(20);
  });
});
