import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSampleService, type SampleService } from '../../../../sample-service/service.ts';
import { AppFailure, unwrap } from '../../../shared/errors.ts';
import { asResults } from '../testing/as-results.ts';
import type { FileSaver } from '../ports.ts';
import { csvLine } from '../../../shared/csv.ts';
import { flattenRow } from './export-rows.ts';
import { RunExport } from './run-export.ts';
import { buildHarness, list, nodeTarget, type Harness } from './testing/explore-harness.ts';

let sample: SampleService;
beforeAll(async () => {
  sample = await startSampleService({ scale: 0.01, limits: false });
});
afterAll(async () => {
  await sample.close();
});

/** A file saver that keeps what is written. */
function fakeFiles(path: string | null = '/tmp/rows') {
  const written: string[] = [];
  const names: string[] = [];
  const files: FileSaver = {
    choose: async (name) => {
      names.push(name);
      return path;
    },
    write: async (_path, pieces) => {
      for await (const piece of pieces) written.push(piece);
    },
  };
  return { files, names, written };
}

async function exported(harness: Harness, runId: string, format: 'csv' | 'json') {
  const { files, names, written } = fakeFiles();
  const result = unwrap(
    await asResults(new RunExport({ runs: harness.runService, files })).export({ runId, format }),
  );
  return { result, names, text: written.join(''), pieceCount: written.length };
}

/** Reads CSV as RFC 4180 has it. */
function readCsv(text: string): string[][] {
  const lines: string[][] = [[]];
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (let match = cells.exec(text); match !== null; match = cells.exec(text)) {
    lines.at(-1)?.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '\r\n') lines.push([]);
  }
  return lines.slice(0, -1);
}

/** Reads cells as a spreadsheet does that knows only this separator: quotes count where a cell begins. */
function cellsBy(separator: string, text: string): string[] {
  return [
    ...text.matchAll(new RegExp(`(?:^|[${separator}\r\n])(?:"((?:[^"]|"")*)"?)?([^${separator}\r\n]*)`, 'g')),
  ].map(([, quoted = '', rest = '']) => quoted.replaceAll('""', '"') + rest);
}

const thirty = () => list(sample.ready.examples.addresses.thirty, sample.ready.examples.chainId);

describe('a list', () => {
  it('becomes CSV of all stored pages, a row a line, every digit kept', async () => {
    const harness = buildHarness(sample);
    const { id } = await harness.start(thirty(), 'all');
    await harness.ended(id);
    const { result, names, text, pieceCount } = await exported(harness, id, 'csv');
    expect(result).toEqual({ path: '/tmp/rows', rowCount: 30 });
    expect(names[0]).toMatch(/^address-transactions-\d{4}-\d\d-\d\d\.csv$/);
    const [columns = [], ...lines] = readCsv(text);
    expect(lines).toHaveLength(30);
    expect(new Set(lines.map(({ length }) => length))).toEqual(new Set([columns.length]));
    const at = columns.indexOf('nativeTransaction.value');
    const rows = (await harness.rows(id)) as { nativeTransaction: { value: string } }[];
    expect(lines.map((line) => line[at])).toEqual(rows.map((row) => row.nativeTransaction.value));
    // A page at a time, after the line of columns.
    expect(pieceCount).toBe(4);
  });

  it('becomes JSON that names the query', async () => {
    const harness = buildHarness(sample);
    const { id } = await harness.start(thirty(), 'all');
    await harness.ended(id);
    const { result, text } = await exported(harness, id, 'json');
    expect(result?.rowCount).toBe(30);
    const { query, pages } = JSON.parse(text) as {
      query: unknown;
      pages: { fetchedAtMs: number; answer: unknown }[];
    };
    const run = unwrap(await harness.runs.summary(id));
    expect(query).toEqual({
      target: run.target,
      baseUrl: sample.ready.dataUrl,
      state: 'complete',
      hasMore: false,
      startedAtMs: run.startedAtMs,
      fetched: run.fetched,
    });
    expect(pages).toHaveLength(3);
    for (const [index, page] of pages.entries()) {
      const { fetchedAtMs } = unwrap(await harness.runs.page({ runId: id, index }));
      const rawText = unwrap(await harness.runs.text({ runId: id, index }));
      expect(page).toMatchObject({ page: index + 1, fetchedAtMs, notes: [], unreadableRows: 0 });
      expect(page.answer).toEqual(JSON.parse(rawText));
    }
  });

  it('is saved with every character that was received, and with what could not be read', async () => {
    const rows = [
      '{"blockNumber":"7","blockTimestamp":1,"txHash":"0x1","odd":[1.50,1e21],"value":"7","big":12345678901234567890}',
      '"no row"',
    ];
    const body = `{"transactions":[${rows.join(', ')}],  "extra":1.50}`;
    const answer = () =>
      ({ kind: 'response', status: 200, headers: {}, body, byteLength: body.length }) as const;
    const harness = buildHarness(sample, { answer });
    const { id } = await harness.start({
      kind: 'endpoint',
      endpointId: 'chain-transactions',
      params: { chainId: '43114' },
    });
    const { text, result } = await exported(harness, id, 'json');
    expect(text).toContain(body);
    expect(JSON.parse(text)).toMatchObject({
      pages: [{ unreadableRows: 1, notes: [expect.stringContaining('[1]')] }],
    });
    expect(result?.rowCount).toBe(2);
    const [columns = [], ...lines] = readCsv((await exported(harness, id, 'csv')).text);
    expect(lines).toHaveLength(2);
    expect(lines[1]?.[columns.indexOf('could not be read')]).toBe('"no row"');
  });

  it('is saved as CSV with the whole of a row of which a part could not be read', async () => {
    const rows = [
      '{"blockNumber":"7","blockTimestamp":1,"txHash":"0x1","gasUsed":"21000"}',
      '{"blockNumber":"6","blockTimestamp":1,"txHash":"0x2","gasUsed":"-5"}',
    ];
    const body = `{"transactions":[${rows.join(', ')}]}`;
    const answer = () =>
      ({ kind: 'response', status: 200, headers: {}, body, byteLength: body.length }) as const;
    const harness = buildHarness(sample, { answer });
    const params = { chainId: '43114' };
    const { id } = await harness.start({ kind: 'endpoint', endpointId: 'chain-transactions', params });
    const [columns = [], ...lines] = readCsv((await exported(harness, id, 'csv')).text);
    const cells = (name: string) => lines.map((line) => line[columns.indexOf(name)]);
    expect(cells('gasUsed')).toEqual(['21000', '']);
    expect(cells('could not be read')).toEqual(['', rows[1]]);
  });

  it('of one record is saved as CSV with what could not be read', async () => {
    const hash = `0x${'1'.repeat(64)}`;
    const native = { blockNumber: '7', blockTimestamp: 1, txHash: hash, gasUsed: '-5' };
    const body = JSON.stringify({ nativeTransaction: native });
    const answer = () =>
      ({ kind: 'response', status: 200, headers: {}, body, byteLength: body.length }) as const;
    const harness = buildHarness(sample, { answer });
    const params = { chainId: '43114', txHash: hash };
    const { id } = await harness.start({ kind: 'endpoint', endpointId: 'transaction', params });
    const lines = readCsv((await exported(harness, id, 'csv')).text);
    expect(lines.at(-1)).toEqual([
      'could not be read',
      'nativeTransaction.gasUsed: left out because "-5" must be a whole number.',
    ]);
  });

  it('of chains is saved as CSV with the chain that could not be read', async () => {
    const body = '{"indexedChains":[{"chainId":"43114"},{"chainId":{}}]}';
    const answer = () =>
      ({ kind: 'response', status: 200, headers: {}, body, byteLength: body.length }) as const;
    const harness = buildHarness(sample, { answer });
    const params = { address: sample.ready.examples.addresses.thirty };
    const { id } = await harness.start({ kind: 'endpoint', endpointId: 'address-chains', params });
    const { text, result } = await exported(harness, id, 'csv');
    expect(result?.rowCount).toBe(1);
    const [title, known, ...words] = readCsv(text).map((line) => line.at(-1));
    expect([title, known]).toEqual(['could not be read', '']);
    expect(words.join(' ')).toContain('indexedChains[1]: left out');
  });

  it('without rows is a file without rows', async () => {
    const harness = buildHarness(sample);
    const { emptyAddress, chainId } = sample.ready.examples;
    const { id } = await harness.start(list(emptyAddress, chainId));
    expect(JSON.parse((await exported(harness, id, 'json')).text)).toMatchObject({
      pages: [{ answer: { transactions: [] } }],
    });
    expect((await exported(harness, id, 'csv')).result?.rowCount).toBe(0);
  });
});

describe('an answer that is no page of a list', () => {
  it('becomes the table that the window shows of it: the chains of an address', async () => {
    const harness = buildHarness(sample);
    const { address } = sample.ready.examples;
    const { id } = await harness.start({
      kind: 'endpoint',
      endpointId: 'address-chains',
      params: { address },
    });
    const { result, text } = await exported(harness, id, 'csv');
    const [columns = [], ...lines] = readCsv(text);
    const { data } = unwrap(await harness.runs.page({ runId: id, index: 0 }));
    const { indexedChains, unindexedChains } = data as {
      indexedChains: { chainId: string }[];
      unindexedChains: string[];
    };
    expect(lines.map((line) => line[columns.indexOf('list')])).toEqual([
      ...indexedChains.map(() => 'indexedChains'),
      ...unindexedChains.map(() => 'unindexedChains'),
    ]);
    const at = columns.indexOf('chainId');
    expect(lines.slice(0, indexedChains.length).map((line) => line[at])).toEqual(
      indexedChains.map(({ chainId }) => chainId),
    );
    expect(columns).toContain('networkToken.symbol');
    expect(result?.rowCount).toBe(lines.length);
  });

  it('becomes a line a field where it is one record', async () => {
    const harness = buildHarness(sample);
    const { id } = await harness.start(nodeTarget('get-ext-health-liveness'));
    const csv = readCsv((await exported(harness, id, 'csv')).text);
    expect(csv[0]).toEqual(['field', 'value']);
    expect(csv).toContainEqual(['healthy', 'true']);
  });

  it('becomes a line a check of a node, or JSON exactly as it came', async () => {
    const harness = buildHarness(sample);
    const { id } = await harness.start(nodeTarget('get-ext-health'));
    const [columns = [], ...lines] = readCsv((await exported(harness, id, 'csv')).text);
    expect(columns[0]).toBe('check');
    expect(lines.map(([check]) => check)).toContain('network');
    const rawText = unwrap(await harness.runs.text({ runId: id, index: 0 }));
    const { text } = await exported(harness, id, 'json');
    expect(text).toContain(rawText);
    expect(JSON.parse(text)).toMatchObject({ pages: [{ answer: { healthy: true } }] });
  });
});

describe('an export', () => {
  it('of nothing, or to no place, writes nothing', async () => {
    const harness = buildHarness(sample);
    const { id } = await harness.start(thirty());
    const { files, written } = fakeFiles(null);
    const service = asResults(new RunExport({ runs: harness.runService, files }));
    expect(unwrap(await service.export({ runId: id, format: 'csv' }))).toBeNull();
    expect(await service.export({ runId: 'gone', format: 'csv' })).toMatchObject({
      error: { code: 'not-found' },
    });
    expect(written).toEqual([]);
  });

  it('tells what the disk refused', async () => {
    const harness = buildHarness(sample);
    const { id } = await harness.start(thirty());
    const { files } = fakeFiles();
    files.write = () => Promise.reject(new AppFailure({ code: 'storage', message: 'full' }));
    const service = asResults(new RunExport({ runs: harness.runService, files }));
    expect(await service.export({ runId: id, format: 'csv' })).toMatchObject({ error: { code: 'storage' } });
  });
});

describe('a line of CSV', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['+1', "'+1"],
    ['-1+1', "'-1+1"],
    ['\t=1', '"\t\'=1"'],
    ['x;=WEBSERVICE(A1)', "x;'=WEBSERVICE(A1)"],
    ['x\t+1', "x\t'+1"],
    ['＝1+1', "'＝1+1"],
    ['x;－1', "x;'－1"],
    ['a; @b;c', "a; '@b;c"],
    ['-12.5', '-12.5'],
    ['-1e-7', '-1e-7'],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    [' x', '" x"'],
  ])('defuses and quotes %j', (cell, written) => {
    expect(csvLine([cell])).toBe(`${written}\r\n`);
  });

  it('gives back every text that begins no formula', () => {
    const text = fc.string().filter((value) => !/(^|[;\t\r\n])[ "]*[=+\-@]/.test(value));
    fc.assert(
      fc.property(fc.array(fc.array(text, { minLength: 1 }), { minLength: 1 }), (lines) => {
        expect(readCsv(lines.map(csvLine).join(''))).toEqual(lines);
      }),
    );
  });

  it('begins no cell with a formula, whatever separates the cells', () => {
    const letters = fc.constantFrom(...Array.from('=+-@＝＋－＠;,\t\n\r" 1x'));
    const texts = fc.array(fc.string({ unit: letters }), { minLength: 1 });
    fc.assert(
      fc.property(texts, fc.constantFrom(',', ';', '\t'), (cells, separator) => {
        const read = cellsBy(separator, csvLine(['first', ...cells]));
        expect(read.filter((cell) => /^ *[=+\-@＝＋－＠]/.test(cell) && !/^-?\d+$/.test(cell))).toEqual([]);
      }),
    );
  });

  it('has the fields of fields by their path, and lists as JSON', () => {
    const row = { a: { b: '1', c: { d: 2 } }, e: [1, { f: 3 }], g: null, h: {}, i: true };
    expect([...flattenRow(row)]).toEqual([
      ['a.b', '1'],
      ['a.c.d', '2'],
      ['e', '[1,{"f":3}]'],
      ['g', ''],
      ['h', '{}'],
      ['i', 'true'],
    ]);
    expect([...flattenRow({ 'a.b': 1, a: { b: 2 }, '"a.b"': 3, '': { a: 4 } })]).toEqual([
      ['"a.b"', '1'],
      ['a.b', '2'],
      [String.raw`"\"a.b\""`, '3'],
      ['"".a', '4'],
    ]);
    expect([...flattenRow(7)]).toEqual([['value', '7']]);
  });
});
