import { describe, expect, it } from 'vitest';
import { everything, type ActivityFilter } from '../../../shared/activity/filter.ts';
import type { ActivityRow } from '../../../shared/activity/types.ts';
import { FakeBridge, installBridge } from '../testing/fake-bridge.ts';
import { testNowMs } from '../testing/render.ts';
import { sampleIncidents } from '../testing/sample-past.ts';
import { fullWorld } from '../testing/sample-world.ts';
import { Explore } from './explore.svelte.ts';
import { filterFor } from './filter-choice.ts';
import { Navigation } from './navigation.svelte.ts';

const world = fullWorld(testNowMs);
const chainOnly = filterFor({ address: null, chainId: '43114' });
const searching = (text: string): ActivityFilter => ({ ...everything, text });

/** A window in which each step is taken by itself, as the app does. */
function setUp() {
  const bridge = new FakeBridge(world);
  installBridge(bridge);
  const explore = new Explore();
  const end = explore.start();
  const navigation = new Navigation(explore);
  navigation.visit();
  const step = (...steps: (() => void)[]) => {
    for (const one of steps) {
      one();
      navigation.visit();
    }
  };
  const back = () => step(() => navigation.back());
  const forward = () => step(() => navigation.forward());
  const open = (row: ActivityRow | undefined) => () => {
    navigation.opened = row ?? null;
  };
  return { navigation, explore, step, back, forward, open, end };
}

describe('back and forward', () => {
  it('go through views, filters, nodes and lookups as the user did', () => {
    const { navigation, step, back, forward } = setUp();
    expect([navigation.canGoBack, navigation.canGoForward]).toEqual([false, false]);
    step(
      () => navigation.goToActivity(everything),
      () => (navigation.filter = chainOnly),
      () => navigation.goToNode('n2'),
      () => navigation.goToIncidents(null),
      () => navigation.lookUp({ kind: 'block', chainId: '1', blockId: '1' }),
    );
    const seen = () => {
      const { view, filter, nodeId, showsAllIncidents, lookups } = navigation;
      return [view, filter === chainOnly, nodeId, showsAllIncidents, lookups.length];
    };
    const way = [
      ['overview', false, null, false, 0],
      ['activity', false, null, false, 0],
      ['activity', true, null, false, 0],
      ['nodes', true, 'n2', false, 0],
      ['nodes', true, 'n2', true, 0],
      ['nodes', true, 'n2', true, 1],
    ];
    for (const place of way.slice(0, -1).toReversed()) {
      back();
      expect(seen()).toEqual(place);
    }
    expect(navigation.canGoBack).toBe(false);
    back();
    for (const place of way.slice(1)) {
      forward();
      expect(seen()).toEqual(place);
    }
    expect(navigation.canGoForward).toBe(false);
    forward();
    expect(seen()).toEqual(way.at(-1));
    // Each place is on the way once, also after it was left and come back to.
    for (const place of way.slice(0, -1).toReversed()) {
      expect(navigation.canGoBack).toBe(true);
      back();
      expect(seen()).toEqual(place);
    }
    expect(navigation.canGoBack).toBe(false);
  });

  it('count a view that is come to again as a step, and remember a hundred places', () => {
    const { navigation, step, back } = setUp();
    step(
      () => navigation.go('nodes'),
      () => navigation.go('overview'),
    );
    expect(navigation.canGoForward).toBe(false);
    back();
    expect(navigation.view).toBe('nodes');
    for (let place = 0; place < 60; place += 1) {
      step(
        () => navigation.go('settings'),
        () => navigation.go('explore'),
      );
    }
    let steps = 0;
    for (; navigation.canGoBack; steps += 1) back();
    expect(steps).toBe(99);
  });

  it('know an incident and a lookup that were opened: to close them is a step back, over the first place too', () => {
    const { navigation, step, back, forward } = setUp();
    const [incident = null] = sampleIncidents(testNowMs);
    step(
      () => (navigation.incident = incident),
      () => (navigation.incident = null),
    );
    expect([navigation.canGoBack, navigation.canGoForward]).toEqual([false, true]);
    forward();
    expect(navigation.incident).toBe(incident);
    step(
      () => navigation.lookUp({ kind: 'block', chainId: '1', blockId: '2' }),
      () => navigation.closeLookups(),
    );
    back();
    expect([navigation.incident, navigation.canGoBack]).toEqual([null, false]);
  });

  it('go back to a transaction that a link had opened and that was closed', () => {
    const { navigation, step, back, open } = setUp();
    const [first] = world.rows;
    step(() => {
      navigation.go('activity');
      open(first)();
    }, open(undefined));
    back();
    expect(navigation.opened).toBe(first);
  });

  it('leave what was ahead when the user goes elsewhere', () => {
    const { navigation, step, back } = setUp();
    step(() => navigation.go('nodes'));
    back();
    step(() => navigation.go('settings'));
    expect(navigation.canGoForward).toBe(false);
    back();
    expect(navigation.view).toBe('overview');
  });

  it('know a transaction that was opened; to close it is a step back, to go to the next one is none', () => {
    const { navigation, step, back, forward, open } = setUp();
    const [first, second] = world.rows;
    step(() => navigation.go('activity'), open(first), open(second), open(undefined));
    expect(navigation.canGoForward).toBe(true);
    back();
    expect(navigation.view).toBe('overview');
    forward();
    forward();
    expect(navigation.opened).toBe(second);
    back();
    expect([navigation.view, navigation.opened]).toEqual(['activity', null]);
  });

  it('take what was opened from one another away together, when it is closed together', () => {
    const { navigation, step, back } = setUp();
    const look = (chainId: string) => () => navigation.lookUp({ kind: 'block', chainId, blockId: '1' });
    step(() => navigation.go('nodes'), look('1'), look('2'));
    step(() => navigation.closeLookups());
    back();
    expect(navigation.view).toBe('overview');
  });

  it('count a view that is come to again as a step, also where something was opened over it before', () => {
    const { navigation, step, back } = setUp();
    step(
      () => navigation.go('nodes'),
      () => navigation.lookUp({ kind: 'block', chainId: '1', blockId: '2' }),
      () => navigation.go('settings'),
      () => navigation.go('nodes'),
    );
    expect(navigation.canGoForward).toBe(false);
    back();
    expect(navigation.view).toBe('settings');
  });

  it('take a search in one step, however many letters it has', () => {
    const { navigation, step, back } = setUp();
    step(
      () => navigation.go('activity'),
      () => (navigation.filter = searching('a')),
      () => (navigation.filter = searching('ab')),
      () => (navigation.filter = { ...searching('ab'), showHidden: true }),
    );
    back();
    expect(navigation.filter).toEqual(searching('ab'));
    back();
    expect([navigation.view, navigation.filter]).toEqual(['activity', everything]);
    // To clear it is a step of its own.
    step(
      () => (navigation.filter = searching('a')),
      () => (navigation.filter = everything),
    );
    back();
    expect(navigation.filter).toEqual(searching('a'));
  });

  it('show a query of before with what it has brought since, and the form as it was filled in', async () => {
    const { navigation, explore, step, back, forward, end } = setUp();
    step(() => navigation.goToExplore({ id: 'transaction', values: { chainId: '1' } }));
    step(() => explore.setValue('chainId', '43114'));
    await explore.ask({ kind: 'endpoint', endpointId: 'transaction', params: { chainId: '43114' } }, 'one');
    const { run } = explore;
    expect(run).not.toBeNull();
    step(
      () => undefined,
      () => navigation.goToExplore({ id: 'chain', values: {} }),
    );
    back();
    expect([explore.choice, explore.run?.id]).toEqual(['transaction', run?.id]);
    back();
    expect([explore.choice, explore.run, explore.values]).toEqual([
      'transaction',
      null,
      { chainId: '43114' },
    ]);
    forward();
    forward();
    expect([explore.choice, explore.run]).toEqual(['chain', null]);
    end();
  });

  it('have what was typed in a form of Explore that another view has filled in since', () => {
    const { navigation, explore, step, back, forward, end } = setUp();
    const form = (txHash: string) => ({ id: 'transaction', values: { txHash } });
    step(
      () => navigation.goToExplore('transaction'),
      () => explore.setValue('txHash', '0xtyped'),
      () => navigation.go('activity'),
      () => navigation.goToExplore(form('0xrow')),
      () => explore.setValue('txHash', '0xmended'),
    );
    back();
    expect([navigation.view, explore.values]).toEqual(['activity', { txHash: '0xmended' }]);
    back();
    expect([navigation.view, explore.values]).toEqual(['explore', { txHash: '0xtyped' }]);
    forward();
    forward();
    expect([navigation.view, explore.values]).toEqual(['explore', { txHash: '0xmended' }]);
    end();
  });
});
