import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedPast } from '../../sample-data/seed-past.ts';
import { openLadder } from '../../src/main/adapters/storage/opening/ladder.ts';
import { loadDriver } from '../../src/main/adapters/storage/sqlite/load-driver.ts';
import { portsInProcess, storesOver } from '../../src/main/adapters/storage/testing/memory-stores.ts';
import type { HistorySource } from '../../src/main/core/health/history/history-source.ts';
import { HistoryService } from '../../src/main/core/health/history/history-service.ts';
import { readIncidents } from '../../src/main/core/health/incidents/known-incidents.ts';
import { forecastSample, forecastsOf } from '../../src/shared/health/forecast.ts';
import { noAnswer } from '../../src/shared/health/no-answer.ts';
import { startSampleService } from '../service.ts';

const dayMs = 86_400_000;
/** Two seconds after the hour: the newest polls are of the hour before. */
const nowMs = Date.UTC(2026, 2, 12, 12) + 2_000;
const names = ['harbor-1', 'harbor-2', 'harbor-3', 'newcomer'];

let folder: string;
let opened: ReturnType<typeof openLadder>;
let stores: ReturnType<typeof storesOver>;

function open() {
  const options = { driver: loadDriver(), directory: folder, nowMs, busyTimeoutMs: 0, thoroughUpToBytes: 0 };
  opened = openLadder(options);
  stores = storesOver(opened.database);
  return portsInProcess(stores).health;
}
let store: ReturnType<typeof open>;

const source = (id: string): HistorySource => ({ id, name: id, store, chainChecks: null, sinceMs: 0 });
const history = () =>
  new HistoryService(
    { find: source },
    {
      sample: (...args) => Promise.resolve(forecastSample(...args)),
      forecasts: (...args) => Promise.resolve(forecastsOf(...args)),
    },
  );
const incidentsOf = async (id: string) =>
  (await readIncidents(source(id), { failAfter: 1, recoverAfter: 1 })).incidents;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchkeeper-past-'));
  const nodes = names.map((name) => ({ name, scenario: 'healthy' }));
  const service = await startSampleService({
    scale: 0.02,
    nodes,
    clock: { nowMs: () => nowMs },
    nowSeconds: Math.floor(nowMs / 1_000),
  });
  seedPast(folder, service.pasts(), service.ready.nodes);
  await service.close();
  store = open();
});

afterAll(async () => {
  opened.close();
  await rm(folder, { recursive: true });
});

describe('the past of the sample nodes', () => {
  it('is there for those that have one, from the day on which they were added', async () => {
    const nodes = await store.listNodes();
    expect(nodes.map(({ name, addedAtMs }) => [name, Math.round((nowMs - addedAtMs) / dayMs)])).toEqual([
      ['harbor-1', 364],
      ['harbor-2', 213],
      ['harbor-3', 61],
    ]);
  });

  it('fills the strips of all spans, from an hour to a year, without a gap', async () => {
    const spans = [
      [3_600_000 / 30, 30],
      [900_000, 96],
      [2 * 3_600_000, 84],
      [8 * 3_600_000, 90],
      [dayMs, 364],
    ] as const;
    for (const [cellMs, cellCount] of spans) {
      const fromMs = nowMs - cellMs * cellCount;
      const [strip] = await history().strips({ id: 'harbor-1', fromMs, toMs: nowMs, cellCount, limit: 1 });
      expect(
        strip?.cells.filter(({ state }) => state === 'none'),
        `${cellCount} cells`,
      ).toEqual([]);
    }
  });

  it('is known nearly whole: nothing is lost between polls that are days apart', async () => {
    const [node] = await history().uptime({ id: 'harbor-1', fromMs: nowMs - 363 * dayMs, toMs: nowMs });
    expect(node).toMatchObject({ scope: 'node' });
    expect((node?.unknownMs ?? Infinity) / (363 * dayMs)).toBeLessThan(0.001);
    expect(node?.uptimePpm).toBeGreaterThan(998_000);
    expect(node?.uptimePpm).toBeLessThan(1_000_000);
  });

  it('has an outage of all chains as one incident, led by its cause, with a note', async () => {
    const outage = (await incidentsOf('harbor-2')).find(({ leadingCheck }) => leadingCheck === 'network');
    expect(outage?.parts.map(({ check }) => check)).toEqual(
      expect.arrayContaining(['network', 'router', 'P', 'X', 'C']),
    );
    expect(outage?.note).toMatch(/^Firewall rules/);
  });

  it('has flaps, a restart that was planned, a disk that filled up, and a node that is not there now', async () => {
    const first = await incidentsOf('harbor-1');
    const flapsOfX = first.filter(({ leadingCheck }) => leadingCheck === 'X');
    expect(flapsOfX).toHaveLength(7);
    expect(flapsOfX.every(({ startedAtMs, endedAtMs }) => endedAtMs === startedAtMs + 30_000)).toBe(true);
    const planned = first.filter(({ note }) => note.startsWith('Planned'));
    expect(planned.map(({ leadingCheck }) => leadingCheck)).toEqual([noAnswer, noAnswer, noAnswer]);
    const second = await incidentsOf('harbor-2');
    const full = second.find(({ leadingCheck }) => leadingCheck === 'diskspace');
    expect(((full?.endedAtMs ?? 0) - (full?.startedAtMs ?? 0)) / 3_600_000).toBeCloseTo(12, 0);
    const [last] = await incidentsOf('harbor-3');
    expect(last).toMatchObject({ leadingCheck: noAnswer, endedAtMs: null });
  });

  it('shows a hang as checks that do not run, though the node said that all was well', async () => {
    const fromMs = nowMs - 97 * dayMs;
    const { moments } = await history().moments({
      id: 'harbor-1',
      fromMs,
      toMs: fromMs + 900_000,
      limit: 100,
    });
    expect(moments.map(({ state }) => state)).toContain('stalled');
  });

  it('foresees when the disk is full', async () => {
    const [disk] = await history().forecasts({ id: 'harbor-1' });
    expect(disk).toMatchObject({ check: 'diskspace' });
    expect(((disk?.atMs ?? 0) - nowMs) / dayMs).toBeGreaterThan(20);
    expect(((disk?.atMs ?? 0) - nowMs) / dayMs).toBeLessThan(35);
  });

  it('leaves the app hardly anything to pack, and what it packs changes nothing', async () => {
    const whole = { id: 'harbor-3', fromMs: nowMs - 61 * dayMs, toMs: nowMs };
    const before = await history().uptime(whole);
    const limits = { nowMs: nowMs + 3_600_000, keepDays: 366, keepBytesPerNode: 1e9, recoverAfter: 1 };
    let steps = 0;
    while (await store.maintain(limits)) steps += 1;
    // An hour and a day of each node.
    expect(steps).toBeLessThanOrEqual(6);
    expect(await history().uptime(whole)).toEqual(before);
    // As the upkeep itself would have computed every day.
    const stale = `UPDATE health_day SET is_stale = 1
      WHERE node_ref IN (SELECT id FROM health_node WHERE node_id = ?)`;
    opened.database.transaction((writer) => writer.run(stale, ['harbor-3']));
    while (await store.maintain(limits));
    expect(await history().uptime(whole)).toEqual(before);
  });
});
