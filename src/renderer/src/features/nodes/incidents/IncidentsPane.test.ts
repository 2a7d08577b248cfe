import { fireEvent, screen, waitFor, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { err, ok } from '../../../../../shared/errors.ts';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import { sampleIncidents } from '../../../testing/sample-past.ts';
import { fullWorld, sampleBlockchainId } from '../../../testing/sample-world.ts';
import IncidentsPane from './IncidentsPane.svelte';

const all = { nodeId: null, readOnly: false };

const diskTitle = 'Disk space and 1 more check on Ashburn 2: 9% of the disk is free; 10% required';

describe('IncidentsPane', () => {
  it('lists incidents of all nodes with state, span, node, checks and error', async () => {
    await renderInApp(IncidentsPane, all);
    const table = await screen.findByRole('table', { name: 'Incidents' });
    const rows = within(table).getAllByRole('row').slice(1);
    expect(rows).toHaveLength(3);
    for (const part of ['Open', '2026-09-16 13:10', 'for 55 min now', diskTitle]) {
      expect(rows[0]?.textContent).toContain(part);
    }
    expect(rows[1]?.textContent).toContain('Ended');
    expect(rows[1]?.textContent).toContain('Note: Switch replaced.');
  });

  it('marks what began during planned work, in the list and in the detail', async () => {
    const [first] = sampleIncidents(testNowMs);
    if (first === undefined) throw new Error('no incident');
    const { nodeId, startedAtMs } = first;
    const world = fullWorld(testNowMs);
    const { settings } = world.snapshot;
    const planned = [{ nodeId, fromMs: startedAtMs - 60_000, untilMs: startedAtMs + 60_000 }];
    world.snapshot.settings = { ...settings, alerts: { ...settings.alerts, planned } };
    const { user } = await renderInApp(IncidentsPane, all, { world });
    const table = await screen.findByRole('table', { name: 'Incidents' });
    const rows = within(table).getAllByRole('row').slice(1);
    expect(rows.map((row) => within(row).queryByText('Planned') !== null)).toEqual([true, false, false]);
    await user.click(screen.getByRole('button', { name: diskTitle }));
    expect(await screen.findByText('· during planned work')).toBeTruthy();
  });

  it('names a known chain beside its id in an error, and leaves other ids', async () => {
    const other = `${sampleBlockchainId.slice(0, -1)}j`;
    const [first] = sampleIncidents(testNowMs);
    if (first === undefined) throw new Error('no incident');
    const incidents = [{ ...first, firstError: `${sampleBlockchainId} and ${other} are not healthy` }];
    await renderInApp(IncidentsPane, all, {
      prepare: (bridge) => bridge.answer('incidents.list', () => ok({ incidents, totalCount: 1 })),
    });
    const table = await screen.findByRole('table', { name: 'Incidents' });
    expect(table.textContent).toContain(`DFK Chain · ${sampleBlockchainId} and ${other} are not healthy`);
  });

  it('asks with the filter that is chosen, and exports what it shows', async () => {
    const { bridge, user } = await renderInApp(IncidentsPane, all);
    await screen.findByRole('table', { name: 'Incidents' });
    await user.click(screen.getByRole('radio', { name: 'Ended' }));
    await user.selectOptions(screen.getByLabelText('Node'), 'Ashburn 2');
    await user.selectOptions(screen.getByLabelText('Check'), 'network');
    await user.selectOptions(screen.getByLabelText('Time'), 'Last 7 days');
    await user.type(screen.getByLabelText('Find in checks, errors and notes'), 'peers');
    const filter = {
      nodeId: 'n2',
      check: 'network',
      state: 'ended' as const,
      fromMs: Date.UTC(2026, 8, 9, 14, 5, 7),
      toMs: null,
      text: 'peers',
    };
    await expect.poll(() => bridge.argsOf('incidents.list').at(-1)?.filter).toEqual(filter);
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2));
    await user.click(screen.getByRole('button', { name: 'Save CSV' }));
    await expect.poll(() => bridge.argsOf('incidents.export')).toEqual([{ filter, format: 'csv' }]);
  });

  it('leaves the focus on the button whose file is being written, and writes it once', async () => {
    const { bridge, user } = await renderInApp(IncidentsPane, all);
    await screen.findByRole('table', { name: 'Incidents' });
    const held = Promise.withResolvers<null>();
    bridge.answer('incidents.export', () => held.promise.then(() => ok({ path: '/x', count: 3 })));
    const csv = screen.getByRole<HTMLButtonElement>('button', { name: 'Save CSV' });
    await user.click(csv);
    // The window is left for the system's dialog.
    await fireEvent.blur(csv);
    // A disabled one would have no focus.
    expect([csv.disabled, csv.getAttribute('aria-disabled')]).toEqual([false, 'true']);
    expect(screen.getByRole('button', { name: 'Save JSON' })).toHaveProperty('disabled', true);
    await user.keyboard('{Enter}');
    expect(bridge.argsOf('incidents.export')).toHaveLength(1);
    held.resolve(null);
    await expect.poll(() => csv.getAttribute('aria-disabled')).toBeNull();
  });

  it('asks for what was between two days, in the zone that is shown', async () => {
    const { bridge, user } = await renderInApp(IncidentsPane, all);
    await screen.findByRole('table', { name: 'Incidents' });
    expect(screen.queryByLabelText('From')).toBeNull();
    await user.selectOptions(screen.getByLabelText('Time'), 'Custom dates');
    const asked = () => bridge.argsOf('incidents.list').at(-1)?.filter;
    expect(asked()).toMatchObject({ fromMs: null, toMs: null });
    await fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-09-10' } });
    await fireEvent.change(screen.getByLabelText('to'), { target: { value: '2026-09-12' } });
    const [fromMs, toMs] = [Date.UTC(2026, 8, 10), Date.UTC(2026, 8, 13) - 1];
    await expect.poll(asked).toMatchObject({ fromMs, toMs });
    await fireEvent.change(screen.getByLabelText('to'), { target: { value: '2026-09-09' } });
    expect(await screen.findByText('The end date is before the start date.')).toBeTruthy();
    expect(screen.getByLabelText('to').getAttribute('aria-invalid')).toBe('true');
  });

  it('tells nothing that fits from nothing at all', async () => {
    const { user } = await renderInApp(IncidentsPane, { nodeId: 'n4', readOnly: false });
    expect(await screen.findByText('No incidents recorded for this node.')).toBeTruthy();
    await user.click(screen.getByRole('radio', { name: 'Open' }));
    expect(await screen.findByText(/No incidents match./)).toBeTruthy();
  });

  it('says in the detail how start and end are known, in order of onset, with the worst values', async () => {
    const { user } = await renderInApp(IncidentsPane, all);
    await user.click(await screen.findByRole('button', { name: diskTitle }));
    const drawer = screen.getByRole('dialog', { name: diskTitle });
    const parts = within(within(drawer).getByRole('region', { name: /^Failures/ })).getAllByRole('listitem');
    expect(parts[0]?.textContent).toMatch(/Disk space · diskspace.*reported by the node/s);
    expect(parts[1]?.textContent).toMatch(/C.*at most 34 min.*, observed by this app.*inferred/s);
    expect(drawer.textContent).toContain('7%');
  });

  it('keeps a note', async () => {
    const { bridge, user } = await renderInApp(IncidentsPane, all);
    await user.click(await screen.findByRole('button', { name: diskTitle }));
    const keep = screen.getByRole('button', { name: 'Save note' });
    expect(keep.hasAttribute('disabled')).toBe(true);
    await user.type(screen.getByRole('textbox', { name: 'Note' }), 'New disk ordered.');
    await user.click(keep);
    await expect
      .poll(() => bridge.argsOf('incidents.note'))
      .toEqual([{ nodeId: 'n2', id: 'i1', note: 'New disk ordered.' }]);
    expect(await screen.findByText('Note: New disk ordered.')).toBeTruthy();
  });

  it('saves what was typed when it is closed, and offers to undo that', async () => {
    const { bridge, messages, user } = await renderInApp(IncidentsPane, all);
    await user.click(await screen.findByRole('button', { name: diskTitle }));
    await user.type(screen.getByRole('textbox', { name: 'Note' }), 'New disk.');
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(await screen.findByText('Note: New disk.')).toBeTruthy();
    expect(messages.list).toMatchObject([{ text: 'Note saved.' }]);
    await messages.undo(messages.undoable?.id ?? 0);
    expect(bridge.argsOf('incidents.note').map(({ note }) => note)).toEqual(['New disk.', '']);
  });

  it('stays open, with what is being typed, when its incident ends and the filter shows open ones only', async () => {
    const { bridge, user } = await renderInApp(IncidentsPane, all);
    await screen.findByRole('table', { name: 'Incidents' });
    await user.click(screen.getByRole('radio', { name: 'Open' }));
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2));
    await user.click(screen.getByRole('button', { name: diskTitle }));
    await user.type(screen.getByRole('textbox', { name: 'Note' }), 'New di');
    bridge.answer('incidents.list', () => ok({ incidents: [], totalCount: 0 }));
    bridge.emit('incidents.changed', { nodeId: 'n2' });
    await screen.findByText(/No incidents match/);
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Note' }).value).toBe('New di');
  });

  it('does not open again when it was closed while its note was saved', async () => {
    const { bridge, messages, navigation, user } = await renderInApp(IncidentsPane, all);
    await user.click(await screen.findByRole('button', { name: diskTitle }));
    const incident = navigation.incident;
    if (incident === null) throw new Error('none is open');
    const held = Promise.withResolvers<null>();
    bridge.answer('incidents.note', async () => {
      await held.promise;
      return ok({ ...incident, note: 'x' });
    });
    await user.type(screen.getByRole('textbox', { name: 'Note' }), 'x');
    await user.click(screen.getByRole('button', { name: 'Save note' }));
    await user.click(screen.getByRole('button', { name: 'Close' }));
    held.resolve(null);
    await expect.poll(() => messages.list).toMatchObject([{ text: 'Note saved.' }]);
    expect(navigation.incident).toBeNull();
  });

  it.each([
    ['Save note', 'incidents.note'],
    ['Save post-mortem', 'incidents.postMortem'],
  ] as const)(
    'says that nothing was kept by “%s” also when it was closed meanwhile',
    async (name, channel) => {
      const { bridge, messages, user } = await renderInApp(IncidentsPane, all);
      await user.click(await screen.findByRole('button', { name: diskTitle }));
      const held = Promise.withResolvers<null>();
      bridge.answer(channel, async () => {
        await held.promise;
        return err({ code: 'storage', message: 'The disk is full.' } as const);
      });
      await user.type(screen.getByRole('textbox', { name: 'Note' }), 'x');
      await user.click(screen.getByRole('button', { name }));
      await user.click(screen.getByRole('button', { name: 'Close' }));
      held.resolve(null);
      const errors = () => messages.list.filter(({ kind }) => kind === 'error');
      await expect.poll(errors, { timeout: 2_000 }).toHaveLength(1);
    },
  );

  it('writes a post-mortem, redacted unless it is told otherwise', async () => {
    const { bridge, user } = await renderInApp(IncidentsPane, all);
    await user.click(await screen.findByRole('button', { name: /^Network on / }));
    await user.click(screen.getByRole('button', { name: 'Save post-mortem' }));
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /^Version to share.*Replaces/ }).checked).toBe(
      true,
    );
    await user.click(screen.getByRole('radio', { name: /^Version for yourself/ }));
    await user.click(screen.getByRole('button', { name: 'Save post-mortem' }));
    await expect
      .poll(() => bridge.argsOf('incidents.postMortem'))
      .toEqual([
        { nodeId: 'n2', id: 'i2', redact: true },
        { nodeId: 'n2', id: 'i2', redact: false },
      ]);
  });

  it('changes nothing of a recording', async () => {
    const { user } = await renderInApp(IncidentsPane, { nodeId: 'n2', readOnly: true });
    await user.click(await screen.findByRole('button', { name: diskTitle }));
    expect(screen.queryByRole('checkbox', { name: /^Mark/ })).toBeNull();
    expect(screen.queryByRole('textbox', { name: 'Note' })).toBeNull();
  });

  it('follows the news', async () => {
    const { bridge } = await renderInApp(IncidentsPane, all);
    await screen.findByRole('table', { name: 'Incidents' });
    const asked = bridge.argsOf('incidents.list').length;
    bridge.emit('incidents.changed', { nodeId: 'n2' });
    await expect.poll(() => bridge.argsOf('incidents.list').length).toBe(asked + 1);
  });
});
