import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { renderInApp } from '../../../testing/render.ts';
import Replay from './Replay.svelte';

it('says how long a quiet time takes at the speed that is chosen', async () => {
  const { user } = await renderInApp(Replay, { id: 'n1', sinceMs: 0, recorded: null, atMs: null });
  const words = await screen.findByText(/^During playback, periods without changes are shortened to/);
  const at = async (speed: string) => {
    await user.click(screen.getByRole('radio', { name: speed }));
    return words.textContent.trim();
  };
  expect(await at('1×')).toBe('During playback, periods without changes are shortened to 30 seconds.');
  expect(await at('10×')).toBe('During playback, periods without changes are shortened to 3 seconds.');
  expect(await at('100×')).toBe('During playback, periods without changes are shortened to 0.3 seconds.');
});
