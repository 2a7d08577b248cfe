import { describe, expect, it } from 'vitest';
import { sampleFacets } from '../../../adapters/storage/testing/sample-data.ts';
import { transaction } from '../../../../shared/endpoints/data.ts';
import { decodeAnswer } from '../../../../shared/endpoints/decode-answer.ts';
import { unwrap } from '../../../../shared/errors.ts';
import { blockHashOf, hashOf } from '../testing/paging-service.ts';
import { watchedAddress } from '../testing/test-stores.ts';
import { buildWatchHarness } from '../testing/watch-harness.ts';

const address = '0x52908400098527886E0F7030069857D2E4169EE7';
const chainId = '43114';
const ref = { address, chainId, list: 'transactions' as const };
const everything = { pills: [], text: '', showHidden: false };
const txHash0 = hashOf({ block: 1_000, index: 0 });
const all = { filter: everything, offset: 0, anchor: null, limit: 100 };

async function build(count: number) {
  const harness = buildWatchHarness();
  void harness.stores.watchlist.put(watchedAddress(address));
  for (let i = 0; i < count; i += 1) harness.paging.transactions.push({ block: 1_000 + i, index: 0 });
  harness.sync.start(ref, 'user');
  await harness.rest();
  return harness;
}

async function firstRow({ rows }: Awaited<ReturnType<typeof build>>) {
  const read = await rows.read(all);
  const [row] = read.ok ? read.value.rows : [];
  if (row === undefined) throw new Error('there are some');
  return row;
}

describe('reading rows', () => {
  it('gives them newest first, from a place on', async () => {
    const { rows } = await build(5);
    const first = await rows.read({ ...all, limit: 3 });
    if (!first.ok) throw new Error(first.error.message);
    expect(first.value).toMatchObject({ totalCount: 5, offset: 0, hiddenCount: 0, partialCount: 5 });
    expect(first.value.rows[0]).toMatchObject({
      chainId,
      address,
      txHash: hashOf({ block: 1_004, index: 0 }),
      blockNumber: '1004',
      timestampMs: 1_600_001_004_000,
      firstSeenMs: 1_700_000_000_000,
      completeness: 'partial',
      transaction: { nativeTransaction: { blockNumber: '1004', value: '1' } },
      marks: { integrityNote: null, reorg: null, versionCount: 0 },
    });
    const second = await rows.read({ ...all, offset: 3 });
    if (!second.ok) throw new Error(second.error.message);
    expect(second.value.rows.map(({ blockNumber }) => blockNumber)).toEqual(['1001', '1000']);
  });

  it('keeps every part that came, says which could not be read, and never counts the row as complete', async () => {
    const harness = await build(1);
    const odd = '{"from":{"address":"0xff"},"value":"7","logIndex": 3}';
    const bodyText = `{"nativeTransaction":{"blockNumber":1000,"blockTimestamp":1600001000,"txHash":"${txHash0}"}, "erc20Transfers":[ ${odd} ]}`;
    const { data, notes } = unwrap(decodeAnswer(transaction, bodyText));
    await harness.rows.takeAnswer({
      endpointId: 'transaction',
      params: { chainId, txHash: txHash0 },
      data,
      notes,
      bodyText,
      fetchedAtMs: 1_700_000_000_500,
    });
    const read = await harness.rows.read(all);
    const row = read.ok ? read.value.rows[0] : undefined;
    expect(row).toMatchObject({
      completeness: 'complete',
      unread: [
        { path: 'erc20Transfers[0]', why: expect.stringContaining('erc20Token') as string, text: odd },
      ],
    });
    expect(await harness.rows.text(row?.id ?? 0)).toEqual({
      ok: true,
      value: { text: bodyText, isReceived: true, requestUrl: null },
    });
    const matching = async (value: string, not = false) => {
      const pills = [{ field: 'completeness' as const, not, values: [value] }];
      const found = await harness.rows.read({ ...all, filter: { ...everything, pills } });
      return found.ok ? found.value.totalCount : null;
    };
    expect([await matching('complete'), await matching('unread'), await matching('complete', true)]).toEqual([
      0, 1, 1,
    ]);
  });

  it.each([
    ['{"native":"transaction"}', false],
    ['no json', true],
  ])(
    'keeps the place of a row that an older version stored as %s, and shows what is stored; received so: %s',
    async (json, isReceived) => {
      const harness = await build(2);
      const row = await harness.stores.activity.readRow((await firstRow(harness)).id);
      if (row === null) throw new Error('it was read just now');
      await harness.stores.activity.putRows([
        {
          row: { ...row, transactionJson: json, isReceived, facets: sampleFacets() },
          integrityNote: null,
          replaced: null,
        },
      ]);
      expect(await harness.rows.read(all)).toMatchObject({
        value: {
          rows: [{ blockNumber: '1001', completeness: 'unreadable' }, { blockNumber: '1000' }],
          totalCount: 2,
        },
      });
      expect(await harness.rows.text(row.id)).toMatchObject({
        ok: true,
        value: { text: json, isReceived },
      });
    },
  );

  it('tells when the store fails', async () => {
    const { stores, rows } = await build(1);
    stores.activity.readRows = () => Promise.reject(new Error('broken'));
    expect(await rows.read(all)).toMatchObject({ ok: false, error: { code: 'internal', ref: 'ref' } });
  });

  it('gives the ledger and the audit of an address in any spelling', async () => {
    const { rows } = await build(3);
    const ledger = await rows.ledger(address.toLowerCase(), chainId);
    expect(ledger).toMatchObject({
      value: [
        {
          list: 'transactions',
          sync: { rowCount: 3 },
          proofs: [{ fromBlock: '0', toBlock: '1003', runId: 'id-1' }],
        },
        { list: 'erc20', sync: { state: 'never' }, proofs: [] },
        { list: 'erc1155' },
        { list: 'internal' },
        { list: 'native' },
      ],
    });
    expect(await rows.audit(address.toLowerCase(), chainId)).toMatchObject({
      value: { gaps: [], notCompared: [{ why: 'never-fetched' }, {}, {}, {}] },
    });
    expect(await rows.otherHalf({ messageId: '0xm', chainId })).toEqual({ ok: true, value: null });
  });

  it('finds the other half of a message in a stored answer, on another chain and under either spelling', async () => {
    const { rows, stores } = await build(1);
    const native = { txHash: '0xhalf', blockNumber: '7', blockTimestamp: 1_600_000_007 };
    const put = (key: string, paramsJson: string, detail: object, endpointId = 'transaction') =>
      stores.answers.write({
        key,
        endpointId,
        paramsJson,
        bodyText: JSON.stringify(detail),
        fetchedAtMs: 1,
      });
    await put('same chain', `{"chainId":"${chainId}"}`, {
      nativeTransaction: native,
      crosschainMessageInfo: { crosschainMessageId: '0xm' },
    });
    await put('only mentions it', '{"chainId":"7"}', { nativeTransaction: { ...native, input: '0xm' } });
    await put('no chain', '[]', {
      nativeTransaction: native,
      crosschainMessageInfo: { crosschainMessageId: '0xm' },
    });
    await put('unreadable', '{"chainId":"7"}', { message: '0xm' });
    expect(await rows.otherHalf({ messageId: '0xm', chainId })).toEqual({ ok: true, value: null });
    const deployment = { nativeTransaction: native, crosschainMessageInfo: { crosschainMessageId: '0xn' } };
    await put('a deployment', '{"chainId":"9","address":"0x1"}', deployment, 'contract-deployment');
    expect(await rows.otherHalf({ messageId: '0xn', chainId })).toMatchObject({ value: { chainId: '9' } });
    await put('the half', '{"chainId":"7"}', {
      nativeTransaction: native,
      teleporterMessageInfo: { teleporterMessageId: '0xm' },
    });
    expect(await rows.otherHalf({ messageId: '0xm', chainId })).toEqual({
      ok: true,
      value: { chainId: '7', txHash: '0xhalf', timestampMs: 1_600_000_007_000 },
    });
  });

  it('takes the user’s word about a token, and that is told for its chain', async () => {
    const harness = await build(1);
    harness.changes.length = 0;
    await harness.rows.judge({ target: { kind: 'token', token: `${chainId} native` }, decision: 'hide' });
    await harness.rows.judge({ target: { kind: 'token', token: '1 native' }, decision: 'hide' });
    expect(harness.changes).toMatchObject([{ address, chainId, list: 'transactions' }]);
  });

  it('takes the user’s word about a row, and that is told', async () => {
    const harness = await build(2);
    const { id } = await firstRow(harness);
    harness.changes.length = 0;
    expect(await harness.rows.judge({ target: { kind: 'row', rowId: id }, decision: 'hide' })).toEqual({
      ok: true,
      value: null,
    });
    expect(harness.changes).toMatchObject([{ address, chainId }]);
    expect(await harness.rows.read(all)).toMatchObject({ value: { totalCount: 1, hiddenCount: 1 } });
    await harness.rows.judge({ target: { kind: 'row', rowId: id }, decision: null });
    expect(await harness.rows.read(all)).toMatchObject({ value: { totalCount: 2, hiddenCount: 0 } });
    harness.stores.failWrites(true);
    expect(
      await harness.rows.judge({ target: { kind: 'token', token: `${chainId} native` }, decision: 'hide' }),
    ).toMatchObject({
      ok: false,
      error: { code: 'storage' },
    });
  });
});

describe('completing rows', () => {
  const txHash = hashOf({ block: 1_001, index: 0 });
  const detail = (value = '1') => ({
    nativeTransaction: {
      txHash,
      blockNumber: '1001',
      blockTimestamp: 1_600_001_001,
      value,
      gasUsed: '21000',
    },
    erc20Transfers: [],
  });
  const arrived = (data: unknown = detail()) => ({
    endpointId: 'transaction',
    params: { chainId, txHash },
    data,
    notes: [],
    bodyText: JSON.stringify(data),
    fetchedAtMs: 1_700_000_000_500,
  });

  it('a fetched transaction completes the rows that have it, and that is told', async () => {
    const { changes, rows } = await build(3);
    changes.length = 0;
    expect(await rows.takeAnswer(arrived())).toMatchObject({ ok: true });
    expect(changes).toMatchObject([{ address, chainId, list: 'transactions' }]);
    expect(await rows.read(all)).toMatchObject({
      value: {
        partialCount: 2,
        rows: [
          { completeness: 'partial' },
          {
            completeness: 'complete',
            transaction: detail(),
            fetchedAtMs: 1_700_000_000_500,
            blockNumber: '1001',
            marks: { integrityNote: null, versionCount: 0 },
          },
          { completeness: 'partial' },
        ],
      },
    });
  });

  it('that lacks what the list showed carries a note, and the old version is kept', async () => {
    const { rows, stores } = await build(3);
    await rows.takeAnswer(arrived(detail('2')));
    const read = await rows.read(all);
    const row = read.ok ? read.value.rows[1] : undefined;
    expect(row).toMatchObject({
      completeness: 'complete',
      marks: { integrityNote: expect.stringContaining('1 transaction') as string, versionCount: 1 },
    });
    expect(await stores.activity.versions(row?.id ?? -1)).toMatchObject([
      { why: 'integrity', transactionJson: expect.stringContaining('"value":"1"') as string },
    ]);
    // A later answer does not wipe the note away.
    await rows.takeAnswer({ ...arrived(detail('2')), fetchedAtMs: 1_700_000_000_600 });
    expect(await rows.read(all)).toMatchObject({
      value: { rows: [{}, { marks: { integrityNote: expect.any(String) as string } }, {}] },
    });
  });

  it('that comes after a newer answer changes nothing', async () => {
    const { rows } = await build(3);
    await rows.takeAnswer(arrived());
    await rows.takeAnswer({ ...arrived(detail('2')), fetchedAtMs: 1_700_000_000_499 });
    expect(await rows.read(all)).toMatchObject({
      value: { rows: [{}, { transaction: detail(), fetchedAtMs: 1_700_000_000_500 }, {}] },
    });
  });

  it('in a block with another hash is marked as reorganised, without a note', async () => {
    const { rows } = await build(3);
    const moved = { ...detail('2') };
    Object.assign(moved.nativeTransaction, { blockHash: `0x${'9'.repeat(64)}` });
    await rows.takeAnswer(arrived(moved));
    expect(await rows.read(all)).toMatchObject({
      value: { rows: [{}, { marks: { integrityNote: null, reorg: 'reorganised', versionCount: 1 } }, {}] },
    });
  });

  it('in a block with another hash puts the lists in doubt from there on, and what is gone below is found', async () => {
    const harness = await build(200);
    const { paging, rows, stores, sync, rest, time } = harness;
    await time.advance(60_000);
    // The newest 100 blocks are others, and one of them, deeper than is looked at again, has lost its transaction.
    const gone = 1_120;
    paging.transactions.splice(gone - 1_000, 1);
    for (const made of paging.transactions) if (made.block >= 1_100) made.fork = 1;
    const asked = paging.requests.length;
    for (const { block } of paging.transactions.filter((made) => made.block >= 1_130)) {
      const own = hashOf({ block, index: 0 });
      const nativeTransaction = {
        txHash: own,
        blockNumber: String(block),
        blockHash: blockHashOf({ block, index: 0, fork: 1 }),
      };
      const data = { nativeTransaction: { ...nativeTransaction, blockTimestamp: 1_600_000_000 + block } };
      const answer = { ...arrived(data), params: { chainId, txHash: own } };
      expect(await rows.takeAnswer(answer)).toMatchObject({ ok: true });
    }
    await rest();
    // By itself, without waiting for the next check.
    expect(paging.requests.length).toBeGreaterThan(asked);
    expect(sync.status(ref)).toMatchObject({ state: 'complete' });
    const marked = stores.rowsOf(address, chainId).filter(({ reorg }) => reorg === 'gone');
    expect(marked.map(({ blockNumber }) => blockNumber)).toEqual([gone]);
    expect(await stores.activity.readSync(ref)).toMatchObject({
      covered: [{ fromBlock: '0', toBlock: '1200' }],
    });
  });

  it('of a row that is gone puts the lists in doubt, and they say whether it is there', async () => {
    const harness = await build(3);
    const { paging, rows, stores, sync, rest, time } = harness;
    await time.advance(60_000);
    paging.transactions.splice(1, 1);
    sync.start(ref, 'user');
    await rest();
    const marks = () => stores.rowsOf(address, chainId).map(({ reorg }) => reorg);
    expect(marks()).toEqual([null, 'gone', null]);
    await time.advance(60_000);
    await rows.takeAnswer({ ...arrived(), fetchedAtMs: time.clock.nowMs() });
    await rest();
    expect(marks()).toEqual([null, 'gone', null]);
  });

  it('a later list does not undo it', async () => {
    const { sync, rest, rows } = await build(3);
    await rows.takeAnswer(arrived());
    sync.start(ref, 'user');
    await rest();
    expect(await rows.read(all)).toMatchObject({ value: { rows: [{}, { completeness: 'complete' }, {}] } });
  });

  it('other answers, other chains, unknown and mixed-up transactions change nothing', async () => {
    const { changes, rows } = await build(3);
    changes.length = 0;
    await rows.takeAnswer({ ...arrived(), endpointId: 'chain-transactions' });
    await rows.takeAnswer({ ...arrived(), params: { chainId: '1', txHash } });
    await rows.takeAnswer({ ...arrived(), params: { chainId, txHash: `0x${'f'.repeat(64)}` } });
    await rows.takeAnswer({ ...arrived(), params: { chainId, txHash: hashOf({ block: 1_002, index: 0 }) } });
    expect(changes).toEqual([]);
    expect(await rows.read(all)).toMatchObject({ value: { partialCount: 3 } });
  });

  it('tells when the store fails', async () => {
    const { stores, rows } = await build(3);
    stores.failWrites(true);
    expect(await rows.takeAnswer(arrived())).toMatchObject({ ok: false, error: { code: 'storage' } });
  });
});
