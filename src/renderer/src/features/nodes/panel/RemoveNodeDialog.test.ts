import { screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { expect, it } from 'vitest';
import type { Result } from '../../../../../shared/errors.ts';
import type { Removed } from '../../../../../shared/ipc/answers.ts';
import { renderInApp } from '../../../testing/render.ts';
import RemoveNodeDialog from './RemoveNodeDialog.svelte';

it('removes the node after a question, and offers to undo it', async () => {
  const { bridge, messages, navigation, user } = await renderInApp(RemoveNodeDialog, { id: 'n2' });
  navigation.open({ kind: 'remove-node', id: 'n2' });
  expect(bridge.argsOf('nodes.remove')).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Remove node' }));
  expect(bridge.argsOf('nodes.remove')).toEqual([{ id: 'n2' }]);
  expect(navigation.dialog).toBeNull();
  await messages.undo(messages.undoable?.id ?? 0);
  expect(bridge.argsOf('removals.settle')).toEqual([{ undoId: 'node n2', putBack: true }]);
});

it('lets go what was typed about the node, which closing the window would ask about for ever', async () => {
  const { navigation, user } = await renderInApp(RemoveNodeDialog, { id: 'n2' });
  for (const name of ['thresholds n2', 'planned work n2', 'thresholds n1', 'proxy'])
    navigation.drafts.set(name, 'typed');
  await user.click(screen.getByRole('button', { name: 'Remove node' }));
  expect([...navigation.drafts.keys()]).toEqual(['thresholds n1', 'proxy']);
});

it('keeps the name of the node that has left before the answer comes', async () => {
  const { app, bridge, user } = await renderInApp(RemoveNodeDialog, { id: 'n2' });
  const answer = Promise.withResolvers<Result<Removed>>();
  bridge.answer('nodes.remove', () => answer.promise);
  await user.click(screen.getByRole('button', { name: 'Remove node' }));
  bridge.emit(
    'nodes.changed',
    app.nodes.filter(({ node }) => node.id !== 'n2'),
  );
  await expect.poll(() => app.node('n2')).toBeNull();
  await tick();
  expect(screen.getByRole('dialog').textContent).toContain('The app stops polling Ashburn 2');
});
