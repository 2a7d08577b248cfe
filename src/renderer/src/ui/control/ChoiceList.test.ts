import { fireEvent, render, screen } from '@testing-library/svelte';
import { expect, it, vi } from 'vitest';
import ChoiceList from './ChoiceList.svelte';

function setUp() {
  const onchoose = vi.fn<(value: string) => void>();
  const choices = ['a', 'b'].map((value) => ({ value, text: value }));
  render(ChoiceList, { label: 'Tokens', choices, chosen: [], text: '', none: 'None', onchoose });
  const field = screen.getByRole('combobox');
  return { onchoose, press: (init: KeyboardEventInit) => fireEvent.keyDown(field, init) };
}

it('chooses once, however long Enter is held down', async () => {
  const { onchoose, press } = setUp();
  // It was pressed on what has opened the list.
  await press({ key: 'Enter', repeat: true });
  expect(onchoose).not.toHaveBeenCalled();
  await press({ key: 'Enter' });
  await press({ key: 'Enter', repeat: true });
  expect(onchoose.mock.calls).toEqual([['a']]);
});

it('leaves the keys of an input method to it', async () => {
  const { onchoose, press } = setUp();
  expect(await press({ key: 'ArrowDown', isComposing: true })).toBe(true);
  expect(await press({ key: 'Enter', isComposing: true })).toBe(true);
  expect(onchoose).not.toHaveBeenCalled();
  await press({ key: 'Enter' });
  expect(onchoose.mock.calls).toEqual([['a']]);
});
