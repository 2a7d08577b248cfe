import { describe, expect, it } from 'vitest';
import { peekNextToken } from './peek-token.ts';

const rows = JSON.stringify(Array.from({ length: 300 }, (_, i) => ({ txHash: `0x${i}` })));

describe('peekNextToken', () => {
  it.each<[string, string, string | null]>([
    ['first', `{"nextPageToken":"t-1","transactions":${rows}}`, 't-1'],
    ['first, with space', ` {\n "nextPageToken" : "t-1" , "transactions":${rows}}`, 't-1'],
    ['last', `{"transactions":${rows},"nextPageToken":"t-1"}`, 't-1'],
    ['last, with space', `{"transactions":${rows}, "nextPageToken": "t-1" }\n`, 't-1'],
    ['between', `{"a":${rows},"nextPageToken":"t-1","transactions":${rows}}`, null],
    ['empty', `{"nextPageToken":"","transactions":${rows}}`, null],
    ['null', `{"nextPageToken":null,"transactions":${rows}}`, null],
    ['a number', `{"transactions":${rows},"nextPageToken":7}`, null],
    ['with an escape', String.raw`{"nextPageToken":"t\n1","transactions":[]}`, null],
    ['missing', `{"transactions":${rows}}`, null],
    ['of a row', `{"transactions":[{"nextPageToken":"t-1"}]}`, null],
    [
      'inside a text',
      JSON.stringify({ transactions: [], note: JSON.stringify({ nextPageToken: 't-1' }) }),
      null,
    ],
    ['of an answer that is a list', '[{"nextPageToken":"t-1"}]', null],
    ['of nothing', '', null],
  ])('token %s', (_name, text, token) => {
    expect(peekNextToken(text)).toBe(token);
  });

  it('looks at a huge answer about as long as it takes to make it', () => {
    const tookMs = (work: () => void): number => {
      const startedMs = performance.now();
      work();
      return performance.now() - startedMs;
    };
    for (const part of [' ', '"nextPageToken"', '"nextPageToken":', '"nextPageToken":"']) {
      let text = '';
      const making = tookMs(() => {
        text = Array.from({ length: 1_000_000 }, () => part).join('');
      });
      expect(tookMs(() => expect(peekNextToken(text)).toBeNull())).toBeLessThan(20 * making);
    }
  });
});
