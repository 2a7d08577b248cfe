import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import type { InvokeChannel } from '../../../shared/ipc/contract.ts';
import { choiceOf, filterFor } from '../state/filter-choice.ts';
import type { DialogRequest } from '../state/navigation.svelte.ts';
import { renderInApp, testNowMs } from '../testing/render.ts';
import { fullWorld, sampleAddresses } from '../testing/sample-world.ts';
import Dialogs from './Dialogs.svelte';
import { viewList } from './view-list.ts';

const address = sampleAddresses.treasury;
const removes: readonly InvokeChannel[] = ['watchlist.remove', 'book.remove', 'nodes.remove'];

it.each<[DialogRequest, InvokeChannel, string]>([
  [{ kind: 'export-activity' }, 'activity.export', 'Save as…'],
  [
    { kind: 'add-address', address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
    'watchlist.add',
    'Watch address',
  ],
  [{ kind: 'edit-address', address }, 'watchlist.update', 'Save'],
  [{ kind: 'remove-address', address }, 'watchlist.remove', 'Stop watching'],
  [{ kind: 'edit-name', address }, 'book.put', 'Save name'],
  [{ kind: 'edit-name', address }, 'book.remove', 'Remove name'],
  [{ kind: 'add-node', url: 'http://10.1.2.3:9650' }, 'nodes.add', 'Add node'],
  [{ kind: 'remove-node', id: 'n2' }, 'nodes.remove', 'Remove node'],
])(
  '%o, closed before it was answered, leaves what the user does by then',
  async (request, channel, action) => {
    const world = fullWorld(testNowMs);
    world.snapshot.book = [{ address, name: 'Vault', note: null, changedAtMs: 1 }];
    const { bridge, messages, navigation, user } = await renderInApp(Dialogs, { views: viewList }, { world });
    const held = Promise.withResolvers<null>();
    const invoke = bridge.invoke.bind(bridge);
    let answered = 0;
    bridge.invoke = async (asked, args) => {
      if (asked === channel) await held.promise;
      const answer = await invoke(asked, args);
      if (asked === channel) answered += 1;
      return answer;
    };
    navigation.filter = filterFor({ address, chainId: null });
    navigation.open(request);
    await user.click(await screen.findByRole('button', { name: action }));
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    navigation.open({ kind: 'shortcuts' });
    held.resolve(null);
    await expect.poll(() => answered).toBe(1);
    expect([navigation.dialog?.kind, navigation.view]).toEqual(['shortcuts', 'overview']);
    expect(messages.undoable !== null).toBe(removes.includes(channel));
    // What is shown of an address goes with it.
    expect(choiceOf(navigation.filter).address).toBe(channel === 'watchlist.remove' ? null : address);
  },
);
