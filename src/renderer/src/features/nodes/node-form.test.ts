import { describe, expect, it } from 'vitest';
import { intervalChoices, nodeUrlProblem } from './node-form.ts';

describe('the URL of a node', () => {
  it.each([
    ['', 'Enter the URL'],
    ['127.0.0.1:9650', 'has to begin with http'],
    ['http://', 'not a URL'],
    ['http://me:secret@10.0.0.1:9650', 'user name and password'],
    ['http://10.0.0.1:9650/?tag=x', 'Leave out everything after the path'],
    ['http://10.0.0.1:9650/ext/health', 'Leave out /ext/health'],
  ])('%s: %s', (url, words) => {
    expect(nodeUrlProblem(url, true)).toContain(words);
  });

  it.each(['http://127.0.0.1:9650', ' https://node.example/base/ ', 'http://[::1]:9650'])(
    '%s is fine',
    (url) => {
      expect(nodeUrlProblem(url, true)).toBeNull();
    },
  );

  it('is no problem while it is being typed', () => {
    expect(nodeUrlProblem('127', false)).toBeNull();
  });
});

describe('how often a node is asked', () => {
  it('keeps an unusual interval on offer, in its place', () => {
    expect(intervalChoices(45_000).map(({ ms }) => ms)).toEqual([10_000, 30_000, 45_000, 60_000, 300_000]);
    expect(intervalChoices(30_000)).toHaveLength(4);
  });
});
