import { fireEvent, screen } from '@testing-library/svelte';
import { expect, it, vi } from 'vitest';
import NameDialog from '../../features/book/NameDialog.svelte';
import { renderInApp } from '../../testing/render.ts';
import { sampleAddresses } from '../../testing/sample-world.ts';

it('is closed by a press outside, but not by selecting text beyond its edge', async () => {
  const onclose = vi.fn();
  const { user } = await renderInApp(NameDialog, { address: sampleAddresses.quiet, onclose });
  const dialog = screen.getByRole('dialog');
  // The click of such a press is at what the two places have in common.
  await fireEvent.pointerDown(screen.getByLabelText('Name'));
  await fireEvent.pointerUp(dialog);
  await fireEvent.click(dialog);
  expect(onclose).not.toHaveBeenCalled();
  await user.click(dialog);
  expect(onclose).toHaveBeenCalledOnce();
});

it('stays at a press outside while something is typed in it that would be lost', async () => {
  const onclose = vi.fn();
  const { user } = await renderInApp(NameDialog, { address: sampleAddresses.quiet, onclose });
  await user.type(screen.getByLabelText('Name'), 'Exchange');
  await user.click(screen.getByRole('dialog'));
  expect(onclose).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onclose).toHaveBeenCalledOnce();
});
