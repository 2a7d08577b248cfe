import { expect, it } from 'vitest';
import type { AppLink } from '../../../shared/app-link.ts';
import { everything } from '../../../shared/activity/filter.ts';
import { ok } from '../../../shared/errors.ts';
import { FakeBridge, installBridge } from '../testing/fake-bridge.ts';
import { testNowMs } from '../testing/render.ts';
import { fullWorld, sampleAddresses } from '../testing/sample-world.ts';
import { AppState } from './app.svelte.ts';
import { Explore } from './explore.svelte.ts';
import { filterFor } from './filter-choice.ts';
import { followLinks } from './follow-links.ts';
import { Messages } from './messages.svelte.ts';
import { Navigation } from './navigation.svelte.ts';

const stranger = `0x${'11'.repeat(20)}`;
const txHash = `0x${'ab'.repeat(32)}`;

/** A window in which `first` waits from the start. */
async function setUp(first: AppLink | null) {
  const bridge = new FakeBridge(fullWorld(testNowMs));
  let waiting = first;
  bridge.answer('app.takeLink', () => {
    const link = waiting;
    waiting = null;
    return ok(link);
  });
  installBridge(bridge);
  const app = new AppState();
  app.start();
  await expect.poll(() => app.phase).toBe('ready');
  const navigation = new Navigation(new Explore());
  const messages = new Messages(() => () => undefined);
  const end = followLinks({ app, navigation, messages });
  const open = (link: AppLink) => {
    waiting = link;
    bridge.emit('link.waiting', null);
  };
  return { bridge, navigation, messages, open, end };
}

it('goes where the link of the start leads, and then where later ones lead', async () => {
  const { navigation, open } = await setUp({ view: 'nodes' });
  await expect.poll(() => navigation.view).toBe('nodes');
  open({ view: 'address', address: sampleAddresses.treasury });
  await expect.poll(() => navigation.view).toBe('activity');
  expect(navigation.filter).toEqual(filterFor({ address: sampleAddresses.treasury, chainId: null }));
  expect(navigation.lookups).toEqual([]);
});

it.each<[string, AppLink, string | null, string]>([
  ['an address that is not watched', { view: 'address', address: stranger }, null, stranger],
  ['a transaction', { view: 'transaction', chainId: '43114', txHash }, '43114', txHash],
])('puts %s in the form and asks for nothing', async (_what, link, chainId, text) => {
  const { bridge, navigation } = await setUp(link);
  await expect.poll(() => navigation.lookups).toEqual([{ kind: 'form', text, chainId }]);
  expect(navigation.view).toBe('activity');
  // What is stored was looked at, the service was not asked.
  const asked = new Set(bridge.calls.map(({ channel }) => channel));
  asked.delete('activity.rows');
  expect(asked).toEqual(new Set(['app.isSample', 'app.snapshot', 'app.takeLink']));
});

it('opens a transaction that is stored where it stands', async () => {
  const [row] = fullWorld(testNowMs).rows;
  if (row === undefined) throw new Error('The world is empty.');
  const { chainId, txHash } = row;
  const { navigation } = await setUp({ view: 'transaction', chainId, txHash });
  await expect.poll(() => navigation.opened).toMatchObject({ chainId, txHash });
  expect(navigation).toMatchObject({
    view: 'activity',
    filter: { text: txHash, showHidden: true },
    lookups: [],
  });
});

it('restores filters and what was chosen, and the link of the place is the same', async () => {
  const { bridge, navigation, messages, open } = await setUp(null);
  const links: AppLink[] = [
    { view: 'filtered', filter: { pills: [], text: 'rent', showHidden: true } },
    { view: 'node', nodeId: 'n2' },
    { view: 'incident', nodeId: 'n2', id: 'i2', among: 'node' },
    { view: 'incidents' },
    { view: 'incident', nodeId: 'n1', id: 'i3', among: 'all' },
    { view: 'explore', form: { id: 'chain', values: { chainId: '43114' } } },
    { view: 'overview' },
    { view: 'activity' },
  ];
  for (const link of links) {
    navigation.filter = everything;
    open(link);
    await expect.poll(() => navigation.link).toEqual(link);
  }
  expect(bridge.argsOf('runs.start')).toEqual([]);
  expect(messages.list).toEqual([]);
  navigation.go('settings');
  expect(navigation.link).toBeNull();
});

it('opens an incident with all of it, in the list in which it was', async () => {
  const { navigation, messages, open } = await setUp({
    view: 'incident',
    nodeId: 'n2',
    id: 'i2',
    among: 'node',
  });
  await expect.poll(() => navigation.incident).toMatchObject({ id: 'i2', note: 'Switch replaced.' });
  expect(navigation).toMatchObject({ view: 'nodes', nodeId: 'n2', showsAllIncidents: false });
  open({ view: 'incident', nodeId: 'n2', id: 'i2', among: 'all' });
  await expect.poll(() => navigation.showsAllIncidents).toBe(true);
  expect(navigation.incident).toMatchObject({ id: 'i2' });
  expect(messages.list).toEqual([]);
});

it.each<[string, AppLink, words?: string]>([
  ['an incident that is gone', { view: 'incident', nodeId: 'n2', id: 'gone', among: 'all' }],
  ['one that is gone from a node', { view: 'incident', nodeId: 'n2', id: 'gone', among: 'node' }],
  ['one of a node that is gone', { view: 'incident', nodeId: 'gone', id: 'i2', among: 'node' }],
  ['one that cannot be', { view: 'no-incident' }, 'This link doesn’t point to an incident.'],
])('says that there is no such incident, over the list: %s', async (_what, link, message) => {
  const { navigation, messages } = await setUp(link);
  const error = { code: 'not-found', ...(message !== undefined && { message }) };
  await expect.poll(() => messages.list).toMatchObject([{ kind: 'error', error }]);
  await expect.poll(() => navigation.view).toBe('nodes');
  expect(navigation).toMatchObject({ showsAllIncidents: true, incident: null });
});

it('says that the node of a link is not watched, instead of showing another one as if it were', async () => {
  const { navigation, messages, open } = await setUp(null);
  navigation.goToNode('n2');
  open({ view: 'node', nodeId: 'gone' });
  const error = { code: 'not-found', message: 'This link is for a node that you aren’t watching.' };
  await expect.poll(() => messages.list).toMatchObject([{ kind: 'error', error }]);
  expect(navigation).toMatchObject({ view: 'nodes', nodeId: 'n2' });
});

it('leaves an open dialog and what was typed there', async () => {
  const { navigation, open } = await setUp(null);
  navigation.open({ kind: 'add-node' });
  open({ view: 'nodes' });
  await expect.poll(() => navigation.view).toBe('nodes');
  expect(navigation.dialog).toEqual({ kind: 'add-node' });
});

it('follows no link once it has ended', async () => {
  const { bridge, end, open } = await setUp(null);
  end();
  open({ view: 'nodes' });
  expect(bridge.argsOf('app.takeLink')).toHaveLength(1);
});

it('stays where the newest link leads, however long an earlier one takes', async () => {
  const { bridge, navigation, open } = await setUp(null);
  const rows = Promise.withResolvers<void>();
  const none = { rows: [], offset: 0, totalCount: 0, hiddenCount: 0, partialCount: 0, unrankedCount: 0 };
  bridge.answer('activity.rows', async () => {
    await rows.promise;
    return ok(none);
  });
  open({ view: 'transaction', chainId: '43114', txHash });
  await expect.poll(() => bridge.calls.some(({ channel }) => channel === 'activity.rows')).toBe(true);
  open({ view: 'nodes' });
  rows.resolve();
  await expect.poll(() => navigation.view).toBe('nodes');
  expect(navigation.lookups).toEqual([]);
});

it.each(['palette', 'shortcuts', 'names'] as const)(
  'is not hidden by what only shows something: %s',
  async (kind) => {
    const { navigation, messages, open } = await setUp(null);
    navigation.open({ kind });
    open({ view: 'nodes' });
    await expect.poll(() => navigation.view).toBe('nodes');
    expect(navigation.dialog).toBeNull();
    expect(messages.list).toEqual([]);
  },
);

it('is told of where a form stays over it', async () => {
  const { navigation, messages, open } = await setUp(null);
  navigation.open({ kind: 'add-address' });
  open({ view: 'nodes' });
  await expect
    .poll(() => messages.list)
    .toMatchObject([{ text: 'Close this dialog to see what the link opened.' }]);
  expect(navigation).toMatchObject({ view: 'nodes', dialog: { kind: 'add-address' } });
});
