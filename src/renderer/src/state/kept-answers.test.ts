import { describe, expect, it } from 'vitest';
import type { ArgsOf, EventChannel, EventContract } from '../../../shared/ipc/contract.ts';
import { everything } from '../../../shared/activity/filter.ts';
import { outdatedBy, type DataChannel } from '../../../shared/ipc/outdated.ts';
import { FakeBridge, installBridge } from '../testing/fake-bridge.ts';
import { testNowMs } from '../testing/render.ts';
import { fullWorld } from '../testing/sample-world.ts';
import { filterFor } from './filter-choice.ts';
import { allIncidents } from './incidents.ts';
import { KeptAnswers, whenOutdated } from './kept-answers.ts';

const world = fullWorld(testNowMs);
const [status] = world.snapshot.nodes;
const [entry] = world.snapshot.watchlist;
const [chain] = entry?.chains ?? [];
if (status === undefined || entry === undefined || chain === undefined)
  throw new Error('the sample is empty');
const { id } = status.node;
const { address } = entry;
const { chainId, sync } = chain;
const span = { id, fromMs: 0, toMs: 1 };
const row = { address, chainId, list: 'transactions', sync } as const;
const everyRun = { text: '', states: [], asked: null, fromMs: null, beforeMs: null };
const run = (runId: string) => ({ id: runId }) as EventContract['run.changed'];

/** For each call: its arguments, and for each event an occurrence that makes the answer old and some that do not. */
type Example<C extends DataChannel> = {
  args: ArgsOf<C>;
  by: { [E in EventChannel]?: [old: EventContract[E], ...others: EventContract[E][]] };
};
const past = {
  'past.changed': [{ nodeId: id }, { nodeId: 'other' }],
} as const satisfies Example<'nodes.strips'>['by'];
const anyRow: Example<'activity.text'>['by'] = { 'activity.changed': [row] };
const examples: { [C in DataChannel]: Example<C> | 'each-time' } = {
  'runs.list': { args: { filter: everyRun, offset: 0, limit: 9 }, by: { 'run.changed': [run('a')] } },
  'runs.page': { args: { runId: 'a', index: 0 }, by: {} },
  'runs.text': { args: { runId: 'a', index: 0 }, by: {} },
  'runs.attempts': { args: { runId: 'a' }, by: { 'run.changed': [run('a'), run('b')] } },
  'diagnostics.read': 'each-time',
  'activity.rows': {
    args: { filter: filterFor({ address, chainId }), offset: 0, anchor: null, limit: 9 },
    by: {
      'activity.changed': [row, { ...row, chainId: 'other' }],
      'watchlist.changed': [[]],
      'book.changed': [[]],
    },
  },
  'activity.values': 'each-time',
  'activity.plan': 'each-time',
  'activity.ledger': {
    args: { address, chainId },
    by: { 'activity.changed': [row, { ...row, address: 'other' }, { ...row, chainId: 'other' }] },
  },
  'activity.text': { args: { rowId: 1 }, by: anyRow },
  'activity.versions': { args: { rowId: 1 }, by: anyRow },
  'activity.otherHalf': { args: { messageId: 'm', chainId }, by: anyRow },
  'nodes.strips': { args: { ...span, cellCount: 1, limit: 1 }, by: past },
  'nodes.episodes': {
    args: { id, check: null, limit: 1 },
    by: { ...past, 'incidents.changed': [{ nodeId: id }, { nodeId: 'other' }] },
  },
  'nodes.uptime': { args: span, by: past },
  'nodes.moments': { args: { ...span, limit: 1 }, by: past },
  'nodes.reportAt': { args: { id, atMs: 1 }, by: past },
  'nodes.forecasts': 'each-time',
  'nodes.received': {
    args: { id },
    by: {
      'node.changed': [
        { ...status, polling: false },
        { ...status, polling: true },
        { ...status, polling: false, node: { ...status.node, id: 'other' } },
      ],
    },
  },
  'nodes.historyUse': 'each-time',
  'incidents.list': {
    args: { filter: { ...allIncidents, nodeId: id }, offset: 0, limit: 1 },
    by: { 'incidents.changed': [{ nodeId: id }, { nodeId: 'other' }], 'nodes.changed': [[]] },
  },
  'alerts.list': { args: undefined, by: { 'alerts.changed': [1] } },
  'alerts.tryPast': 'each-time',
  'incidents.find': {
    args: { nodeId: id, id: 'i' },
    by: { 'incidents.changed': [{ nodeId: id }, { nodeId: 'other' }] },
  },
};

/** The events that make an answer to these arguments old, as the window would hear them. */
function heard<C extends DataChannel>(
  channel: C,
  args: ArgsOf<C>,
  events: Example<C>['by'],
  which: 'old' | 'others',
) {
  const bridge = new FakeBridge(world);
  installBridge(bridge);
  const found: string[] = [];
  let now = '';
  const stop = whenOutdated(
    channel,
    () => args,
    () => found.push(now),
  );
  for (const event of Object.keys(events) as EventChannel[]) {
    now = event;
    const [old, ...others] = events[event] ?? [];
    for (const payload of which === 'old' ? [old] : others)
      if (payload !== undefined) bridge.emit(event, payload);
  }
  stop();
  for (const event of Object.keys(events) as EventChannel[]) {
    const payload = events[event]?.[0];
    if (payload !== undefined) bridge.emit(event, payload);
  }
  return found;
}

describe('what makes an answer old', () => {
  // `Object.keys` loses the type of the keys.
  it.each(Object.keys(outdatedBy) as DataChannel[])(
    'of %s is known, each event of it, and nothing else',
    (channel) => {
      const example = examples[channel];
      const rules = outdatedBy[channel];
      if (example === 'each-time' || rules === 'each-time') {
        expect(rules).toBe(example);
        return;
      }
      const events = Object.keys(example.by);
      expect(Object.keys(rules).sort()).toEqual(events.sort());
      expect(heard(channel, example.args, example.by, 'old')).toEqual(Object.keys(example.by));
      expect(heard(channel, example.args, example.by, 'others')).toEqual([]);
    },
  );

  it('is every incident where no node is chosen, and every history where the filter names none', () => {
    const list = { filter: allIncidents, offset: 0, limit: 1 };
    expect(heard('incidents.list', list, { 'incidents.changed': [{ nodeId: 'any' }] }, 'old')).toHaveLength(
      1,
    );
    const rows = { filter: everything, offset: 0, anchor: null, limit: 9 };
    expect(heard('activity.rows', rows, { 'activity.changed': [row] }, 'old')).toHaveLength(1);
  });
});

describe('an answer that is kept while its view is away', () => {
  const span = { id, fromMs: 0, toMs: 1 };
  const start = () => {
    const bridge = new FakeBridge(world);
    installBridge(bridge);
    return { bridge, kept: new KeptAnswers() };
  };

  it('is there once, for the same question only', () => {
    const { kept } = start();
    kept.keep('nodes.uptime', span, []);
    expect(kept.take('nodes.uptime', { ...span, toMs: 2 })).toBeUndefined();
    expect(kept.take('nodes.uptime', { ...span })).toEqual([]);
    expect(kept.take('nodes.uptime', span)).toBeUndefined();
  });

  it('is forgotten when an event makes it old', () => {
    const { bridge, kept } = start();
    kept.keep('nodes.uptime', span, []);
    bridge.emit('past.changed', { nodeId: 'other' });
    kept.keep('nodes.episodes', { id: 'other', check: null, limit: 1 }, []);
    bridge.emit('past.changed', { nodeId: id });
    expect(kept.take('nodes.uptime', span)).toBeUndefined();
    expect(kept.take('nodes.episodes', { id: 'other', check: null, limit: 1 })).toEqual([]);
  });

  it('is not kept where it is read each time, and among the newest twenty only', () => {
    const { kept } = start();
    kept.keep('nodes.historyUse', undefined, []);
    expect(kept.take('nodes.historyUse', undefined)).toBeUndefined();
    // The first one is kept again, and so is no longer the oldest.
    for (const toMs of [...Array(20).keys(), 0, 20]) kept.keep('nodes.uptime', { ...span, toMs }, []);
    const isKept = (toMs: number) => kept.take('nodes.uptime', { ...span, toMs }) !== undefined;
    expect([0, 1, 2].map(isKept)).toEqual([true, false, true]);
  });
});
