import { cleanup, screen, within } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import type { ActivityRow } from '../../../../shared/activity/types.ts';
import type { NativeTransaction } from '../../../../shared/endpoints/records.ts';
import { err, ok } from '../../../../shared/errors.ts';
import type { FakeBridge } from '../../testing/fake-bridge.ts';
import { Random } from '../../testing/random.ts';
import { renderInApp, testNowMs } from '../../testing/render.ts';
import { plainMarks, sampleDetail } from '../../testing/sample-transactions.ts';
import { fullWorld, sampleAddresses } from '../../testing/sample-world.ts';
import TransactionDrawer from './TransactionDrawer.svelte';

const chain = { chainId: '43114', name: 'Avalanche C-Chain', symbol: 'AVAX' };

/** A row of the shape (2: an exchange, 3: NFTs), partial as the list gives it. */
function partialRow(shape: number): ActivityRow {
  const detail = sampleDetail(
    new Random(shape),
    chain,
    sampleAddresses.treasury,
    testNowMs - 7_200_000,
    shape,
  );
  detail.nativeTransaction.txStatus = '1';
  const { nativeTransaction, erc20Transfers, erc721Transfers, erc1155Transfers } = detail;
  return {
    id: 77,
    marks: plainMarks,
    chainId: '43114',
    address: sampleAddresses.treasury,
    txHash: nativeTransaction.txHash,
    blockNumber: nativeTransaction.blockNumber,
    timestampMs: testNowMs - 7_200_000,
    fetchedAtMs: testNowMs - 3_600_000,
    completeness: 'partial',
    transaction: { nativeTransaction, erc20Transfers, erc721Transfers, erc1155Transfers },
  };
}

async function openDrawer(
  row: ActivityRow,
  prepare: (bridge: FakeBridge) => void = () => undefined,
  world = fullWorld(testNowMs),
) {
  const onclose = vi.fn();
  const onstep = vi.fn();
  const rendered = await renderInApp(
    TransactionDrawer,
    { row, newer: null, older: row, onstep, onclose },
    { world, prepare },
  );
  return { ...rendered, onclose, onstep };
}

const detailOf = (shape: number) => {
  const detail = sampleDetail(
    new Random(shape),
    chain,
    sampleAddresses.treasury,
    testNowMs - 7_200_000,
    shape,
  );
  detail.nativeTransaction.txStatus = '1';
  return detail;
};

const answered =
  (shape: number, rawText = JSON.stringify(detailOf(shape))) =>
  (bridge: FakeBridge) =>
    bridge.answer('endpoint.query', () =>
      ok({
        data: detailOf(shape),
        fetchedAtMs: testNowMs - 2_000,
        source: 'network',
        stale: false,
        notes: ['blockIndex was text and was read as a number'],
        rawText,
      }),
    );

/** An answer whose transaction has these fields. */
const answeredWith =
  (parts: Partial<NativeTransaction>, detail = detailOf(1)) =>
  (bridge: FakeBridge) =>
    bridge.answer('endpoint.query', () => {
      const data = { ...detail, nativeTransaction: { ...detail.nativeTransaction, ...parts } };
      return ok({ data, fetchedAtMs: testNowMs, source: 'network', stale: false, notes: [] });
    });

const section = (name: string | RegExp) => screen.findByRole('region', { name });

describe('TransactionDrawer', () => {
  it('asks for the complete transaction, once, if what is stored is stale', async () => {
    const row = partialRow(2);
    const { bridge } = await openDrawer(row, answered(2));
    await screen.findByText('Complete');
    expect(bridge.argsOf('endpoint.query')).toEqual([
      {
        endpointId: 'transaction',
        params: { chainId: '43114', txHash: row.txHash },
        refresh: 'if-stale',
        includeRaw: true,
        requestId: expect.any(String) as string,
      },
    ]);
  });

  it('shows the net effect and every movement of value in the order of the log', async () => {
    await openDrawer(partialRow(2), answered(2));
    const effect = within(await section(/^Net effect/)).getByRole('list', { name: 'Net effect' });
    expect(effect.textContent).toContain('−1,250.5');
    expect(effect.textContent).toContain('+41.223918273645910023');
    const moved = within(await section(/^What moved/)).getByRole('list', { name: 'Transfers' });
    const places = [...moved.querySelectorAll('.place')].map((place) => place.textContent);
    expect(places.slice(-2)).toEqual(['log 12', 'log 14']);
  });

  it('takes gas and fee apart', async () => {
    await openDrawer(partialRow(2), answered(2));
    const gas = (await section(/^Gas and fee/)).textContent;
    for (const words of ['Base fee part', 'Priority part', 'unused', '25 gwei', '60 gwei', '1.5 gwei']) {
      expect(gas).toContain(words);
    }
  });

  it('shows method, internal transactions with reverts, prices and the cross-chain message', async () => {
    await openDrawer(partialRow(2), answered(2));
    expect((await section('Method')).textContent).toContain('0x18cbafe5');
    const internal = (await section(/^Internal transactions/)).textContent;
    expect(internal).toContain('DELEGATECALL');
    expect(internal).toContain('Reverted');
    const token = (await section('Network token')).textContent;
    expect(token).toContain('27.9081 USD');
    expect(token).toContain('31.42 USD');
    const message = (await section('Cross-chain message')).textContent;
    expect(message).toContain('Sent from this chain');
    expect(message).toContain('DFK Chain');
    expect(message).toContain(detailOf(2).teleporterMessageInfo?.teleporterMessageId);
  });

  it('reads the cross-chain message in the specification’s spelling too', async () => {
    const { teleporterMessageInfo: _left, ...detail } = detailOf(2);
    const data = {
      ...detail,
      crosschainMessageInfo: {
        crosschainMessageId: '0xfeed',
        direction: 'DESTINATION_TRANSACTION',
        sourceChainId: '43114',
      },
    };
    await openDrawer(partialRow(2), (bridge) =>
      bridge.answer('endpoint.query', () =>
        ok({ data, fetchedAtMs: testNowMs, source: 'network', stale: false, notes: [] }),
      ),
    );
    const message = (await section('Cross-chain message')).textContent;
    expect(message).toContain('0xfeed');
    expect(message).toContain('Received on this chain');
  });

  it('shows NFTs with ids, metadata and how far it was read, as text only', async () => {
    const { user } = await openDrawer(partialRow(3), answered(3));
    const moved = await section(/^What moved/);
    expect(moved.textContent).toContain('ERC-721');
    expect(moved.textContent).toContain('340282366920938463463374607431768211455');
    expect(moved.textContent).toContain('The token’s metadata could not be reached');
    await user.click(within(moved).getByText('Metadata', { selector: 'summary span' }));
    await expect.poll(() => moved.textContent).toContain('A keeper of the night.');
    expect(document.querySelectorAll('img, dialog a')).toHaveLength(0);
  });

  it('shows the raw answer with all its digits', async () => {
    const { user } = await openDrawer(partialRow(2), answered(2, '{"value":1234567890123456789.10}'));
    await user.click(within(await section(/^Raw JSON/)).getByText('Show JSON'));
    expect(await screen.findByText(/"value": 1234567890123456789\.10/)).toBeTruthy();
  });

  it('says where the data is from and what was odd about it', async () => {
    await openDrawer(partialRow(2), answered(2));
    const provenance = (await section('Where this is from')).textContent;
    expect(provenance).toContain('2026-09-16 14:05:05');
    expect(provenance).toContain('The service, just now');
    expect(provenance).toContain('blockIndex was text');
  });

  it('shows what is stored, calmly, when there is no connection', async () => {
    await openDrawer(partialRow(2), (bridge) =>
      bridge.answer('endpoint.query', () => err({ code: 'unreachable', message: 'getaddrinfo ENOTFOUND' })),
    );
    expect(await screen.findByText('No connection to the service')).toBeTruthy();
    expect(screen.getByText(/Shown is what the list of the address says/)).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
    expect((await section(/^What moved/)).textContent).toContain('1,250.5');
    expect((await section('Where this is from')).textContent).toContain('The store on this computer');
  });

  it('shows an older answer with its age when a newer one could not be had', async () => {
    await openDrawer(partialRow(2), (bridge) =>
      bridge.answer('endpoint.query', () =>
        ok({
          data: detailOf(2),
          fetchedAtMs: testNowMs - 5 * 3_600_000,
          source: 'cache',
          stale: true,
          notes: [],
          refreshError: { code: 'timeout', message: 'no answer within 30 s' },
        }),
      ),
    );
    expect(await screen.findByText('The service took too long to answer')).toBeTruthy();
    expect(screen.getByText(/as it was fetched 5 h ago/)).toBeTruthy();
  });

  it('takes the question back when it is closed before the answer', async () => {
    const { bridge, user, onclose } = await openDrawer(partialRow(2), (fake) =>
      fake.answer('endpoint.query', () => new Promise(() => undefined)),
    );
    expect(screen.getByText('Fetching the complete transaction…')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(onclose).toHaveBeenCalledOnce();
    const asked = bridge.argsOf('endpoint.query')[0]?.requestId;
    cleanup();
    expect(bridge.argsOf('endpoint.cancel')).toEqual([{ requestId: asked }]);
  });

  it('steps to the neighbours', async () => {
    const { onstep, user } = await openDrawer(partialRow(2), answered(2));
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Newer transaction' }).disabled).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Older transaction' }));
    expect(onstep).toHaveBeenCalledOnce();
  });

  it('opens the chain’s explorer only through the main process', async () => {
    const row = partialRow(2);
    const { bridge, user } = await openDrawer(row, answered(2));
    await user.click(screen.getByRole('button', { name: 'Open in the chain’s explorer' }));
    expect(bridge.argsOf('app.openExternal')).toEqual([
      { url: `https://subnets.avax.network/c-chain/tx/${row.txHash}` },
    ]);
  });

  it('shows the input in words with their offset, what they may be, and as it is', async () => {
    const address = sampleAddresses.treasury;
    const word = (digits: string) => digits.toLowerCase().padStart(64, '0');
    const input = `0xa9059cbb${word(address.slice(2))}${word('f4240')}beef`;
    const { user } = await openDrawer(partialRow(1), answeredWith({ input }));
    const shown = await section(/^Input/);
    const rows = within(within(shown).getByRole('table', { name: 'Input words' })).getAllByRole('row');
    expect(
      rows.map((row) => [...row.children].map((cell) => cell.textContent.replace(/\s+/g, ' ').trim())),
    ).toEqual([
      ['Offset', '32 bytes', 'Maybe'],
      ['selector', 'a9059cbb', ''],
      ['0x00', word(address.slice(2)), `address? ${address}`],
      ['0x20', word('f4240'), 'number? 1,000,000'],
      ['rest', 'beef', ''],
    ]);
    await user.click(within(shown).getByText('Hex'));
    expect(shown.querySelector('pre')?.textContent).toBe(input);
  });

  it('folds a huge input, shows a part of it, and copies all of it', async () => {
    const input = `0xa9059cbb${'0'.repeat(64 * 4_000)}`;
    const { bridge, user } = await openDrawer(partialRow(1), answeredWith({ input }));
    const shown = await section(/^Input/);
    expect(within(shown).queryByRole('table')).toBeNull();
    await user.click(within(shown).getByText('Show input'));
    expect(within(shown).getAllByRole('row')).toHaveLength(66);
    expect(shown.textContent).toContain('64 of 4,000 words');
    await user.click(within(shown).getByRole('button', { name: 'Copy whole input' }));
    expect(bridge.argsOf('app.copyText')).toEqual([{ text: input }]);
  });

  it('gives what moved its value at the prices of the service, and names the currency', async () => {
    const { app } = await openDrawer(partialRow(2), answered(2));
    const moved = (await section(/^What moved/)).textContent;
    expect(moved).toContain('1,250.25 USD at the service’s price');
    expect((await section('Network token')).textContent).toContain('Currency USD');
    await app.updateSettings({ currency: 'chf' });
    expect((await section('Network token')).textContent).toContain(
      'USD, chosen by the service: a single transaction cannot be asked for in CHF',
    );
  });

  it('says why a row is hidden, and shows it by the user’s word, which can be taken back', async () => {
    const world = fullWorld(testNowMs);
    const row = world.rows.find(({ marks }) => marks.spam.hiddenReason !== null);
    if (row === undefined) throw new Error('the sample world hides nothing');
    const { bridge, user } = await openDrawer(row, undefined, world);
    const marks = await section(/^Marks/);
    expect(marks.textContent).toMatch(/Zero value|Lure/);
    await user.click(within(marks).getByRole('button', { name: 'Show this row' }));
    expect(await within(marks).findByText(/Shown by you/)).toBeTruthy();
    await user.click(within(marks).getByRole('button', { name: 'Let the rules decide' }));
    expect(await within(marks).findByRole('button', { name: 'Show this row' })).toBeTruthy();
    expect(bridge.argsOf('activity.judge')).toEqual([
      { target: { kind: 'row', rowId: row.id }, decision: 'show' },
      { target: { kind: 'row', rowId: row.id }, decision: null },
    ]);
  });

  it('keeps the older version beside the new one, and says what differs', async () => {
    const row = partialRow(1);
    const noted = { ...row, marks: { ...row.marks, reorg: 'reorganised' as const, versionCount: 2 } };
    const older = structuredClone(row.transaction);
    older.nativeTransaction.blockHash = '0xold';
    const { user } = await openDrawer(noted, (bridge) => {
      bridge.answer('activity.versions', () => {
        const times = { fetchedAtMs: testNowMs - 9_000, replacedAtMs: testNowMs - 1_000 };
        return ok([
          { why: 'reorganised' as const, transactionJson: JSON.stringify(older), ...times },
          { why: 'integrity' as const, transactionJson: '{"cut', ...times },
        ]);
      });
    });
    expect((await section(/^Marks/)).textContent).toContain('Reorganised');
    const versions = await section(/^Older versions/);
    await user.click(await within(versions).findByText('What differs'));
    const changed = within(versions).getByRole('row', { name: /blockHash/ }).textContent;
    expect(changed).toContain('"0xold"');
    expect(changed).toContain(`"${row.transaction.nativeTransaction.blockHash}"`);
    expect(versions.textContent).toContain('It cannot be read any more');
    await user.click(within(versions).getAllByText('JSON of this version')[1] as HTMLElement);
    expect(versions.textContent).toContain('"cut');
  });

  it('opens the other half of a message where it is stored', async () => {
    const other = { chainId: '53935', txHash: '0xhalf', timestampMs: testNowMs - 7_140_000 };
    const { bridge, navigation, user } = await openDrawer(partialRow(2), (fake) => {
      answered(2)(fake);
      fake.answer('activity.otherHalf', () => ok(other));
    });
    const message = await section('Cross-chain message');
    await user.click(await within(message).findByRole('button', { name: 'Open the other half' }));
    expect(message.textContent.replace(/\s+/g, ' ')).toContain('Received on DFK Chain at');
    expect(message.textContent).toContain('later');
    expect(navigation.lookups).toEqual([{ kind: 'transaction', chainId: '53935', txHash: '0xhalf' }]);
    expect(bridge.argsOf('activity.otherHalf')).toEqual([
      { messageId: detailOf(2).teleporterMessageInfo?.teleporterMessageId, chainId: '43114' },
    ]);
  });

  it('says that the other half was not seen yet, and finds it when it comes', async () => {
    const { bridge } = await openDrawer(partialRow(2), answered(2));
    const message = await section('Cross-chain message');
    await expect.poll(() => message.textContent).toContain('Not seen yet: the message was sent 2 h ago');
    bridge.answer('activity.otherHalf', () => ok({ chainId: '53935', txHash: '0xhalf', timestampMs: null }));
    const chain = bridge.world.snapshot.watchlist[0]?.chains[0];
    if (chain === undefined) throw new Error('the sample world has no chain');
    bridge.emit('activity.changed', {
      address: sampleAddresses.treasury,
      chainId: chain.chainId,
      list: 'transactions',
      sync: chain.sync,
    });
    expect(await within(message).findByRole('button', { name: 'Open the other half' })).toBeTruthy();
  });

  it('calls addresses by their names everywhere, and tells whose word it is', async () => {
    const { bridge, navigation, onclose, user } = await openDrawer(partialRow(2), answered(2));
    const moved = await section(/^What moved/);
    expect(within(moved).getAllByRole('button', { name: /^Treasury 0x/ }).length).toBeGreaterThan(0);
    const [pool] = within(moved).getAllByRole('button', { name: /^Joe LP \(named so by the service\)/ });
    await user.click(pool as HTMLElement);
    await user.click(screen.getByRole('menuitem', { name: 'Copy address' }));
    const address = bridge.argsOf('app.copyText')[0]?.text;
    expect(address).toMatch(/^0x[0-9a-fA-F]{40}$/);
    await user.click(pool as HTMLElement);
    await user.click(screen.getByRole('menuitem', { name: 'Look up' }));
    expect(navigation.lookups).toEqual([{ kind: 'address', chainId: '43114', address }]);
    await user.click(pool as HTMLElement);
    await user.click(screen.getByRole('menuitem', { name: 'Name it…' }));
    expect(navigation.dialog).toEqual({ kind: 'edit-name', address });
    await user.click(pool as HTMLElement);
    await user.click(screen.getByRole('menuitem', { name: 'Show in the timeline' }));
    expect(onclose).toHaveBeenCalledOnce();
    expect(navigation.filter.pills).toEqual([{ field: 'counterparty', not: false, values: [address] }]);
  });

  it('uses the name of the book before that of the service', async () => {
    const detail = detailOf(2);
    const joe = { address: sampleAddresses.joe.toLowerCase(), name: 'Totally the bank' };
    detail.erc20Transfers?.forEach((transfer) => (transfer.from = joe));
    await openDrawer(partialRow(2), answeredWith({}, detail));
    const moved = await section(/^What moved/);
    await expect.poll(() => moved.textContent).toContain('Joe the accountant');
    expect(moved.textContent).not.toContain('Totally the bank');
  });

  it('leads to the block', async () => {
    const row = partialRow(2);
    const { navigation, user } = await openDrawer(row, answered(2));
    const [digits] = [row.blockNumber.replace(/\B(?=(\d{3})+$)/g, ',')];
    await user.click(screen.getByRole('button', { name: digits }));
    expect(navigation.lookups).toEqual([{ kind: 'block', chainId: '43114', blockId: row.blockNumber }]);
  });

  it('names the run that proved the block of a row complete', async () => {
    await openDrawer({ ...partialRow(2), blockNumber: '51204330' }, answered(2));
    const provenance = await section('Where this is from');
    await expect.poll(() => provenance.textContent).toContain('proved blocks 0 to 51,204,330 complete');
    expect(provenance.textContent).toContain('run-1');
  });
});
