import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { err } from '../../../../shared/errors.ts';
import { renderInApp } from '../../testing/render.ts';
import DiagnosticsSection from './DiagnosticsSection.svelte';

const text = () => screen.getByLabelText<HTMLTextAreaElement>('Contents of the file');

it('shows the whole file, to be read before it can be saved, with addresses or without', async () => {
  const { bridge, user } = await renderInApp(DiagnosticsSection, {});
  expect(screen.queryByRole('button', { name: /Save/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Read diagnostics' }));
  expect(text().value).toBe('diagnostics without addresses');
  expect(text().readOnly).toBe(true);
  await user.click(screen.getByRole('checkbox', { name: /^Without addresses/ }));
  expect(text().value).toBe('diagnostics');
  expect(bridge.argsOf('diagnostics.read')).toEqual([
    { withoutAddresses: true },
    { withoutAddresses: false },
  ]);
  await user.click(screen.getByRole('button', { name: 'Save this file…' }));
  expect(bridge.argsOf('diagnostics.save')).toHaveLength(1);
});

it('says when the file could not be written', async () => {
  const message = 'The file could not be written. The disk is full.';
  const { user } = await renderInApp(
    DiagnosticsSection,
    {},
    { prepare: (bridge) => bridge.answer('diagnostics.save', () => err({ code: 'storage', message })) },
  );
  await user.click(screen.getByRole('button', { name: 'Read diagnostics' }));
  await user.click(screen.getByRole('button', { name: 'Save this file…' }));
  expect(await screen.findByText(message)).toBeTruthy();
});
