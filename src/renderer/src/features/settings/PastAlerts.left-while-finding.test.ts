import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { ok, type Result } from '../../../../shared/errors.ts';
import type { Incident } from '../../../../shared/health/types.ts';
import { renderInApp, testNowMs } from '../../testing/render.ts';
import PastAlerts from './PastAlerts.svelte';

it('leads nobody away who has gone elsewhere while the incident was looked for', async () => {
  const thresholds = { nodeId: null, failAfter: 2, recoverAfter: 2, silentSeconds: 90 };
  const held = Promise.withResolvers<Result<Incident>>();
  const told = { title: 'Told', atMs: testNowMs, incident: { nodeId: 'n2', id: 'i2' } };
  const prepare: NonNullable<Parameters<typeof renderInApp>[2]>['prepare'] = (fake) => {
    fake.answer('alerts.tryPast', () => ok({ count: 1, newest: [told] }));
  };
  const { bridge, navigation, user } = await renderInApp(PastAlerts, { thresholds }, { prepare });
  const find = await bridge.invoke('incidents.find', told.incident);
  bridge.answer('incidents.find', () => held.promise);
  await user.click(await screen.findByRole('button', { name: 'Told' }));
  navigation.go('activity');
  held.resolve(find);
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(navigation.view).toBe('activity');
});
