import { screen, within } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import type { EndpointId } from '../../../shared/endpoints/registry.ts';
import type { Explore } from '../state/explore.svelte.ts';
import { renderInApp } from '../testing/render.ts';
import { sampleAddresses } from '../testing/sample-world.ts';
import ExploreView from './ExploreView.svelte';

async function askIn(explore: Explore, endpointId: EndpointId, params: Record<string, string>) {
  explore.prefill({ id: endpointId, values: params });
  await explore.ask({ kind: 'endpoint', endpointId, params }, 'one');
}

const isBlurred = (element: Element | undefined) => Boolean(element?.closest('.private'));

it('with the eye shut, amounts of an answer are blurred, as cells, in the record and as JSON', async () => {
  const { explore, user } = await renderInApp(ExploreView, {});
  await askIn(explore, 'chain-transactions', { chainId: '43114' });
  const table = await screen.findByRole('table', { name: 'Rows' });
  const place = within(table)
    .getAllByRole('columnheader')
    .findIndex(({ textContent }) => textContent.trim() === 'value');
  const cell = within(table).getAllByRole('row')[1]?.querySelectorAll('[role=cell]')[place]?.children[0];
  expect(cell?.textContent).toMatch(/^\d+$/);
  expect(isBlurred(cell)).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Open record 1' }));
  expect(
    isBlurred(within(screen.getByRole('group', { name: 'Record' })).getByText(cell?.textContent ?? '')),
  ).toBe(true);
  await user.click(screen.getByRole('radio', { name: 'JSON' }));
  expect(
    isBlurred(within(screen.getByRole('group', { name: 'Response as received' })).getByText(/"value"/)),
  ).toBe(true);
});

it('a metric and the report of a node are nobody’s amounts', async () => {
  const { explore, user } = await renderInApp(ExploreView, {});
  await askIn(explore, 'rolling-window-metrics', { chainId: '43114', metric: 'txCount' });
  await user.click(await screen.findByRole('radio', { name: 'JSON' }));
  expect(screen.getByRole('group', { name: 'Response as received' }).querySelector('.private')).toBeNull();
});

it('with the eye shut, the list that a field suggests has addresses without their labels', async () => {
  const { app, explore } = await renderInApp(ExploreView, {});
  explore.choose('address-transactions');
  const label = () =>
    document.querySelector(`datalist option[value="${sampleAddresses.treasury}"]`)?.getAttribute('label');
  await expect.poll(label).toBe('Treasury');
  await app.updateSettings({ privacy: true });
  await expect.poll(label).toBe(sampleAddresses.treasury);
});
