import { fireEvent, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import NameDialog from '../../features/book/NameDialog.svelte';
import { renderInApp } from '../../testing/render.ts';
import { sampleAddresses } from '../../testing/sample-world.ts';

it('is closed by a press outside, but not by selecting text beyond its edge', async () => {
  const { navigation, user } = await renderInApp(NameDialog, { address: sampleAddresses.quiet });
  const dialog = screen.getByRole('dialog');
  const asked = { kind: 'edit-name', address: sampleAddresses.quiet } as const;
  navigation.open(asked);
  await user.type(screen.getByLabelText('Name'), 'Exchange');
  // The click of such a press is at what the two places have in common.
  await fireEvent.pointerDown(screen.getByLabelText('Name'));
  await fireEvent.pointerUp(dialog);
  await fireEvent.click(dialog);
  expect(navigation.dialog).toBe(asked);
  await user.click(dialog);
  expect(navigation.dialog).toBeNull();
});
