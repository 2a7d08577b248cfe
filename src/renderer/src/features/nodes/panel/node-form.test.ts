import { describe, expect, it } from 'vitest';
import { headersProblem, intervalChoices, nodeUrlProblem, parseTags, tagsProblem } from './node-form.ts';

describe('the URL of a node', () => {
  it.each([
    ['', 'Enter the node’s URL'],
    ['127.0.0.1:9650', 'Start the URL with http'],
    ['http://', 'valid URL'],
    ['http://me:secret@10.0.0.1:9650', 'user name and password'],
    ['http://10.0.0.1:9650/?tag=x', 'Leave out “?” or “#” and everything after it'],
  ])('%s: %s', (url, words) => {
    expect(nodeUrlProblem(url, true)).toContain(words);
  });

  it.each([
    'http://10.0.0.1:9650/ext/health',
    'http://127.0.0.1:9650',
    ' https://node.example/base/ ',
    'http://[::1]:9650',
  ])('%s is fine', (url) => {
    expect(nodeUrlProblem(url, true)).toBeNull();
  });

  it('is no problem while it is being typed', () => {
    expect(nodeUrlProblem('127', false)).toBeNull();
  });
});

describe('how often a node is asked', () => {
  it('is automatic first, and keeps an unusual interval on offer, in its place', () => {
    expect(intervalChoices(45_000).map(({ ms }) => ms)).toEqual([
      null,
      15_000,
      30_000,
      45_000,
      60_000,
      300_000,
    ]);
    expect(intervalChoices(30_000)).toHaveLength(5);
    expect(intervalChoices(null)).toHaveLength(5);
  });
});

describe('tags', () => {
  it('are parted by lines, blanks and commas, each once', () => {
    expect(parseTags(' a\n\nb, c;a ')).toEqual(['a', 'b', 'c']);
    expect(parseTags('  ')).toEqual([]);
  });

  it('are refused when they are too many or too long', () => {
    expect(tagsProblem('a b')).toBeNull();
    expect(tagsProblem(Array.from({ length: 51 }, (_, index) => `t${index}`).join(' '))).toContain('50');
    expect(tagsProblem('x'.repeat(201))).toContain('200 characters');
  });
});

describe('extra headers', () => {
  const row = (name: string, value: string | null, key = 0) => ({ key, name, value, kept: value === null });

  it.each([
    [[row('', 'abc')], 'needs a name'],
    [[row('a b', 'abc')], 'not a valid header name'],
    [[row('x-a', '')], 'needs a value'],
    [[row('x-a', '1'), row('X-A', '2', 1)], 'listed twice'],
    [Array.from({ length: 21 }, (_, key) => row(`x-${key}`, '1', key)), 'At most 20'],
  ])('%j: %s', (rows, words) => {
    expect(headersProblem(rows)).toContain(words);
  });

  it('are fine when kept, when filled in, and when a row is empty', () => {
    expect(headersProblem([row('authorization', null), row('x-a', '1', 1), row('', '', 2)])).toBeNull();
  });
});
