import { screen } from '@testing-library/svelte';
import { expect, it, onTestFinished } from 'vitest';
import { ok } from '../../../../../shared/errors.ts';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import { setNotation } from '../../../ui/text/notation.svelte.ts';
import Forecasts from './Forecasts.svelte';

it('forecasts have their figures in the user’s notation', async () => {
  setNotation('de-DE');
  onTestFinished(() => setNotation(null));
  const [about, earliestMs, latestMs] = [9, 6, 14].map((days) => testNowMs + days * 86_400_000);
  const times = { atMs: about ?? 0, earliestMs: earliestMs ?? 0, latestMs: latestMs ?? 0 };
  const forecast = { check: 'diskspace', field: 'x', label: 'available disk', now: '1,204.5 GiB' };
  await renderInApp(
    Forecasts,
    { id: 'n1', reportAtMs: testNowMs },
    {
      prepare: (bridge) =>
        bridge.answer('nodes.forecasts', () => ok([{ ...forecast, threshold: '186.2 GiB', ...times }])),
    },
  );
  const list = await screen.findByRole('list', { name: 'Forecasts' });
  expect(list.textContent).toContain('Will reach the warning threshold of 186,2 GiB');
  expect(list.textContent).toContain('1.204,5 GiB now');
});
