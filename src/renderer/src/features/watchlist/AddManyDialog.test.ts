import { fireEvent, screen } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import type { AddedLine } from '../../../../shared/activity/types.ts';
import { ok } from '../../../../shared/errors.ts';
import type { FakeBridge } from '../../testing/fake-bridge.ts';
import { renderInApp } from '../../testing/render.ts';
import AddManyDialog from './AddManyDialog.svelte';

const right = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const wrong = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD';
const field = () => screen.getByLabelText<HTMLTextAreaElement>('Addresses');
const submit = () => screen.getByRole('button', { name: 'Add addresses' });

const refused: AddedLine = { line: 2, input: `${wrong} Cold`, outcome: 'wrong-checksum', address: right };

describe('AddManyDialog', () => {
  it.each([
    ['a text', `${right}, Cold`],
    ['a file', new File([`${right}, Cold`], 'list.csv')],
  ])('begins with %s that was handed in, and adds nothing by itself', async (_what, from) => {
    const { bridge } = await renderInApp(AddManyDialog, { from });
    await expect.poll(() => field().value).toBe(`${right}, Cold`);
    expect(bridge.argsOf('watchlist.addMany')).toEqual([]);
  });

  it('sends nothing while there is nothing, and tells what became of each line', async () => {
    const { bridge, user } = await renderInApp(
      AddManyDialog,
      {},
      {
        prepare: (fake) =>
          fake.answer('watchlist.addMany', () =>
            ok([
              { line: 1, input: right, outcome: 'added', address: right },
              { line: 3, input: 'nonsense', outcome: 'not-an-address', address: null },
            ]),
          ),
      },
    );
    expect(submit().hasAttribute('disabled')).toBe(true);
    await user.type(field(), `${right}\n\nnonsense`);
    await user.click(submit());
    expect(bridge.argsOf('watchlist.addMany')).toEqual([{ text: `${right}\n\nnonsense` }]);
    expect(screen.getByRole('status').textContent).toContain('1 added, 1 invalid.');
    // What was added stays.
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Done' })).toBeTruthy();
    expect(screen.getByRole('list', { name: 'Lines that weren’t added' }).textContent).toContain('nonsense');
  });

  it('has closing the window ask about a list only until that is added', async () => {
    const { bridge, user } = await renderInApp(AddManyDialog, {});
    const asks = async () => !(await fireEvent(window, new Event('beforeunload', { cancelable: true })));
    bridge.answer('watchlist.addMany', () =>
      ok([{ line: 1, input: right, outcome: 'added', address: right }] as AddedLine[]),
    );
    await user.type(field(), right);
    expect(await asks()).toBe(true);
    await user.click(submit());
    await screen.findByText('1 added.');
    expect(await asks()).toBe(false);
    await user.type(field(), ' Cold');
    expect(await asks()).toBe(true);
  });

  it('lists several that were refused in one line', async () => {
    const twice = [refused, { ...refused, input: 'nonsense', address: null }];
    const prepare = (fake: FakeBridge) => fake.answer('watchlist.addMany', () => ok(twice));
    const { user } = await renderInApp(AddManyDialog, { from: `${wrong} nonsense` }, { prepare });
    await user.click(submit());
    expect(screen.getAllByText('2', { selector: '.figures' })).toHaveLength(2);
  });

  it('brings what became of the lines into sight, which a low window has below the list', async () => {
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
    const { user } = await renderInApp(AddManyDialog, { from: right });
    expect(scrolled).not.toHaveBeenCalled();
    await user.click(submit());
    expect(scrolled.mock.contexts).toEqual([screen.getByRole('status').parentElement]);
    scrolled.mockRestore();
  });

  it('says of a list that is longer than it can take that it is, and sends nothing', async () => {
    const { bridge, user } = await renderInApp(AddManyDialog, { from: `${right}\n`.repeat(100_000) });
    expect(screen.getByText(/list is larger than 4 MB/)).toBeTruthy();
    await user.click(submit());
    expect(bridge.argsOf('watchlist.addMany')).toEqual([]);
    await fireEvent.input(field(), { target: { value: right } });
    expect(screen.queryByText(/list is larger than 4 MB/)).toBeNull();
    await user.click(submit());
    expect(bridge.argsOf('watchlist.addMany')).toEqual([{ text: right }]);
  });

  it('says beside the dialog what became of a text that was changed meanwhile', async () => {
    let answer: () => void = () => undefined;
    const { bridge, messages, user } = await renderInApp(AddManyDialog, { from: 'abc' });
    bridge.answer('watchlist.addMany', async () => {
      await new Promise<void>((done) => (answer = done));
      return ok([refused]);
    });
    await user.click(submit());
    await user.type(field(), 'd');
    answer();
    await expect.poll(() => messages.list).toMatchObject([{ text: '1 invalid.' }]);
    expect(screen.queryByRole('status')).toBeNull();
  });

  it('puts the right spelling in the place of a wrong checksum and leaves the label', async () => {
    const { user } = await renderInApp(
      AddManyDialog,
      {},
      { prepare: (fake) => fake.answer('watchlist.addMany', () => ok([refused])) },
    );
    await user.type(field(), `\n${wrong} Cold`);
    await user.click(submit());
    await user.click(screen.getByRole('button', { name: 'Use corrected address' }));
    expect(field().value).toBe(`\n${right} Cold`);
  });

  it('reads a file that the user chooses, and refuses one that is no list', async () => {
    const { user } = await renderInApp(AddManyDialog, {});
    const chooser = screen.getByLabelText<HTMLInputElement>('File with addresses');
    await user.upload(chooser, new File([`address\n${right}`], 'list.csv', { type: 'text/csv' }));
    await expect.poll(() => field().value).toBe(`address\n${right}`);
    await user.upload(chooser, new File(['x'.repeat(5 * 1024 * 1024)], 'list.csv'));
    await expect.poll(() => screen.queryByText(/larger than 4 MB/)).not.toBeNull();
  });

  it.each<[AddedLine[], string]>([
    [[], 'No addresses found.'],
    [[refused], '1 invalid.'],
    [
      [
        { ...refused, outcome: 'updated' },
        { ...refused, line: 3, outcome: 'duplicate' },
      ],
      '1 updated, 1 already watched.',
    ],
    [Array.from({ length: 1_300 }, (_, index) => ({ ...refused, line: index + 1 })), '1,300 invalid.'],
  ])('sums up what became of the lines, and names only what there is (%#)', async (lines, words) => {
    const prepare = (fake: FakeBridge) => fake.answer('watchlist.addMany', () => ok(lines));
    const { user } = await renderInApp(AddManyDialog, {}, { prepare });
    await user.type(field(), 'lines');
    await user.click(submit());
    // Without the lines, of which there may be hundreds.
    expect(screen.getByRole('status').textContent).toBe(words);
  });
});
