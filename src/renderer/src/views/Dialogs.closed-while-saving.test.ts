import { screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { err, ok, type Result } from '../../../shared/errors.ts';
import type { InvokeChannel } from '../../../shared/ipc/contract.ts';
import type { DialogRequest } from '../state/navigation.svelte.ts';
import { renderInApp, testNowMs } from '../testing/render.ts';
import { sampleAddresses } from '../testing/sample-world.ts';
import Dialogs from './Dialogs.svelte';

const { quiet: address, joe } = sampleAddresses;
const noAnswer = { says: 'no-answer', words: 'Not asked.', askedAtMs: testNowMs } as const;
const silentProbe = {
  get: noAnswer,
  rpc: noAnswer,
  readiness: noAnswer,
  liveness: noAnswer,
  nodeId: null,
  checks: [],
  certificate: null,
};

async function saveIn(dialog: DialogRequest, button: string, channel: InvokeChannel) {
  const rendered = await renderInApp(Dialogs, { views: [] });
  const { bridge, navigation, user } = rendered;
  const held = Promise.withResolvers<never>();
  bridge.answer(channel, () => held.promise);
  navigation.open(dialog);
  await user.click(await screen.findByRole('button', { name: button }));
  const answer = (result: Result<unknown>) => held.resolve(result as never);
  const fail = () => answer(err({ code: 'storage', message: 'The disk is full.' }));
  return { ...rendered, answer, fail };
}

describe('a dialog that was closed before it heard that nothing was saved', () => {
  it.each<[DialogRequest, string, InvokeChannel]>([
    [{ kind: 'add-addresses', from: address }, 'Add addresses', 'watchlist.addMany'],
    [{ kind: 'edit-address', address }, 'Save', 'watchlist.update'],
    [{ kind: 'remove-address', address }, 'Stop watching', 'watchlist.remove'],
    [{ kind: 'edit-name', address: joe }, 'Save name', 'book.put'],
    [{ kind: 'edit-name', address: joe }, 'Remove name', 'book.remove'],
    [{ kind: 'edit-node', id: 'n1' }, 'Save node', 'nodes.update'],
    [{ kind: 'remove-node', id: 'n1' }, 'Remove node', 'nodes.remove'],
    [{ kind: 'export-activity' }, 'Save as…', 'activity.export'],
  ])('leaves a message: %o', async (dialog, button, channel) => {
    const { fail, messages, navigation } = await saveIn(dialog, button, channel);
    navigation.closeDialog();
    fail();
    await expect.poll(() => messages.list, { timeout: 2_000 }).toMatchObject([{ kind: 'error' }]);
  });

  it('says it only once while it is open', async () => {
    const { fail, messages } = await saveIn({ kind: 'edit-address', address }, 'Save', 'watchlist.update');
    fail();
    await screen.findByRole('alert');
    expect(messages.list).toEqual([]);
  });

  it('says what became of many addresses, too', async () => {
    const dialog = { kind: 'add-addresses', from: address } as const;
    const { answer, messages, navigation } = await saveIn(dialog, 'Add addresses', 'watchlist.addMany');
    navigation.closeDialog();
    answer(ok([{ line: 1, input: address, outcome: 'added', address }]));
    await expect.poll(() => messages.list, { timeout: 2_000 }).toMatchObject([{ text: '1 added.' }]);
  });
});

it('a node is not added once its test was cancelled, and the dialog that is open by then stays', async () => {
  const url = 'http://10.1.2.3:9650';
  const shown = await saveIn({ kind: 'add-node', url }, 'Add node', 'nodes.probe');
  const { answer, bridge, navigation, user } = shown;
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  navigation.open({ kind: 'add-address' });
  answer(ok({ ...silentProbe, advice: [] }));
  await user.type(await screen.findByLabelText(/^Label/), 'Treasury');
  expect(bridge.argsOf('nodes.add')).toEqual([]);
  expect([navigation.dialog?.kind, navigation.view]).toEqual(['add-address', 'overview']);
});
