import { expect, it } from 'vitest';
import { Recent } from './recent.ts';

it('keeps what was used last, and forgets what was not used for longest', () => {
  const recent = new Recent<string, number>(2);
  recent.set('a', 1);
  recent.set('b', 2);
  expect(recent.get('a')).toBe(1);
  recent.set('c', 3);
  expect([recent.get('a'), recent.get('b'), recent.get('c')]).toEqual([1, undefined, 3]);
});

it('counts the size of each value, also of one that takes the place of another', () => {
  const recent = new Recent<string, string>(5, (text) => text.length);
  recent.set('a', 'aaaa');
  recent.set('a', 'a');
  recent.set('b', 'bbbb');
  expect([...recent.values()]).toEqual(['a', 'bbbb']);
  recent.set('c', 'c');
  expect([...recent.values()]).toEqual(['bbbb', 'c']);
});

it('keeps no value that is larger than all may be', () => {
  const recent = new Recent<string, string>(2, (text) => text.length);
  recent.set('a', 'a');
  recent.set('b', 'bbb');
  expect([...recent.values()]).toEqual([]);
});

it('has room for all again once it is cleared', () => {
  const recent = new Recent<string, string>(3, (text) => text.length);
  recent.set('a', 'aaa');
  recent.clear();
  recent.set('b', 'bbb');
  expect([...recent.values()]).toEqual(['bbb']);
});
