import { screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { ok, type Result } from '../../../../../shared/errors.ts';
import type { NodeProbe } from '../../../../../shared/health/types.ts';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import NodeDialog from './NodeDialog.svelte';

const silent: NodeProbe = {
  get: { says: 'no-answer', words: 'The node refused the connection.', askedAtMs: testNowMs },
  rpc: { says: 'no-answer', words: 'Not tested: nothing responded at this address.', askedAtMs: testNowMs },
  readiness: { says: 'no-answer', words: 'Not asked.', askedAtMs: testNowMs },
  liveness: { says: 'no-answer', words: 'Not asked.', askedAtMs: testNowMs },
  nodeId: null,
  advice: ['The node refused the connection.', 'Check that the node is running and that the port is right.'],
  checks: [],
  certificate: null,
};

const plain = { intervalMs: null, tags: [], headers: [], certificate: null, paused: false };

describe('NodeDialog', () => {
  it('begins with an address that was found', async () => {
    await renderInApp(NodeDialog, { id: null, address: 'http://127.0.0.1:9650' });
    expect(screen.getByLabelText<HTMLInputElement>('URL').value).toBe('http://127.0.0.1:9650');
  });

  it('asks the address, adds the node when nothing is to be said, and goes to it', async () => {
    const { bridge, navigation, user } = await renderInApp(NodeDialog, { id: null });
    await user.type(screen.getByLabelText('URL'), 'http://10.1.2.3:9650/');
    await user.click(screen.getByRole('button', { name: 'Add node' }));
    await expect
      .poll(() => bridge.argsOf('nodes.add'))
      .toEqual([{ ...plain, name: '', url: 'http://10.1.2.3:9650' }]);
    expect(bridge.argsOf('nodes.probe')).toEqual([
      { id: null, url: 'http://10.1.2.3:9650', headers: [], certificate: null },
    ]);
    await expect.poll(() => navigation.nodeId).toBe('n5');
    expect(navigation.view).toBe('nodes');
  });

  it('tells what an address answers before adding, and adds it all the same on a second press', async () => {
    const { bridge, user } = await renderInApp(
      NodeDialog,
      { id: null },
      { prepare: (fake) => fake.answer('nodes.probe', () => ok(silent)) },
    );
    await user.type(screen.getByLabelText('URL'), 'http://10.1.2.3:9650');
    await user.click(screen.getByRole('button', { name: 'Add node' }));
    const found = await screen.findByRole('region', { name: 'Test result' });
    expect(found.textContent).toContain('Check that the node is running and that the port is right.');
    expect(within(found).getByRole('row', { name: /Health via GET/ }).textContent).toContain('No response');
    expect(bridge.argsOf('nodes.add')).toHaveLength(0);
    await user.click(screen.getByRole('button', { name: 'Add anyway' }));
    await expect.poll(() => bridge.argsOf('nodes.add')).toHaveLength(1);
    expect(bridge.argsOf('nodes.probe')).toHaveLength(1);
  });

  it('trusts a certificate that was shown, once the user says so, and tests anew with it', async () => {
    const print = Array.from({ length: 32 }, () => 'AB').join(':');
    const { bridge, user } = await renderInApp(
      NodeDialog,
      { id: null },
      { prepare: (fake) => fake.answer('nodes.probe', () => ok({ ...silent, certificate: print })) },
    );
    await user.type(screen.getByLabelText('URL'), 'http://10.1.2.3:9650');
    expect(screen.queryByLabelText(/Trusted certificate/)).toBeNull();
    await user.clear(screen.getByLabelText('URL'));
    await user.type(screen.getByLabelText('URL'), 'https://10.1.2.3:9650');
    const field = screen.getByLabelText<HTMLInputElement>(/Trusted certificate/);
    await user.type(field, 'no certificate');
    await user.click(screen.getByRole('button', { name: 'Test' }));
    expect(screen.getByText(/64 hexadecimal digits/)).toBeTruthy();
    expect(bridge.argsOf('nodes.probe')).toHaveLength(0);
    await user.clear(field);
    await user.click(screen.getByRole('button', { name: 'Test' }));
    await user.click(await screen.findByRole('button', { name: 'Trust this certificate' }));
    expect(field.value).toBe(print);
    expect(screen.queryByRole('region', { name: 'Test result' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Add node' }));
    await expect
      .poll(() => bridge.argsOf('nodes.probe').map(({ certificate }) => certificate))
      .toEqual([null, print]);
    await user.click(await screen.findByRole('button', { name: 'Add anyway' }));
    await expect.poll(() => bridge.argsOf('nodes.add')).toMatchObject([{ certificate: print }]);
  });

  it('tests anew when the address was changed after a test', async () => {
    const { bridge, user } = await renderInApp(
      NodeDialog,
      { id: null },
      { prepare: (fake) => fake.answer('nodes.probe', () => ok(silent)) },
    );
    await user.type(screen.getByLabelText('URL'), 'http://10.1.2.3:9650');
    await user.click(screen.getByRole('button', { name: 'Test' }));
    await screen.findByRole('region', { name: 'Test result' });
    await user.type(screen.getByLabelText('URL'), '/b');
    expect(screen.queryByRole('region', { name: 'Test result' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Add node' }));
    await expect.poll(() => bridge.argsOf('nodes.probe')).toHaveLength(2);
    expect(bridge.argsOf('nodes.add')).toHaveLength(0);
  });

  /** The answer to the test comes when it is resolved. */
  async function renderTesting(id: string | null) {
    const held = Promise.withResolvers<Result<NodeProbe>>();
    const shown = await renderInApp(
      NodeDialog,
      { id },
      { prepare: (fake) => fake.answer('nodes.probe', () => held.promise) },
    );
    const answer = async () => {
      held.resolve(ok({ ...silent, advice: [] }));
      const busy = () => screen.getByRole('button', { name: 'Test' }).getAttribute('aria-busy');
      await expect.poll(busy).toBe('false');
    };
    return { ...shown, answer };
  }

  it('does not save an address that was changed during the test, and tests that one too', async () => {
    const { answer, bridge, user } = await renderTesting(null);
    await user.type(screen.getByLabelText('URL'), 'http://10.1.2.3:9650');
    await user.click(screen.getByRole('button', { name: 'Add node' }));
    await user.type(screen.getByLabelText('URL'), '/n');
    await answer();
    expect(bridge.argsOf('nodes.add')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Add node' }));
    await expect.poll(() => bridge.argsOf('nodes.add')).toHaveLength(1);
    expect(bridge.argsOf('nodes.probe').at(-1)?.url).toBe('http://10.1.2.3:9650/n');
  });

  it('saves the node that it was opened for, whichever the window asks for meanwhile', async () => {
    const { bridge, rerender, user } = await renderInApp(NodeDialog, { id: 'n2' });
    await rerender({ id: 'n3' });
    await user.click(screen.getByRole('button', { name: 'Save node' }));
    await expect.poll(() => bridge.argsOf('nodes.update')).toMatchObject([{ id: 'n2', name: 'Ashburn 2' }]);
  });

  it('says what is wrong with a URL and sends nothing', async () => {
    const { bridge, user } = await renderInApp(NodeDialog, { id: null });
    await user.type(screen.getByLabelText('URL'), '10.1.2.3:9650');
    await user.click(screen.getByRole('button', { name: 'Add node' }));
    expect(screen.getByText('Start the URL with http:// or https://.')).toBeTruthy();
    expect(bridge.argsOf('nodes.probe')).toHaveLength(0);
    expect(bridge.argsOf('nodes.add')).toHaveLength(0);
  });

  it('edits a node from what it is, and keeps a header whose value it never sees', async () => {
    const { bridge, user } = await renderInApp(NodeDialog, { id: 'n2' });
    const name = screen.getByLabelText<HTMLInputElement>(/^Name(?! of)/);
    expect(name.value).toBe('Ashburn 2');
    expect(screen.getByText('kept in the keychain')).toBeTruthy();
    await user.clear(name);
    await user.type(name, 'Ashburn two');
    await user.selectOptions(screen.getByLabelText('Poll interval'), 'Every minute');
    await user.type(screen.getByLabelText(/^Subnets/), 'subnet-a\nsubnet-b subnet-a');
    await user.click(screen.getByRole('checkbox', { name: /Pause/ }));
    await user.click(screen.getByRole('button', { name: 'Save node' }));
    await expect
      .poll(() => bridge.argsOf('nodes.update'))
      .toEqual([
        {
          id: 'n2',
          name: 'Ashburn two',
          url: 'http://10.0.9.23:9650',
          intervalMs: 60_000,
          tags: ['subnet-a', 'subnet-b'],
          headers: [{ name: 'authorization', value: null }],
          certificate: null,
          paused: true,
        },
      ]);
    expect(bridge.argsOf('nodes.probe')).toHaveLength(0);
  });

  it('replaces the value of a header, and removes one', async () => {
    const { bridge, user } = await renderInApp(NodeDialog, { id: 'n2' });
    await user.click(screen.getByRole('button', { name: 'Replace the value of authorization' }));
    const value = screen.getByLabelText<HTMLInputElement>('Value of authorization');
    expect(value.type).toBe('password');
    await user.type(value, 'Bearer abc');
    expect(screen.getByText(/The value of authorization is too short/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Add a header' }));
    await user.type(screen.getByLabelText('Header name'), 'x-team');
    await user.click(screen.getByRole('button', { name: 'Save node' }));
    expect(screen.getByText('The header x-team needs a value.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Remove x-team' }));
    // The button that was pressed is gone.
    await expect
      .poll(() => document.activeElement)
      .toBe(screen.getByRole('button', { name: 'Add a header' }));
    await user.click(screen.getByRole('button', { name: 'Save node' }));
    await expect
      .poll(() => bridge.argsOf('nodes.update').at(-1)?.headers)
      .toEqual([{ name: 'authorization', value: 'Bearer abc' }]);
  });
});
