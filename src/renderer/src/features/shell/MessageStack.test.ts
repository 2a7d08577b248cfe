import { fireEvent, screen } from '@testing-library/svelte';
import { expect, it, vi } from 'vitest';
import { renderInApp } from '../../testing/render.ts';
import MessageStack from './MessageStack.svelte';

it('says that something was removed, and takes it back at a press', async () => {
  const { bridge, messages, user } = await renderInApp(MessageStack, {});
  messages.removed('Node removed.', { undoId: 'a' });
  expect((await screen.findByText('Node removed.')).closest('[aria-live="polite"]')).not.toBeNull();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(bridge.argsOf('removals.settle')).toEqual([{ undoId: 'a', putBack: true }]);
  await screen.findByText('Restored.');
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

it('stays while the window is out of sight', async () => {
  const { messages } = await renderInApp(MessageStack, {});
  vi.useFakeTimers();
  messages.removed('Node removed.', { undoId: 'a' });
  const isHidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  await fireEvent(document, new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(screen.getByRole('button', { name: 'Undo' })).toBeInstanceOf(HTMLElement);
  isHidden.mockRestore();
  await fireEvent(document, new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(messages.list).toHaveLength(0);
  vi.useRealTimers();
});

it('stays while the keyboard is at it though the pointer leaves it, and the other way round', async () => {
  const { messages } = await renderInApp(MessageStack, {});
  vi.useFakeTimers();
  messages.removed('Node removed.', { undoId: 'a' });
  await vi.advanceTimersByTimeAsync(0);
  const button = screen.getByRole('button', { name: 'Undo' });
  const message = button.closest('.message') ?? button;
  button.focus();
  await fireEvent.pointerEnter(message);
  await fireEvent.pointerLeave(message);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(messages.list).toHaveLength(1);
  await fireEvent.pointerEnter(message);
  const isPointed = vi.spyOn(message, 'matches').mockReturnValue(true);
  button.blur();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(messages.list).toHaveLength(1);
  isPointed.mockReturnValue(false);
  await fireEvent.pointerLeave(message);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(messages.list).toHaveLength(0);
  vi.useRealTimers();
});

it('stays while the pointer or the keyboard is at it', async () => {
  const { messages } = await renderInApp(MessageStack, {});
  vi.useFakeTimers();
  messages.removed('Node removed.', { undoId: 'a' });
  await vi.advanceTimersByTimeAsync(9_000);
  const button = screen.getByRole('button', { name: 'Undo' });
  await fireEvent.focusIn(button);
  await vi.advanceTimersByTimeAsync(60_000);
  await fireEvent.focusOut(button);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(messages.list).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(messages.list).toHaveLength(0);
  vi.useRealTimers();
});
