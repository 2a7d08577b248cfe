import { describe, expect, it } from 'vitest';
import { createPageCache } from './page-cache.ts';

/** A cache whose pages are ten bytes long; `written` lists the keys in the order in which pages were written. */
function create(maxBytes: number) {
  const state = { version: 'one', written: [] as string[] };
  const cache = createPageCache<string>(maxBytes, () => state.version);
  const get = (key: string) =>
    cache.get(key, () => {
      state.written.push(key);
      return { json: Buffer.from(`${state.version} ${key}`.padEnd(10)), next: key };
    });
  return { state, get };
}

describe('the pages that are kept', () => {
  it('are written once, and are what was written', () => {
    const { state, get } = create(100);
    const first = get('a');
    expect(first).toEqual({ json: Buffer.from('one a     '), next: 'a' });
    expect(get('a')).toBe(first);
    get('b');
    expect(state.written).toEqual(['a', 'b']);
  });

  it('are those that were asked for last, within the bound', () => {
    const { state, get } = create(20);
    for (const key of ['a', 'b', 'a', 'c', 'a', 'c', 'b']) get(key);
    // `b` had to go for `c`, because `a` was asked for after it; then `a` for `b`.
    expect(state.written).toEqual(['a', 'b', 'c', 'b']);
    get('a');
    expect(state.written.at(-1)).toBe('a');
  });

  it('may be larger than the bound when nothing else is kept, and are not kept then', () => {
    const { state, get } = create(5);
    expect(get('a').next).toBe('a');
    expect(get('a').next).toBe('a');
    expect(state.written).toEqual(['a', 'a']);
  });

  it('are forgotten when the world is another one, also one that was there before', () => {
    const { state, get } = create(100);
    get('a');
    state.version = 'two';
    expect(String(get('a').json)).toBe('two a     ');
    state.version = 'one';
    get('a');
    expect(state.written).toEqual(['a', 'a', 'a']);
    // The bound counts the new pages alone.
    for (let i = 0; i < 9; i += 1) get(`b${i}`);
    get('a');
    expect(state.written).toHaveLength(12);
  });
});
