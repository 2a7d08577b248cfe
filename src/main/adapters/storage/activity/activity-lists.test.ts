import { beforeEach, describe, expect, it } from 'vitest';
import { everything } from '../../../../shared/activity/filter.ts';
import type { ListPage } from '../../../core/activity-ports.ts';
import type { StorePorts } from '../store-ports.ts';
import { backends } from '../testing/backends.ts';
import {
  alice,
  bob,
  sampleAddress,
  sampleFacets,
  samplePage,
  sampleRecord,
  sampleRow,
  sampleSync,
  storageMessage,
  storedRow,
} from '../testing/sample-data.ts';

const list = { address: alice, chainId: '43114', list: 'transactions' } as const;
const erc20 = { ...list, list: 'erc20' } as const;
const covered = (fromBlock: string, toBlock: string) => sampleSync({ covered: [{ fromBlock, toBlock }] });

describe.each(backends)('lists over $name', ({ open }) => {
  let stores: StorePorts;
  beforeEach(async () => {
    stores = open();
    await stores.watchlist.put(sampleAddress());
    await stores.watchlist.put(sampleAddress({ address: bob, addedAtMs: 2 }));
  });

  const save = (fields: Partial<ListPage>) => stores.activity.savePage(samplePage(fields));
  const rows = async () =>
    (
      await stores.activity.readRows({
        filter: { ...everything, showHidden: true },
        offset: 0,
        anchor: null,
        limit: 100,
      })
    ).rows;

  it('count elements that are seen again once, and equal ones of one transaction each', async () => {
    const records = [
      sampleRecord(),
      sampleRecord({ number: 1 }),
      sampleRecord({ recordJson: '{"a":2}', timestampMs: null }),
    ];
    expect(await save({ list: 'erc20', records })).toMatchObject({
      rowCount: 3,
      newestTimestampMs: 1_000,
      oldestTimestampMs: 1_000,
    });
    expect(await save({ list: 'erc20', records })).toMatchObject({ rowCount: 3 });
    expect(await save({ list: 'native', records: [sampleRecord()] })).toMatchObject({ rowCount: 1 });
    expect((await stores.activity.listSyncs()).map((sync) => sync.list)).toEqual(['erc20', 'native']);
    expect(await stores.activity.readSync(list)).toBeNull();
  });

  it('hold only what is theirs', async () => {
    expect(await storageMessage(save({ list: 'erc20', rows: [sampleRow()] }))).toMatch(/another list/);
    expect(await storageMessage(save({ records: [sampleRecord()] }))).toMatch(/another list/);
  });

  it('are stopped and wanted by the user, whatever the walk writes', async () => {
    await stores.activity.setWishes([{ ...erc20, stoppedByUser: true, owed: 'older' }]);
    expect(await save({ list: 'erc20', sync: sampleSync({ checkedAtMs: 5 }) })).toMatchObject({
      stoppedByUser: true,
      owed: 'older',
      checkedAtMs: 5,
    });
    const nothing = { stoppedByUser: false, owed: null };
    // Of one that was removed nothing is wanted.
    await stores.activity.setWishes([
      { ...erc20, address: '0x', ...nothing },
      { ...erc20, ...nothing },
    ]);
    expect(await stores.activity.readSync(erc20)).toMatchObject({ ...nothing, checkedAtMs: 5 });
  });

  describe('the ledger', () => {
    const prove = (runId: string, provenAtMs: number, ...blocks: [string, string][]) =>
      save({
        proof: { runId, provenAtMs, blocks: blocks.map(([fromBlock, toBlock]) => ({ fromBlock, toBlock })) },
      });

    it('joins consecutive proofs of one run that touch, and keeps all others apart', async () => {
      expect(await stores.activity.readProofs(list)).toEqual([]);
      await prove('a', 1, ['90', '100']);
      await prove('a', 2, ['80', '90']);
      await prove('b', 3, ['70', '80']);
      await prove('a', 4, ['60', '70'], ['10', '20']);
      await prove('a', 5, ['10', '99999999999999999999']);
      expect(await stores.activity.readProofs(list)).toEqual([
        { runId: 'a', provenAtMs: 5, fromBlock: '10', toBlock: '99999999999999999999' },
        { runId: 'a', provenAtMs: 4, fromBlock: '60', toBlock: '70' },
        { runId: 'b', provenAtMs: 3, fromBlock: '70', toBlock: '80' },
        { runId: 'a', provenAtMs: 2, fromBlock: '80', toBlock: '100' },
      ]);
      expect(await stores.activity.readProofs({ ...list, chainId: '1' })).toEqual([]);
    });
  });

  describe('a walk over blocks that were walked before', () => {
    const sweep = [{ fromBlock: '5', toBlock: '8' }];

    it('marks rows that are gone, keeps them, and takes the mark back when they are there again', async () => {
      await save({
        rows: ['4', '5', '7', '8'].map((block) =>
          sampleRow({ txHash: `0x${block}`, blockNumber: BigInt(block), fetchedAtMs: 50 }),
        ),
      });
      const seen = sampleRow({ txHash: '0x7', blockNumber: 7n, fetchedAtMs: 100 });
      expect(await save({ rows: [seen], walkAtMs: 2, sweep })).toMatchObject({ rowCount: 4 });
      const marks = async () => (await rows()).map(({ txHash, marks: { reorg } }) => [txHash, reorg]);
      expect(await marks()).toEqual([
        ['0x8', null],
        ['0x7', null],
        ['0x5', 'gone'],
        ['0x4', null],
      ]);
      const back = sampleRow({ txHash: '0x5', blockNumber: 5n, fetchedAtMs: 200 });
      await save({ rows: [back], walkAtMs: 3, sweep });
      expect((await marks())[2]).toEqual(['0x5', null]);
    });

    it('leaves rows alone that the list never had', async () => {
      const pulled = sampleRow({ blockNumber: 6n, fetchedAtMs: 50, completeness: 'complete' });
      await stores.activity.putRows([{ row: pulled, integrityNote: null, replaced: null }]);
      await save({ walkAtMs: 2, sweep });
      expect((await rows())[0]?.marks.reorg).toBeNull();
    });
  });

  it('replace a row whose block has another hash, even a complete one, and keep the old version', async () => {
    const old = sampleRow({ blockHash: 'h1', completeness: 'complete', transactionJson: '{"old":1}' });
    await save({ rows: [old] });
    const fresh = sampleRow({ blockHash: 'h2', blockNumber: 2n, fetchedAtMs: 9_000 });
    await save({ rows: [fresh] });
    const [row] = await rows();
    expect(row === undefined ? null : storedRow(row)).toEqual(fresh);
    expect(row?.marks).toMatchObject({ reorg: 'reorganised', versionCount: 1 });
    expect(await stores.activity.versions(row?.id ?? 0)).toEqual([
      { why: 'reorganised', transactionJson: '{"old":1}', fetchedAtMs: 2_000, replacedAtMs: 9_000 },
    ]);
    // An unknown hash says nothing.
    await save({ rows: [{ ...fresh, blockHash: null, fetchedAtMs: 9_001 }] });
    expect((await rows())[0]?.marks).toMatchObject({ reorg: 'reorganised', versionCount: 1 });
  });

  it('keep what the gone row was when its transaction comes back in another block', async () => {
    await save({ rows: [sampleRow({ blockHash: 'h1' })] });
    await save({ walkAtMs: 2, sweep: [{ fromBlock: '0', toBlock: '9' }] });
    await save({ rows: [sampleRow({ blockHash: 'h2', blockNumber: 7n, fetchedAtMs: 6_000 })] });
    const [row] = await rows();
    expect(row?.marks.reorg).toBe('reorganised');
    expect((await stores.activity.versions(row?.id ?? 0)).map(({ why }) => why)).toEqual(['gone']);
  });

  it('take complete rows with notes and the versions that they replace, or none of them', async () => {
    await save({ rows: [sampleRow()] });
    const complete = sampleRow({ completeness: 'complete', transactionJson: '{"whole":1}' });
    const replaced = { why: 'integrity', transactionJson: '{}', fetchedAtMs: 1, replacedAtMs: 2 } as const;
    await stores.activity.putRows([{ row: complete, integrityNote: 'a leg\0 is missing', replaced }]);
    const [row] = await rows();
    expect(row?.marks).toMatchObject({ integrityNote: 'a leg\0 is missing', versionCount: 1 });
    expect(await stores.activity.versions(row?.id ?? 0)).toEqual([replaced]);
    expect(await stores.activity.countPartial()).toBe(0);
    const hostile = sampleRow({ txHash: '0x09', blockNumber: 2n ** 63n });
    const both = stores.activity.putRows(
      [sampleRow({ txHash: '0x08' }), hostile].map((one) => ({
        row: one,
        integrityNote: null,
        replaced: null,
      })),
    );
    expect(await storageMessage(both)).toMatch(/64 bits/);
    expect(await rows()).toHaveLength(1);
    await stores.activity.putRows([
      { row: sampleRow({ txHash: '0x08', timestampMs: 7 }), integrityNote: null, replaced: null },
    ]);
    expect(await stores.activity.readSync(list)).toMatchObject({ rowCount: 2, oldestTimestampMs: 7 });
  });

  describe('an audit', () => {
    const moved = (token: string) =>
      sampleFacets({
        tokens: [{ token: `43114 ${token}`, symbol: null, name: null, decimals: null, amount: '1' }],
      });

    it('tells what one list has and the other has not, where both are proven', async () => {
      await save({
        sync: covered('0', '100'),
        rows: [
          sampleRow({ txHash: '0xboth', blockNumber: 10n, facets: moved('erc20 0xaa') }),
          sampleRow({ txHash: '0xrow', blockNumber: 11n, timestampMs: 11, facets: moved('erc20 0xaa') }),
          sampleRow({ txHash: '0xnative', blockNumber: 12n, facets: moved('native') }),
          sampleRow({ txHash: '0xoutside', blockNumber: 60n, facets: moved('erc20 0xaa') }),
        ],
      });
      await save({
        list: 'erc20',
        sync: covered('5', '50'),
        records: [
          sampleRecord({ txHash: '0xboth', blockNumber: 10n }),
          sampleRecord({ txHash: '0xrecord', blockNumber: 20n }),
          sampleRecord({ txHash: '0xrecord', blockNumber: 20n, recordJson: '{"b":1}' }),
          sampleRecord({ txHash: '0xfar', blockNumber: 51n }),
        ],
      });
      await save({
        list: 'internal',
        sync: covered('20', '21'),
        records: [sampleRecord({ txHash: '0xrecord', blockNumber: 20n })],
      });
      await save({ list: 'native', sync: covered('100', '200') });
      expect(await stores.activity.audit(alice, '43114', 10)).toEqual({
        gaps: [
          {
            txHash: '0xrecord',
            blockNumber: '20',
            timestampMs: 1_000,
            presentIn: ['erc20', 'internal'],
            missingIn: 'transactions',
          },
          {
            txHash: '0xrow',
            blockNumber: '11',
            timestampMs: 11,
            presentIn: ['transactions'],
            missingIn: 'erc20',
          },
        ],
        isCut: false,
        compared: ['transactions', 'erc20', 'internal'],
        notCompared: [
          { list: 'erc1155', why: 'never-fetched' },
          { list: 'native', why: 'no-common-blocks' },
        ],
        transactionCount: 3,
      });
      expect(await stores.activity.audit(alice, '43114', 1)).toMatchObject({
        gaps: [{ txHash: '0xrecord' }],
        isCut: true,
      });
    });

    describe('of internal and native transactions', () => {
      const party = (who: string) => ({ address: who });
      const call = (fields: object) => ({
        from: party(bob),
        to: party(alice.toLowerCase()),
        internalTxType: 'CALL',
        value: '5',
        isReverted: false,
        ...fields,
      });
      const transaction = (native: object, internalTransactions: object[] = []) =>
        JSON.stringify({
          nativeTransaction: {
            ...{ blockNumber: '10', blockTimestamp: 1, txHash: '0x', value: '7' },
            ...native,
          },
          internalTransactions,
        });
      const mine = { from: party(alice.toLowerCase()), to: party(bob) };
      const others = { from: party(bob), to: party('0xcc'), value: '0' };
      const audited = async (
        list: 'internal' | 'native',
        bodies: Record<string, string>,
        records: object[],
      ) => {
        const rowsOf = (completeness: 'partial' | 'complete') =>
          Object.entries(bodies).map(([txHash, transactionJson]) =>
            sampleRow({
              txHash: `${completeness} ${txHash}`,
              blockNumber: 10n,
              completeness,
              transactionJson,
            }),
          );
        await save({ sync: covered('0', '100'), rows: [...rowsOf('partial'), ...rowsOf('complete')] });
        await save({
          list,
          sync: covered('0', '100'),
          records: records.map((element, index) =>
            sampleRecord({
              txHash: `known ${index}`,
              blockNumber: 200n,
              recordJson: JSON.stringify(element),
            }),
          ),
        });
        const { gaps } = await stores.activity.audit(alice, '43114', 100);
        expect(gaps.every(({ missingIn }) => missingIn === list)).toBe(true);
        const names = gaps.map(({ txHash }) => txHash);
        const expected = names.filter((name) => name.startsWith('partial ')).map((name) => name.slice(8));
        expect(names.filter((name) => name.startsWith('complete ')).map((name) => name.slice(9))).toEqual(
          expected,
        );
        return expected;
      };

      it('misses a call or creation of the address that the list of internal ones has not', async () => {
        const bodies = {
          call: transaction(others, [call({})]),
          sent: transaction(others, [
            call({ from: party(alice), to: party(bob), internalTxType: 'callcode' }),
          ]),
          creation: transaction(others, [call({ internalTxType: 'CREATE2', value: '0' })]),
          second: transaction(others, [call({ isReverted: true }), call({})]),
          // What of these is in the list, if anything, is not told.
          empty: transaction(others, [call({ value: '0' })]),
          lent: transaction(others, [call({ internalTxType: 'DELEGATECALL' })]),
          unknown: transaction(others, [call({ internalTxType: 'UNKNOWN' })]),
          unvalued: transaction(others, [call({ value: undefined })]),
          reverted: transaction(others, [call({ isReverted: true })]),
          maybe: transaction(others, [call({ isReverted: undefined })]),
          foreign: transaction(others, [call({ to: party('0xcc') })]),
          own: transaction({ ...mine, value: '5' }, [call({ from: party(alice), to: party(bob) })]),
          none: transaction(mine),
          hostile: '{"nativeTransaction":{},"internalTransactions":[{}]}',
        };
        expect(await audited('internal', bodies, [])).toEqual(['call', 'creation', 'second', 'sent']);
      });

      it('misses a transaction with a value that the address sent or received, and the list has not', async () => {
        const bodies = {
          sent: transaction(mine),
          received: transaction({ from: party(bob), to: party(alice) }),
          empty: transaction({ ...mine, value: '0' }),
          foreign: transaction({ ...others, value: '7' }),
          hostile: '{"nativeTransaction":{"from":null}}',
        };
        expect(await audited('native', bodies, [{ value: '7' }])).toEqual(['received', 'sent']);
      });

      it('misses those without a value only where the list holds such', async () => {
        const bodies = { empty: transaction({ ...mine, value: '0' }), foreign: transaction(others) };
        expect(await audited('native', bodies, [{ value: '7' }, { value: '0' }])).toEqual(['empty']);
      });

      it('finds as many gaps as are wanted, and says that there are more', async () => {
        await audited('native', { a: transaction(mine), b: transaction(mine) }, []);
        expect(await stores.activity.audit(alice, '43114', 3)).toMatchObject({ isCut: true });
        expect((await stores.activity.audit(alice, '43114', 3)).gaps).toHaveLength(3);
      });
    });

    it('compares nothing while the list of transactions was never fetched', async () => {
      await save({ list: 'erc20', sync: covered('5', '50'), records: [sampleRecord()] });
      expect(await stores.activity.audit(alice, '43114', 10)).toMatchObject({ compared: [], gaps: [] });
      expect((await stores.activity.audit(bob, '7', 10)).notCompared).toHaveLength(4);
    });
  });

  it('find a cross-chain message on another chain', async () => {
    const facets = sampleFacets({ messageId: 'm\0' });
    await save({ rows: [sampleRow({ facets })] });
    await save({ chainId: '1', rows: [sampleRow({ chainId: '1', txHash: '0x02', facets })] });
    expect(await stores.activity.findMessage('m\0', '1')).toEqual({
      chainId: '43114',
      txHash: '0x01',
      timestampMs: 1_000,
    });
    expect(await stores.activity.findMessage('other', '1')).toBeNull();
    await stores.watchlist.remove(alice, 'keep');
    expect(await stores.activity.findMessage('m\0', '1')).toBeNull();
  });
});
