import { fireEvent, render, screen } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { createRawSnippet } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import Popover from './Popover.svelte';

const onclose = vi.fn<() => void>();

beforeEach(() => {
  onclose.mockClear();
  document.body.innerHTML =
    '<button aria-haspopup="dialog" aria-expanded="true">Opener</button><div></div><button>Next</button>';
  const children = createRawSnippet(() => ({ render: () => '<p><input /><button>Inside</button></p>' }));
  const target = document.querySelector('div') ?? document.body;
  render(Popover, { target, props: { label: 'Views', onclose, children } });
});

afterEach(() => document.body.replaceChildren());

it('closes when the Tab key leaves it, so that it covers nothing that has the focus', async () => {
  const user = userEvent.setup();
  expect(document.activeElement?.tagName).toBe('INPUT');
  await user.tab();
  // Its button closes it.
  await user.tab({ shift: true });
  await user.tab({ shift: true });
  expect(document.activeElement?.textContent).toBe('Opener');
  expect(onclose).not.toHaveBeenCalled();
  screen.getByRole('button', { name: 'Inside' }).focus();
  await user.tab();
  expect(document.activeElement?.textContent).toBe('Next');
  expect(onclose).toHaveBeenCalledOnce();
});

it('stays when the window loses the focus', () => {
  const input = screen.getByRole('textbox');
  input.blur();
  expect(onclose).not.toHaveBeenCalled();
});

it('closes by Escape, unless that is for an input method', async () => {
  const input = screen.getByRole('textbox');
  await fireEvent.keyDown(input, { key: 'Escape', isComposing: true });
  expect(onclose).not.toHaveBeenCalled();
  await fireEvent.keyDown(input, { key: 'Escape' });
  expect(onclose).toHaveBeenCalledOnce();
});
