import { screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { renderInApp, testNowMs } from '../../testing/render.ts';
import { fullWorld, sampleAddresses } from '../../testing/sample-world.ts';
import RemoveAddressDialog from './RemoveAddressDialog.svelte';

const { treasury: address } = sampleAddresses;
const words = () => screen.getByText('Treasury').parentElement?.textContent.replace(/\s+/g, ' ').trim();

describe('RemoveAddressDialog', () => {
  it('keeps the name and the count until it closes, though the address has left the list', async () => {
    const { app, bridge, user } = await renderInApp(RemoveAddressDialog, { address });
    const before = words();
    expect(before).toMatch(
      /^Treasury has [\d,]+ transactions on this computer\. What should happen to them\?$/,
    );
    bridge.answer('watchlist.remove', async () => {
      bridge.emit('watchlist.changed', []);
      return await Promise.withResolvers<never>().promise;
    });
    await user.click(screen.getByRole('button', { name: 'Stop watching' }));
    await expect.poll(() => app.watchlist).toEqual([]);
    expect(words()).toBe(before);
  });

  it('asks about transfers too, where the list of transactions could not be fetched', async () => {
    const world = fullWorld(testNowMs);
    for (const { sync, otherLists } of world.snapshot.watchlist.flatMap(({ chains }) => chains)) {
      sync.rowCount = 0;
      for (const other of otherLists) other.sync.rowCount = 5;
    }
    const { user, bridge } = await renderInApp(RemoveAddressDialog, { address }, { world });
    expect(words()).toBe('Treasury has transfers on this computer. What should happen to them?');
    await user.click(screen.getByRole('radio', { name: /^Keep them/ }));
    await user.click(screen.getByRole('button', { name: 'Stop watching' }));
    expect(bridge.argsOf('watchlist.remove')).toEqual([{ address, keepData: true }]);
  });

  it('speaks of one transaction where there is only one', async () => {
    const world = fullWorld(testNowMs);
    const entry = world.snapshot.watchlist.find((one) => one.address === address);
    entry?.chains.forEach((chain, index) => (chain.sync.rowCount = index === 0 ? 1 : 0));
    await renderInApp(RemoveAddressDialog, { address }, { world });
    expect(words()).toBe('Treasury has 1 transaction on this computer. What should happen to it?');
    const choices = screen.getAllByRole('radio').map((radio) => radio.parentElement?.textContent);
    expect(choices[0]).toMatch(
      /^\s*Delete it\s+You can fetch it again later, as long as the service still has it\./,
    );
    expect(choices[1]).toMatch(/^\s*Keep it\s+It stays hidden/);
  });

  it('asks nothing about transactions where there are none', async () => {
    const world = fullWorld(testNowMs);
    for (const entry of world.snapshot.watchlist) entry.chains = [];
    const { bridge, user } = await renderInApp(RemoveAddressDialog, { address }, { world });
    expect(words()).toBe('Treasury has no transactions on this computer.');
    expect(screen.queryByRole('radio')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Stop watching' }));
    expect(bridge.argsOf('watchlist.remove')).toEqual([{ address, keepData: false }]);
  });
});
