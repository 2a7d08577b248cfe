import { screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { everything } from '../../../../shared/activity/filter.ts';
import { filterFor } from '../../state/filter-choice.ts';
import { renderInApp } from '../../testing/render.ts';
import { sampleAddresses } from '../../testing/sample-world.ts';
import EditAddressDialog from './EditAddressDialog.svelte';
import RemoveAddressDialog from './RemoveAddressDialog.svelte';

const address = sampleAddresses.treasury;

describe('EditAddressDialog', () => {
  it('saves label, tags, colour and pause', async () => {
    const { bridge, navigation, user } = await renderInApp(EditAddressDialog, { address });
    navigation.open({ kind: 'edit-address', address });
    const label = screen.getByLabelText<HTMLInputElement>(/^Label/);
    await user.clear(label);
    await user.type(label, ' Vault ');
    const tags = screen.getByLabelText<HTMLInputElement>(/^Tags/);
    await user.clear(tags);
    await user.type(tags, 'cold, , team, cold');
    await user.click(screen.getByRole('radio', { name: 'teal' }));
    await user.click(screen.getByRole('checkbox', { name: /Pause/ }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(bridge.argsOf('watchlist.update')).toEqual([
      { address, label: 'Vault', tags: ['cold', 'team'], colour: 'teal', paused: true },
    ]);
    expect(navigation.dialog).toBeNull();
  });

  it.each([
    ['cold, , team; cold', false],
    [Array.from({ length: 21 }, (_, at) => `tag ${at}`).join(), true],
    ['t'.repeat(51), true],
  ])('says of %j whether less of it is kept', async (typed, isCut) => {
    const { user } = await renderInApp(EditAddressDialog, { address });
    const tags = screen.getByLabelText<HTMLInputElement>(/^Tags/);
    await user.clear(tags);
    await user.click(tags);
    await user.paste(typed);
    expect(tags.getAttribute('aria-invalid')).toBe(String(isCut));
    const words = 'Only the first 20 tags are kept, with up to 50 characters each.';
    expect(screen.queryByText(words) !== null).toBe(isCut);
  });
});

describe('RemoveAddressDialog', () => {
  it.each([
    ['Delete them', false],
    ['Keep them', true],
  ])('%s', async (choice, keepData) => {
    const { bridge, user } = await renderInApp(RemoveAddressDialog, { address });
    await user.click(screen.getByRole('radio', { name: new RegExp(choice) }));
    await user.click(screen.getByRole('button', { name: 'Stop watching' }));
    expect(bridge.argsOf('watchlist.remove')).toEqual([{ address, keepData }]);
  });

  it('puts back what was shown of the address too, unless the user has gone on', async () => {
    const { bridge, navigation, messages, user } = await renderInApp(RemoveAddressDialog, { address });
    const shown = filterFor({ address, chainId: null });
    navigation.filter = shown;
    await user.click(screen.getByRole('button', { name: 'Stop watching' }));
    expect(navigation.filter).toEqual(everything);
    await messages.undo(messages.undoable?.id ?? 0);
    expect(bridge.argsOf('removals.settle')).toEqual([{ undoId: `address ${address}`, putBack: true }]);
    expect(navigation.filter).toBe(shown);
  });
});
