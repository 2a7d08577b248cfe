import { describe, expect, it } from 'vitest';
import { renderInApp } from '../../testing/render.ts';
import { viewList } from '../../views/view-list.ts';
import { choiceOf } from '../../state/filter-choice.ts';
import { sampleAddresses } from '../../testing/sample-world.ts';
import StorageBanner from './StorageBanner.svelte';
import { commandOfKey, commandsOf, searchCommands } from './commands.ts';

async function context() {
  const { app, navigation, messages, bridge } = await renderInApp(StorageBanner, {});
  return { views: viewList, app, navigation, messages, bridge };
}

const press = (key: string, target: EventTarget = document.body, init: KeyboardEventInit = {}) => {
  const event = new KeyboardEvent('keydown', { key, ...init });
  Object.defineProperty(event, 'target', { value: target });
  return event;
};

describe('commands', () => {
  it('offers views, addresses, nodes, additions and themes', async () => {
    const titles = commandsOf(await context()).map(({ title }) => title);
    for (const title of [
      'Go to Nodes',
      'Treasury',
      'Ashburn 2',
      'Watch an address',
      'Add a node',
      'Dark theme',
    ]) {
      expect(titles).toContain(title);
    }
  });

  it('finds by any words, and an address by all of its digits', async () => {
    const commands = commandsOf(await context());
    expect(searchCommands(commands, 'go no').map(({ title }) => title)).toEqual(['Go to Nodes']);
    expect(searchCommands(commands, sampleAddresses.hot.toLowerCase()).map(({ title }) => title)).toEqual([
      'Hot wallet',
    ]);
    expect(searchCommands(commands, 'nothing like this')).toEqual([]);
    expect(searchCommands(commands, ' ')).toHaveLength(commands.length - 1);
  });

  it('puts what begins with the text first', async () => {
    const [first] = searchCommands(commandsOf(await context()), 'watch');
    expect(first?.title).toBe('Watch an address');
  });

  it('goes to an address and a node, and changes the theme', async () => {
    const around = await context();
    const run = (title: string) =>
      commandsOf(around)
        .find((command) => command.title === title)
        ?.run();
    run('Hot wallet');
    expect(choiceOf(around.navigation.filter).address).toBe(sampleAddresses.hot);
    run('Ashburn 2');
    expect(around.navigation).toMatchObject({ view: 'nodes', nodeId: 'n2' });
    run('All incidents');
    expect(around.navigation).toMatchObject({ view: 'nodes', showsAllIncidents: true });
    run('Open a recording…');
    await expect.poll(() => around.navigation.nodeId).toBe('r1');
    expect(around.navigation.showsAllIncidents).toBe(false);
    run('Dark theme');
    await expect.poll(() => around.app.settings.theme).toBe('dark');
  });
});

describe('shortcuts', () => {
  it('go to views, whatever the case of the letter', async () => {
    const around = await context();
    commandOfKey(press('3'), around)?.run();
    expect(around.navigation.view).toBe('nodes');
    commandOfKey(press('A'), around)?.run();
    expect(around.navigation.dialog).toEqual({ kind: 'add-address' });
  });

  it('are silent in text fields and over dialogs, but for the palette in text fields', async () => {
    const around = await context();
    const input = document.createElement('input');
    expect(commandOfKey(press('3', input), around)).toBeNull();
    expect(commandOfKey(press('k', input, { ctrlKey: true }), around)).not.toBeNull();
    around.navigation.open({ kind: 'shortcuts' });
    expect(commandOfKey(press('3'), around)).toBeNull();
  });

  it('leave keys with modifiers to the system', async () => {
    const around = await context();
    expect(commandOfKey(press('a', document.body, { ctrlKey: true }), around)).toBeNull();
    expect(commandOfKey(press('1', document.body, { altKey: true }), around)).toBeNull();
  });
});
