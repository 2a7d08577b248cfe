import { beforeEach, describe, expect, it } from 'vitest';
import type { NativeTransaction } from '../../../shared/endpoints/records.ts';
import { err, ok, type AppError, type Result } from '../../../shared/errors.ts';
import type { QueryResult } from '../../../shared/ipc/answers.ts';
import type { EndpointQuery } from '../../../shared/ipc/contract.ts';
import { FakeBridge, installBridge } from '../testing/fake-bridge.ts';
import { emptyWorld } from '../testing/sample-world.ts';
import { LookupList, type ListQuestion } from './lookup-list.svelte.ts';

type Page = { transactions: NativeTransaction[]; nextPageToken?: string };
type Answer = Result<QueryResult<Page>> | Promise<Result<QueryResult<Page>>>;

const nowMs = 1_790_000_000_000;
const transaction = (txHash: string): NativeTransaction => ({ txHash, blockNumber: '7', blockTimestamp: 1 });
const page = (hashes: string, nextPageToken?: string, parts: Partial<QueryResult<Page>> = {}): Answer =>
  ok({
    data: {
      transactions: hashes.split('').map(transaction),
      ...(nextPageToken === undefined ? {} : { nextPageToken }),
    },
    fetchedAtMs: nowMs,
    source: 'network',
    stale: false,
    notes: [],
    ...parts,
  });
const offline: AppError = { code: 'unreachable', message: 'no route' };

const question: ListQuestion<'block-transactions', NativeTransaction> = {
  endpointId: 'block-transactions',
  params: { chainId: '43114', blockId: '7' },
  itemsOf: ({ transactions }) => transactions,
  keyOf: ({ txHash }) => txHash,
};

let bridge: FakeBridge;
let answers: Answer[];
/** Further pages that are stored, by their tokens. */
const kept = new Map<string, Answer>();
beforeEach(() => {
  bridge = new FakeBridge(emptyWorld(nowMs));
  answers = [];
  kept.clear();
  bridge.answer('endpoint.query', ({ refresh, params }) => {
    const missing = err({ code: 'not-found', message: 'not stored' } as const);
    if (refresh === 'cached')
      return kept.get(Object.entries(params).find(([name]) => name === 'pageToken')?.[1] ?? '') ?? missing;
    const answer = answers.shift();
    if (answer === undefined) throw new Error('asked once more than was expected');
    return answer;
  });
  installBridge(bridge);
});

/** An answer that comes when `resolve` is called. */
function later() {
  let resolve = (_: Result<QueryResult<Page>>): void => undefined;
  const promise = new Promise<Result<QueryResult<Page>>>((give) => (resolve = give));
  return { promise, resolve: (answer: Result<QueryResult<Page>>) => resolve(answer) };
}

const shown = (list: LookupList<'block-transactions', NativeTransaction>) =>
  list.items.map(({ txHash }) => txHash).join('');
const asked = (): EndpointQuery[] =>
  bridge.argsOf('endpoint.query').filter(({ refresh }) => refresh !== 'cached');

describe('LookupList', () => {
  it('reads page after page by their tokens, and knows the end', async () => {
    answers = [page('ab', 't1'), page('cd', 't2'), page('e')];
    const list = new LookupList<'block-transactions', NativeTransaction>();
    await list.ask(question);
    expect([shown(list), list.atEnd, list.loaded]).toEqual(['ab', false, true]);
    await list.more();
    await list.more();
    expect([shown(list), list.atEnd]).toEqual(['abcde', true]);
    await list.more();
    expect(asked().map(({ params }) => ('pageToken' in params ? params.pageToken : null))).toEqual([
      null,
      't1',
      't2',
    ]);
  });

  it('shows all pages that are stored, and goes on behind them', async () => {
    const old = { fetchedAtMs: nowMs - 5_000, source: 'cache' as const };
    answers = [page('ab', 't1', { refreshError: offline, ...old }), page('ef')];
    kept.set('t1', page('cd', 't2', old));
    const list = new LookupList<'block-transactions', NativeTransaction>();
    await list.ask(question);
    expect([shown(list), list.atEnd, list.error]).toEqual(['abcd', false, offline]);
    await list.more();
    expect([shown(list), list.atEnd]).toEqual(['abcdef', true]);
    expect(list.origin).toMatchObject({ fromMs: nowMs - 5_000, toMs: nowMs });
    expect(asked()[1]?.params).toMatchObject({ pageToken: 't2' });
  });

  it('takes an empty token for the end', async () => {
    answers = [page('a', '')];
    const list = new LookupList<'block-transactions', NativeTransaction>();
    await list.ask(question);
    expect(list.atEnd).toBe(true);
  });

  it('does not go round in a page that leads to itself', async () => {
    answers = [page('a', 'same'), page('a', 'same')];
    const list = new LookupList<'block-transactions', NativeTransaction>();
    await list.ask(question);
    await list.more();
    expect([shown(list), list.atEnd]).toEqual(['a', true]);
  });

  it('shows once what a page that has moved on brings again', async () => {
    answers = [page('abc', 't1'), page('cd')];
    const list = new LookupList<'block-transactions', NativeTransaction>();
    await list.ask(question);
    await list.more();
    expect(shown(list)).toBe('abcd');
  });

  it('goes on behind an empty page', async () => {
    answers = [page('', 't1'), page('a')];
    const list = new LookupList<'block-transactions', NativeTransaction>();
    await list.ask(question);
    expect([shown(list), list.atEnd]).toEqual(['', false]);
    await list.more();
    expect(shown(list)).toBe('a');
  });

  it('keeps what is there when a further page fails, and asks for that page again', async () => {
    answers = [page('ab', 't1'), err({ code: 'timeout', message: 'late' }), page('c')];
    const list = new LookupList<'block-transactions', NativeTransaction>();
    await list.ask(question);
    await list.more();
    expect([shown(list), list.error?.code, list.loading]).toEqual(['ab', 'timeout', null]);
    await list.retry();
    expect([shown(list), list.error]).toEqual(['abc', null]);
    expect(asked()[2]?.params).toMatchObject({ pageToken: 't1' });
  });

  it('knows nothing, and says why, when the first page fails', async () => {
    answers = [err(offline)];
    const list = new LookupList<'block-transactions', NativeTransaction>();
    await list.ask(question);
    expect([list.loaded, list.error, list.origin]).toEqual([false, offline, null]);
  });

  it('shows a stored page with its age when there is no newer one', async () => {
    const old = { fetchedAtMs: nowMs - 5_000, source: 'cache' as const, stale: true, refreshError: offline };
    answers = [page('ab', 't1', old), page('c', undefined, { fetchedAtMs: nowMs })];
    const list = new LookupList<'block-transactions', NativeTransaction>();
    await list.ask(question);
    expect(list.error).toEqual(offline);
    await list.more();
    expect(list.origin).toEqual({
      fromMs: nowMs - 5_000,
      toMs: nowMs,
      fromStore: true,
      isStale: true,
      notes: [],
    });
  });

  it('begins anew with another look, and keeps all pages when that look brings nothing new', async () => {
    answers = [
      page('ab', 't1'),
      page('cd'),
      page('ab', 't1', { source: 'cache', refreshError: offline }),
      page('xa', 't9'),
    ];
    const list = new LookupList<'block-transactions', NativeTransaction>();
    await list.ask(question);
    await list.more();
    await list.refresh();
    expect([shown(list), list.error]).toEqual(['abcd', offline]);
    await list.refresh();
    expect([shown(list), list.error, list.atEnd]).toEqual(['xa', null, false]);
    expect(asked().map(({ refresh }) => refresh)).toEqual(['if-stale', 'if-stale', 'always', 'always']);
  });

  it('takes a question back that nobody waits for any more, and does not show its late answer', async () => {
    const late = later();
    answers = [late.promise, page('new')];
    const list = new LookupList<'block-transactions', NativeTransaction>();
    const first = list.ask(question);
    const second = list.ask({ ...question, params: { chainId: '43114', blockId: '8' } });
    late.resolve(await page('old'));
    await Promise.all([first, second]);
    expect(shown(list)).toBe('new');
    expect(bridge.argsOf('endpoint.cancel')).toEqual([{ requestId: asked()[0]?.requestId }]);
  });

  it('asks for one page at a time', async () => {
    const late = later();
    answers = [page('a', 't1'), late.promise];
    const list = new LookupList<'block-transactions', NativeTransaction>();
    await list.ask(question);
    const once = list.more();
    await list.more();
    late.resolve(await page('b'));
    await once;
    expect([shown(list), asked().length]).toEqual(['ab', 2]);
  });

  it('asks the store only for pages that are named, and for none once its question was taken back', async () => {
    answers = [page('ab', 't1'), page('b', 't1'), page('c', ''), page('c')];
    kept.set('t1', page('b', 't1'));
    const list = new LookupList<'block-transactions', NativeTransaction>();
    const cached = () =>
      bridge
        .argsOf('endpoint.query')
        .flatMap(({ refresh, params }) => (refresh === 'cached' ? [params] : []));
    await list.ask(question);
    // A stored page that leads to itself is read once.
    expect(cached()).toEqual([{ ...question.params, pageToken: 't1' }]);
    await list.more();
    await list.ask(question);
    await list.ask(question);
    expect(cached()).toHaveLength(1);
    const { params } = question;
    expect(asked().map((query) => query.params)).toEqual([
      params,
      { ...params, pageToken: 't1' },
      params,
      params,
    ]);
    const late = later();
    answers = [late.promise];
    const reading = list.ask(question);
    list.stop();
    late.resolve(await page('d', 't2'));
    await reading;
    expect(cached()).toHaveLength(1);
  });

  it('has the bodies of its pages as they came, and says where they came from', async () => {
    answers = [page('a', 't1', { rawText: '{"a":1}' }), page('b', 't2'), page('c', '', { rawText: '{}' })];
    const list = new LookupList<'block-transactions', NativeTransaction>();
    await list.ask(question);
    await list.more();
    await list.more();
    expect(list.rawTexts).toEqual(['{"a":1}', '{}']);
    expect(asked().every(({ includeRaw }) => includeRaw)).toBe(true);
    expect(list.origin).toMatchObject({ fromStore: false, isStale: false });
  });

  it('ends where its pages lead to each other, and does not call that the end of the list', async () => {
    answers = [page('a', 't1'), page('b', 't2'), page('c', 't1'), page('a', 't1'), err(offline)];
    const list = new LookupList<'block-transactions', NativeTransaction>();
    await list.ask(question);
    for (let times = 0; times < 4; times += 1) await list.more();
    expect([shown(list), list.atEnd, list.isEndless]).toEqual(['abc', true, true]);
    await list.refresh();
    expect([shown(list), list.atEnd, list.isEndless]).toEqual(['a', false, false]);
    await list.ask(question);
    expect([shown(list), list.isEndless, list.atEnd]).toEqual(['', false, false]);
  });

  it('reads the next page that was wanted after a refresh that came meanwhile, but not after one that failed', async () => {
    answers = [page('a', 't1'), page('x'), page('x'), page('a', 't1'), page('b', 't2')];
    const list = new LookupList<'block-transactions', NativeTransaction>();
    await list.ask(question);
    await Promise.all([list.more(), list.refresh(), list.refresh()]);
    const tokens = () => asked().map(({ params }) => ('pageToken' in params ? params.pageToken : null));
    expect([shown(list), tokens()]).toEqual(['ab', [null, 't1', null, null, 't1']]);
    answers = [page('x'), page('a', 't1'), page('x'), err(offline)];
    const more = list.more();
    list.stop();
    await Promise.all([more, list.refresh()]);
    expect([shown(list), list.loading]).toEqual(['a', null]);
    await Promise.all([list.more(), list.refresh()]);
    expect([shown(list), list.error, answers.length]).toEqual(['a', offline, 0]);
  });

  it('has nothing before there is a list, and asks for nothing of the one before where its first page fails', async () => {
    const list = new LookupList<'block-transactions', NativeTransaction>();
    await Promise.all([list.more(), list.refresh(), list.retry()]);
    list.stop();
    expect([list.items, list.loaded, list.atEnd, list.loading, list.error]).toEqual([
      [],
      false,
      false,
      null,
      null,
    ]);
    answers = [page('a', 't1'), page('b', 't2'), err(offline), err(offline)];
    const asking = list.ask(question);
    expect(list.loading).toBe('first');
    await asking;
    const more = list.more();
    expect(list.loading).toBe('more');
    await more;
    const other = list.ask({ ...question, params: { chainId: '43114', blockId: '8' } });
    expect([shown(list), list.loaded]).toEqual(['', false]);
    await other;
    await list.more();
    expect([list.error, answers.length]).toEqual([offline, 1]);
    await list.retry();
    expect(asked().at(-1)?.params).toEqual({ chainId: '43114', blockId: '8' });
  });
});
