import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { renderInApp } from '../../../testing/render.ts';
import RecordPane from './RecordPane.svelte';

it('a record with thousands of transfers shows the first hundred, and more when asked', async () => {
  const erc20Transfers = Array.from({ length: 2_000 }, (_, logIndex) => ({ logIndex, value: '1' }));
  const records = [{ erc20Transfers }];
  const asked = { kind: 'endpoint', endpointId: 'transaction', params: {} } as const;
  const { user } = await renderInApp(RecordPane, { records, index: 0, asked });
  const shown = () => screen.getAllByText('logIndex').length;
  expect(shown()).toBe(100);
  expect(screen.getByText('2,000 items')).toBeTruthy();
  expect(screen.getByText('100 of 2,000')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Show more' }));
  expect(shown()).toBe(400);
});
