import { describe, expect, it } from 'vitest';
import type { Json } from '../../../shared/json.ts';
import type { ChainHeight, Forecast, NodeStatus } from '../../../shared/health/types.ts';
import { defaultSettings } from '../../../shared/settings.ts';
import { dayMs } from '../../../shared/time.ts';
import { sampleNodes } from '../../../renderer/src/testing/sample-health.ts';
import { conditionsOf } from './rules.ts';

const atMs = 1_700_000_000_000;
const minuteMs = 60_000;

function node(id: string, changed: Partial<NodeStatus>): NodeStatus {
  const [sample] = sampleNodes(atMs);
  if (sample === undefined) throw new Error('there are sample nodes');
  return {
    ...sample,
    node: { ...sample.node, id, name: id },
    state: 'healthy',
    heights: [],
    report: null,
    ...changed,
  };
}

function reporting(message: Json): Partial<NodeStatus> {
  const check = { name: 'x', state: 'pass', error: null, ranAtMs: atMs, durationNs: null } as const;
  const checks = [{ ...check, message, contiguousFailures: null, firstFailureAtMs: null }];
  return { report: { healthy: true, checks, notes: [] } };
}

function look(
  status: NodeStatus,
  {
    others = [] as NodeStatus[],
    forecasts = [] as Forecast[],
    holds = false,
    level = 'tell' as const,
    chains = new Map<string, string>(),
  } = {},
) {
  const { alerts } = defaultSettings;
  return conditionsOf({
    ...{ status, nodes: [status, ...others], incidents: [], beginnings: [], silentMs: 0, forecasts, atMs },
    before: [],
    holds: (id) => holds && !id.startsWith('stalled'),
    chains,
    settings: { ...alerts, rules: { ...alerts.rules, disk: level } },
  }).map((found) => [found.rule, found.level, found.words]);
}

const height = (value: string, sinceMinutes: number): ChainHeight => ({
  ...{ check: 'C', height: value },
  ...{ sinceMs: atMs - sinceMinutes * minuteMs, ranAtMs: atMs },
});

describe('rules', () => {
  it.each([
    ['9.9%, begins', 9.9, false, 1],
    ['10%, does not', 10, false, 0],
    ['10.5%, goes on', 10.5, true, 1],
    ['11%, ends', 11, true, 0],
    ['1%, goes on', 1, true, 1],
  ])('find a disk with %s', (_what, share, holds, count) => {
    const message = { availableDiskBytes: 5e9, availableDiskPercentage: share };
    expect(look(node('a', reporting(message)), { holds })).toHaveLength(count);
  });

  it.each([
    ['6.9 days, begins', 6.9, false, 'a will reach its disk limit of 100 GB in 6 d at this rate'],
    ['7.1 days, does not', 7.1, false, null],
    ['9.9 days, goes on', 9.9, true, 'a will reach its disk limit of 100 GB in 9 d at this rate'],
    ['10.1 days, ends', 10.1, true, null],
  ])('find a disk that will be full in %s', (_what, days, holds, words) => {
    const fullAtMs = atMs + days * dayMs;
    const forecast: Forecast = {
      ...{ check: 'disk', field: 'availableDiskBytes', label: 'Free', now: '1 TB', threshold: '100 GB' },
      ...{ atMs: fullAtMs, earliestMs: fullAtMs, latestMs: fullAtMs },
    };
    const found = look(node('a', reporting({})), { forecasts: [forecast], holds });
    expect(found).toEqual(words === null ? [] : [['disk', 'tell', words]]);
  });

  it('find one disk for each check, however many disks its message has', () => {
    const disk = { availableDiskBytes: 5e9, availableDiskPercentage: 5 };
    const status = node('a', reporting({ data: disk, logs: { ...disk, availableDiskPercentage: 4 } }));
    expect(look(status)).toEqual([['disk', 'tell', 'a has 4% of its disk space left']]);
  });

  it('take no share without bytes beside it for a disk', () => {
    expect(look(node('a', reporting({ availableDiskPercentage: 1 })))).toEqual([]);
  });

  it('read each message of a node that makes up disks once', () => {
    const [check] = reporting({ freeBytes: 1, freePercent: 1 }).report?.checks ?? [];
    if (check === undefined) throw new Error('there is one');
    const checks = Array.from({ length: 5_000 }, (_, index) => ({ ...check, name: `c${index}` }));
    expect(look(node('a', { report: { healthy: true, checks, notes: [] } })).length).toBeLessThan(5_000);
  });

  it.each([
    [2, false, 'a is connected to 2 peers'],
    [0, false, 'a is connected to no peers'],
    [3, false, null],
    [3, true, 'a is connected to 3 peers'],
    [4, true, null],
  ])('find too few of %s peers (already told: %s)', (connectedPeers, holds, words) => {
    const found = look(node('a', reporting({ connectedPeers })), { holds });
    expect(found).toEqual(words === null ? [] : [['peers', 'tell', words]]);
  });

  it.each([
    ['a minute', 1, 'higher', null],
    ['four minutes', 4, 'higher', 'tell'],
    ['eleven minutes', 11, 'higher', 'wake'],
    ['eleven minutes, as the other does', 11, 'same', null],
    ['eleven minutes, with no other', 11, 'none', null],
  ])('find a height that stands still for %s', (_what, minutes, other, level) => {
    const others =
      other === 'none'
        ? []
        : [node('b', { heights: [other === 'higher' ? height('1,005', 0.1) : height('1,000', 11)] })];
    const found = look(node('a', { heights: [height('1,000', minutes)] }), { others });
    expect(found.map(([rule, is]) => [rule, is])).toEqual(level === null ? [] : [['standstill', level]]);
  });

  it.each([
    ['near', '1,005', false, 1],
    ['far ahead, on another network', '23,000,000', false, 0],
    ['far ahead by now', '23,000,000', true, 1],
  ])('find a height that stands still while the other is %s', (_what, other, holds, count) => {
    const others = [node('b', { heights: [height(other, 0.1)] })];
    expect(look(node('a', { heights: [height('1,000', 4)] }), { others, holds })).toHaveLength(count);
  });

  it('have a chain that was told of stand still, also where a start of the app knows it for a minute only', () => {
    const status = node('a', { heights: [height('1,000', 1)] });
    expect(look(status, { holds: true })).toEqual([
      ['standstill', 'tell', 'C-Chain on a has stalled at 1,000'],
    ]);
    expect(look(status, { others: [node('b', { heights: [height('1,005', 0.1)] })] })).toEqual([]);
  });

  it('name the chain whose height stands still', () => {
    const others = [node('b', { heights: [height('1,005', 0.1)] })];
    const [found] = look(node('a', { heights: [height('1,000', 4)] }), {
      others,
      chains: new Map([['C', 'Harbor L1']]),
    });
    expect(found?.[2]).toMatch(/^Harbor L1 on a has stalled/);
  });

  it('say nothing of a node that does not answer, but that', () => {
    const message = { availableDiskBytes: 1, availableDiskPercentage: 1, connectedPeers: 0 };
    expect(look(node('a', { ...reporting(message), state: 'unreachable' }))).toEqual([]);
  });
});
