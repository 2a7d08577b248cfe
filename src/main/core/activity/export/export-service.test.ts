import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toChecksumAddress } from '../../../../shared/address.ts';
import { everything } from '../../../../shared/activity/filter.ts';
import { LookAlikes } from '../../../../shared/activity/look-alike.ts';
import { AppFailure } from '../../../../shared/errors.ts';
import type { FileTask } from '../../../../shared/file-task.ts';
import type { ActivityStore, ScannedRow } from '../../activity-ports.ts';
import type { FileSaver } from '../../ports.ts';
import { readTransaction } from '../rows/stored-rows.ts';
import { exportCellsOf, exportColumns } from './export-lines.ts';
import { readNames } from './export-names.ts';
import { ActivityExport } from './export-service.ts';
import { exportText } from './export-text.ts';
import { createFakeEvents } from '../../testing/fake-events.ts';

const me = '0x52908400098527886E0F7030069857D2E4169EE7';
const other = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
/** Looks like `other`. */
const friend = `${other.slice(0, 6)}${'0'.repeat(32)}${other.slice(-4)}`;
const token = '0x27b1fdb04752bbc536007a920d24acb045561c26';

const avax = { symbol: 'AVAX', decimals: 18 };
const names = JSON.stringify({
  names: [[me.toLowerCase(), '=HYPERLINK("x")']],
  known: [me, friend],
  chains: [['1', { name: 'Chain, one', native: avax }]],
});

/** A row, its transaction, and the text that is stored of it. */
type Row = ScannedRow & { transaction: Record<string, unknown>; text?: string };

function row(id: number): Row {
  return {
    chainId: '1',
    address: me,
    txHash: `0x${id}`,
    blockNumber: '7',
    timestampMs: 1_700_000_000_000,
    fetchedAtMs: 1_700_000_001_000,
    completeness: 'partial',
    transaction: {
      nativeTransaction: {
        txHash: `0x${id}`,
        blockNumber: '7',
        blockTimestamp: 1_700_000_000,
        txStatus: '1',
        value: '1500000000000000001',
        gasUsed: '10',
        gasPrice: '3',
        from: { address: me },
        to: { address: other, name: 'Line\nbreak' },
        method: { callType: 'NATIVE_TRANSFER' },
      },
      erc20Transfers: [
        {
          from: { address: other },
          to: { address: me },
          value: '12345678901234567890123',
          logIndex: 1,
          erc20Token: { address: token, symbol: '+TOK' },
        },
      ],
    },
    hiddenReason: 'user',
    integrityNote: null,
    reorg: null,
    valueThen: '12.5',
    valueCurrency: 'usd',
  };
}

const textOf = ({ transaction, text }: Row) => text ?? JSON.stringify(transaction);

function exported(of: Row) {
  const { transaction: _transaction, text: _text, ...scanned } = of;
  return { row: scanned, text: textOf(of), read: readTransaction(of.completeness, textOf(of)) };
}

it('tells the fee in the token that the transaction names where the service no longer lists the chain', () => {
  const networkTokenDetails = { networkToken: { symbol: 'FUEL', decimals: 9 } };
  const transaction = { ...row(1).transaction, networkTokenDetails };
  const unlisted = readNames(JSON.stringify({ names: [], known: [], chains: [] }));
  const [cells = []] = exportCellsOf(
    exported({ ...row(1), completeness: 'complete', transaction }),
    unlisted,
  );
  expect(cells.slice(exportColumns.indexOf('fee')).slice(0, 2)).toEqual(['0.00000003', 'FUEL']);
});

it('looks for look-alikes once a row, however many movements it has', () => {
  let looked = 0;
  const counting = { ...readNames(names), lookAlikes: () => (looked++, new LookAlikes([])) };
  expect(exportCellsOf(exported(row(1)), counting)).toHaveLength(2);
  expect(looked).toBe(1);
});

class Disk implements FileSaver {
  path: string | null = '/out/file';
  readonly files = new Map<string, string>();
  piecesWritten = 0;
  failAfterPieces = Infinity;
  onPiece: () => void = () => undefined;

  choose(): Promise<string | null> {
    return Promise.resolve(this.path);
  }

  async write(path: string, pieces: AsyncIterable<string>): Promise<void> {
    let text = '';
    for await (const piece of pieces) {
      text += piece;
      this.piecesWritten += 1;
      this.onPiece();
      if (this.piecesWritten > this.failAfterPieces) {
        throw new AppFailure({ code: 'storage', message: 'The disk is full.' });
      }
    }
    this.files.set(path, text);
  }
}

describe('ActivityExport', () => {
  let rows: Row[];
  let disk: Disk;
  let told: (FileTask | null)[];
  let exporter: ActivityExport;
  let openScans: number;
  let pagesRead: number;

  afterEach(() => expect(openScans).toBe(0));

  beforeEach(() => {
    rows = [row(1), row(2)];
    disk = new Disk();
    told = [];
    openScans = 0;
    pagesRead = 0;
    const store: Pick<ActivityStore, 'openScan' | 'readScan' | 'closeScan'> = {
      openScan: () => {
        openScans += 1;
        return Promise.resolve({ scanId: 1, totalCount: rows.length });
      },
      readScan: ({ from, limit }) => {
        pagesRead += 1;
        const page = rows.slice(from, from + limit).map((one) => exported(one));
        return Promise.resolve({
          rowsJson: JSON.stringify(page.map((one) => one.row)),
          texts: page.map(({ text }) => text),
        });
      },
      closeScan: () => {
        openScans -= 1;
        return Promise.resolve();
      },
    };
    const events = createFakeEvents();
    exporter = new ActivityExport({
      // The export calls nothing else of the store.
      store: store as ActivityStore,
      files: disk,
      names: () => names,
      textOf: async (...page) => exportText(...page),
      clock: { nowMs: () => 1_700_000_000_000, monotonicMs: () => 0 },
      emit: events.emit,
    });
    events.on('activityExport.changed', (task) => told.push(task));
  });

  async function write(format: 'csv' | 'jsonl' | 'json'): Promise<string> {
    await exporter.start({ filter: everything, format });
    return disk.files.get('/out/file') ?? '';
  }

  it('CSV: a line a movement, exact, with nothing that a spreadsheet runs', async () => {
    const lines = (await write('csv')).split('\r\n');
    expect(lines[0]).toBe(exportColumns.join(','));
    expect(lines).toHaveLength(6);
    const name = `"Line\nbreak"`;
    expect(lines[1]).toBe(
      `2023-11-14T22:13:20.000Z,1,"Chain, one",7,0x1,${me},"'=HYPERLINK(""x"")",exchange,success,,${other},${name},${toChecksumAddress(friend)},1/2,out,-1.500000000000000001,,token,AVAX,native,,,,0.00000000000000003,AVAX,12.5,usd,false,,,user,,,address-transactions,2023-11-14T22:13:21.000Z`,
    );
    expect(lines[2]).toContain(`,2/2,in,12345678901234567890123,,base,'+TOK,erc20,${token},,,,,,,false,`);
  });

  it('JSON and JSON Lines hold the same objects', async () => {
    const json: unknown = JSON.parse(await write('json'));
    const lines = (await write('jsonl')).trim().split('\n');
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual(json);
    expect(json).toMatchObject([
      {
        tx_hash: '0x1',
        complete: false,
        hidden_reason: 'user',
        movements: [{ amount: '-1.500000000000000001' }, { amount_unit: 'base' }],
      },
      { tx_hash: '0x2' },
    ]);
  });

  it('JSON of several pages is one list, in order, and later pages are read while one is written', async () => {
    rows = Array.from({ length: 450 }, (_, index) => row(index));
    let readSoFar = 0;
    disk.onPiece = () => (readSoFar = disk.piecesWritten === 2 ? pagesRead : readSoFar);
    const json = JSON.parse(await write('json')) as { tx_hash: string }[];
    expect(json.map(({ tx_hash }) => tx_hash)).toEqual(rows.map(({ txHash }) => txHash));
    expect([readSoFar, pagesRead]).toEqual([4, 5]);
  });

  /** A row that moved these for me. */
  function moved(fields: object, erc20Transfers: object[]): Row {
    const native = row(1).transaction['nativeTransaction'];
    const nativeTransaction = { ...(native as object), value: '0', ...fields };
    return { ...row(1), transaction: { nativeTransaction, erc20Transfers } };
  }
  const transfer = (from: string, to: string, value: string | undefined, symbol = 'TOK') => ({
    ...{ from: { address: from }, to: { address: to }, value, logIndex: 1 },
    erc20Token: { address: token, symbol, decimals: 1 },
  });

  it('what I sent to myself counts for nothing in the sum of a column, and is told beside it', async () => {
    rows = [
      moved({}, [
        transfer(me, me, '100'),
        transfer(other, me, '30'),
        transfer(me, other, '10'),
        transfer(me, me, undefined),
      ]),
    ];
    const movements = [
      { direction: 'self', amount: '0', amount_to_self: '10' },
      { direction: 'in', amount: '3' },
      { direction: 'out', amount: '-1' },
      { direction: 'self' },
    ].map((fields) => expect.objectContaining(fields) as object);
    const [written] = JSON.parse(await write('json')) as { movements: object[] }[];
    expect(written?.movements).toEqual(movements);
    expect(written?.movements[3]).not.toHaveProperty('amount');
    const sum = (await write('csv'))
      .split('\r\n')
      .slice(1, -1)
      .reduce((total, line) => total + Number(line.split(',')[exportColumns.indexOf('amount') + 1]), 0);
    expect(sum).toBe(2);
  });

  it('what is not sure to have moved is said to be uncertain', async () => {
    rows = [
      moved({}, [transfer(other, me, '30')]),
      moved({ txStatus: undefined }, [transfer(other, me, '30')]),
    ];
    const written = JSON.parse(await write('json')) as { movements: object[] }[];
    expect(written.map(({ movements }) => movements)).toEqual([
      [expect.not.objectContaining({ uncertain: 'true' })],
      [expect.objectContaining({ amount: '3', uncertain: 'true' })],
    ]);
  });

  it.each(['json', 'jsonl', 'csv'] as const)(
    '%s: no text of a stranger turns what stands around it',
    async (format) => {
      rows = [moved({}, [transfer(other, me, '30', 'US\u202eDT\u{e0100}')])];
      const text = await write(format);
      expect(text).not.toMatch(/\p{Cf}|\u{e0100}/u);
      expect(text).toContain(format === 'csv' ? 'US\ufffdDT\ufffd' : 'US\\u202eDT\\udb40\\udd00');
    },
  );

  it('an empty timeline gives an empty but valid file', async () => {
    rows = [];
    expect(JSON.parse(await write('json'))).toEqual([]);
    expect(await write('csv')).toBe(`${exportColumns.join(',')}\r\n`);
  });

  it('tells how far it is and how it ended', async () => {
    rows = Array.from({ length: 250 }, (_, index) => row(index));
    expect(await exporter.start({ filter: everything, format: 'csv' })).toEqual({
      ...{ path: '/out/file', count: 250 },
    });
    expect(told).toEqual([
      { kind: 'save', done: 0, share: 0 },
      { kind: 'save', done: 100, share: 0.4 },
      { kind: 'save', done: 200, share: 0.8 },
      { kind: 'save', done: 250, share: 1 },
      null,
    ]);
  });

  it('cancelled: no file, and a new export can begin', async () => {
    rows = Array.from({ length: 1_000 }, (_, index) => row(index));
    const cancelling: Promise<void>[] = [];
    disk.onPiece = () => void cancelling.push(exporter.cancel());
    const started = exporter.start({ filter: everything, format: 'csv' });
    await expect(started).rejects.toMatchObject({ error: { code: 'cancelled' } });
    await Promise.all(cancelling);
    expect(disk.files.size).toBe(0);
    disk.onPiece = () => undefined;
    expect(await write('csv')).toContain('0x999');
  });

  it('a disk that refuses ends it in words and leaves no file', async () => {
    disk.failAfterPieces = 1;
    await expect(write('csv')).rejects.toThrow('The disk is full.');
    expect(disk.files.size).toBe(0);
  });

  it('a row that can no longer be read is written as such, with what is stored of it', async () => {
    rows = [row(1), { ...row(2), text: '=raw 2' }, row(3)];
    const lines = (await write('csv')).split('\r\n');
    expect(lines.filter((line) => line.includes(',0x2,'))).toEqual([
      `2023-11-14T22:13:20.000Z,1,"Chain, one",7,0x2,${me},"'=HYPERLINK(""x"")",,,,,,,,,,,,,,,,,,,,,false,the stored row can no longer be read,'=raw 2,user,,,,2023-11-14T22:13:21.000Z`,
    ]);
    const objects: unknown = JSON.parse(await write('json'));
    expect(objects).toMatchObject([
      {},
      { tx_hash: '0x2', complete: false, unread_text: '=raw 2', movements: [] },
      {},
    ]);
  });

  it('a row with a part that could not be read is never complete, and carries that part as it came', async () => {
    const { transaction } = row(1);
    const unreadable = { ...transaction, erc20Transfers: [{ value: '7' }] };
    rows = [{ ...row(1), completeness: 'complete', transaction: unreadable }];
    const [, first] = (await write('csv')).split('\r\n');
    expect(first).toContain(
      ',false,erc20Transfers[0]: erc20Token is missing or invalid,"{""value"":""7""}",',
    );
    expect(JSON.parse(await write('json'))).toMatchObject([
      { complete: false, unread_text: '{"value":"7"}' },
    ]);
  });

  it('one at a time, and nothing happens when the user wants no place', async () => {
    disk.path = null;
    expect(await exporter.start({ filter: everything, format: 'csv' })).toBeNull();
    expect(exporter.task.current).toBeNull();
    disk.path = '/out/file';
    const first = exporter.start({ filter: everything, format: 'csv' });
    const second = exporter.start({ filter: everything, format: 'csv' });
    await expect(second).rejects.toMatchObject({ error: { code: 'invalid-params' } });
    await first;
  });
});
