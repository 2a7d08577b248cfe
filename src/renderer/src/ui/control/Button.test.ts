import { render, screen } from '@testing-library/svelte';
import { createRawSnippet } from 'svelte';
import { expect, it } from 'vitest';
import Button from './Button.svelte';

it('turns a spinner, by the class that draws it, only while it is busy', async () => {
  const children = createRawSnippet(() => ({ render: () => '<span>Save</span>' }));
  const { rerender } = render(Button, { busy: true, children });
  const spinner = () => screen.getByRole('button', { name: 'Save' }).querySelector('.spinner');
  expect(spinner()?.getAttribute('aria-hidden')).toBe('true');
  await rerender({ busy: false });
  expect(spinner()).toBeNull();
});
