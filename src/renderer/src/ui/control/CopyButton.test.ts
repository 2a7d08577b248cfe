import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { err } from '../../../../shared/errors.ts';
import { renderInApp } from '../../testing/render.ts';
import CopyButton from './CopyButton.svelte';

it('shows that the text was copied, or that it was not', async () => {
  const { bridge, user } = await renderInApp(CopyButton, { text: '0xabc', what: 'hash' });
  const button = screen.getByRole('button', { name: 'Copy hash' });
  const idle = button.innerHTML;
  await user.click(button);
  await expect.poll(() => screen.getByRole('status').textContent.trim()).toBe('Copied');
  const copied = button.innerHTML;
  expect(copied).not.toBe(idle);
  bridge.answer('app.copyText', () => err({ code: 'internal', message: 'No clipboard.', ref: 'r' }));
  await user.click(button);
  await expect.poll(() => screen.getByRole('status').textContent.trim()).toBe('Couldn’t copy');
  expect(button.innerHTML).not.toBe(idle);
  expect(button.innerHTML).not.toBe(copied);
});
