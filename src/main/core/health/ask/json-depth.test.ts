import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutDeepJson } from './json-depth.ts';

describe('cutDeepJson', () => {
  it.each([
    ['[[1],[[2]],{"a":[3]}]', 2, '[[1],["…"],{"a":"…"}]'],
    ['{"a]":[{"}":"[\\"]"}]}', 2, '{"a]":["…"]}'],
    ['{"a":[[[1', 2, '{"a":["…"'],
    ['[[]]]', 1, '["…"]]'],
    ['"[[["', 1, '"[[["'],
    ['', 1, ''],
  ])('%s at %i', (text, maxDepth, expected) => {
    expect(cutDeepJson(text, maxDepth)).toEqual({ text: expected, cut: expected !== text });
  });

  it('changes nothing of JSON that is not deeper, and makes the rest parse', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.integer({ min: 1, max: 8 }), (text, maxDepth) => {
        const { text: cutText, cut } = cutDeepJson(text, maxDepth);
        const value: unknown = JSON.parse(cutText);
        expect(depthOf(value)).toBeLessThanOrEqual(maxDepth);
        expect(cut).toBe(depthOf(JSON.parse(text)) > maxDepth);
        if (!cut) expect(cutText).toBe(text);
      }),
    );
  });

  it('takes a megabyte of brackets', () => {
    const deep = `${'['.repeat(500_000)}${']'.repeat(500_000)}`;
    expect(depthOf(JSON.parse(cutDeepJson(deep, 64).text))).toBe(64);
  });
});

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
