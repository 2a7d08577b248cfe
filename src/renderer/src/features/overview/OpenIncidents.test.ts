import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { err, ok } from '../../../../shared/errors.ts';
import { noAnswer } from '../../../../shared/health/no-answer.ts';
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

it('a node that cannot be reached comes first, however many other incidents are newer', async () => {
  const [sample] = sampleIncidents(testNowMs);
  if (sample === undefined) throw new Error('the sample has incidents');
  const incidents = Array.from({ length: 80 }, (_, index) => ({
    ...sample,
    id: String(index),
    leadingCheck: index === 70 ? noAnswer : 'health',
    startedAtMs: testNowMs - index * 60_000,
  }));
  await renderInApp(
    OpenIncidents,
    {},
    {
      prepare: (fake) =>
        fake.answer('incidents.list', ({ offset, limit }) =>
          ok({ incidents: incidents.slice(offset, offset + limit), totalCount: 80 }),
        ),
    },
  );
  const [first] = await screen.findAllByRole('listitem');
  expect(first?.textContent).toContain('isn’t responding since');
});

it('more than a thousand open incidents are counted as any other number is written', async () => {
  await renderInApp(
    OpenIncidents,
    {},
    { prepare: (fake) => fake.answer('incidents.list', () => ok({ incidents: [], totalCount: 1_204 })) },
  );
  expect(await screen.findByText('1,204')).toBeTruthy();
});
