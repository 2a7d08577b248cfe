import { beforeEach, describe, expect, it } from 'vitest';
import { endpoints, type EndpointId } from '../../../shared/endpoints/registry.ts';
import { err, ok } from '../../../shared/errors.ts';
import type { RunPage, RunSummary } from '../../../shared/explore/types.ts';
import { nodeCalls } from '../../../shared/health/node-calls.ts';
import { FakeBridge, installBridge } from '../testing/fake-bridge.ts';
import { testNowMs } from '../testing/render.ts';
import { fullWorld } from '../testing/sample-world.ts';
import { catalogue, findAskable, requestOf, titleOf } from './catalogue.ts';
import { Explore } from './explore.svelte.ts';
import { everyRun } from './past-queries.svelte.ts';

const failure = { code: 'storage', message: 'busy' } as const;
const target = { kind: 'endpoint', endpointId: 'address-chains', params: { address: '0x1' } } as const;

const runOf = (id: string, pageCount = 0, more: Partial<RunSummary> = {}): RunSummary => ({
  ...{ id, target, baseUrl: 'http://127.0.0.1:7650', state: 'complete', startedAtMs: testNowMs },
  ...{ headerNames: null, fetched: null, pageCount, rowCount: 0, byteLength: 0, hasMore: false, error: null },
  ...more,
});

let bridge: FakeBridge;
let explore: Explore;
let end: () => void;

beforeEach(() => {
  bridge = new FakeBridge(fullWorld(testNowMs));
  bridge.answer('runs.page', ({ index }) => ok({ index } as unknown as RunPage));
  installBridge(bridge);
  explore = new Explore();
  end = explore.start();
});

/** The places of the pages that are shown. */
const pages = () => explore.pages.map((page) => (page as unknown as { index: number }).index);
const shown = () => ({ run: explore.run?.id ?? null, starting: explore.starting, error: explore.error });

describe('the form', () => {
  it('fills in no value without a field, as a link from another version may have', () => {
    const explore = new Explore();
    const values = { chainId: '43114', sortBy: 'nonce' };
    explore.prefill({ id: 'address-transactions', values });
    expect(explore.values).toEqual({ chainId: '43114' });
    // What this version does not know may be shown again.
    explore.prefill({ id: 'unknown', values });
    expect(explore.values).toEqual(values);
  });

  it('drops what another form would refuse, so that nothing is wrong before anything was typed', () => {
    const explore = new Explore();
    explore.prefill({ id: 'staking-metrics', values: { network: 'fuji', metric: 'validatorWeight' } });
    explore.choose('rolling-window-metrics');
    expect(explore.values).toEqual({});
    explore.prefill({ id: 'staking-metrics', values: { network: 'fuji', metric: 'validatorWeight' } });
    explore.choose('icm-timeseries');
    expect(explore.values['metric']).toBeUndefined();
  });

  it('drops a range that ends before it begins, and keeps any other, even where something is missing', () => {
    const range = (startBlock: string, endBlock: string) => ({ chainId: '1', startBlock, endBlock });
    for (const values of [range('9', '3'), range('3', '9')]) {
      explore.prefill({ id: 'address-transactions', values });
      explore.choose('address-internal-transactions');
      expect(explore.values).toEqual(values.startBlock === '9' ? {} : values);
    }
  });

  it('keeps what another form has as well, but no page, and nothing of the query', () => {
    explore.prefill({ id: 'address-transactions', values: {} });
    for (const [name, value] of Object.entries({ chainId: '1', address: '0x1', pageToken: 'p', odd: '1' }))
      explore.setValue(name, value);
    explore.open(
      runOf('r', 0, {
        target: { kind: 'endpoint', endpointId: 'transaction', params: { chainId: '5', txHash: '0x1' } },
      }),
    );
    explore.setValue('pageToken', 'p');
    explore.setValue('odd', '1');
    explore.choose('transaction');
    expect([explore.run?.id, explore.values]).toEqual([
      'r',
      { chainId: '5', txHash: '0x1', pageToken: 'p', odd: '1' },
    ]);
    explore.choose('address-transactions');
    expect([explore.choice, explore.run, explore.values]).toEqual([
      'address-transactions',
      null,
      { chainId: '5' },
    ]);
    explore.choose('no such form');
    expect(explore.values).toEqual({});
  });
});

describe('a query', () => {
  it('shows nothing, waits, and shows its pages in order, those that come later too', async () => {
    expect([shown(), pages(), explore.running]).toEqual([
      { run: null, starting: false, error: null },
      [],
      [],
    ]);
    bridge.answer('runs.start', () => ok(runOf('r', 2)));
    const asked = explore.ask(target, 'all');
    expect(explore.starting).toBe(true);
    await asked;
    expect(bridge.argsOf('runs.start')).toEqual([{ target, pages: 'all' }]);
    await expect.poll(pages).toEqual([0, 1]);
    expect(shown()).toEqual({ run: 'r', starting: false, error: null });
    bridge.emit('run.changed', runOf('r', 5));
    bridge.emit('run.changed', runOf('other', 9));
    await expect.poll(pages).toEqual([0, 1, 2, 3, 4]);
    expect(bridge.argsOf('runs.page').map(({ runId, index }) => `${runId} ${index}`)).toEqual(
      [0, 1, 2, 3, 4].map((index) => `r ${index}`),
    );
    end();
    bridge.emit('run.changed', runOf('r', 7));
    expect(explore.run?.pageCount).toBe(5);
  });

  it('shows its first page at once and further ones in ever larger steps, and reads each once', async () => {
    const seen: number[] = [];
    bridge.answer('runs.page', ({ index }) => {
      seen.push(pages().length);
      if (index === 3) bridge.emit('run.changed', runOf('r', 9));
      return ok({ index } as unknown as RunPage);
    });
    explore.open(runOf('r', 8));
    await expect.poll(pages).toHaveLength(9);
    expect(seen).toEqual([0, 1, 2, 2, 4, 4, 4, 4, 8]);
  });

  it('is in the list of all as the last event says', async () => {
    bridge.answer('runs.list', () => ok({ runs: [runOf('r', 1)], totalCount: 1, unreadableCount: 0 }));
    explore.past.show();
    await explore.past.find(everyRun);
    bridge.answer('runs.list', () => ok({ runs: [runOf('r', 2)], totalCount: 1, unreadableCount: 0 }));
    bridge.emit('run.changed', runOf('r', 2));
    await expect.poll(() => explore.past.at(0)?.pageCount).toBe(2);
  });

  it('says why it could not begin, and why a page could not be read, after which it can be read again', async () => {
    bridge.answer('runs.start', () => err(failure));
    await explore.ask(target, 'one');
    expect(shown()).toEqual({ run: null, starting: false, error: failure });
    bridge.answer('runs.page', ({ index }) =>
      index === 1 ? err(failure) : ok({ index } as unknown as RunPage),
    );
    explore.open(runOf('r', 3));
    expect(explore.error).toBeNull();
    await expect.poll(() => explore.error).toEqual(failure);
    expect(pages()).toEqual([0]);
    bridge.answer('runs.page', ({ index }) => ok({ index } as unknown as RunPage));
    explore.readAgain();
    await expect.poll(pages).toEqual([0, 1, 2]);
    expect(explore.error).toBeNull();
  });

  it('can be cancelled while its first page is awaited, but not another one that begins then', async () => {
    const answer = Promise.withResolvers<void>();
    const begun = { state: 'running' } as const;
    const stopped = runOf('r', 0, { state: 'partial' });
    bridge.answer('runs.start', async () => {
      await answer.promise;
      return ok(stopped);
    });
    const asked = explore.ask(target, 'one');
    bridge.emit('run.changed', runOf('other', 0, { ...begun, target: { ...target, params: {} } }));
    expect(explore.run).toBeNull();
    bridge.emit('run.changed', runOf('r', 0, begun));
    await explore.cancel();
    expect(bridge.argsOf('runs.cancel')).toEqual([{ runId: 'r' }]);
    answer.resolve();
    await asked;
    expect([explore.run, explore.starting]).toEqual([stopped, false]);
    // Told by then.
    bridge.emit('run.changed', runOf('again', 0, begun));
    expect(explore.run?.id).toBe('r');
  });

  it('is dropped with its answers when another one is shown meanwhile', async () => {
    const answers: (() => void)[] = [];
    bridge.answer(
      'runs.start',
      () => new Promise((resolve) => answers.push(() => resolve(ok(runOf('late'))))),
    );
    const late = explore.ask(target, 'one');
    explore.prefill({ id: 'chain', values: {} });
    expect(explore.starting).toBe(false);
    answers[0]?.();
    await late;
    expect(explore.run).toBeNull();
    bridge.answer(
      'runs.page',
      ({ index }) =>
        new Promise((resolve) => answers.push(() => resolve(ok({ index } as unknown as RunPage)))),
    );
    explore.open(runOf('one', 1));
    bridge.answer('runs.page', ({ index }) => ok({ index: 10 + index } as unknown as RunPage));
    explore.open(runOf('two', 1));
    await expect.poll(pages).toEqual([10]);
    answers[1]?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect([explore.run?.id, pages()]).toEqual(['two', [10]]);
  });

  it('goes on, and is as before where it cannot', async () => {
    await explore.goOn('one');
    expect(bridge.argsOf('runs.continue')).toEqual([]);
    explore.open(runOf('r', 0, { state: 'failed', error: failure }));
    bridge.answer('runs.continue', () => err(failure));
    const failed = explore.goOn('one');
    expect(explore.run).toMatchObject({ state: 'running', error: null });
    await failed;
    expect([explore.run?.state, explore.error]).toEqual(['failed', failure]);
    bridge.answer('runs.continue', () => ok(runOf('r', 1)));
    const going = explore.goOn('all');
    expect(explore.error).toBeNull();
    await going;
    expect(bridge.argsOf('runs.continue').at(-1)).toEqual({ runId: 'r', pages: 'all' });
    expect(explore.run?.state).toBe('complete');
    const answers: (() => void)[] = [];
    bridge.answer('runs.continue', () => new Promise((resolve) => answers.push(() => resolve(err(failure)))));
    const late = explore.goOn('all');
    explore.prefill({ id: 'chain', values: {} });
    answers[0]?.();
    await late;
    expect(shown()).toEqual({ run: null, starting: false, error: null });
  });

  it('is cancelled and removed; another one that is removed stays away', async () => {
    await explore.cancel();
    expect(bridge.argsOf('runs.cancel')).toEqual([]);
    expect(await explore.remove('other')).toEqual(ok({ undoId: 'run other' }));
    explore.open(runOf('r'));
    bridge.answer('runs.cancel', () => ok(null));
    await explore.cancel();
    expect([bridge.argsOf('runs.cancel'), explore.error]).toEqual([[{ runId: 'r' }], null]);
    bridge.answer('runs.cancel', () => err(failure));
    await explore.cancel();
    expect(explore.error).toEqual(failure);
    bridge.answer('runs.remove', () => err(failure));
    await explore.remove('r');
    expect(explore.run?.id).toBe('r');
    bridge.answer('runs.remove', () => ok({ undoId: 'u' }));
    await explore.remove('other');
    expect(explore.run?.id).toBe('r');
    expect(await explore.remove('r')).toEqual(ok({ undoId: 'u' }));
    expect(explore.run).toBeNull();
  });

  it('is among those under way from its first page to its end, with where it was first seen', () => {
    const seen = () => explore.running.map(({ run, since }) => [run.id, run.pageCount, since.pageCount]);
    const running = (id: string, pageCount: number) => runOf(id, pageCount, { state: 'running' });
    bridge.emit('run.changed', running('a', 0));
    expect(seen()).toEqual([]);
    for (const run of [running('a', 1), running('b', 2), running('a', 4)]) bridge.emit('run.changed', run);
    expect(seen()).toEqual([
      ['b', 2, 2],
      ['a', 4, 1],
    ]);
    bridge.emit('run.changed', runOf('b', 3));
    expect(seen()).toEqual([['a', 4, 1]]);
  });

  it('of before is shown again, unless it is shown already', async () => {
    explore.open(runOf('r', 1));
    await expect.poll(pages).toEqual([0]);
    const { choice, values, run } = explore;
    explore.restore({ choice, values: {}, run });
    expect(explore.values).toBe(values);
    explore.prefill({ id: 'chain', values: {} });
    bridge.emit('run.changed', runOf('r', 2));
    explore.restore({ choice, values, run });
    expect([explore.values, explore.run?.id]).toEqual([values, 'r']);
    await expect.poll(() => pages().length).toBeGreaterThan(0);
    // Of one form, each with another query or none, and of two forms without one.
    for (const [choice, run] of [
      ['chain', null],
      ['chain', runOf('r')],
      ['chain', null],
      ['transaction', null],
      [null, null],
    ] as const) {
      explore.restore({ choice, values: {}, run });
      expect([explore.choice, explore.run?.id]).toEqual([choice, run?.id]);
      expect(explore.values).toEqual({});
    }
    expect(pages()).toEqual([]);
  });
});

describe('what can be asked', () => {
  it('is each once, in groups, and gives back what was filled in', () => {
    expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length);
    expect([...new Set(catalogue.map(({ group }) => group))]).toEqual([
      'Chain data',
      'Chain metrics',
      'Node calls',
    ]);
    for (const { id, isNodeCall, isPaged, group, title, targetOf, params } of catalogue) {
      expect([isNodeCall, title]).toEqual([group === 'Node calls', titleOf(targetOf({}))]);
      if (isNodeCall) expect(isPaged).toBe(false);
      const names = Object.keys(params);
      const values = Object.fromEntries(names.map((name) => [name, 'x']));
      expect(requestOf(targetOf(values))).toEqual({ id, values });
    }
    expect(catalogue.filter(({ isPaged }) => isPaged).map(({ id }) => id)).toContain('address-transactions');
    expect(findAskable('transaction')?.isPaged).toBe(false);
    expect(findAskable('no such')).toBeUndefined();
  });

  it('names the path of a node call by how it is made', () => {
    const paths = catalogue.filter(({ isNodeCall }) => isNodeCall).map(({ path }) => path);
    expect(paths.some((path) => path.startsWith('GET /ext/health'))).toBe(true);
    expect(paths.some((path) => / at \/ext\//.test(path))).toBe(true);
  });

  it('separates tags by spaces and commas, and calls what it does not know by its id', () => {
    const health = catalogue.find(({ params }) => Object.hasOwn(params, 'tags'));
    expect(health?.targetOf({ node: 'n', tags: ' a, b  c ' })).toMatchObject({
      nodeId: 'n',
      tags: ['a', 'b', 'c'],
    });
    expect(health?.targetOf({})).toMatchObject({ kind: 'node', nodeId: '', tags: [] });
    const unknown = {
      kind: 'node',
      callId: 'later',
      nodeId: 'n',
      tags: ['a'],
    } as unknown as RunSummary['target'];
    expect([titleOf(unknown), requestOf(unknown)]).toEqual(['later', { id: 'later', values: { node: 'n' } }]);
  });

  it('is listed in the order of the specification: endpoints by their numbers, then the calls of a node', () => {
    const ofService = catalogue.filter(({ isNodeCall }) => !isNodeCall).map(({ id }) => id as EndpointId);
    expect(ofService.map((id) => endpoints[id].number)).toEqual(
      Object.values(endpoints)
        .map(({ number }) => number)
        .sort((a, b) => a - b),
    );
    expect(catalogue.slice(ofService.length).map(({ id }) => id)).toEqual(nodeCalls.map(({ id }) => id));
  });

  it('can be asked for to the last page only where there are several', () => {
    expect(['validator-metrics', 'get-ext-health'].map((id) => findAskable(id)?.isPaged)).toEqual([
      false,
      false,
    ]);
  });

  it('of a node takes a watched node, which it needs, and tags under the name of its interface', () => {
    const [byGet, byRpc, without] = ['get-ext-health', 'rpc-health-health', 'rpc-health-liveness'].map(
      findAskable,
    );
    expect(byGet?.params).toEqual({
      node: { in: 'query', kind: 'watched-node', required: true, description: 'One of your watched nodes.' },
      tag: {
        in: 'query',
        kind: 'tags',
        required: false,
        description: expect.stringMatching(/mistyped/) as string,
      },
    });
    expect([byGet, byRpc, without].map((call) => Object.keys(call?.params ?? {}))).toEqual([
      ['node', 'tag'],
      ['node', 'tags'],
      ['node'],
    ]);
    expect([byGet?.path, byRpc?.path]).toEqual(['GET /ext/health', 'health.health at /ext/health']);
    const asked = byRpc?.targetOf({ node: 'n', tags: 'a b' });
    expect(asked && requestOf(asked)).toEqual({
      id: 'rpc-health-health',
      values: { node: 'n', tags: 'a b' },
    });
  });
});
