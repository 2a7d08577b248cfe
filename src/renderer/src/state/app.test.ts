import { describe, expect, it } from 'vitest';
import { err, ok, type Result } from '../../../shared/errors.ts';
import type { Settings } from '../../../shared/settings.ts';
import { FakeBridge, installBridge } from '../testing/fake-bridge.ts';
import { testNowMs } from '../testing/render.ts';
import { sampleIncidents } from '../testing/sample-past.ts';
import { fullWorld, sampleAddresses, sampleBlockchainId } from '../testing/sample-world.ts';
import { AppState } from './app.svelte.ts';

function start() {
  const bridge = new FakeBridge(fullWorld(testNowMs));
  installBridge(bridge);
  const app = new AppState();
  const end = app.start();
  return { app, bridge, end, ready: () => expect.poll(() => app.phase).not.toBe('starting') };
}

const failure = { code: 'storage', message: 'busy' } as const;

describe('AppState', () => {
  it('keeps what was announced while the snapshot was on its way', async () => {
    const { app, bridge, ready } = start();
    bridge.emit('connection.changed', { state: 'offline', lastAnswerAtMs: 1, error: null });
    await ready();
    expect(app.connection.state).toBe('offline');
    expect(app.watchlist).toHaveLength(3);
  });

  it('says why it could not start', async () => {
    const bridge = new FakeBridge(fullWorld(testNowMs));
    bridge.answer('app.snapshot', () => err({ code: 'internal', message: 'no', ref: 'x1' }));
    installBridge(bridge);
    const app = new AppState();
    app.start();
    await expect.poll(() => app.phase).toBe('failed');
    expect(app.startError?.code).toBe('internal');
  });

  it('can be started again, and keeps what was announced since it was asked for', async () => {
    const bridge = new FakeBridge(fullWorld(testNowMs));
    const answer = await bridge.invoke('app.snapshot', undefined);
    const asked = Promise.withResolvers<typeof answer>();
    bridge.answer('app.snapshot', () => err({ code: 'internal', message: 'no', ref: 'x1' }));
    installBridge(bridge);
    const app = new AppState();
    app.start();
    await expect.poll(() => app.phase).toBe('failed');
    // Of the start that failed: the next one has mended it.
    bridge.emit('storage.changed', { state: 'ready', notKept: false, notices: ['damaged'] });
    bridge.answer('app.snapshot', () => asked.promise);
    const loaded = app.load();
    bridge.emit('connection.changed', { state: 'offline', lastAnswerAtMs: 1, error: null });
    asked.resolve(answer);
    await loaded;
    expect(app.phase).toBe('ready');
    expect(app.nodes.length).toBeGreaterThan(0);
    expect(app.connection.state).toBe('offline');
    expect(app.storage.notices).not.toContain('damaged');
  });

  it('treats a main process that does not answer as a defect, not as silence', async () => {
    installBridge({ invoke: () => Promise.reject(new Error('gone')), listen: () => () => undefined });
    const app = new AppState();
    app.start();
    await expect.poll(() => app.phase).toBe('failed');
    expect(app.startError).toMatchObject({ code: 'internal', message: 'gone' });
  });

  it('replaces one node and leaves the others alone', async () => {
    const { app, bridge, ready } = start();
    await ready();
    const [first, second] = app.nodes;
    if (first === undefined) throw new Error('no node');
    bridge.emit('node.changed', { ...first, state: 'unhealthy', reason: 'a check fails' });
    expect(app.node(first.node.id)?.state).toBe('unhealthy');
    expect(app.nodes[1]).toBe(second);
  });

  it('takes a thousand changes of histories that come at once as one', async () => {
    const world = fullWorld(testNowMs);
    const [entry] = world.snapshot.watchlist;
    const chain = entry?.chains[0];
    if (entry === undefined || chain === undefined) throw new Error('no chain');
    entry.chains = Array.from({ length: 1_000 }, (_nothing, i) => ({ ...chain, chainId: `c${i}` }));
    const bridge = new FakeBridge(world);
    installBridge(bridge);
    let settle = (): void => undefined;
    const app = new AppState(() => new Promise((resolve) => (settle = resolve)));
    app.start();
    await expect.poll(() => app.phase).toBe('ready');
    const lists = new Set<unknown>();
    const states = () => app.watchlist[0]?.chains.map(({ sync }) => sync.state);
    for (const { chainId, sync } of entry.chains) {
      for (const state of ['running', 'complete'] as const) {
        const change = { address: entry.address, chainId, list: 'transactions' as const };
        bridge.emit('activity.changed', { ...change, sync: { ...sync, state } });
        lists.add(app.watchlist);
      }
    }
    // The first one shows at once.
    expect(lists.size).toBe(1);
    settle();
    await expect.poll(() => new Set(states())).toEqual(new Set(['complete']));
    // What comes when it has been quiet shows at once again.
    settle();
    await new Promise((resolve) => setImmediate(resolve));
    bridge.emit('activity.changed', {
      address: entry.address,
      chainId: 'c7',
      list: 'transactions',
      sync: { ...chain.sync, state: 'failed' },
    });
    expect(states()?.[7]).toBe('failed');
  });

  it('moves the sync of one chain on', async () => {
    const { app, bridge, ready } = start();
    await ready();
    const [entry] = app.watchlist;
    const chain = entry?.chains[0];
    if (entry === undefined || chain === undefined) throw new Error('no chain');
    const change = {
      address: entry.address,
      chainId: chain.chainId,
      list: 'transactions' as const,
      sync: { ...chain.sync, rowCount: 421 },
    };
    bridge.emit('activity.changed', change);
    expect(app.chain(entry.address, chain.chainId)?.sync.rowCount).toBe(421);
  });

  it('hears nothing more after its end', async () => {
    const { app, bridge, end, ready } = start();
    await ready();
    end();
    bridge.emit('watchlist.changed', []);
    expect(app.watchlist).toHaveLength(3);
  });

  it('moves another list on without touching the list of transactions', async () => {
    const { app, bridge, ready } = start();
    await ready();
    const [entry] = app.watchlist;
    const chain = entry?.chains[0];
    if (entry === undefined || chain === undefined) throw new Error('no chain');
    const sync = { ...chain.sync, rowCount: 7 };
    bridge.emit('activity.changed', { address: entry.address, chainId: chain.chainId, list: 'erc20', sync });
    const now = app.chain(entry.address, chain.chainId);
    expect(now?.sync.rowCount).toBe(chain.sync.rowCount);
    expect(now?.otherLists.filter((other) => other.sync.rowCount === 7).map(({ list }) => list)).toEqual([
      'erc20',
    ]);
  });

  it('names an address by its label, else by the book, else by the service, in any spelling', async () => {
    const { app, bridge, ready } = start();
    await ready();
    const { treasury, quiet, joe } = sampleAddresses;
    expect(app.nameOf(treasury.toLowerCase(), 'Exchange 4')).toEqual({ text: 'Treasury', from: 'watchlist' });
    expect(app.nameOf(quiet, 'Exchange 4')).toEqual({ text: null, from: 'watchlist' });
    expect(app.nameOf(joe.toUpperCase().replace('0X', '0x'))?.text).toBe('Joe the accountant');
    expect(app.nameOf('0x01', 'Exchange 4')).toEqual({ text: 'Exchange 4', from: 'service' });
    expect(app.nameOf('0x01')).toBeNull();
    bridge.emit('book.changed', [{ address: '0x01', name: 'Shop', note: null, changedAtMs: 1 }]);
    expect(app.nameOf('0x01', 'Exchange 4')).toEqual({ text: 'Shop', from: 'book' });
    expect(app.nameOf(joe)).toBeNull();
    // One that was named before it was watched without a label.
    bridge.emit('book.changed', [{ address: quiet, name: 'Savings', note: null, changedAtMs: 1 }]);
    expect(app.nameOf(quiet)).toEqual({ text: 'Savings', from: 'watchlist' });
  });

  it('follows completion and export', async () => {
    const { app, bridge, ready } = start();
    await ready();
    bridge.emit('completion.changed', {
      partialCount: 3,
      waitingCount: 2,
      isAll: false,
      doneCount: 1,
      error: null,
    });
    bridge.emit('activityExport.changed', { kind: 'save', done: 5, share: 0.5 });
    expect(app.completion).toMatchObject({ partialCount: 3, doneCount: 1 });
    expect(app.activityExport).toMatchObject({ done: 5 });
  });

  it('knows nothing before the main process has told it', () => {
    installBridge({ invoke: () => new Promise(() => undefined), listen: () => () => undefined });
    const app = new AppState();
    app.start();
    const nobody = {
      remainingThisMinute: null,
      limitPerMinute: null,
      remainingToday: null,
      limitPerDay: null,
    };
    const share = { ...nobody, heldUntilMs: null };
    const [phase, isSample, version, dataFolder, locale] = ['starting', false, '', '', ''];
    expect(app).toMatchObject({ phase, isSample, version, dataFolder, locale, startError: null });
    expect(app).toMatchObject({ watchlist: [], book: [], nodes: [], recordings: [] });
    expect(app).toMatchObject({ activityExport: null, recordingTask: null });
    expect({
      secret: app.secret,
      storage: app.storage,
      connection: app.connection,
      completion: app.completion,
      budget: app.budget,
      outbound: app.outbound,
      updates: app.updates,
      alerts: app.alerts,
    }).toEqual({
      secret: { present: false, storage: 'none', keychain: 'unknown' },
      storage: { state: 'opening', notKept: false, notices: [] },
      connection: { state: 'unknown', lastAnswerAtMs: null, error: null },
      completion: { partialCount: 0, waitingCount: 0, isAll: false, doneCount: 0, error: null },
      budget: { data: share, metrics: share },
      outbound: { sinceMs: 0, uses: [], logins: {}, others: [] },
      updates: { host: null, obstacle: null, state: { at: 'idle' } },
      alerts: 0,
    });
  });

  it.each([
    [ok(true), true],
    [ok(false), false],
    [err(failure), false],
  ] as const)('says that all is made up where the main process says so', async (answer, isSample) => {
    const bridge = new FakeBridge(fullWorld(testNowMs));
    bridge.answer('app.isSample', () => answer);
    installBridge(bridge);
    const app = new AppState();
    app.start();
    await expect.poll(() => app.phase).toBe('ready');
    expect(app.isSample).toBe(isSample);
  });

  it('takes a new watchlist as it is, after the changes of histories that came before it', async () => {
    const bridge = new FakeBridge(fullWorld(testNowMs));
    installBridge(bridge);
    const settled = Promise.withResolvers<void>();
    const app = new AppState(() => settled.promise);
    app.start();
    await expect.poll(() => app.phase).toBe('ready');
    const [entry] = app.watchlist;
    const chain = entry?.chains[0];
    if (entry === undefined || chain === undefined) throw new Error('no chain');
    const rowCount = () => app.chain(entry.address, chain.chainId)?.sync.rowCount;
    const change = { address: entry.address, chainId: chain.chainId, list: 'transactions' as const };
    for (const count of [1, 2])
      bridge.emit('activity.changed', { ...change, sync: { ...chain.sync, rowCount: count } });
    expect(rowCount()).toBe(1);
    const next = app.watchlist.map((known) => ({ ...known, label: 'Other' }));
    bridge.emit('watchlist.changed', next);
    settled.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(app.watchlist).toEqual(next);
    expect(app.watched(entry.address.toUpperCase().replace('0X', '0x'))?.label).toBe('Other');
    expect(app.chain(entry.address.toLowerCase(), chain.chainId)).toBe(app.watchlist[0]?.chains[0]);
  });

  it('has the names of chains and nodes by all their ids', async () => {
    const { app, bridge, ready } = start();
    await ready();
    expect(app.chainNames.get('43114')).toBe('Avalanche C-Chain');
    expect([...app.blockchainNames.keys()]).toEqual([sampleBlockchainId]);
    const known = app.nodes.filter(({ nodeId }) => nodeId !== null);
    expect(known.length).toBeLessThan(app.nodes.length);
    expect([...app.nodeNames]).toEqual(known.map(({ nodeId, node }) => [nodeId, node.name]));
    const { treasury, joe } = sampleAddresses;
    for (const address of [treasury, joe]) {
      const alike = `${address.slice(0, 6)}${'0'.repeat(32)}${address.slice(-4)}`;
      expect(app.lookAlikes.of(alike)).toBe(address.toLowerCase());
    }
    bridge.emit('nodes.changed', []);
    expect(app.nodeNames.size).toBe(0);
  });

  it('opens and closes recordings, and takes one that is opened again once', async () => {
    const { app, bridge, ready } = start();
    await ready();
    const opened = await app.openRecording();
    const recording = opened.ok ? opened.value : null;
    if (recording === null) throw new Error('no recording');
    bridge.answer('recordings.open', () => ok({ ...recording, id: 'other' }));
    await app.openRecording();
    await app.openRecording();
    expect(app.recordings.map(({ id }) => id)).toEqual([recording.id, 'other']);
    bridge.answer('recordings.open', () => ok(null));
    expect(await app.openRecording()).toEqual(ok(null));
    bridge.answer('recordings.close', () => err(failure));
    await app.closeRecording('other');
    expect(app.recordings).toHaveLength(2);
    bridge.answer('recordings.close', ({ id }) => ok({ undoId: id }));
    expect(await app.closeRecording('other')).toEqual(ok({ undoId: 'other' }));
    expect(app.recordings).toEqual([recording]);
  });

  it('calls an incident by its node, its recording, or a node that was removed', async () => {
    const { app, ready } = start();
    await ready();
    const [incident] = sampleIncidents(testNowMs);
    if (incident === undefined) throw new Error('no incident');
    const known = app.node(incident.nodeId);
    expect(app.incidentTitle(incident)).toContain(known?.node.name);
    expect(app.incidentTitle({ ...incident, leadingCheck: sampleBlockchainId })).toContain(
      app.blockchainNames.get(sampleBlockchainId),
    );
    const opened = await app.openRecording();
    const recording = opened.ok ? opened.value : null;
    if (recording === null) throw new Error('no recording');
    app.recordings = [{ ...recording, id: 'another', nodeName: 'Another' }, recording];
    expect(app.incidentTitle({ ...incident, nodeId: recording.id })).toContain(recording.nodeName);
    expect(app.incidentTitle({ ...incident, nodeId: 'nowhere' })).toContain('a removed node');
  });

  it('keeps the width of a pane beside those of the others', async () => {
    const { app, bridge, ready } = start();
    await ready();
    await app.setPaneWidth('addresses', 300);
    await expect.poll(() => app.settings.paneWidths.addresses).toBe(300);
    await app.setPaneWidth('nodes', 200);
    expect(bridge.argsOf('settings.update').at(-1)?.paneWidths).toMatchObject({ addresses: 300, nodes: 200 });
  });

  it('has a changed setting at once, and no longer once the change is refused', async () => {
    const { app, bridge, ready } = start();
    await ready();
    const { theme, timeZone, ...others } = app.settings;
    const answers: ((answer: Result<Settings>) => void)[] = [];
    bridge.answer('settings.update', () => new Promise((give) => void answers.push(give)));
    const dark = app.updateSettings({ theme: 'dark' });
    const utc = app.updateSettings({ timeZone: 'utc' });
    expect(theme === 'dark' || timeZone === 'utc').toBe(false);
    expect(app.settings).toEqual({ ...others, theme: 'dark', timeZone: 'utc' });
    answers[0]?.(err(failure));
    await dark;
    expect(app.settings).toEqual({ ...others, theme, timeZone: 'utc' });
    bridge.emit('settings.changed', { ...others, theme, timeZone: 'utc' });
    answers[1]?.(ok({ ...others, theme, timeZone: 'utc' }));
    await utc;
    bridge.emit('settings.changed', { ...others, theme, timeZone });
    expect(app.settings.timeZone).toBe(timeZone);
  });

  it('knows which incidents began while their node was being worked on', async () => {
    const { app, bridge, ready } = start();
    await ready();
    const [incident] = sampleIncidents(testNowMs);
    if (incident === undefined) throw new Error('no incident');
    expect(app.isPlanned(incident)).toBe(false);
    const work = { nodeId: incident.nodeId, fromMs: incident.startedAtMs, untilMs: incident.startedAtMs + 1 };
    const { alerts } = app.settings;
    bridge.emit('settings.changed', { ...app.settings, alerts: { ...alerts, planned: [work] } });
    expect(app.isPlanned(incident)).toBe(true);
  });
});
