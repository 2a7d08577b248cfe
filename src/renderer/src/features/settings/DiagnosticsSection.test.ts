import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { err, ok } from '../../../../shared/errors.ts';
import { renderInApp } from '../../testing/render.ts';
import DiagnosticsSection from './DiagnosticsSection.svelte';

const text = () => screen.getByLabelText<HTMLTextAreaElement>('File contents');

it('shows the whole file, to be read before it can be saved, with addresses or without', async () => {
  const { bridge, user } = await renderInApp(DiagnosticsSection, {});
  expect(screen.queryByRole('button', { name: /Save/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show diagnostics' }));
  expect(text().value).toBe('diagnostics without addresses');
  expect(text().readOnly).toBe(true);
  await user.click(screen.getByRole('checkbox', { name: /^Leave out addresses/ }));
  expect(text().value).toBe('diagnostics');
  // It has labels, which the eye covers.
  expect(text().classList.contains('private')).toBe(true);
  expect(bridge.argsOf('diagnostics.read')).toEqual([
    { withoutAddresses: true },
    { withoutAddresses: false },
  ]);
  await user.click(screen.getByRole('button', { name: 'Save this file…' }));
  expect(bridge.argsOf('diagnostics.save')).toHaveLength(1);
});

it('shows what is chosen while another reading is under way', async () => {
  const held = Promise.withResolvers<null>();
  const { bridge, user } = await renderInApp(DiagnosticsSection, {});
  bridge.answer('diagnostics.read', async ({ withoutAddresses }) => {
    await held.promise;
    return ok({ text: withoutAddresses ? 'without' : 'with' });
  });
  const box = screen.getByRole('checkbox', { name: /^Leave out addresses/ });
  await user.click(box);
  await user.click(screen.getByRole('button', { name: 'Show diagnostics' }));
  await user.click(box);
  held.resolve(null);
  await screen.findByLabelText('File contents');
  expect(text().value).toBe('without');
});

it('keeps no text with addresses where those without could not be read', async () => {
  const { bridge, user } = await renderInApp(DiagnosticsSection, {});
  const box = screen.getByRole('checkbox', { name: /^Leave out addresses/ });
  await user.click(box);
  await user.click(screen.getByRole('button', { name: 'Show diagnostics' }));
  await screen.findByLabelText('File contents');
  bridge.answer('diagnostics.read', () => err({ code: 'internal', message: 'It failed.', ref: 'r' }));
  await user.click(box);
  expect(await screen.findByText('It failed.')).toBeTruthy();
  expect(screen.queryByLabelText('File contents')).toBeNull();
  expect(screen.queryByRole('button', { name: /Save/ })).toBeNull();
});

it('says when the file could not be written', async () => {
  const message = 'Couldn’t save the file. The disk is full.';
  const { user } = await renderInApp(
    DiagnosticsSection,
    {},
    { prepare: (bridge) => bridge.answer('diagnostics.save', () => err({ code: 'storage', message })) },
  );
  await user.click(screen.getByRole('button', { name: 'Show diagnostics' }));
  await user.click(screen.getByRole('button', { name: 'Save this file…' }));
  expect(await screen.findByText(message)).toBeTruthy();
});
