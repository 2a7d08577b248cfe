import { render, screen } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import Steps from './Steps.svelte';

it('keeps the focus at the last step, where it does nothing', async () => {
  const user = userEvent.setup();
  const steps: number[] = [];
  const props = { what: 'page', index: 0, count: 2, onstep: (index: number) => steps.push(index) };
  const { rerender } = render(Steps, props);
  const next = screen.getByRole('button', { name: 'Next page' });
  await user.click(next);
  await rerender({ index: 1 });
  expect(document.activeElement).toBe(next);
  // The name of the button stays the same, so this says where one is.
  expect(screen.getByRole('status').textContent).toBe('Page 2');
  expect(next.getAttribute('aria-disabled')).toBe('true');
  await user.keyboard('{Enter}');
  expect(steps).toEqual([1]);
  await user.tab({ shift: true });
  expect(next).toHaveProperty('disabled', true);
});
