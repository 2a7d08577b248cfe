import { beforeEach, describe, expect, it } from 'vitest';
import type { ActivityRow } from '../../../shared/activity/types.ts';
import { err, ok, type Result } from '../../../shared/errors.ts';
import type { QueryResult } from '../../../shared/ipc/answers.ts';
import type { TransactionDetail } from '../../../shared/endpoints/records.ts';
import { FakeBridge, installBridge } from '../testing/fake-bridge.ts';
import { testNowMs } from '../testing/render.ts';
import { fullWorld, sampleAddresses, type World } from '../testing/sample-world.ts';
import { detailOf, partialRow } from '../testing/transaction-drawer.ts';
import { AppState } from './app.svelte.ts';
import { Explore } from './explore.svelte.ts';
import { Navigation } from './navigation.svelte.ts';
import { OpenedTransaction, type TransactionSubject } from './opened-transaction.svelte.ts';

const detail = detailOf(2);
const row = partialRow(2);
const { txHash } = row;
const failure = { code: 'storage', message: 'busy' } as const;
const lookup: TransactionSubject = {
  kind: 'question',
  question: { endpointId: 'transaction', params: { chainId: '43114', txHash } },
};

const answer = (more: Partial<QueryResult<TransactionDetail>> = {}): QueryResult<TransactionDetail> => ({
  ...{ data: detail, fetchedAtMs: testNowMs, source: 'network', stale: false, notes: [] },
  ...more,
});

let world: World;
let bridge: FakeBridge;
let app: AppState;

beforeEach(async () => {
  world = fullWorld(testNowMs);
  bridge = new FakeBridge(world);
  bridge.answer('endpoint.query', () => ok(answer()));
  installBridge(bridge);
  app = new AppState();
  app.start();
  await expect.poll(() => app.phase).toBe('ready');
});

const open = (subject: TransactionSubject) => new OpenedTransaction(app, () => subject);
const stored = (...rows: ActivityRow[]) =>
  bridge.answer('activity.rows', () =>
    ok({ rows, offset: 0, totalCount: rows.length, hiddenCount: 0, partialCount: 0, unrankedCount: 0 }),
  );
const changed = (chainId: string) => {
  const sync = app.watchlist[0]?.chains[0]?.sync;
  if (sync === undefined) throw new Error('the sample has no history');
  bridge.emit('activity.changed', { address: row.address, chainId, list: 'transactions', sync });
  return new Promise((resolve) => setImmediate(resolve));
};
const complete = (fetchedAtMs: number): ActivityRow => ({
  ...row,
  fetchedAtMs,
  completeness: 'complete',
  transaction: detail,
});
const refreshes = () => bridge.argsOf('endpoint.query').map(({ refresh }) => refresh);

describe('a row that is opened', () => {
  it('is shown as it is stored until the service has answered', async () => {
    const opened = open({ kind: 'row', row });
    expect(opened.question).toEqual(lookup.question);
    expect([opened.txHash, opened.chainId, opened.loading, opened.error]).toEqual([
      txHash,
      '43114',
      false,
      null,
    ]);
    expect(opened.shown).toMatchObject({ completeness: 'partial', address: row.address, row });
    expect(opened.native).toMatchObject({ symbol: 'AVAX', decimals: 18 });
    const loading = opened.load();
    expect(opened.loading).toBe(true);
    await loading;
    expect(refreshes()).toEqual(['if-stale']);
    expect(opened.loading).toBe(false);
    expect(opened.shown).toMatchObject({
      completeness: 'complete',
      address: row.address,
      row,
      timestampMs: row.timestampMs,
      fetchedAtMs: testNowMs,
      unread: [],
    });
    expect(opened.described?.kind).toBe('exchange');
    await opened.load(true);
    expect(refreshes()).toEqual(['if-stale', 'always']);
    expect(bridge.argsOf('endpoint.query').every(({ includeRaw }) => includeRaw)).toBe(true);
    // The row is there already.
    expect(bridge.argsOf('activity.rows')).toEqual([]);
  });

  it('asks nobody while it is complete, and is what is newer of row and stored answer', async () => {
    const opened = open({ kind: 'row', row: complete(testNowMs) });
    bridge.answer('endpoint.query', () => err({ code: 'not-found', message: 'nothing is stored' }));
    const loading = opened.load();
    expect(opened.loading).toBe(false);
    await loading;
    expect(refreshes()).toEqual(['cached']);
    expect([opened.error, opened.answer]).toEqual([null, null]);
    expect(opened.shown).toMatchObject({ completeness: 'complete', fetchedAtMs: testNowMs });
    bridge.answer('endpoint.query', () => ok(answer({ source: 'cache', fetchedAtMs: testNowMs - 1 })));
    await opened.load();
    expect(opened.answer).toBeNull();
    for (const newer of [
      answer({ source: 'cache', fetchedAtMs: testNowMs }),
      answer({ fetchedAtMs: testNowMs - 1 }),
    ]) {
      bridge.answer('endpoint.query', () => ok(newer));
      await opened.load();
      expect(opened.answer).toEqual(newer);
    }
    bridge.answer('endpoint.query', () => err(failure));
    await opened.load();
    expect(opened.error).toEqual(failure);
    // A partial row says less than any whole answer.
    const partial = open({ kind: 'row', row });
    bridge.answer('endpoint.query', () => ok(answer({ source: 'cache', fetchedAtMs: 1 })));
    await partial.load();
    expect(partial.answer?.fetchedAtMs).toBe(1);
  });

  it('says why it is not complete, or not current, and what could not be read', async () => {
    const opened = open({ kind: 'row', row });
    bridge.answer('endpoint.query', () => err({ code: 'not-found', message: 'unknown' }));
    await opened.load();
    expect(opened.error?.code).toBe('not-found');
    expect(opened.shown?.completeness).toBe('partial');
    const odd = { ...detail, erc20Transfers: [{ odd: 1 }] };
    bridge.answer('endpoint.query', () =>
      ok(answer({ refreshError: failure, rawText: JSON.stringify(odd) })),
    );
    await opened.load(true);
    expect(opened.error).toEqual(failure);
    expect(opened.shown?.unread).toHaveLength(1);
    const unreadable = open({
      kind: 'row',
      row: { ...row, completeness: 'unreadable', transaction: null } as ActivityRow,
    });
    expect([unreadable.shown, unreadable.described]).toEqual([null, null]);
  });

  it('follows what is stored of it, such as what the user decides, also where its list shows it no more', async () => {
    const opened = open({ kind: 'row', row });
    const stop = opened.follow();
    const spam = { ...row.marks.spam, hiddenReason: 'user' as const };
    stored({ ...row, id: 78, txHash }, { ...row, marks: { ...row.marks, spam } });
    await changed('43114');
    await expect.poll(() => opened.row?.marks.spam.hiddenReason).toBe('user');
    // Not another row of the transaction.
    expect(opened.row?.id).toBe(row.id);
    opened.stop();
    expect(opened.row).toEqual(row);
    stop();
  });
});

it('shows nothing of a transaction that was shown before, nor of one that was left', async () => {
  const navigation = new Navigation(new Explore());
  const other = world.rows.find((candidate) => candidate.txHash !== txHash);
  if (other === undefined) throw new Error('the sample has one row only');
  navigation.opened = row;
  const opened = new OpenedTransaction(app, () => ({ kind: 'row', row: navigation.opened ?? row }));
  await opened.load();
  const given: ((result: Result<QueryResult<TransactionDetail>>) => void)[] = [];
  bridge.answer('endpoint.query', () => new Promise((give) => void given.push(give)));
  navigation.opened = other;
  const loading = opened.load();
  expect(opened.shown).toMatchObject({ txHash: other.txHash, completeness: other.completeness });
  opened.stop();
  expect(opened.loading).toBe(false);
  given[0]?.(ok(answer()));
  await loading;
  expect(opened.answer).toBeNull();
});

it('has the chain of the address whose row it is, as the timeline does', () => {
  const entry = app.watched(row.address);
  if (entry === null) throw new Error('the sample does not watch the address of its row');
  const chains = entry.chains.map((chain) => ({ ...chain, nativeSymbol: 'OTHER' }));
  bridge.emit('watchlist.changed', [{ ...entry, address: sampleAddresses.hot, chains }, entry]);
  expect(open({ kind: 'row', row }).native.symbol).toBe('AVAX');
  expect(open(lookup).native.symbol).toBe('OTHER');
});

describe('a transaction that is looked up', () => {
  it('has the row that is stored of it, and follows it, but not the rows of others', async () => {
    stored(row);
    const opened = open(lookup);
    expect([opened.row, opened.shown, opened.described]).toEqual([null, null, null]);
    const reads = () => bridge.argsOf('activity.rows').length;
    const stop = opened.follow();
    await opened.load();
    await expect.poll(() => opened.row).toEqual(row);
    expect(reads()).toBe(1);
    await changed('1');
    expect(reads()).toBe(1);
    stored({ ...row, fetchedAtMs: 9 });
    await changed('43114');
    expect(opened.row?.fetchedAtMs).toBe(9);
    // A swarm of changes is one more read after the one under way, and what cannot be read leaves what is shown.
    const before = reads();
    bridge.answer('activity.rows', () => err(failure));
    await Promise.all(Array.from({ length: 20 }, () => changed('43114')));
    await expect.poll(() => reads() - before).toBe(2);
    expect(opened.row?.fetchedAtMs).toBe(9);
    // It is shown while it is read again, now by its number.
    let meanwhile: ActivityRow | null = null;
    bridge.answer('activity.rows', () => ((meanwhile = opened.row), err(failure)));
    await changed('43114');
    expect(meanwhile).not.toBeNull();
    stored(row);
    const changing = changed('43114');
    opened.stop();
    await changing;
    expect(opened.row).toBeNull();
    stop();
  });

  it('is told from the side of the watched address in it, of the first of its parties; else from none', async () => {
    stored();
    const of = async (data: TransactionDetail) => {
      bridge.answer('endpoint.query', () => ok(answer({ data })));
      const opened = open(lookup);
      await opened.load();
      return opened;
    };
    const nobody = '0x0000000000000000000000000000000000000009';
    const between = (from: string, to: string): TransactionDetail => ({
      nativeTransaction: { ...detail.nativeTransaction, from: { address: from }, to: { address: to } },
    });
    const { treasury, hot } = sampleAddresses;
    expect((await of(between(treasury.toLowerCase(), hot))).shown?.address).toBe(treasury);
    expect((await of(between(nobody, hot))).shown?.address).toBe(hot);
    const none = await of(between(nobody, nobody));
    expect([none.shown?.address, none.shown?.row]).toEqual([null, null]);
    const { to: _to, ...deployment } = between(nobody, hot).nativeTransaction;
    expect((await of({ nativeTransaction: deployment })).shown?.address).toBeNull();
    expect(none.described?.direction).toBe('none');
    expect(none.shown?.timestampMs).toBe(detail.nativeTransaction.blockTimestamp * 1_000);
    const move = { from: { address: nobody }, to: { address: hot } };
    const token = { address: nobody };
    for (const moves of [
      { erc20Transfers: [{ ...move, erc20Token: token }] },
      { erc721Transfers: [{ ...move, erc721Token: token }] },
      { erc1155Transfers: [{ ...move, erc1155Token: token }] },
      { internalTransactions: [move] },
    ])
      expect((await of({ ...between(nobody, nobody), ...moves })).shown?.address).toBe(hot);
  });

  it('by the contract that it deployed is known when the service has answered', async () => {
    stored(row);
    const params = { chainId: '43114', address: sampleAddresses.hot };
    const opened = open({
      kind: 'question',
      question: { endpointId: 'contract-deployment', params } as never,
    });
    expect(opened.txHash).toBeNull();
    expect(bridge.argsOf('activity.rows')).toEqual([]);
    await opened.load();
    expect([opened.txHash, opened.row, bridge.argsOf('activity.rows').length]).toEqual([txHash, row, 1]);
    expect(opened.chain?.chainId).toBe('43114');
  });

  it('has the native token that the answer names, else that of the chain, else none', async () => {
    stored();
    const networkToken = { symbol: 'OWN', decimals: 9 };
    bridge.answer('endpoint.query', () =>
      ok(answer({ data: { ...detail, networkTokenDetails: { networkToken } } })),
    );
    const opened = open(lookup);
    expect(opened.native).toEqual({ symbol: 'AVAX', decimals: 18 });
    await opened.load();
    expect(opened.native).toEqual(networkToken);
    // As in the timeline, decimals that no token can have count as not given.
    bridge.answer('endpoint.query', () =>
      ok(
        answer({
          data: { ...detail, networkTokenDetails: { networkToken: { ...networkToken, decimals: 300 } } },
        }),
      ),
    );
    await opened.load(true);
    expect(opened.native).toEqual({ symbol: 'OWN', decimals: 18 });
    const unknown = open({
      kind: 'question',
      question: { endpointId: 'transaction', params: { chainId: '999', txHash } },
    });
    expect([unknown.chain, unknown.native]).toEqual([null, { symbol: null, decimals: null }]);
  });
});
