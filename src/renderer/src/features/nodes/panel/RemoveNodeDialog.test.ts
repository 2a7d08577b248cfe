import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
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
