import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { ok } from '../../../../../shared/errors.ts';
import { renderInApp } from '../../../testing/render.ts';
import PlanDialog from './PlanDialog.svelte';

it('does not speak of stopping where there is nothing to fetch', async () => {
  const plan = { items: [], leastCalls: 0, estimatedCalls: 0, estimatedMs: 0, share: null };
  const scope = { address: null, chainId: null };
  await renderInApp(
    PlanDialog,
    { scope, what: 'holes', where: 'all addresses', onclose: () => undefined },
    { prepare: (fake) => fake.answer('activity.plan', () => ok(plan)) },
  );
  expect(await screen.findByText('There is nothing to fetch.')).toBeTruthy();
  expect(screen.queryByText(/stop at any time/)).toBeNull();
});
