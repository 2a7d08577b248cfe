import { screen, waitFor, within } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { err, ok } from '../../../../../shared/errors.ts';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import { sampleIncidents } from '../../../testing/sample-past.ts';
import IncidentsPane from './IncidentsPane.svelte';

it('says in its drawer that an incident has ended, also where the list shows open ones only', async () => {
  const [first] = sampleIncidents(testNowMs);
  if (first === undefined) throw new Error('no incident');
  const { bridge, navigation, user } = await renderInApp(IncidentsPane, { nodeId: null, readOnly: false });
  await screen.findByRole('table', { name: 'Incidents' });
  await user.click(screen.getByRole('radio', { name: 'Open' }));
  await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2));
  await user.click(screen.getByRole('button', { name: /^Disk space and 1 more/ }));
  const drawer = within(screen.getByRole('dialog'));
  expect(drawer.getByText('Open')).toBeTruthy();
  bridge.answer('incidents.list', () => ok({ incidents: [], totalCount: 0 }));
  bridge.answer('incidents.find', () => ok({ ...first, endedAtMs: testNowMs, endKnownFrom: 'seen' }));
  bridge.emit('incidents.changed', { nodeId: 'n2' });
  await expect.poll(() => drawer.queryByText('Open')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(navigation.incident).toBeNull();
  expect(screen.queryByRole('dialog')).toBeNull();
});

it.each(['Close', 'Save note'])(
  'a note that could not be saved by “%s” is there when it is opened again',
  async (by) => {
    const [first] = sampleIncidents(testNowMs);
    if (first === undefined) throw new Error('no incident');
    const { bridge, messages, user } = await renderInApp(IncidentsPane, { nodeId: null, readOnly: false });
    const open = async () =>
      user.click(await screen.findByRole('button', { name: /^Disk space and 1 more/ }));
    const note = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Note' });
    const held = Promise.withResolvers<null>();
    bridge.answer('incidents.note', async () => {
      await held.promise;
      return err({ code: 'storage', message: 'The disk is full.' } as const);
    });
    await open();
    await user.type(note(), 'New disk ordered.');
    if (by === 'Save note') await user.click(screen.getByRole('button', { name: by }));
    await user.click(screen.getByRole('button', { name: 'Close' }));
    held.resolve(null);
    await expect.poll(() => messages.list.map(({ kind }) => kind)).toEqual(['error']);
    await open();
    expect(note().value).toBe('New disk ordered.');
    bridge.answer('incidents.note', ({ note }) => ok({ ...first, note }));
    await user.click(screen.getByRole('button', { name: 'Save note' }));
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(bridge.argsOf('incidents.note')).toHaveLength(2);
    await open();
    expect(screen.getByRole('button', { name: 'Save note' })).toHaveProperty('disabled', true);
  },
);

it('shows the note as it was once saving it is undone', async () => {
  const { messages, user } = await renderInApp(IncidentsPane, { nodeId: null, readOnly: false });
  const open = async () => user.click(await screen.findByRole('button', { name: /^Disk space and 1 more/ }));
  const note = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Note' });
  await open();
  await user.type(note(), 'New disk.');
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await screen.findByText('Note: New disk.');
  await open();
  expect(note().value).toBe('New disk.');
  await messages.undo(messages.undoable?.id ?? 0);
  await expect.poll(() => note().value).toBe('');
});

it('keeps what was written in a note since, where saving it is undone after that', async () => {
  const { bridge, messages, user } = await renderInApp(IncidentsPane, { nodeId: null, readOnly: false });
  const open = async () => user.click(await screen.findByRole('button', { name: /^Disk space and 1 more/ }));
  const note = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Note' });
  await open();
  await user.type(note(), 'New disk.');
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await expect.poll(() => messages.undoable).not.toBeNull();
  await open();
  await user.type(note(), ' Ordered.');
  await user.click(screen.getByRole('button', { name: 'Save note' }));
  await expect.poll(() => bridge.argsOf('incidents.note')).toHaveLength(2);
  await messages.undo(messages.undoable?.id ?? 0);
  expect(messages.list.at(-1)).toMatchObject({ kind: 'error' });
  expect(bridge.argsOf('incidents.note')).toHaveLength(2);
  expect(note().value).toBe('New disk. Ordered.');
});

it('shows none that is gone with its node, to which the way back leads, and then any other', async () => {
  const [first] = sampleIncidents(testNowMs);
  if (first === undefined) throw new Error('no incident');
  const gone = { code: 'not-found', message: 'This incident isn’t stored here.' } as const;
  const { navigation, user } = await renderInApp(
    IncidentsPane,
    { nodeId: null, readOnly: false },
    { prepare: (bridge) => bridge.answer('incidents.find', () => err(gone)) },
  );
  const other = await screen.findByRole('button', { name: /^Disk space and 1 more/ });
  navigation.incident = { ...first, id: 'of a removed node', nodeId: 'gone' };
  await screen.findByRole('dialog');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(other);
  expect(screen.getByRole('dialog')).toBeTruthy();
});
