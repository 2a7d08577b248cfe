import { cleanup, screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import type { ActivityRow, ReadableRow, RowMarks } from '../../../../../shared/activity/types.ts';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import { plainMarks } from '../../../testing/sample-transactions.ts';
import { fullWorld, sampleAddresses } from '../../../testing/sample-world.ts';
import Probe from '../../../ui/sign/Glyph.svelte';
import { layouts, type RowLayout } from './columns.ts';
import { rowContextOf } from './shown-row.ts';
import TimelineRow from './TimelineRow.svelte';

const { treasury } = sampleAddresses;
const other = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

function rowWith(
  parts: Partial<Extract<ActivityRow, { completeness: 'partial' }>['transaction']>,
): ReadableRow {
  return {
    id: 7,
    unread: [],
    marks: plainMarks,
    chainId: '43114',
    address: treasury,
    txHash: '0xabc',
    blockNumber: '12',
    timestampMs: testNowMs - 3_600_000,
    fetchedAtMs: testNowMs,
    firstSeenMs: testNowMs,
    completeness: 'partial',
    transaction: {
      nativeTransaction: {
        txHash: '0xabc',
        blockNumber: '12',
        blockTimestamp: 1,
        txStatus: '1',
        from: { address: treasury },
        to: { address: other },
        gasUsed: '21000',
        gasPrice: '25000000000',
        value: '0',
      },
      ...parts,
    },
  };
}

interface Shown {
  layout?: RowLayout;
  opensDay?: boolean;
}

async function show(row: ActivityRow | null, { layout = layouts.wide, opensDay = false }: Shown = {}) {
  const { app } = await renderInApp(Probe, { name: 'in' });
  const context = rowContextOf(app);
  cleanup();
  const rendered = await renderInApp(TimelineRow, {
    id: 'r',
    place: 0,
    offset: 0,
    row,
    context,
    opensDay,
    active: false,
    activeCell: null,
    layout,
  });
  return { ...rendered, element: screen.getByRole('row') };
}

const cellsOf = (element: HTMLElement) =>
  [...element.querySelectorAll('[role="gridcell"]')].map((cell) =>
    cell.textContent.replace(/\s+/g, ' ').trim(),
  );

const marked = (marks: Partial<RowMarks>): ActivityRow => ({
  ...rowWith({}),
  marks: { ...plainMarks, ...marks },
});

const usdc = { address: '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E', symbol: 'USDC', decimals: 6 };
const transfer = (
  value: string,
  erc20Token: { address: string; symbol?: string; decimals?: number } = usdc,
) => ({
  from: { address: treasury },
  to: { address: other },
  logIndex: 1,
  value,
  erc20Token,
});

describe('TimelineRow', () => {
  it('shows time, chain, label, kind, counterparty, exact amount, exact fee, method, status and completeness', async () => {
    const row = rowWith({ erc20Transfers: [transfer('1250500001')] });
    row.transaction.nativeTransaction.method = {
      callType: 'CONTRACT_CALL',
      methodHash: '0xa9059cbb',
      methodName: 'transfer(address,uint256)',
    };
    const { element } = await show(row);
    expect(cellsOf(element)).toEqual([
      '13:05:07',
      'Avalanche C-Chain',
      'Treasury',
      'Sent',
      'Joe the accountant',
      '−1,250.500001 USDC',
      '0.000525 AVAX',
      'transfer',
      'Success',
      'Partial',
    ]);
    expect(element.querySelector('.dot.blue')).not.toBeNull();
  });

  it('carries the date where a day begins, and ages where they are wanted', async () => {
    const { element } = await show(rowWith({}), { opensDay: true });
    expect(cellsOf(element)[0]).toBe('Wed 16 Sept 2026 13:05:07');
    cleanup();
    const { element: narrow } = await show(rowWith({}), { opensDay: true, layout: layouts.tight });
    expect(cellsOf(narrow)[0]).toBe('16 Sept 2026 13:05:07');
    cleanup();
    const { element: aged, navigation } = await show(rowWith({}));
    navigation.timesAsAge = true;
    await expect.poll(() => cellsOf(aged)[0]).toBe('1 h ago');
  });

  it('holds its place while it is not loaded', async () => {
    const { element } = await show(null);
    expect(cellsOf(element)).toEqual(['Loading']);
  });

  it('marks a name that only the service gives as such', async () => {
    const row = rowWith({
      erc20Transfers: [{ ...transfer('5'), to: { address: '0x01', name: 'Exchange 4' } }],
    });
    const { element } = await show(row);
    expect(element.querySelector('.counterparty .service')?.getAttribute('data-tip')).toContain(
      'Named by the service',
    );
  });

  it.each([
    [marked({ spam: { ...plainMarks.spam, rules: ['lure-text'], hiddenReason: 'lure-text' } }), 'Phishing'],
    [
      marked({ spam: { ...plainMarks.spam, decision: 'hide', decidedFor: 'row', hiddenReason: 'user' } }),
      'Hidden by you',
    ],
    [
      marked({ spam: { ...plainMarks.spam, rules: ['fan-out'], decision: 'show', decidedFor: 'row' } }),
      'Shown by you',
    ],
    [marked({ integrityNote: 'A part is missing.', versionCount: 1 }), 'Data differs'],
    [marked({ reorg: 'reorganised', versionCount: 1 }), 'Reorganised'],
    [marked({ reorg: 'gone', versionCount: 1 }), 'Gone'],
  ])('says in words what is to be said about it (%#)', async (row, word) => {
    const { element } = await show(row);
    expect(cellsOf(element).at(-1)).toBe(`Partial ${word}`);
  });

  it('says loudly that what I sent went to somebody who only looks like one that I know', async () => {
    const imitation = `${other.slice(0, 6)}${'0'.repeat(32)}${other.slice(-4)}`;
    const { element } = await show(
      rowWith({ erc20Transfers: [{ ...transfer('10000000000'), to: { address: imitation } }] }),
    );
    expect(cellsOf(element).at(-1)).toBe('Partial Looks like Joe the accountant');
    const mark = element.querySelector('.mark.look-alike');
    expect(mark?.getAttribute('data-tip')).toContain('is a different address');
    // The name and its tip are hidden while the eye is shut.
    expect(mark?.classList.contains('private')).toBe(true);
    cleanup();
    // One leg of several, where no single counterparty is named.
    const { element: batch } = await show(
      rowWith({
        erc20Transfers: [
          transfer('1', usdc),
          { ...transfer('2'), logIndex: 2, to: { address: imitation.toLowerCase() } },
        ],
      }),
    );
    expect(cellsOf(batch).at(-1)).toBe('Partial Looks like Joe the accountant');
  });

  it('has no mark where it is complete, which is read out all the same', async () => {
    const { rows } = fullWorld(testNowMs);
    const complete = rows.find((row) => row.completeness === 'complete');
    if (complete === undefined) throw new Error('no complete row');
    const { element } = await show({ ...complete, marks: plainMarks });
    const marks = element.querySelector('.marks');
    expect(marks?.textContent.trim()).toBe('Complete');
    expect([...(marks?.children ?? [])].map(({ className }) => className.split(' ')[0])).toEqual([
      'visually-hidden',
      'tools',
    ]);
  });

  it('has a picture beside each address, and never the same for two that look alike', async () => {
    const pictures = async (to: string) => {
      cleanup();
      const { element } = await show(
        rowWith({ erc20Transfers: [{ ...transfer('5'), to: { address: to } }] }),
      );
      return [...element.querySelectorAll('svg[viewBox="0 0 5 5"]')].map((picture) => picture.innerHTML);
    };
    const [mine, theirs] = await pictures('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed');
    const [again, alike] = await pictures('0x5aAeb60000000000000000000000000000f1BeAed');
    expect(mine).toBe(again);
    expect(theirs).not.toBe(alike);
  });

  it('is never complete with a part that could not be read, and keeps its place when nothing can', async () => {
    const part = { path: 'erc20Transfers[0]', why: 'because its token is missing', text: '{}' };
    const { element } = await show({ ...rowWith({}), unread: [part] });
    expect(cellsOf(element).at(-1)).toBe('Not fully decoded');
    cleanup();
    const { element: gone } = await show({ ...rowWith({}), completeness: 'unreadable', transaction: null });
    expect(cellsOf(gone)).toMatchObject({
      1: 'Avalanche C-Chain',
      3: 'Unreadable',
      8: 'Unknown',
      9: 'Not fully decoded',
    });
  });

  it('has every digit of an amount and a fee in the tip, and keeps room for those that count', async () => {
    const token = { address: usdc.address, symbol: 'DAI', decimals: 18 };
    const { element } = await show(rowWith({ erc20Transfers: [transfer('37784943614190028043', token)] }));
    const amount = element.querySelector<HTMLElement>('.amounts .amount');
    expect(amount?.dataset['tip']).toBe('−37.784943614190028043 DAI');
    expect(amount?.style.getPropertyValue('--counts')).toBe('11ch');
    expect(element.querySelector<HTMLElement>('.fee .amount')?.style.getPropertyValue('--counts')).toBe(
      '8ch',
    );
  });

  it('never guesses decimals', async () => {
    const { element } = await show(
      rowWith({ erc20Transfers: [transfer('1250500001', { address: usdc.address, symbol: 'ODD' })] }),
    );
    expect(element.textContent).toContain('−1,250,500,001');
    expect(element.textContent).toContain('base units of ODD');
  });

  it('says how many amounts it has no room for', async () => {
    const many = [1, 2, 3].map((logIndex) => ({ ...transfer('1000000'), logIndex }));
    const { element } = await show(rowWith({ erc20Transfers: many }));
    expect(element.textContent).toContain('and 2 more');
  });

  it('shows a failure as one, with the fee that it cost', async () => {
    const row = rowWith({});
    row.transaction.nativeTransaction.txStatus = '0';
    const { element } = await show(row);
    expect(element.textContent).toContain('Failed');
    expect(element.textContent).toContain('nothing moved');
    expect(element.textContent).toContain('0.000525');
  });
});
