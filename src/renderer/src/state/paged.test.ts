import { describe, expect, it } from 'vitest';
import { err, ok, type Result } from '../../../shared/errors.ts';
import { Paged, type PageQuestion, type PageSource } from './paged.svelte.ts';

type Page = { rows: string[]; next: string | null };

function source(read: (question: PageQuestion) => Result<Page>): PageSource<Page, string> {
  return {
    read: (question) => Promise.resolve(read(question)),
    itemsOf: ({ rows }) => rows,
    keyOf: (row) => row,
    tokenOf: ({ next }) => next,
  };
}

const failure = err({ code: 'storage' as const, message: 'The disk failed.' });

describe('a list that is read page by page', () => {
  it('goes on where its last page ends, and has each element once', async () => {
    const list = new Paged<Page, string>();
    await list.load(
      source(({ token }) =>
        token === null ? ok({ rows: ['a', 'b'], next: '2' }) : ok({ rows: ['b', 'c'], next: null }),
      ),
    );
    expect([list.items, list.atEnd]).toEqual([['a', 'b'], false]);
    await list.more();
    expect([list.items, list.atEnd]).toEqual([['a', 'b', 'c'], true]);
  });

  it('reads the next page that was wanted after a refresh that came meanwhile, and after another', async () => {
    const list = new Paged<Page, string>();
    const tokens: (string | null)[] = [];
    const pages = source(({ token }) => {
      tokens.push(token);
      return token === null ? ok({ rows: ['a'], next: '2' }) : ok({ rows: ['b'], next: '3' });
    });
    await list.load(pages);
    await Promise.all([list.more(), list.refresh(), list.refresh()]);
    expect([list.items, tokens]).toEqual([
      ['a', 'b'],
      [null, '2', null, null, '2'],
    ]);
    const more = list.more();
    list.stop();
    await Promise.all([more, list.refresh()]);
    expect([list.items, list.loading]).toEqual([['a'], null]);
  });

  it('asks another list for nothing of the one before when its first page does not come', async () => {
    const list = new Paged<Page, string>();
    await list.load(source(() => ok({ rows: ['a'], next: '2' })));
    const tokens: (string | null)[] = [];
    const other = source(({ token }) => {
      tokens.push(token);
      return failure;
    });
    const loading = list.load(other, true);
    // What is shown is of a list that goes on.
    expect(list.atEnd).toBe(false);
    await loading;
    await list.more();
    expect(list.atEnd).toBe(true);
    expect(tokens).toEqual([null]);
    expect([list.items, list.error]).toEqual([['a'], failure.error]);
    await list.retry();
    expect(tokens).toEqual([null, null]);
  });
});
