import { cleanup, screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import type { ActivityRow } from '../../../../../shared/activity/types.ts';
import { err, ok } from '../../../../../shared/errors.ts';
import type { FakeBridge } from '../../../testing/fake-bridge.ts';
import { testNowMs } from '../../../testing/render.ts';
import { answered, detailOf, openDrawer, partialRow, section } from '../../../testing/transaction-drawer.ts';

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
    for (const words of ['Base fee paid', 'Priority fee paid', 'unused', '25 gwei', '60 gwei', '1.5 gwei']) {
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
    expect(moved.textContent).toContain('Couldn’t reach the token’s metadata');
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
    const { setNow } = await openDrawer(partialRow(2), answered(2));
    const provenance = async () => (await section('Source of this data')).textContent;
    await expect.poll(provenance).toContain('2026-09-16 14:05:05');
    expect(await provenance()).toContain('The service, just now');
    expect(await provenance()).toContain('blockIndex was text');
    setNow(testNowMs + 3_600_000);
    await expect.poll(provenance).toContain('The service, 1 h ago');
  });

  it('leads to the settings where the key is refused, and can be tried again', async () => {
    const { navigation, user } = await openDrawer(partialRow(2), (bridge) =>
      bridge.answer('endpoint.query', () => err({ code: 'unauthorized', message: '401' })),
    );
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Open Settings' }));
    expect(navigation.view).toBe('settings');
  });

  it('shows what is stored, calmly, when there is no connection', async () => {
    await openDrawer(partialRow(2), (bridge) =>
      bridge.answer('endpoint.query', () => err({ code: 'unreachable', message: 'getaddrinfo ENOTFOUND' })),
    );
    expect(await screen.findByText('No connection to the service')).toBeTruthy();
    expect(screen.getByText(/Only the parts that involve the address are shown/)).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
    expect((await section(/^What moved/)).textContent).toContain('1,250.5');
    expect((await section('Source of this data')).textContent).toContain('This computer');
  });

  it.each([
    [
      'of the page that brought it',
      'https://host.test/v1/list?pageToken=t-1',
      /GET https:\S+pageToken=t-1 \(one of the transactions on this page/,
    ],
    [
      'of its list where the page is not known',
      null,
      /sortOrder=desc \(one page of this list; page number unknown\)/,
    ],
  ])('names the request %s', async (_name, requestUrl, words) => {
    await openDrawer(partialRow(2), (bridge) => {
      bridge.answer('endpoint.query', () => err({ code: 'unreachable', message: 'getaddrinfo ENOTFOUND' }));
      bridge.answer('activity.text', () => ok({ text: '{}', isReceived: true, requestUrl }));
    });
    const provenance = await section('Source of this data');
    await expect.poll(() => provenance.textContent.replace(/\s+/g, ' ')).toMatch(words);
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
    expect(await screen.findByText('The service took too long to respond')).toBeTruthy();
    expect(screen.getByText(/transaction, fetched 5 h ago/)).toBeTruthy();
  });

  describe('of a complete row', () => {
    const whole: ActivityRow = { ...partialRow(2), completeness: 'complete', transaction: detailOf(2) };
    const nothingStored = (bridge: FakeBridge) =>
      bridge.answer('endpoint.query', () => err({ code: 'not-found', message: 'Nothing is stored.' }));

    it('asks the service for nothing, and shows all that is stored', async () => {
      const { bridge } = await openDrawer(whole, nothingStored);
      expect(await section(/^Gas and fee/)).toBeTruthy();
      expect((await section(/^Internal transactions/)).textContent).toContain('Reverted');
      const provenance = (await section('Source of this data')).textContent;
      expect(provenance).toContain('This computer: a complete transaction');
      expect(provenance).toContain('2026-09-16 13:05:07');
      await expect
        .poll(() => bridge.argsOf('endpoint.query').map(({ refresh }) => refresh))
        .toEqual(['cached']);
      expect(screen.queryByText(/Nothing is stored|Checking whether/)).toBeNull();
    });

    it('has the service’s own words where they are kept, unless the row is newer', async () => {
      const kept = (fetchedAtMs: number) => (bridge: FakeBridge) =>
        bridge.answer('endpoint.query', () =>
          ok({
            data: detailOf(2),
            fetchedAtMs,
            source: 'cache',
            stale: true,
            notes: [],
            rawText: '{"as":"it came"}',
          }),
        );
      await openDrawer(whole, kept(whole.fetchedAtMs));
      expect((await section('Source of this data')).textContent).toContain(
        'an earlier response from the service',
      );
      expect((await section(/^Raw JSON/)).textContent).toContain('as received');
      cleanup();
      await openDrawer(whole, kept(whole.fetchedAtMs - 1));
      expect((await section('Source of this data')).textContent).toContain('a complete transaction');
      expect((await section(/^Raw JSON/)).textContent).toContain('rebuilt from the stored fields');
    });

    it('is fetched again when the user wants that', async () => {
      const { bridge, user } = await openDrawer(whole, nothingStored);
      answered(2)(bridge);
      await user.click(screen.getByRole('button', { name: 'Fetch again' }));
      expect(bridge.argsOf('endpoint.query').at(-1)?.refresh).toBe('always');
      await expect
        .poll(async () => (await section('Source of this data')).textContent)
        .toContain('The service, just now');
    });
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
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Transaction above' }).disabled).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Transaction below' }));
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
});
