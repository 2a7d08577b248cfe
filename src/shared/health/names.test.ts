import { describe, expect, it } from 'vitest';
import { checkName, listed, piecesOf, rawName, shortName, withChainNames, withNodeNames } from './names.ts';

const chainId = '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5';
const otherId = `${chainId.slice(0, -1)}6`;
const chains = new Map([[chainId, ' DFK\nChain']]);

describe('the name of a check', () => {
  it.each([
    ['C', 'C-Chain', 'C', 'C-Chain · C'],
    ['diskspace', 'Disk space', 'diskspace', 'Disk space · diskspace'],
    ['network', 'Network', null, 'Network'],
    ['constructor', 'constructor', null, 'constructor'],
    ['my-own-check', 'my-own-check', null, 'my-own-check'],
    [chainId, 'DFK Chain', chainId, `DFK Chain · ${chainId}`],
    [otherId, '2q9e4r6M…5x1Q6', null, otherId],
    ['', 'Unreachable from this computer', null, 'Unreachable from this computer'],
    [' \n\t ', '(no name)', null, '(no name)'],
    ['a\u0000b\u202Ec', 'a\uFFFDb\uFFFDc', null, 'a\uFFFDb\uFFFDc'],
    ['<b>x</b>', '<b>x</b>', null, '<b>x</b>'],
  ])('%j is called %s, %s by the node, and %s in full', (check, short, raw, full) => {
    expect(shortName(check, chains)).toBe(short);
    expect(rawName(check, chains)).toBe(raw);
    expect(checkName(check, chains)).toBe(full);
  });

  it('is cut when it is very long', () => {
    expect(checkName('x', new Map([['x', 'y'.repeat(100_000)]])).length).toBeLessThan(60);
    expect(checkName('x'.repeat(100_000))).toHaveLength(80);
  });
});

describe('ids of nodes in a text', () => {
  const one = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg';
  const two = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ';
  const text = `${one}, ${two} and NodeID-x`;

  it('are told from what stands around them', () => {
    expect(piecesOf(text)).toEqual([
      { text: one, isNodeId: true },
      { text: ', ', isNodeId: false },
      { text: two, isNodeId: true },
      { text: ' and NodeID-x', isNodeId: false },
    ]);
    expect(piecesOf('')).toEqual([]);
  });

  it('give way to the names that are known, or stand behind them', () => {
    const names = new Map([[one, 'node-4']]);
    expect(withNodeNames(text, names)).toBe(`node-4, ${two} and NodeID-x`);
    expect(withNodeNames(text, names, true)).toBe(`node-4 (${one}), ${two} and NodeID-x`);
  });
});

it('names a chain beside its id, whole or short, and leaves ids of others', () => {
  const short = shortName(chainId);
  expect(withChainNames(`1 fails: ${short}, C; ${chainId} stuck`, chains)).toBe(
    `1 fails: DFK Chain · ${short}, C; DFK Chain · ${chainId} stuck`,
  );
  for (const text of [otherId, `${chainId}x`, `x${short}`, 'constructor', ''])
    expect(withChainNames(text, chains)).toBe(text);
  expect(withChainNames(short, new Map([[chainId, '']]))).toBe(short);
});

it('lists names as a sentence does', () => {
  expect(listed(['a'])).toBe('a');
  expect(listed(['a', 'b', 'c'])).toBe('a, b and c');
  expect(listed(['a', 'b', 'c', 'd'])).toBe('a, b, c and 1 more');
});
