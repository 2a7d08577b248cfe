import { notation } from '../../../ui/text/notation.svelte.ts';
import { describe, expect, it } from 'vitest';
import { fullWorld, sampleAddresses } from '../../../testing/sample-world.ts';
import { testNowMs } from '../../../testing/render.ts';
import { cellText, columnIds, edgesIn, layouts, pillOfCell, rowText, templateOf } from './columns.ts';
import { explorerTransactionUrl } from './explorer-url.ts';
import { withPill } from '../../../state/filter-choice.ts';
import { tokensOfRow } from './row-choices.ts';
import { descriptionOf, shownRow, type RowContext } from './shown-row.ts';
import { LookAlikes } from '../../../../../shared/activity/look-alike.ts';
import { everything } from '../../../../../shared/activity/filter.ts';

const world = fullWorld(testNowMs);
const context: RowContext = {
  nameOf: (address, name) =>
    address === sampleAddresses.treasury
      ? { text: 'Treasury', from: 'watchlist' }
      : name === null
        ? null
        : { text: name, from: 'service' },
  watched: () => null,
  chain: () => null,
  chainName: () => 'Chain\tone',
  notation: notation(),
  lookAlikes: new LookAlikes([]),
};
const exchange = world.rows.find(
  ({ transaction }) =>
    transaction.nativeTransaction.txStatus === '1' && transaction.erc20Transfers?.length === 2,
);
if (exchange === undefined) throw new Error('no exchange in the sample world');

describe('copying', () => {
  it('writes the row between tabs, exact and whole', () => {
    const view = shownRow(exchange, context);
    const cells = rowText(exchange, view).split('\t');
    expect(cells).toHaveLength(columnIds.length + 1);
    expect(cells[0]).toBe(new Date(exchange.timestampMs).toISOString());
    expect(cells[1]).toBe('Chain one');
    expect(cells[2]).toBe(exchange.address);
    expect(cells[5]).toContain('1,250.5 USDC');
    expect(cells[5]).toContain('41.223918273645910023 WAVAX');
    expect(cells.at(-1)).toBe(exchange.txHash);
  });

  it.each(['=1+1', '+1+cmd|x', '-1+1', '@SUM(1)', '-1 fee'])(
    'never makes a formula of what a stranger named a method: %s',
    (name) => {
      const view = { ...shownRow(exchange, context), method: { text: name, signature: null } };
      expect(rowText(exchange, view).split('\t')[7]).toBe(`'${name}`);
      expect(cellText('method', exchange, view)).toBe(`'${name}`);
    },
  );

  it('writes what came in without a sign that a spreadsheet takes for a formula', () => {
    const view = shownRow(exchange, context);
    expect(cellText('amounts', exchange, view)).not.toMatch(/^['+]/);
    const [first] = view.amounts;
    if (first === undefined) throw new Error('no amount');
    const named = { ...view, amounts: [{ ...first, sign: '+' as const, unit: "+cmd|' /C calc'!A0" }] };
    expect(cellText('amounts', exchange, named)).toBe(`${first.digits}${first.tail} +cmd|' /C calc'!A0`);
  });

  it('works a row out once, and again when what is around it has changed', () => {
    expect(shownRow(exchange, context)).toBe(shownRow(exchange, context));
    expect(shownRow(exchange, { ...context })).not.toBe(shownRow(exchange, context));
  });
});

describe('what a row offers', () => {
  const description = descriptionOf(exchange, { symbol: 'AVAX', decimals: 18 });

  it('names the tokens that can be hidden, each once', () => {
    expect(tokensOfRow(exchange, description).map(({ name }) => name)).toEqual(['USDC', 'WAVAX']);
    expect(tokensOfRow(exchange, description)[0]?.token).toBe(
      `${exchange.chainId} erc20 0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e`,
    );
  });

  it('filters by the value of a cell, and says nothing twice', () => {
    const pill = pillOfCell('chain', exchange, description);
    if (pill === null) throw new Error('no pill');
    expect(pill).toEqual({ field: 'chain', not: false, values: [exchange.chainId] });
    const filter = withPill(everything, pill);
    expect(withPill(filter, { ...pill })).toBe(filter);
    expect(pillOfCell('time', exchange, description)).toBeNull();
    expect(pillOfCell('kind', exchange, description)?.values).toEqual([description.kind]);
  });
});

describe('the page in a block explorer', () => {
  it.each([
    ['https://snowtrace.io/', '0xab', 'https://snowtrace.io/tx/0xab'],
    ['https://subnets.avax.network/c-chain?x=1#y', '0xab', 'https://subnets.avax.network/c-chain/tx/0xab'],
    ['https://e.org', '../x', 'https://e.org/tx/..%2Fx'],
    ['http://e.org', '0xab', null],
    ['javascript:alert(1)', '0xab', null],
    ['https://me:secret@e.org', '0xab', null],
    ['no address', '0xab', null],
    [null, '0xab', null],
  ])('%s, %s: %s', (explorer, hash, url) => {
    expect(explorerTransactionUrl(explorer, hash)).toBe(url);
  });
});

describe('the widths of columns', () => {
  it('are chosen for what stands in one column, where the head shows it', () => {
    expect(edgesIn(layouts.wide).map(({ name }) => name)).toEqual([...columnIds]);
    expect(edgesIn(layouts.medium).map(({ name, at, title }) => [name, at, title])).toContainEqual([
      'chain-address',
      2,
      'Chain and Address',
    ]);
    expect(edgesIn(layouts.narrow)).toEqual([]);
    for (const layout of [layouts.wide, layouts.medium])
      expect(edgesIn(layout)).toHaveLength(layout.widths.length);
  });

  it('are as usual until then, and never need more room than before', () => {
    const usual = layouts.wide.widths;
    expect(templateOf(layouts.wide, {})).toBe(usual.join(' '));
    const chosen = templateOf(layouts.wide, { time: 300, fee: 90, counterparty: 400, method: 60, gone: 5 });
    expect(chosen).toBe(
      [
        'minmax(108px, 300px)',
        ...usual.slice(1, 4),
        'minmax(118px, 400px)',
        'minmax(190px, 1fr)',
        '90px',
        '60px',
        ...usual.slice(8),
      ].join(' '),
    );
    // The ends of an address always have room.
    expect(templateOf(layouts.wide, { counterparty: 60 })).toContain(' 118px minmax(190px');
    expect(templateOf(layouts.narrow, { time: 300 })).toBe(layouts.narrow.widths.join(' '));
  });

  it.each(Object.values(layouts))('fit from $from pixels on', ({ from, widths }) => {
    const least = widths.map((width) => Number(/[\d.]+/.exec(width)?.[0]));
    const gapsAndSides = 10 * (widths.length - 1) + 2 * 16;
    // At 200 % zoom a window of 1280 pixels leaves this for the narrowest.
    const room = from === 0 ? 380 : from;
    expect(least.reduce((sum, width) => sum + width, gapsAndSides)).toBeLessThanOrEqual(room);
  });
});
