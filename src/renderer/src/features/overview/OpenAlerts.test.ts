import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { err, ok } from '../../../../shared/errors.ts';
import { renderInApp } from '../../testing/render.ts';
import OpenAlerts from './OpenAlerts.svelte';

it('open alerts that could not be read are not passed over, and can be read again', async () => {
  const { bridge, user } = await renderInApp(
    OpenAlerts,
    {},
    { prepare: (fake) => fake.answer('alerts.list', () => err({ code: 'storage', message: 'busy' })) },
  );
  const again = await screen.findByRole('button', { name: 'Try again' });
  bridge.answer('alerts.list', () => ok({ alerts: [], messages: [] }));
  await user.click(again);
  await expect.poll(() => screen.queryByRole('region', { name: 'Open alerts' })).toBeNull();
});
