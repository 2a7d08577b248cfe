import { expect, it } from 'vitest';
import type { AppLink } from '../../../shared/app-link.ts';
import { ok } from '../../../shared/errors.ts';
import { FakeBridge, installBridge } from '../testing/fake-bridge.ts';
import { testNowMs } from '../testing/render.ts';
import { fullWorld, sampleAddresses } from '../testing/sample-world.ts';
import { AppState } from './app.svelte.ts';
import { Explore } from './explore.svelte.ts';
import { filterFor } from './filter-choice.ts';
import { followLinks } from './follow-links.ts';
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
  const end = followLinks(app, navigation);
  const open = (link: AppLink) => {
    waiting = link;
    bridge.emit('link.waiting', null);
  };
  return { bridge, navigation, open, end };
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
  expect(new Set(bridge.calls.map(({ channel }) => channel))).toEqual(
    new Set(['app.snapshot', 'app.takeLink']),
  );
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
