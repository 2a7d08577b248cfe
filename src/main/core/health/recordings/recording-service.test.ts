import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backends } from '../../../adapters/storage/testing/backends.ts';
import { samplePoll } from '../../../adapters/storage/testing/sample-data.ts';
import { asResults, type AsResults } from '../../testing/as-results.ts';
import { unwrap } from '../../../../shared/errors.ts';
import { foldIncidents } from '../../../../shared/health/incidents.ts';
import type { RecordingInfo } from '../../../../shared/health/types.ts';
import type { HealthStore } from '../../health-ports.ts';
import { chainChecksOfSource, endOfTimeMs, type HistorySource } from '../history/history-source.ts';
import { RecordingService } from './recording-service.ts';
import { createFakeRandom } from '../testing/fake-ports.ts';
import { createRecordingWorld, recordingsOf } from '../testing/recording-world.ts';
import { createFakeNode, createServiceWorld } from '../testing/service-world.ts';
import { watchStore } from '../testing/watched-store.ts';
import {
  createFakeFiles,
  failing,
  passing,
  pending,
  periodMs,
  startMs,
  type Answer,
  type RecordedNode,
} from '../testing/past-world.ts';

const atRun = (run: number): number => startMs + run * periodMs;

/** Everything that can go on in an hour: flaps, a blind spot, a restart, a hidden recovery, checks that come and go. */
async function liveThroughAnHour(node: RecordedNode): Promise<void> {
  await node.repeat(10, () => ({ network: passing({ connectedPeers: 40 }), C: passing({ engine: {} }) }));
  await node.repeat(4, (index) => ({
    network: failing('no peers', { connectedPeers: 3 - index }),
    C: passing({ engine: {} }),
  }));
  await node.repeat(6, () => ({ network: failing('no peers'), C: failing('behind', { engine: {} }) }));
  await node.repeat(5, () => null);
  await node.restart();
  await node.repeat(3, () => ({ network: passing(), C: failing('behind') }));
  await node.poll({ network: passing(), C: passing() });
  await node.repeat(8, (index) => ({
    network: passing(),
    C: index % 2 === 0 ? failing('flaps') : passing(),
  }));
  await node.poll({ network: passing() });
  await node.repeat(5, () => ({ network: passing(), C: failing('again'), disk: failing('full') }));
}

async function past(source: HistorySource): Promise<string> {
  const { id, store } = source;
  const episodes = await store.readEpisodes(id, null, 500);
  const incidents = foldIncidents({
    nodeId: 'same',
    episodes,
    marks: await store.readIncidentMarks(id),
    chainChecks: await chainChecksOfSource(source),
    thresholds: { failAfter: 1, recoverAfter: 1 },
  });
  return JSON.stringify({ episodes, incidents });
}

async function reopened(
  service: AsResults<RecordingService>,
  args: Parameters<RecordingService['save']>[0],
): Promise<{ info: RecordingInfo; source: HistorySource }> {
  const saved = unwrap(await service.save(args));
  const info = unwrap(await service.open());
  const source = service.sources().find(({ id }) => id === info?.id);
  if (info === null || source === undefined) throw new Error('not a recording');
  expect(info.reportCount).toBe(saved?.reportCount);
  return { info, source };
}

describe.each(backends)('a recording out of $name', ({ open }) => {
  it('rebuilds the same episodes and incidents to the byte, with notes and splits', async () => {
    const { node, service, source, store } = await createRecordingWorld(open().health);
    await liveThroughAnHour(node);
    const [first] = (await store.readEpisodes(node.id, 'network', 1)).map(({ id }) => id);
    await store.putIncidentMark(node.id, { episodeId: first ?? '', note: 'a note' });
    const copy = await reopened(service, { id: node.id, fromMs: startMs, toMs: atRun(1_000) });
    expect(await past(copy.source)).toBe(await past(source));
    expect(JSON.parse(await past(source))).toMatchObject({ episodes: { length: 9 } });
    expect(copy.info).toEqual({
      id: expect.any(String) as string,
      nodeName: 'My node',
      fromMs: startMs,
      toMs: atRun(1_000),
      reportCount: 38,
      path: 'my-node-2023-11-14.jsonl.gz',
    });
    expect(service.list()).toEqual([copy.info]);
  });

  it('rebuilds the same reports and answers', async () => {
    const { node, service, store } = await createRecordingWorld(open().health);
    await liveThroughAnHour(node);
    const copy = await reopened(service, { id: node.id, fromMs: startMs, toMs: atRun(1_000) });
    const scanned = async (from: HealthStore, id: string) =>
      (await from.scanPolls(id, 0, endOfTimeMs, 500)).map((poll) => ({ ...poll, nodeId: '' }));
    const reparsed = await scanned(copy.source.store, copy.source.id);
    const original = await scanned(store, node.id);
    expect(
      reparsed.map(({ reportJson, ...poll }) => ({
        ...poll,
        report: JSON.parse(reportJson ?? 'null') as unknown,
      })),
    ).toEqual(
      original.map(({ reportJson, ...poll }) => ({
        ...poll,
        report: JSON.parse(reportJson ?? 'null') as unknown,
      })),
    );
  });

  // Runs at which something begins, lasts or ends.
  it.each([3, 10, 12, 14, 17, 20, 22, 25, 28, 29, 30, 33, 37, 40])(
    'of a part that begins before run %d has what the whole has from there on',
    async (run) => {
      const { node, service, store, source } = await createRecordingWorld(open().health);
      await liveThroughAnHour(node);
      const fromMs = atRun(run);
      const copy = await reopened(service, { id: node.id, fromMs, toMs: atRun(1_000) });
      const all = await store.readEpisodes(source.id, null, 500);
      const whole = all.filter(({ endedAtMs }) => endedAtMs === null || endedAtMs >= fromMs);
      // What ended with the last run before the span has no poll in it.
      const parts = await copy.source.store.readEpisodes(copy.source.id, null, 500);
      const known = new Set(parts.map(({ id }) => id));
      expect(parts).toEqual(whole.filter(({ id }) => known.has(id)));
      expect(
        whole.filter(({ id, endedAtMs }) => !known.has(id) && (endedAtMs ?? fromMs + 1) > fromMs),
      ).toEqual([]);
    },
  );

  it('of a part that ends in a failure has all that is known of it by now', async () => {
    const { node, service, store } = await createRecordingWorld(open().health);
    await liveThroughAnHour(node);
    const copy = await reopened(service, { id: node.id, fromMs: atRun(12), toMs: atRun(16) });
    const episodes = await copy.source.store.readEpisodes(copy.source.id, 'network', 500);
    expect(episodes).toMatchObject([{ startedAtMs: atRun(10), endedAtMs: atRun(25), failuresSeen: 10 }]);
    expect(episodes).toEqual((await store.readEpisodes(node.id, 'network', 500)).slice(-1));
  });

  it('of a part has the notes of its incidents alone', async () => {
    const { node, service, store, files } = await createRecordingWorld(open().health);
    await liveThroughAnHour(node);
    for (const { id } of await store.readEpisodes(node.id, null, 500)) {
      await store.putIncidentMark(node.id, { episodeId: id, note: `about ${id}` });
    }
    const copy = await reopened(service, { id: node.id, fromMs: atRun(12), toMs: atRun(13) });
    expect(await copy.source.store.readIncidentMarks(copy.info.id)).toEqual([
      { episodeId: 'node-1-e1', note: 'about node-1-e1' },
    ]);
    expect(files.text(copy.info.path)).not.toContain('about node-1-e2');
  });

  it('of a recording is the same recording', async () => {
    const { node, service, files } = await createRecordingWorld(open().health);
    await liveThroughAnHour(node);
    const span = { fromMs: startMs, toMs: atRun(1_000) };
    const { info } = await reopened(service, { id: node.id, ...span });
    const text = files.text(info.path);
    await reopened(service, { id: info.id, ...span });
    expect(files.text(info.path)).toBe(text);
    expect(service.list()).toHaveLength(2);
  });

  it('rebuilds what the app itself has seen, through restarts, and from days that are packed', async () => {
    const stores = open();
    const world = await createServiceWorld(stores.health);
    const fake = createFakeNode(world.time, ['network', 'C', 'disk']);
    world.http.serve('http://10.0.0.1:9650', fake.server);
    const { id } = await world.add('http://10.0.0.1:9650', 30_000, { name: 'Polled' });
    for (const [check, minutes] of [
      ['network', 3],
      ['C', 1],
      ['disk', 45],
      ['C', 7],
    ] as const) {
      await world.time.advance(5 * 60_000);
      fake.failing.add(check);
      await world.time.advance((minutes * 60_000) / 2);
      await world.restart();
      await world.time.advance((minutes * 60_000) / 2);
      if (check !== 'disk') fake.failing.delete(check);
    }
    world.http.serve('http://10.0.0.1:9650', () => 'hang');
    await world.time.advance(5 * 60_000);
    await world.service.stop();
    const nowMs = world.time.clock.nowMs();
    const limits = { nowMs: nowMs + 5 * 86_400_000, keepDays: 365, keepBytesPerNode: 1e9, recoverAfter: 1 };
    while (await stores.health.maintain(limits));

    const source: HistorySource = { id, name: 'Polled', store: stores.health, chainChecks: null, sinceMs: 0 };
    const files = createFakeFiles();
    const service = asResults(
      new RecordingService({
        emit: () => undefined,
        findSource: (wanted) => (wanted === id ? source : null),
        openRecording: recordingsOf(files),
        saver: files.saver,
        opener: files.opener,
        random: createFakeRandom(),
        thresholds: () => ({ failAfter: 1, recoverAfter: 1 }),
      }),
    );
    const copy = await reopened(service, { id, fromMs: 0, toMs: nowMs });
    expect(copy.info.reportCount).toBeGreaterThan(100);
    expect(await past(copy.source)).toBe(await past(source));
    expect(JSON.parse(await past(source))).toMatchObject({ episodes: { length: 5 } });
  });

  it('knows no more than the app does of the days between its starts', async () => {
    const { node, service, source } = await createRecordingWorld(open().health);
    const dayMs = 86_400_000;
    const poll = samplePoll({ nodeId: node.id, reportJson: null, isFirst: true });
    for (let day = 0; day < 4; day += 1)
      await source.store.recordPoll({ ...poll, polledAtMs: startMs + day * dayMs });
    const span = [startMs, startMs + 4 * dayMs] as const;
    const copy = await reopened(service, { id: node.id, fromMs: span[0], toMs: span[1] });
    const uptime = await source.store.readUptime(node.id, ...span);
    expect(uptime).toMatchObject([{ upMs: 4 * 120_000 }]);
    expect(await copy.source.store.readUptime(copy.info.id, ...span)).toEqual(uptime);
  });

  it('is whole when the store gives short pages and two answers came in the same millisecond', async () => {
    const { node, source, files } = await createRecordingWorld(open().health);
    await liveThroughAnHour(node);
    const twice = await source.store.readPollAt(node.id, atRun(11) + 1_000);
    if (twice !== null) await source.store.recordPoll({ ...twice, reportJson: null, state: 'unknown' });
    const watched = watchStore(source.store);
    watched.replace({
      scanPolls: (id, afterMs, toMs) => source.store.scanPolls(id, afterMs, toMs, 2),
    });
    const service = asResults(
      new RecordingService({
        emit: () => undefined,
        findSource: () => ({ ...source, store: watched.port }),
        openRecording: recordingsOf(files),
        saver: files.saver,
        opener: files.opener,
        random: createFakeRandom(),
        thresholds: () => ({ failAfter: 1, recoverAfter: 1 }),
      }),
    );
    const copy = await reopened(service, { id: node.id, fromMs: startMs, toMs: atRun(1_000) });
    expect(copy.info.reportCount).toBe(38);
    expect(await past(copy.source)).toBe(await past(source));
  });

  it('holds no address, no header, and no text that would be one', async () => {
    const { node, service, files } = await createRecordingWorld(open().health);
    await liveThroughAnHour(node);
    const saved = unwrap(await service.save({ id: node.id, fromMs: startMs, toMs: atRun(1_000) }));
    const text = files.text(saved?.path ?? '');
    expect(text).not.toMatch(/secret|https?:/);
    // A head, nine episodes, 43 polls, an end, and nothing after its line's.
    expect(text.split('\n')).toHaveLength(55);
  });

  it('of a span without polls is empty, and opens', async () => {
    const { service, node } = await createRecordingWorld(open().health);
    const copy = await reopened(service, { id: node.id, fromMs: 5, toMs: 6 });
    expect(copy.info.reportCount).toBe(0);
    expect(await copy.source.store.readEpisodes(copy.info.id, null, 5)).toEqual([]);
  });

  it('stays open while a recording of its own is being saved, which would end with it', async () => {
    const { node, service, closed } = await createRecordingWorld();
    await node.repeat(40, () => ({ network: passing() }));
    const span = { fromMs: startMs, toMs: startMs + 86_400_000 };
    unwrap(await service.save({ id: node.id, ...span }));
    const { id = '' } = unwrap(await service.open()) ?? {};
    const saving = service.save({ id, ...span });
    expect(() => service.close(id)).toThrow(/Close this one when it’s done/);
    expect(unwrap(await saving)).toMatchObject({ reportCount: 40 });
    service.close(id).finish();
    expect(closed).toEqual([id]);
  });

  it('is closed once', async () => {
    const { service, node, closed } = await createRecordingWorld(open().health);
    const { info } = await reopened(service, { id: node.id, fromMs: 5, toMs: 6 });
    service.close(info.id).putBack();
    expect(service.list()).toEqual([info]);
    const removal = service.close(info.id);
    expect(closed).toEqual([]);
    expect(() => service.close(info.id)).toThrow(/isn’t open/);
    await removal.finish();
    expect(closed).toEqual([info.id]);
    expect(service.sources()).toEqual([]);
  });

  it('keeps its place in the list when closing it is undone', async () => {
    const { service, node } = await createRecordingWorld(open().health);
    const first = await reopened(service, { id: node.id, fromMs: 5, toMs: 6 });
    const second = await reopened(service, { id: node.id, fromMs: 5, toMs: 7 });
    service.close(first.info.id).putBack();
    expect(service.list()).toEqual([first.info, second.info]);
  });

  it('is neither written nor read when the user wants none', async () => {
    const { service, node, files } = await createRecordingWorld(open().health);
    files.refuse();
    expect(await service.save({ id: node.id, fromMs: 1, toMs: 2 })).toEqual({ ok: true, value: null });
    expect(await service.open()).toEqual({ ok: true, value: null });
  });

  it('refuses what it cannot write', async () => {
    const { service, node } = await createRecordingWorld(open().health);
    expect(await service.save({ id: 'other', fromMs: 1, toMs: 2 })).toMatchObject({
      error: { code: 'not-found' },
    });
    expect(await service.save({ id: node.id, fromMs: 2, toMs: 1 })).toMatchObject({
      error: { code: 'invalid-params' },
    });
  });
});

const anAnswer: fc.Arbitrary<Answer> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(passing()) },
  { weight: 2, arbitrary: fc.constantFrom('one', 'two').map((error) => failing(error)) },
);
/** Runs of a node; `null` is silence, `restart` a new start of the app before it. */
const runsOf = (checks: fc.Arbitrary<Record<string, Answer>>) =>
  fc.array(
    fc.record({ checks: fc.option(checks, { freq: 6 }), restart: fc.nat(9).map((chance) => chance === 0) }),
    {
      minLength: 1,
      maxLength: 40,
    },
  );
const anyRuns = fc.oneof(
  // A node whose checks come and go, and one that restarts.
  runsOf(fc.record({ network: anAnswer, C: anAnswer, disk: anAnswer }, { requiredKeys: ['network'] })),
  runsOf(
    fc.oneof(
      { weight: 6, arbitrary: fc.record({ network: anAnswer, C: anAnswer }) },
      { weight: 1, arbitrary: fc.constant({ network: pending, C: pending }) },
    ),
  ),
);

it('rebuilds whatever a node goes through, and any part of it', async () => {
  await fc.assert(
    fc.asyncProperty(anyRuns, fc.nat(40), async (runs, first) => {
      const { node, service, source, store } = await createRecordingWorld();
      for (const { checks, restart } of runs) {
        if (restart) await node.restart();
        await node.poll(checks);
      }
      const whole = await reopened(service, { id: node.id, fromMs: 0, toMs: atRun(100) });
      expect(await past(whole.source)).toBe(await past(source));
      const part = await reopened(service, { id: node.id, fromMs: atRun(first), toMs: atRun(100) });
      const original = new Map((await store.readEpisodes(node.id, null, 500)).map((each) => [each.id, each]));
      for (const episode of await part.source.store.readEpisodes(part.source.id, null, 500)) {
        expect(episode).toEqual(original.get(episode.id));
      }
    }),
    { numRuns: 25 },
  );
});

it('is refused while those that are open take all the room, and opens when one was closed', async () => {
  const { service, node, store } = await createRecordingWorld();
  const span = { id: node.id, fromMs: 5, toMs: 6 };
  const { info } = await reopened(service, span);
  const { files } = await createRecordingWorld();
  files.put('large.jsonl.gz', '');
  const asked: number[] = [];
  const large = asResults(
    new RecordingService({
      emit: () => undefined,
      findSource: () => null,
      openRecording: async ({ textBytes }) => {
        asked.push(textBytes);
        return { ...info, chainChecks: [], textBytes: 300 * 1_048_576, store, close: () => undefined };
      },
      saver: files.saver,
      opener: files.opener,
      random: createFakeRandom(),
      thresholds: () => ({ failAfter: 1, recoverAfter: 1 }),
    }),
  );
  const first = unwrap(await large.open());
  unwrap(await large.open());
  expect(asked.map((bytes) => bytes / 1_048_576)).toEqual([512, 212]);
  expect(await large.open()).toMatchObject({
    error: { code: 'invalid-params', message: expect.stringMatching(/Close one first/) as string },
  });
  expect(large.list()).toHaveLength(2);
  large.close(first?.id ?? '');
  unwrap(await large.open());
});
