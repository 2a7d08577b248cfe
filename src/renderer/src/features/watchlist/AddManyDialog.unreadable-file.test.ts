import { screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { expect, it } from 'vitest';
import { renderInApp } from '../../testing/render.ts';
import AddManyDialog from './AddManyDialog.svelte';

const field = () => screen.getByLabelText<HTMLTextAreaElement>('Addresses');

it('says that a file cannot be read, such as a folder that was dropped', async () => {
  const folder = new File([], 'wallets');
  folder.text = () =>
    Promise.reject(new DOMException('A requested file could not be found.', 'NotFoundError'));
  await renderInApp(AddManyDialog, { from: folder });
  expect(await screen.findByText(/^Couldn’t read the file/)).toBeTruthy();
});

it('reads the same file again, which was put right in between', async () => {
  const { user } = await renderInApp(AddManyDialog, {});
  const chooser = screen.getByLabelText<HTMLInputElement>('File with addresses');
  const file = new File(['0x01'], 'list.csv', { type: 'text/csv' });
  await user.upload(chooser, file);
  await expect.poll(() => field().value).toBe('0x01');
  await user.clear(field());
  // A browser tells of a choice only where it is another one than before.
  expect(chooser.value).toBe('');
  await user.upload(chooser, file);
  await expect.poll(() => field().value).toBe('0x01');
});

it('has the list of the file that was chosen last, though another one takes longer to read', async () => {
  let arrive: (text: string) => void = () => undefined;
  const slow = new File([], 'share.csv');
  slow.text = () => new Promise((done) => (arrive = done));
  const { user } = await renderInApp(AddManyDialog, { from: slow });
  await user.upload(screen.getByLabelText('File with addresses'), new File(['0x02'], 'list.csv'));
  await expect.poll(() => field().value).toBe('0x02');
  arrive('0x01');
  for (let turns = 0; turns < 5; turns += 1) await tick();
  expect(field().value).toBe('0x02');
});
