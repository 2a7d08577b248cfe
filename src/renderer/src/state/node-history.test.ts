import { beforeEach, describe, expect, it } from 'vitest';
import { err, ok, type Result } from '../../../shared/errors.ts';
import type { Strip } from '../../../shared/health/types.ts';
import { FakeBridge, installBridge } from '../testing/fake-bridge.ts';
import { fullWorld } from '../testing/sample-world.ts';
import { NodeOutlook, NodeStrips, rangeSpan } from './node-history.svelte.ts';

const nowMs = Date.UTC(2026, 8, 16, 14, 5, 7);
const hourMs = 3_600_000;
let bridge: FakeBridge;

beforeEach(() => {
  bridge = new FakeBridge(fullWorld(nowMs));
  installBridge(bridge);
});

describe('the span of a range', () => {
  it.each([
    ['day', 0, Date.UTC(2026, 8, 16, 14, 15), 24],
    ['week', 0, Date.UTC(2026, 8, 16, 16), 7 * 24],
    ['month', 0, Date.UTC(2026, 8, 16, 16), 30 * 24],
    ['year', 0, Date.UTC(2026, 8, 17), 365 * 24],
    ['year', 2 * hourMs, Date.UTC(2026, 8, 16, 22), 365 * 24],
    ['year', -11 * hourMs, Date.UTC(2026, 8, 17, 11), 365 * 24],
  ] as const)('%s at an offset of %i ms ends with the cell that is now', (range, offsetMs, toMs, hours) => {
    const span = rangeSpan(range, nowMs, offsetMs);
    expect(span).toMatchObject({ toMs, fromMs: toMs - hours * hourMs });
  });
});

describe('strips', () => {
  it('stay while newer ones of the same kind are on their way, and go for another kind', async () => {
    const strips = new NodeStrips();
    const span = { fromMs: nowMs - hourMs, toMs: nowMs, cellCount: 4 };
    await strips.load('n1', 'day', span, 41);
    const known = strips.strips;
    expect(known).toHaveLength(9);
    const newer = strips.load('n1', 'day', span, 41);
    expect(strips.strips).toBe(known);
    await newer;
    const other = strips.load('n1', 'week', span, 41);
    expect(strips.strips).toBeNull();
    await other;
  });

  it('show the answer to the last question only', async () => {
    const answers: ((result: Result<Strip[]>) => void)[] = [];
    bridge.answer('nodes.strips', () => new Promise((resolve) => answers.push(resolve)));
    const strips = new NodeStrips();
    const span = { fromMs: 0, toMs: 1, cellCount: 1 };
    const both = [strips.load('n1', 'day', span, 41), strips.load('n1', 'week', span, 41)];
    await Promise.resolve();
    answers[1]?.(ok([{ check: 'second', cells: [] }]));
    answers[0]?.(ok([{ check: 'first', cells: [] }]));
    await Promise.all(both);
    expect(strips.strips?.[0]?.check).toBe('second');
  });
});

describe('the outlook', () => {
  it('asks for the newest report each time, and for forecasts every ten minutes', async () => {
    const outlook = new NodeOutlook();
    await outlook.load('n1', nowMs, true);
    await outlook.load('n1', nowMs + 30_000, true);
    expect(outlook.newest?.atMs).toBe(nowMs - 8_000);
    expect(outlook.forecasts).toHaveLength(1);
    expect(bridge.argsOf('nodes.reportAt')).toHaveLength(2);
    expect(bridge.argsOf('nodes.forecasts')).toHaveLength(1);
    await outlook.load('n1', nowMs + 600_000, true);
    expect(bridge.argsOf('nodes.forecasts')).toHaveLength(2);
  });

  it('asks again for forecasts that could not be read', async () => {
    bridge.answer('nodes.forecasts', () => err({ code: 'storage', message: 'busy' }));
    const outlook = new NodeOutlook();
    await outlook.load('n1', nowMs, true);
    expect(outlook.error?.code).toBe('storage');
    await outlook.load('n1', nowMs + 1, true);
    expect(bridge.argsOf('nodes.forecasts')).toHaveLength(2);
  });
});
