import { screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { err, ok } from '../../../../../shared/errors.ts';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import Forecasts from './Forecasts.svelte';

describe('Forecasts', () => {
  it('are asked for every ten minutes, however often a report comes', async () => {
    const { bridge, rerender } = await renderInApp(Forecasts, { id: 'n1', reportAtMs: testNowMs });
    await screen.findByRole('list', { name: 'Forecasts' });
    await rerender({ id: 'n1', reportAtMs: testNowMs + 30_000 });
    expect(bridge.argsOf('nodes.forecasts')).toHaveLength(1);
    await rerender({ id: 'n1', reportAtMs: testNowMs + 600_000 });
    expect(bridge.argsOf('nodes.forecasts')).toHaveLength(2);
  });

  it('are shown beside each other whatever a node calls its checks and fields', async () => {
    const figures = { label: 'peers', now: '9', threshold: '0', atMs: testNowMs + 1 };
    const forecasts = [
      { ...figures, check: 'a b', field: 'c', earliestMs: testNowMs, latestMs: testNowMs + 2 },
      { ...figures, check: 'a', field: 'b c', earliestMs: testNowMs, latestMs: testNowMs + 2 },
    ];
    await renderInApp(
      Forecasts,
      { id: 'n1', reportAtMs: testNowMs },
      { prepare: (fake) => fake.answer('nodes.forecasts', () => ok(forecasts)) },
    );
    const list = await screen.findByRole('list', { name: 'Forecasts' });
    expect(list.children).toHaveLength(2);
  });

  it('are asked for again when they could not be read', async () => {
    const { bridge, rerender } = await renderInApp(
      Forecasts,
      { id: 'n1', reportAtMs: testNowMs },
      { prepare: (fake) => fake.answer('nodes.forecasts', () => err({ code: 'storage', message: 'busy' })) },
    );
    expect(await screen.findByText('busy')).toBeTruthy();
    await rerender({ id: 'n1', reportAtMs: testNowMs + 1 });
    expect(bridge.argsOf('nodes.forecasts')).toHaveLength(2);
  });
});
