import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { err, ok } from '../../../../shared/errors.ts';
import { renderInApp, testNowMs } from '../../testing/render.ts';
import { sampleIncidents } from '../../testing/sample-past.ts';
import OpenIncidents from './OpenIncidents.svelte';

it('open incidents that could not be read can be read again', async () => {
  const { bridge, user } = await renderInApp(
    OpenIncidents,
    {},
    {
      prepare: (fake) => fake.answer('incidents.list', () => err({ code: 'storage', message: 'busy' })),
    },
  );
  const again = await screen.findByRole('button', { name: 'Try again' });
  const incidents = sampleIncidents(testNowMs).slice(0, 1);
  bridge.answer('incidents.list', () => ok({ incidents, totalCount: 1 }));
  await user.click(again);
  await expect.poll(() => screen.queryAllByRole('listitem')).toHaveLength(1);
  expect(screen.queryByRole('alert')).toBeNull();
});

it('more than a thousand open incidents are counted as any other number is written', async () => {
  await renderInApp(
    OpenIncidents,
    {},
    { prepare: (fake) => fake.answer('incidents.list', () => ok({ incidents: [], totalCount: 1_204 })) },
  );
  expect(await screen.findByText('1,204')).toBeTruthy();
});
