import { describe, expect, it } from 'vitest';
import { everything } from '../../../shared/activity/filter.ts';
import { FakeBridge, installBridge } from '../testing/fake-bridge.ts';
import { testNowMs } from '../testing/render.ts';
import { sampleIncidents } from '../testing/sample-past.ts';
import { fullWorld } from '../testing/sample-world.ts';
import { Explore } from './explore.svelte.ts';
import { Navigation } from './navigation.svelte.ts';

const world = fullWorld(testNowMs);
const [incident = null] = sampleIncidents(testNowMs);

function setUp() {
  installBridge(new FakeBridge(world));
  const explore = new Explore();
  return { explore, navigation: new Navigation(explore) };
}

describe('the link to where the user is', () => {
  const address = '0x0000000000000000000000000000000000000001';
  const [row] = world.rows;

  it.each<[string, (navigation: Navigation) => void, object | null]>([
    ['a view', (to) => to.go('overview'), { view: 'overview' }],
    ['no settings', (to) => to.go('settings'), null],
    [
      'a view over a list of incidents',
      (to) => {
        to.goToIncidents(null);
        to.go('alerts');
      },
      { view: 'alerts' },
    ],
    ['no node', (to) => to.go('nodes'), { view: 'nodes' }],
    ['a node', (to) => to.goToNode('n1'), { view: 'node', nodeId: 'n1' }],
    ['all incidents', (to) => to.goToIncidents(null), { view: 'incidents' }],
    [
      'one of them',
      (to) => to.goToIncidents(incident),
      { view: 'incident', nodeId: incident?.nodeId, id: incident?.id, among: 'all' },
    ],
    [
      'one of a node',
      (to) => {
        to.goToNode('n1');
        to.incident = incident;
      },
      { view: 'incident', nodeId: incident?.nodeId, id: incident?.id, among: 'node' },
    ],
    ['the timeline', (to) => to.goToActivity(everything), { view: 'activity' }],
    [
      'hidden rows',
      (to) => to.goToActivity({ ...everything, showHidden: true }),
      { view: 'filtered', filter: { ...everything, showHidden: true } },
    ],
    [
      'an order',
      (to) => to.goToActivity({ ...everything, order: { by: 'fee', ascending: true } }),
      { view: 'filtered', filter: { ...everything, order: { by: 'fee', ascending: true } } },
    ],
    [
      'a search',
      (to) => to.goToActivity({ ...everything, text: 'a' }),
      { view: 'filtered', filter: { ...everything, text: 'a' } },
    ],
    [
      'an opened row',
      (to) => {
        to.goToActivity(everything);
        if (row !== undefined) to.opened = row;
      },
      { view: 'transaction', chainId: row?.chainId, txHash: row?.txHash },
    ],
    [
      'the last of the lookups',
      (to) => {
        to.lookUp({ kind: 'address', chainId: '1', address });
        to.lookUp({ kind: 'transaction', chainId: '1', txHash: '0x2' });
      },
      { view: 'transaction', chainId: '1', txHash: '0x2' },
    ],
    [
      'an address that was looked up',
      (to) => to.lookUp({ kind: 'address', chainId: '1', address }),
      { view: 'address', address },
    ],
    [
      'a lookup that has no link, over a view',
      (to) => to.lookUp({ kind: 'block', chainId: '1', blockId: '1' }),
      { view: 'overview' },
    ],
    ['Explore without a choice', (to) => to.go('explore'), null],
    [
      'a form of Explore',
      (to) => to.goToExplore({ id: 'chain', values: { chainId: '1' } }),
      { view: 'explore', form: { id: 'chain', values: { chainId: '1' } } },
    ],
  ])('names %s', (_what, go, link) => {
    const { navigation } = setUp();
    go(navigation);
    expect(navigation.link).toEqual(link);
  });
});

describe('where the user is', () => {
  it('is a view without what was open over another one', () => {
    const { navigation } = setUp();
    expect(navigation.timesAsAge).toBe(false);
    navigation.goToIncidents(incident);
    navigation.lookUp({ kind: 'block', chainId: '1', blockId: '1' });
    navigation.go('settings');
    expect(navigation).toMatchObject({ view: 'settings', incident: null, lookups: [], opened: null });
  });

  it('is, after a lookup, the one that it was opened from; a dialog above it closes by itself', () => {
    const { navigation } = setUp();
    const subjects = ['1', '2', '3'].map((chainId) => ({ kind: 'block', chainId, blockId: '1' }) as const);
    for (const subject of subjects) navigation.lookUp(subject);
    const before = navigation.dialog;
    navigation.open({ kind: 'shortcuts' });
    navigation.closeDialog(before);
    expect(navigation.dialog).toEqual({ kind: 'shortcuts' });
    navigation.closeDialog();
    expect(navigation.dialog).toBeNull();
    navigation.leaveLookup();
    expect(navigation.lookups).toEqual(subjects.slice(0, 2));
  });

  it('is left by any step, and not by news of what is open', () => {
    const { navigation } = setUp();
    const isStillHere = navigation.stay();
    expect(isStillHere()).toBe(true);
    navigation.open({ kind: 'shortcuts' });
    expect(isStillHere()).toBe(false);
    navigation.closeDialog();
    expect(isStillHere()).toBe(true);
    navigation.goToIncidents(incident);
    const atIncident = navigation.stay();
    navigation.incident = incident && { ...incident, note: 'changed' };
    expect([isStillHere(), atIncident()]).toEqual([false, true]);
    navigation.incident = null;
    expect(atIncident()).toBe(false);
  });

  it('is never the coverage that was open before, and at a node the moment that its replay is to show', () => {
    const { navigation } = setUp();
    expect(navigation.showsCoverage).toBe(false);
    navigation.visit();
    navigation.goToReplay('n2', 7);
    navigation.visit();
    expect(navigation).toMatchObject({ view: 'nodes', nodeId: 'n2', replay: { nodeId: 'n2', atMs: 7 } });
    navigation.showsCoverage = true;
    navigation.back();
    expect(navigation).toMatchObject({ view: 'overview', showsCoverage: false });
    navigation.showsCoverage = true;
    navigation.go('activity');
    expect(navigation.showsCoverage).toBe(false);
  });
});
