import { cleanup, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { err } from '../../../../../shared/errors.ts';
import { renderInApp } from '../../../testing/render.ts';
import { sampleAddresses } from '../../../testing/sample-world.ts';
import AuditSection from './AuditSection.svelte';

it('what a second audit still misses can be fetched again', async () => {
  const { user } = await renderInApp(AuditSection, { address: sampleAddresses.treasury, chainId: '43114' });
  await user.click(screen.getByRole('button', { name: 'Run audit' }));
  const missing = await screen.findAllByRole('button', { name: /^Fetch 0x/ });
  if (missing[0] !== undefined) await user.click(missing[0]);
  await expect
    .poll(() => screen.queryAllByRole('button', { name: /^Fetch 0x/ }).length)
    .toBe(missing.length - 1);
  await user.click(screen.getByRole('button', { name: 'Run again' }));
  await expect
    .poll(() => screen.queryAllByRole('button', { name: /^Fetch 0x/ }).length, { timeout: 2_000 })
    .toBe(missing.length);
});

it('a missing transaction that could not be fetched is told also once the coverage is closed', async () => {
  const props = { address: sampleAddresses.treasury, chainId: '43114' };
  const { bridge, messages, user } = await renderInApp(AuditSection, props);
  const held = Promise.withResolvers<never>();
  bridge.answer('activity.pull', () => held.promise);
  await user.click(screen.getByRole('button', { name: 'Run audit' }));
  const [missing] = await screen.findAllByRole('button', { name: /^Fetch 0x/ });
  if (missing !== undefined) await user.click(missing);
  cleanup();
  held.resolve(err({ code: 'unreachable', message: 'No route' }) as never);
  await expect.poll(() => messages.list).toMatchObject([{ kind: 'error' }]);
});
