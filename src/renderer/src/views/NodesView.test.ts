import { screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { renderInApp, testNowMs } from '../testing/render.ts';
import { sampleIncidents } from '../testing/sample-past.ts';
import NodesView from './NodesView.svelte';

describe('NodesView', () => {
  it('lists nodes with their state in words and how many checks fail', async () => {
    await renderInApp(NodesView, {});
    const list = screen.getByRole('complementary', { name: 'Your nodes' });
    expect(within(list).getByRole('button', { name: /Ashburn 2/ }).textContent).toMatch(
      /Unhealthy.*2 failing/s,
    );
    expect(within(list).getByRole('button', { name: /Basement/ }).textContent).not.toContain('failing');
  });

  it('leaves the whole line to the URL of a node where no count stands beside it', async () => {
    await renderInApp(NodesView, {});
    const list = screen.getByRole('complementary', { name: 'Your nodes' });
    const urlOf = (name: RegExp) => within(within(list).getByRole('button', { name })).getByText(/:\d+$/);
    expect(urlOf(/Basement/).classList).toContain('wide');
    expect(urlOf(/Ashburn 2/).classList).not.toContain('wide');
  });

  it('opens a recording as a node of the past that cannot be changed, and closes it', async () => {
    const { app, bridge, messages, user } = await renderInApp(NodesView, {});
    await user.click(screen.getByRole('button', { name: 'Open a recording' }));
    const panel = await screen.findByRole('article', { name: 'Recording of Singapore 3' });
    expect(panel.textContent).toContain('40 reports');
    expect(within(panel).queryByRole('button', { name: 'Poll now' })).toBeNull();
    expect(within(panel).queryByRole('button', { name: 'Save recording' })).toBeNull();
    await within(panel).findByRole('slider', { name: 'Replay position' });
    expect(bridge.argsOf('nodes.moments').at(-1)?.id).toBe('r1');
    await user.click(screen.getByRole('radio', { name: 'Health' }));
    await within(panel).findByRole('slider', { name: 'Past check results for the node, last recorded hour' });
    await user.click(within(panel).getByRole('button', { name: 'Close' }));
    await expect.poll(() => app.recordings).toEqual([]);
    expect(await screen.findByRole('article', { name: 'Frankfurt 1' })).toBeTruthy();
    await messages.undo(messages.undoable?.id ?? 0);
    expect(await screen.findByRole('article', { name: 'Recording of Singapore 3' })).toBeTruthy();
  });

  it('has a recording at its place again when closing it is undone', async () => {
    const { app, messages, navigation, user } = await renderInApp(NodesView, {});
    const one = (id: string) => ({ id, nodeName: id, fromMs: 0, toMs: 1, reportCount: 1, path: id });
    app.recordings = ['r1', 'r2', 'r3'].map(one);
    navigation.goToNode('r2');
    await user.click(await screen.findByRole('button', { name: 'Close' }));
    await expect.poll(() => messages.undoable).not.toBeNull();
    await messages.undo(messages.undoable?.id ?? 0);
    expect(app.recordings.map(({ id }) => id)).toEqual(['r1', 'r2', 'r3']);
  });

  it('lists the incidents of all nodes, and opens the one that another view asks for', async () => {
    const { navigation, user } = await renderInApp(NodesView, {});
    await user.click(screen.getByRole('button', { name: /All incidents/ }));
    expect(await screen.findByRole('article', { name: 'Incidents for all nodes' })).toBeTruthy();
    navigation.goToNode('n1');
    expect(await screen.findByRole('article', { name: 'Frankfurt 1' })).toBeTruthy();
    const incident = sampleIncidents(testNowMs)[1];
    if (incident === undefined) throw new Error('the sample has incidents');
    navigation.goToIncidents(incident);
    expect(await screen.findByRole('dialog', { name: /^Network on / })).toBeTruthy();
  });
});
