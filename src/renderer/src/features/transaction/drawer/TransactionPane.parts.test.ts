import { screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { ok } from '../../../../../shared/errors.ts';
import { testNowMs } from '../../../testing/render.ts';
import { fullWorld, sampleAddresses } from '../../../testing/sample-world.ts';
import {
  answered,
  answeredWith,
  detailOf,
  openDrawer,
  partialRow,
  section,
} from '../../../testing/transaction-drawer.ts';

describe('parts of a transaction', () => {
  it('folds a huge input, shows a part of it as it is, and copies all of it', async () => {
    const input = `0xa9059cbb${'0'.repeat(64 * 4_000)}`;
    const { bridge, user } = await openDrawer(partialRow(1), answeredWith({ input }));
    const shown = await section(/^Input/);
    expect(shown.querySelector('pre')).toBeNull();
    await user.click(within(shown).getByText('Show input'));
    expect(shown.querySelector('pre')?.textContent).toBe(`${input.slice(0, 8_192)}…`);
    expect(shown.textContent).toContain('8,192 of 256,010 characters');
    await user.click(within(shown).getByRole('button', { name: 'Copy whole input' }));
    expect(bridge.argsOf('app.copyText')).toEqual([{ text: input }]);
  });

  it('gives what moved its value at the prices of the service, and names the currency', async () => {
    await openDrawer(partialRow(2), answered(2));
    const moved = (await section(/^What moved/)).textContent;
    expect(moved).toContain('1,250.25 USD (price date unknown)');
    const token = (await section('Network token')).textContent;
    expect(token).toContain('Currency USD, chosen by the service');
    // A price is of the time when it was told, however long ago that was.
    expect(token).toMatch(/Latest price.*as of 2026-\d\d-\d\d \d\d:\d\d/s);
    expect(`${moved} ${token}`).not.toMatch(/\bnow\b/);
  });

  it('says why a row is hidden, and shows it by the user’s word, which can be taken back', async () => {
    const world = fullWorld(testNowMs);
    const row = world.rows.find(({ marks }) => marks.spam.hiddenReason !== null);
    if (row === undefined) throw new Error('the sample world hides nothing');
    const { bridge, user } = await openDrawer(row, undefined, world);
    const marks = await section(/^Flags/);
    expect(marks.textContent).toMatch(/Zero value|Phishing/);
    await user.click(within(marks).getByRole('button', { name: 'Show this row' }));
    expect(await within(marks).findByText(/Shown by you/)).toBeTruthy();
    await user.click(within(marks).getByRole('button', { name: 'Use spam rules for this row' }));
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
    expect((await section(/^Flags/)).textContent).toContain('Reorganised');
    expect((await section(/^Flags/)).textContent).toContain('See “Older versions”');
    const versions = await section(/^Older versions/);
    await user.click(await within(versions).findByText('What differs'));
    const changed = within(versions).getByRole('row', { name: /blockHash/ }).textContent;
    expect(changed).toContain('"0xold"');
    expect(changed).toContain(`"${row.transaction.nativeTransaction.blockHash}"`);
    expect(versions.textContent).toContain('The app can no longer read this version');
    await user.click(within(versions).getAllByText('JSON of this version')[1] as HTMLElement);
    expect(versions.textContent).toContain('"cut');
  });

  it('opens the matching transaction of a message where it is stored', async () => {
    const other = { chainId: '53935', txHash: '0xhalf', timestampMs: testNowMs - 7_140_000 };
    const { bridge, navigation, user } = await openDrawer(partialRow(2), (fake) => {
      answered(2)(fake);
      fake.answer('activity.otherHalf', () => ok(other));
    });
    const message = await section('Cross-chain message');
    await user.click(await within(message).findByRole('button', { name: 'Open matching transaction' }));
    expect(message.textContent.replace(/\s+/g, ' ')).toContain('Received on DFK Chain at');
    expect(message.textContent).toContain('later');
    expect(navigation.lookups).toEqual([{ kind: 'transaction', chainId: '53935', txHash: '0xhalf' }]);
    expect(bridge.argsOf('activity.otherHalf')).toEqual([
      { messageId: detailOf(2).teleporterMessageInfo?.teleporterMessageId, chainId: '43114' },
    ]);
  });

  it('says that the matching transaction was not seen yet, and finds it when it comes', async () => {
    const { bridge } = await openDrawer(partialRow(2), answered(2));
    const message = await section('Cross-chain message');
    await expect.poll(() => message.textContent).toContain('Not found yet: the message was sent 2 h ago');
    bridge.answer('activity.otherHalf', () => ok({ chainId: '53935', txHash: '0xhalf', timestampMs: null }));
    const chain = bridge.world.snapshot.watchlist[0]?.chains[0];
    if (chain === undefined) throw new Error('the sample world has no chain');
    bridge.emit('activity.changed', {
      address: sampleAddresses.treasury,
      chainId: chain.chainId,
      list: 'transactions',
      sync: chain.sync,
    });
    expect(await within(message).findByRole('button', { name: 'Open matching transaction' })).toBeTruthy();
  });

  it('calls addresses by their names everywhere, and tells whose word it is', async () => {
    const { bridge, navigation, user } = await openDrawer(partialRow(2), answered(2));
    const moved = await section(/^What moved/);
    expect(within(moved).getAllByRole('button', { name: /^Treasury 0x/ }).length).toBeGreaterThan(0);
    const [pool] = within(moved).getAllByRole('button', { name: /^Joe LP \(named by the service\)/ });
    await user.click(pool as HTMLElement);
    await user.click(screen.getByRole('menuitem', { name: 'Copy address' }));
    const address = bridge.argsOf('app.copyText')[0]?.text;
    expect(address).toMatch(/^0x[0-9a-fA-F]{40}$/);
    await user.click(pool as HTMLElement);
    await user.click(screen.getByRole('menuitem', { name: 'Look up' }));
    expect(navigation.lookups).toEqual([{ kind: 'address', chainId: '43114', address }]);
    await user.click(pool as HTMLElement);
    await user.click(screen.getByRole('menuitem', { name: 'Name this address…' }));
    expect(navigation.dialog).toEqual({ kind: 'edit-name', address });
    await user.click(pool as HTMLElement);
    await user.click(screen.getByRole('menuitem', { name: 'Show in the timeline' }));
    expect(navigation.view).toBe('activity');
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
    const provenance = await section('Source of this data');
    await expect.poll(() => provenance.textContent).toContain('0 to 51,204,330 had been fetched');
    expect(provenance.textContent).toContain('run-1');
  });
});
