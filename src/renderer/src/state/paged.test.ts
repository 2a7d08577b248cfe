import { describe, expect, it } from 'vitest';
import { err, ok, type AppError, type Result } from '../../../shared/errors.ts';
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

/** Pages of one letter and without an end; `asked` has what was asked for. */
function endless(refreshErrorOf?: (page: Page) => AppError | undefined) {
  const asked: [token: string | null, again: boolean][] = [];
  const pages = source(({ token, again }) => {
    asked.push([token, again]);
    return ok({ rows: [token ?? '1'], next: String(Number(token ?? 1) + 1) });
  });
  return { asked, pages: { ...pages, ...(refreshErrorOf && { refreshErrorOf }) } };
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

  it('ends where its pages lead to each other, and does not call that the end of the list', async () => {
    const list = new Paged<Page, string>();
    const leadsTo = new Map([
      [null, 'a'],
      ['a', 'b'],
      ['b', 'a'],
    ]);
    await list.load(
      source(({ token }) => ok({ rows: [token ?? 'first'], next: leadsTo.get(token) ?? null })),
    );
    for (let times = 0; times < 4; times += 1) await list.more();
    expect([list.items, list.atEnd, list.isEndless]).toEqual([['first', 'a', 'b'], true, true]);
    await list.refresh();
    expect([list.atEnd, list.isEndless]).toEqual([false, false]);
    for (let times = 0; times < 4; times += 1) await list.more();
    await list.load(source(() => failure));
    expect(list.isEndless).toBe(false);
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
    expect(tokens).toEqual([null]);
    // They would pass for elements of the other list.
    expect([list.items, list.loaded, list.error]).toEqual([[], false, failure.error]);
    await list.retry();
    expect(tokens).toEqual([null, null]);
  });

  it('has nothing before there is a list, and asks for nothing', async () => {
    const list = new Paged<Page, string>();
    await Promise.all([list.more(), list.refresh(), list.retry()]);
    list.stop();
    expect([list.items, list.pages, list.loaded, list.atEnd]).toEqual([[], [], false, false]);
    expect([list.loading, list.error]).toEqual([null, null]);
  });

  it('says for which page it waits, and shows nothing of the list before unless it is to', async () => {
    const list = new Paged<Page, string>();
    const { asked, pages } = endless();
    const loading = list.load(pages);
    expect(list.loading).toBe('first');
    await loading;
    const more = list.more();
    expect(list.loading).toBe('more');
    await more;
    expect([list.items, list.pages.length]).toEqual([['1', '2'], 2]);
    await list.refresh();
    expect([list.items, list.pages.length]).toEqual([['1'], 1]);
    await list.retry();
    expect(asked).toEqual([
      [null, false],
      ['2', false],
      [null, true],
      [null, true],
    ]);
    void list.load(endless().pages);
    expect([list.items, list.loaded]).toEqual([[], false]);
  });

  it('takes a further page that only the store has, and no first one in place of all that is shown', async () => {
    const list = new Paged<Page, string>();
    let isOld = false;
    await list.load(endless(() => (isOld ? failure.error : undefined)).pages);
    isOld = true;
    await list.more();
    expect([list.items, list.error]).toEqual([['1', '2'], failure.error]);
    await list.refresh();
    expect([list.items, list.error]).toEqual([['1', '2'], failure.error]);
  });

  it('does not go on after a refresh that failed', async () => {
    const list = new Paged<Page, string>();
    const { asked, pages } = endless((page) =>
      asked.length > 2 && page.rows[0] === '1' ? failure.error : undefined,
    );
    await list.load(pages);
    await Promise.all([list.more(), list.refresh()]);
    expect([asked.length, list.error]).toEqual([3, failure.error]);
  });
});
