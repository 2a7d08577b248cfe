import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { everything } from '../../../../../shared/activity/filter.ts';
import { ok } from '../../../../../shared/errors.ts';
import { renderInApp } from '../../../testing/render.ts';
import { sampleAddresses } from '../../../testing/sample-world.ts';
import FilterBar from './FilterBar.svelte';

const { joe } = sampleAddresses;

it('a pill has no name of an address that was taken away, also where its values were listed before', async () => {
  const props = { onleave: () => undefined };
  const { bridge, navigation, user } = await renderInApp(FilterBar, props);
  bridge.answer('activity.values', () => ok([{ value: joe, label: 'Joe the accountant', count: 3 }]));
  navigation.filter = { ...everything, pills: [{ field: 'counterparty', not: false, values: [joe] }] };
  await user.click(await screen.findByRole('button', { name: 'Counterparty is Joe the accountant' }));
  await screen.findByRole('option', { name: /^Joe the accountant/ });
  bridge.emit('book.changed', []);
  const short = `${joe.slice(0, 8)}…${joe.slice(-4)}`;
  expect(await screen.findByRole('button', { name: `Counterparty is ${short}` })).toBeTruthy();
});
