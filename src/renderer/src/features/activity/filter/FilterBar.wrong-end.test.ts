import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { renderInApp } from '../../../testing/render.ts';
import FilterBar from './FilterBar.svelte';

it.each([
  ['From', 'much', '5', /Enter a number/],
  ['To', '5', 'much', /Enter a number/],
  ['From', '5', '4', /greater than “To”/],
])('what is wrong with a range is said at the end that is wrong: %s', async (end, min, max, words) => {
  const { user } = await renderInApp(FilterBar, { onleave: () => undefined });
  await user.click(screen.getByRole('button', { name: 'Add filter' }));
  await user.keyboard('amount{Enter}');
  await user.type(screen.getByLabelText('From'), min);
  await user.type(screen.getByLabelText('To'), `${max}{Enter}`);
  const wrong = [...document.querySelectorAll('[aria-invalid="true"]')];
  expect(wrong).toEqual([screen.getByLabelText(end)]);
  const told = screen.getByText(words).closest('.field');
  expect(told?.contains(screen.getByLabelText(end))).toBe(true);
});
