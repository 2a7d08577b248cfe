import { fireEvent, render, screen } from '@testing-library/svelte';
import { createRawSnippet } from 'svelte';
import { expect, it, vi } from 'vitest';
import Pane from './Pane.svelte';

function setUp(width: number | null = 300, mostDrawn = Infinity) {
  // The document of the tests has no layout.
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockImplementation(function (this: HTMLElement) {
    return Math.min(mostDrawn, parseInt(this.style.width) || 264);
  });
  const onresize = vi.fn<(width: number | null) => void>();
  const children = createRawSnippet(() => ({ render: () => '<p>Inside</p>' }));
  render(Pane, { label: 'Your nodes', usual: [264, 228], width, onresize, children });
  const edge = screen.getByRole('separator', { name: 'Width of Your nodes' });
  edge.setPointerCapture = vi.fn();
  const at = (type: string, clientX: number) =>
    fireEvent(edge, Object.assign(new Event(type, { bubbles: true }), { clientX }));
  return { onresize, edge, at };
}

it('is as wide as the user has made it, else as usual', () => {
  setUp();
  expect(screen.getByRole('complementary', { name: 'Your nodes' }).style.width).toBe('300px');
  expect(screen.getByText('Inside')).toBeTruthy();
  document.body.replaceChildren();
  setUp(null);
  expect(screen.getByRole('complementary').style.width).toBe('');
});

it('is made wider and narrower by keys, within bounds, and usual again', async () => {
  const { onresize, edge } = setUp();
  for (const key of ['ArrowRight', 'ArrowLeft', 'Home', 'End', 'Enter', 'x'])
    await fireEvent.keyDown(edge, { key });
  // That is the way back.
  await fireEvent.keyDown(edge, { key: 'ArrowLeft', altKey: true });
  await fireEvent.dblClick(edge);
  expect(onresize.mock.calls.map(([width]) => width)).toEqual([316, 300, 180, 520, null, null]);
});

it('follows the pointer, and is kept where it is let go; a press alone changes nothing', async () => {
  const { onresize, at } = setUp();
  await at('pointerdown', 300);
  await at('pointerup', 300);
  expect(onresize).not.toHaveBeenCalled();
  await at('pointerdown', 300);
  await at('pointermove', 340);
  expect(screen.getByRole('complementary').style.width).toBe('340px');
  await at('pointermove', 4_000);
  await at('pointermove', 310);
  await at('pointerup', 310);
  expect(onresize.mock.calls).toEqual([[310]]);
  await at('pointermove', 340);
  expect(screen.getByRole('complementary').style.width).toBe('310px');
});

it('moves from where it is drawn, in a window that has no room for the width of the user', async () => {
  const { onresize, edge, at } = setUp(400, 200);
  expect(edge.getAttribute('aria-valuenow')).toBe('200');
  await fireEvent.keyDown(edge, { key: 'ArrowLeft' });
  expect(onresize.mock.calls).toEqual([[184]]);
  await at('pointerdown', 184);
  await at('pointermove', 190);
  await at('pointerup', 190);
  expect(onresize.mock.calls.at(-1)).toEqual([190]);
});

it('is kept where the pointer was taken away, and no longer follows it', async () => {
  const { onresize, at } = setUp();
  await at('pointerdown', 300);
  await at('pointermove', 340);
  await at('lostpointercapture', 340);
  await at('pointermove', 380);
  expect(onresize.mock.calls).toEqual([[340]]);
  expect(screen.getByRole('complementary').style.width).toBe('340px');
});
