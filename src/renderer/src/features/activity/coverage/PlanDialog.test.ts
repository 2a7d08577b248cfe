import { screen, within } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { err, ok, type Result } from '../../../../../shared/errors.ts';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import { fullWorld, sampleAddresses } from '../../../testing/sample-world.ts';
import CoverageDrawer from './CoverageDrawer.svelte';
import PlanDialog from './PlanDialog.svelte';

it('does not speak of stopping where there is nothing to fetch', async () => {
  const plan = { items: [], leastCalls: 0, estimatedCalls: 0, estimatedMs: 0, share: null };
  const scope = { address: null, chainId: null };
  await renderInApp(
    PlanDialog,
    { scope, what: 'holes', where: 'all addresses', onclose: () => undefined },
    { prepare: (fake) => fake.answer('activity.plan', () => ok(plan)) },
  );
  expect(await screen.findByText('There’s nothing to fetch.')).toBeTruthy();
  expect(screen.queryByText(/stop at any time/)).toBeNull();
});

it.each<[string, Result<null>, number]>([
  ['fails', err({ code: 'storage', message: 'The disk is full.' }), 1],
  ['begins', ok(null), 0],
] as const)(
  'a plan that %s once it is closed closes no other, and a failure is told',
  async (_how, result, told) => {
    const held = Promise.withResolvers<Result<null>>();
    const world = fullWorld(testNowMs);
    const { bridge, messages, user } = await renderInApp(
      CoverageDrawer,
      { address: sampleAddresses.treasury, onclose: () => undefined },
      { world },
    );
    bridge.answer('activity.sync', () => held.promise);
    await user.click(screen.getByRole('button', { name: 'Fetch newer, Treasury' }));
    const first = within(screen.getByRole('dialog', { name: /^Fetch newer/ }));
    await first.findByText(/^About .* calls/);
    await user.click(first.getByRole('button', { name: 'Fetch newer' }));
    await user.click(first.getByRole('button', { name: 'Cancel' }));
    await user.click(screen.getByRole('button', { name: 'Fetch older, Treasury' }));
    held.resolve(result);
    await expect.poll(() => messages.list).toHaveLength(told);
    await new Promise((done) => setTimeout(done));
    expect(screen.getByRole('dialog', { name: /^Fetch older/ })).toBeTruthy();
  },
);
