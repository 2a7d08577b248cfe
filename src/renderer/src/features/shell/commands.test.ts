import { describe, expect, it } from 'vitest';
import { renderInApp, testNowMs } from '../../testing/render.ts';
import { sampleIncidents } from '../../testing/sample-past.ts';
import { viewList } from '../../views/view-list.ts';
import { choiceOf } from '../../state/filter-choice.ts';
import { sampleAddresses } from '../../testing/sample-world.ts';
import StorageBanner from './StorageBanner.svelte';
import { commandOfKey, commandsOf, searchCommands, stepOfButton, takeHandedIn } from './commands.ts';

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
    const possible = commands.filter(({ isOff }) => isOff !== true);
    expect(searchCommands(commands, ' ')).toHaveLength(possible.length - 1);
  });

  it('puts what begins with the text first', async () => {
    const [first] = searchCommands(commandsOf(await context()), 'watch');
    expect(first?.title).toBe('Watch an address');
  });

  it.each([
    ['names of addresses', 'names'],
    ['add many', 'add-addresses'],
  ])('opens %s', async (words, kind) => {
    const around = await context();
    searchCommands(commandsOf(around), words)[0]?.run();
    expect(around.navigation.dialog).toEqual({ kind });
  });

  it('copies the link of the incident that is open', async () => {
    const around = await context();
    const [incident] = sampleIncidents(testNowMs);
    around.navigation.goToIncidents(incident ?? null);
    const command = commandsOf(around).find(({ id }) => id === 'copy link');
    expect(command?.title).toBe('Copy a link to this incident');
    command?.run();
    expect(around.bridge.argsOf('app.copyText')).toEqual([{ text: 'watchkeeper://incidents/n2/i1' }]);
  });

  it('copies the link of the view where the node that was shown is gone', async () => {
    const around = await context();
    const copied = () => {
      commandsOf(around)
        .find(({ id }) => id === 'copy link')
        ?.run();
      return around.bridge.argsOf('app.copyText').at(-1)?.text;
    };
    const { nodes } = around.app;
    const id = '5f2b8a1c-0000-4000-8000-0123456789ab';
    around.bridge.emit(
      'nodes.changed',
      nodes.map((status) => ({ ...status, node: { ...status.node, id } })).slice(0, 1),
    );
    around.navigation.goToNode(id);
    expect(copied()).toBe(`watchkeeper://nodes/${id}`);
    around.bridge.emit('nodes.changed', nodes);
    expect(copied()).toBe('watchkeeper://nodes');
  });

  it('has the columns as they were, where they are not', async () => {
    const around = await context();
    const command = () => commandsOf(around).find(({ title }) => title === 'Reset column widths');
    expect(command()?.isOff).toBe(true);
    await around.app.updateSettings({ columnWidths: { time: 200 } });
    await expect.poll(() => command()?.isOff).toBe(false);
    command()?.run();
    await expect.poll(() => around.app.settings.columnWidths).toEqual({});
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

  it('work on a box that is ticked and over choices, where no letter is typed', async () => {
    const around = await context();
    around.messages.removed('One.', { undoId: 'a' });
    for (const type of ['checkbox', 'radio']) {
      const box = Object.assign(document.createElement('input'), { type });
      expect(commandOfKey(press('3', box), around)).not.toBeNull();
      expect(commandOfKey(press('z', box, { ctrlKey: true }), around)).not.toBeNull();
    }
  });

  it('of a single letter or digit do nothing where the user does not want them', async () => {
    const around = await context();
    await around.app.updateSettings({ letterKeys: false });
    await expect.poll(() => around.app.settings.letterKeys).toBe(false);
    for (const key of ['3', 'a', '?']) expect(commandOfKey(press(key), around)).toBeNull();
    expect(commandOfKey(press('k', document.body, { ctrlKey: true }), around)).not.toBeNull();
  });

  it('go back and forward from everywhere but a dialog, and only where there is a way', async () => {
    const around = await context();
    const { navigation } = around;
    const input = document.createElement('input');
    const back = () => commandOfKey(press('ArrowLeft', input, { altKey: true }), around);
    navigation.visit();
    expect(back()).toBeNull();
    navigation.go('nodes');
    navigation.lookUp({ kind: 'block', chainId: '1', blockId: '1' });
    navigation.visit();
    navigation.open({ kind: 'shortcuts' });
    expect(back()).toBeNull();
    stepOfButton(new MouseEvent('mouseup', { button: 3 }), around);
    expect(navigation.view).toBe('nodes');
    navigation.closeDialog();
    back()?.run();
    expect(navigation).toMatchObject({ view: 'overview', lookups: [] });
    navigation.visit();
    stepOfButton(new MouseEvent('mouseup', { button: 4 }), around);
    expect(navigation.view).toBe('nodes');
    stepOfButton(new MouseEvent('mouseup', { button: 3 }), around);
    stepOfButton(new MouseEvent('mouseup', { button: 0 }), around);
    expect(navigation.view).toBe('overview');
    commandOfKey(press('ArrowRight', document.body, { altKey: true }), around)?.run();
    expect(navigation.view).toBe('nodes');
  });

  it('undo the last removal, but not in a field, where they undo what was typed', async () => {
    const around = await context();
    const undo = (target?: EventTarget) => commandOfKey(press('z', target, { ctrlKey: true }), around);
    expect(undo()).toBeNull();
    around.messages.removed('One.', { undoId: 'a' });
    around.messages.removed('Two.', { undoId: 'b' });
    expect(undo(document.createElement('input'))).toBeNull();
    expect(searchCommands(commandsOf(around), 'undo')).toMatchObject([{ note: 'Two.' }]);
    undo()?.run();
    undo()?.run();
    expect(around.bridge.argsOf('removals.settle')).toEqual([
      { undoId: 'b', putBack: true },
      { undoId: 'a', putBack: true },
    ]);
  });

  it('undo over a drawer, its parts and a dialog, too', async () => {
    const around = await context();
    const { messages, navigation } = around;
    const dialog = document.createElement('dialog');
    const [button, input] = [document.createElement('button'), document.createElement('input')];
    dialog.append(button, input);
    const undo = (target: EventTarget) => commandOfKey(press('z', target, { ctrlKey: true }), around);
    messages.removed('Name removed.', { undoId: 'a' });
    expect(undo(button)).not.toBeNull();
    navigation.lookUp({ kind: 'block', chainId: '1', blockId: '1' });
    expect(undo(button)).not.toBeNull();
    navigation.open({ kind: 'names' });
    expect(undo(button)).not.toBeNull();
    expect(undo(input)).toBeNull();
  });

  it('leave keys with modifiers to the system', async () => {
    const around = await context();
    expect(commandOfKey(press('a', document.body, { ctrlKey: true }), around)).toBeNull();
    expect(commandOfKey(press('1', document.body, { altKey: true }), around)).toBeNull();
  });
});

describe('what is pasted or dropped', () => {
  const stranger = `0x${'11'.repeat(20)}`;
  const hash = `0x${'AB'.repeat(32)}`;

  /** An event as of the browser, of which happy-dom makes none with data. */
  function handIn(
    text: string,
    { type = 'paste', files = new Array<File>(), target = new EventTarget() } = {},
  ) {
    const data = { files, getData: () => text };
    const event = Object.assign(
      new Event(type),
      type === 'paste' ? { clipboardData: data } : { dataTransfer: data },
    );
    Object.defineProperty(event, 'target', { value: target });
    // Only what is read of it is made.
    return event as unknown as ClipboardEvent | DragEvent;
  }

  it('leads to a watched address, and puts anything else of the chain in the form, without asking for it', async () => {
    const shown = await context();
    expect(takeHandedIn(handIn(` ${sampleAddresses.hot.toLowerCase()}\n`), shown)).toBe(true);
    expect(shown.navigation).toMatchObject({ view: 'activity', lookups: [] });
    expect(choiceOf(shown.navigation.filter).address).toBe(sampleAddresses.hot);
    for (const [text, expected] of [
      [stranger, stranger],
      [hash, hash.toLowerCase()],
      ['0x1234', '0x1234'],
    ] as const) {
      shown.navigation.closeLookups();
      expect(takeHandedIn(handIn(text), shown)).toBe(true);
      expect(shown.navigation.lookups).toEqual([{ kind: 'form', text: expected, chainId: null }]);
    }
    expect(new Set(shown.bridge.calls.map(({ channel }) => channel))).toEqual(
      new Set(['app.isSample', 'app.snapshot', 'activity.rows']),
    );
  });

  it('is a list of addresses, as text or as a file, which the user still has to add', async () => {
    const shown = await context();
    const text = `${stranger}, One\n${sampleAddresses.hot}, Two`;
    expect(takeHandedIn(handIn(text), shown)).toBe(true);
    expect(shown.navigation.dialog).toEqual({ kind: 'add-addresses', from: text });
    shown.navigation.closeDialog();
    const file = new File([text], 'list.csv');
    expect(takeHandedIn(handIn('', { type: 'dragover' }), shown)).toBe(true);
    expect(shown.navigation.dialog).toBeNull();
    expect(takeHandedIn(handIn('', { type: 'drop', files: [file] }), shown)).toBe(true);
    expect(shown.navigation.dialog).toEqual({ kind: 'add-addresses', from: file });
  });

  it('is left alone in a field, over a dialog, and where it is nothing of the chain', async () => {
    const shown = await context();
    expect(takeHandedIn(handIn('some words'), shown)).toBe(false);
    const field = document.createElement('input');
    for (const type of ['paste', 'dragover', 'drop']) {
      expect(takeHandedIn(handIn(stranger, { type, target: field }), shown)).toBe(false);
    }
    shown.navigation.open({ kind: 'add-node' });
    expect(takeHandedIn(handIn(stranger), shown)).toBe(false);
    expect(shown.navigation).toMatchObject({ dialog: { kind: 'add-node' }, lookups: [] });
  });
});
