import { screen } from '@testing-library/svelte';
import { afterEach, expect, it, vi } from 'vitest';
import { renderInApp } from '../../testing/render.ts';
import BackgroundSection from './BackgroundSection.svelte';

afterEach(() => vi.restoreAllMocks());

it.each([
  ['Linux', true],
  ['Macintosh', false],
])('on %s offers to choose what closing the window does: %s', async (system, isOffered) => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(`Mozilla/5.0 (${system})`);
  await renderInApp(BackgroundSection, {});
  expect(screen.queryByText('When you close the window') !== null).toBe(isOffered);
  expect(screen.getByRole('checkbox', { name: /^Start at login/ })).toBeTruthy();
});
