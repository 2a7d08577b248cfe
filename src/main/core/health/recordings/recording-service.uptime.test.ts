import { expect, it } from 'vitest';
import { samplePoll } from '../../../adapters/storage/testing/sample-data.ts';
import { unwrap } from '../../../../shared/errors.ts';
import type { CheckRun } from '../../../../shared/health/check-run.ts';
import { foldIncidents } from '../../../../shared/health/incidents.ts';
import { failing, passing, periodMs, startMs } from '../testing/past-world.ts';
import { createRecordingWorld } from '../testing/recording-world.ts';

const minuteMs = 60_000;
const atPoll = (poll: number): number => startMs + poll * 10 * minuteMs;

/** Polled every ten minutes; of its checks one runs with each poll, one every hour, and one fails since before the app looked. */
async function recorded(isAnswering: (poll: number) => boolean) {
  const world = await createRecordingWorld();
  for (let poll = 0; poll < 40; poll += 1) {
    const run = { state: 'pass', contiguousFailures: null, firstFailureAtMs: null, error: null } as const;
    const lasts: CheckRun[] = [
      { ...run, check: 'C', ranAtMs: atPoll(poll) - 5_000 },
      { ...run, check: 'hourly', ranAtMs: atPoll(poll - (poll % 6)) - 9_000 },
      {
        ...{ check: 'disk', state: 'fail', ranAtMs: atPoll(poll) - 7_000, error: 'full' },
        ...{ contiguousFailures: 100 + poll, firstFailureAtMs: atPoll(-50) },
      },
    ];
    const report = {
      healthy: false,
      checks: lasts.map(({ check: name, ...rest }) => ({ name, ...rest, message: null, durationNs: '5' })),
      notes: [],
    };
    const isNew = ({ ranAtMs }: CheckRun) => poll === 0 || ranAtMs > atPoll(poll - 1);
    const answer = isAnswering(poll)
      ? { state: 'unhealthy' as const, reportJson: JSON.stringify(report), runs: lasts.filter(isNew) }
      : { state: 'unreachable' as const, reportJson: null };
    await world.source.store.recordPoll(
      samplePoll({ nodeId: world.node.id, polledAtMs: atPoll(poll), ...answer }),
    );
  }
  return world;
}

it.each([
  ['after reports', () => true, 20],
  ['after the first report', () => true, 1],
  ['where a check was not run for long', () => true, 23],
  ['while the node does not answer', (poll: number) => poll < 18 || poll > 22, 21],
])('a recording that begins %s knows what the app knows', async (_what, isAnswering, first) => {
  const { node, service, source } = await recorded(isAnswering);
  const span = { fromMs: atPoll(first) - 5 * minuteMs, toMs: atPoll(first + 5) };
  unwrap(await service.save({ id: node.id, ...span }));
  const info = unwrap(await service.open());
  const copy = service.sources()[0];
  const known = async (store: typeof source.store, id: string) =>
    (await store.readUptime(id, span.fromMs, span.toMs)).sort((a, b) =>
      (a.check ?? '') < (b.check ?? '') ? -1 : 1,
    );
  const whole = await known(source.store, node.id);
  expect(whole).toHaveLength(4);
  expect(await known(copy?.store ?? source.store, copy?.id ?? '')).toEqual(whole);
  expect(info?.reportCount).toBe([...Array(6).keys()].filter((at) => isAnswering(first + at)).length);
});

it('a recording that begins in a failure of several parts has it as the app has it', async () => {
  const { node, service, store, thresholds } = await createRecordingWorld();
  Object.assign(thresholds, { failAfter: 3, recoverAfter: 2 });
  for (const state of 'PFFFPFPPP') await node.poll({ C: state === 'F' ? failing('down') : passing() });
  unwrap(await service.save({ id: node.id, fromMs: startMs + 5 * periodMs, toMs: startMs + 9 * periodMs }));
  unwrap(await service.open());
  const copy = service.sources()[0];
  const incidents = async (from: typeof store, id: string) => {
    const episodes = await from.readEpisodes(id, null, 10);
    return foldIncidents({ nodeId: '', episodes, marks: [], chainChecks: new Set(), thresholds });
  };
  const whole = await incidents(store, node.id);
  expect(whole).toHaveLength(1);
  expect(await incidents(copy?.store ?? store, copy?.id ?? '')).toEqual(whole);
});

it('a recording of all the time that there is opens, and tells what is known of it', async () => {
  const { node, service, source } = await recorded(() => true);
  const span = { fromMs: 0, toMs: 8.64e15 };
  unwrap(await service.save({ id: node.id, ...span }));
  const info = unwrap(await service.open());
  const copy = service.sources()[0] ?? source;
  const knownIn = async (fromMs: number, toMs: number) =>
    (await copy.store.readUptime(copy.id, fromMs, toMs)).map(({ unknownMs, ...known }) => {
      expect(known.upMs + known.downMs + known.unreachableMs + unknownMs).toBe(toMs - fromMs);
      return known;
    });
  expect(await knownIn(span.fromMs, span.toMs)).toEqual(await knownIn(atPoll(-100), atPoll(100)));
  expect(info).toMatchObject({ ...span, reportCount: 40 });
});
