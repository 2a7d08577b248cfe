import { screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { renderInApp } from '../../testing/render.ts';
import NodeDialog from './NodeDialog.svelte';

describe('NodeDialog', () => {
  it('adds a node, named after its host when it has no name, and goes to it', async () => {
    const { bridge, navigation, user } = await renderInApp(NodeDialog, { id: null });
    await user.type(screen.getByLabelText('URL'), 'http://10.1.2.3:9650/');
    await user.click(screen.getByRole('button', { name: 'Add node' }));
    expect(bridge.argsOf('nodes.add')).toEqual([
      { name: '10.1.2.3:9650', url: 'http://10.1.2.3:9650', intervalMs: 30_000 },
    ]);
    expect(navigation.view).toBe('nodes');
    expect(navigation.nodeId).toBe('n5');
  });

  it('says what is wrong with a URL and sends nothing', async () => {
    const { bridge, user } = await renderInApp(NodeDialog, { id: null });
    await user.type(screen.getByLabelText('URL'), '10.1.2.3:9650');
    await user.click(screen.getByRole('button', { name: 'Add node' }));
    expect(screen.getByText('It has to begin with http:// or https://.')).toBeTruthy();
    expect(bridge.argsOf('nodes.add')).toHaveLength(0);
  });

  it('edits a node from what it is', async () => {
    const { bridge, user } = await renderInApp(NodeDialog, { id: 'n2' });
    const name = screen.getByLabelText<HTMLInputElement>(/^Name/);
    expect(name.value).toBe('Ashburn 2');
    await user.clear(name);
    await user.type(name, 'Ashburn two');
    await user.selectOptions(screen.getByLabelText('Ask for its health'), 'every minute');
    await user.click(screen.getByRole('button', { name: 'Save node' }));
    expect(bridge.argsOf('nodes.update')).toEqual([
      { id: 'n2', name: 'Ashburn two', url: 'http://10.0.9.23:9650', intervalMs: 60_000 },
    ]);
  });
});
