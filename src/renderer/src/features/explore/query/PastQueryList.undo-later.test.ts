import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import type { RunTarget } from '../../../../../shared/explore/types.ts';
import { renderInApp } from '../../../testing/render.ts';
import PastQueryList from './PastQueryList.svelte';

const target: RunTarget = { kind: 'node', nodeId: 'n', callId: 'get-ext-health', tags: [] };

it('a query that is put back takes the place of no form that was filled in since', async () => {
  const { explore, messages, user } = await renderInApp(
    PastQueryList,
    {},
    { prepare: ({ runs }) => void runs.start(target, 'one') },
  );
  await user.click(await screen.findByText(/n removed node|a removed node/));
  expect(explore.run?.id).toBe('run-1');
  await user.click(screen.getByRole('button', { name: /^Actions for/ }));
  await user.click(screen.getByRole('menuitem', { name: 'Remove' }));
  await expect.poll(() => explore.run).toBeNull();
  explore.choose('chain-transactions');
  explore.setValue('chainId', '43114');
  await messages.undo(messages.undoable?.id ?? 0);
  expect(explore.choice).toBe('chain-transactions');
  expect(explore.values).toEqual({ chainId: '43114' });
});
