import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { renderInApp } from '../../../testing/render.ts';
import PastQueryList from './PastQueryList.svelte';

it('a query that was removed while it ran, which ended it, does not run when it is put back', async () => {
  const { bridge, explore, messages, user } = await renderInApp(
    PastQueryList,
    {},
    {
      prepare: ({ runs }) =>
        void runs.start({ kind: 'endpoint', endpointId: 'latest-transactions', params: {} }, 'one'),
    },
  );
  await user.click(await screen.findByText('Latest transactions on all chains'));
  const run = explore.run;
  if (run === null) throw new Error('it is open');
  bridge.emit('run.changed', { ...run, state: 'running' });
  await expect.poll(() => explore.run?.state).toBe('running');
  await user.click(screen.getByRole('button', { name: /^Actions for/ }));
  await user.click(screen.getByRole('menuitem', { name: 'Remove' }));
  bridge.emit('run.changed', { ...run, state: 'partial' });
  await messages.undo(messages.undoable?.id ?? 0);
  expect(explore.run).toMatchObject({ id: run.id, state: 'partial' });
});
