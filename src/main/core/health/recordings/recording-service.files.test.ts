import { createHash } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { samplePoll } from '../../../adapters/storage/testing/sample-data.ts';
import { unwrap } from '../../../../shared/errors.ts';
import { recordingLimits } from '../../../../shared/health/recording-lines.ts';
import { dayMs } from '../../../../shared/time.ts';
import { failing, periodMs, startMs } from '../testing/past-world.ts';
import { createRecordingWorld } from '../testing/recording-world.ts';

type Fields = Record<string, unknown>;

async function savedLines() {
  const world = await createRecordingWorld();
  await world.node.repeat(3, () => ({ C: failing('x', { peers: 3 }) }));
  unwrap(await world.service.save({ id: world.node.id, fromMs: startMs, toMs: startMs + 10 * periodMs }));
  const lines = world.files.text('my-node-2023-11-14.jsonl.gz').trim().split('\n');
  const open = (changed: readonly string[]) => {
    world.files.put('bad.jsonl.gz', changed.map((line) => `${line}\n`).join(''));
    return world.service.open();
  };
  return { ...world, lines, open };
}

/** A head, one episode, three polls and an end. */
const [episodeAt, pollAt] = [1, 2];

/** With these fields of the head, or of what the line is about. */
function changed(line: string | undefined, fields: Fields): string {
  const value = JSON.parse(line ?? '{}') as Record<string, Fields>;
  const [kind = ''] = Object.keys(value);
  return JSON.stringify(
    'format' in value ? { ...value, ...fields } : { [kind]: { ...value[kind], ...fields } },
  );
}

function withReport(line: string | undefined, change: (report: { checks: Fields[] }) => object): string {
  const { poll } = JSON.parse(line ?? '{}') as { poll: { reportJson: string } };
  const report = JSON.parse(poll.reportJson) as { checks: Fields[] };
  return changed(line, { reportJson: JSON.stringify(change(report)) });
}

/** With an end that fits, as whoever makes up a file would write it. */
function sealed(lines: readonly string[]): string[] {
  const body = lines.filter((line) => !line.startsWith('{"end"'));
  const sha256 = createHash('sha256')
    .update(body.map((line) => `${line}\n`).join(''))
    .digest('hex');
  return [...body, JSON.stringify({ end: { lines: body.length, sha256 } })];
}

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
const empty = { healthy: true, notes: [], checks: [] };
const check = { state: 'pass', error: null, message: null, ranAtMs: startMs, durationNs: null };
const noCounts = { contiguousFailures: null, firstFailureAtMs: null };

describe('a file that is no whole recording', () => {
  it.each<[string, (lines: string[]) => string[], RegExp]>([
    ['empty', () => [], /incomplete/],
    ['something else', () => ['{"a":1}'], /isn’t a recording/],
    ['no JSON', () => ['hello'], /isn’t a recording/],
    ['nested deeply', () => [deep], /isn’t a recording/],
    ['of a later version', ([head]) => [changed(head, { version: 99 })], /another version/],
    ['of an earlier version', ([head]) => [changed(head, { version: 1 })], /another version/],
    ['with a head of wrong types', ([head]) => [changed(head, { fromMs: 'x' })], /damaged/],
    ['with a span that ends before it begins', ([head]) => [changed(head, { toMs: 0 })], /damaged/],
    ['cut after the head', ([head]) => [head ?? ''], /incomplete/],
    ['cut before its end', (lines) => lines.slice(0, -1), /incomplete/],
    ['cut in a line', (lines) => [...lines.slice(0, 2), lines[2]?.slice(0, 50) ?? ''], /damaged/],
    ['without a poll', (lines) => lines.toSpliced(pollAt, 1), /checksum/],
    ['with a poll twice', (lines) => lines.toSpliced(pollAt, 0, lines[pollAt] ?? ''), /checksum/],
    [
      'with a changed poll',
      (lines) => lines.with(pollAt, changed(lines[pollAt], { reason: 'all is well' })),
      /checksum/,
    ],
    [
      'with another count of its lines',
      (lines) => lines.with(-1, changed(lines.at(-1), { lines: lines.length })),
      /checksum/,
    ],
    ['with lines after its end', (lines) => [...lines, 'more'], /there is data after its end/],
  ])('%s is refused in words', async (_, change, words) => {
    const { service, lines, open } = await savedLines();
    const opened = await open(change(lines));
    expect(opened).toMatchObject({ ok: false, error: { code: 'bad-response' } });
    if (!opened.ok) expect(opened.error.message).toMatch(words);
    expect(service.list()).toEqual([]);
  });
});

describe('a recording that was made up', () => {
  const late = { ranAtMs: 1e300 };
  const pollChanges: [string, (line: string) => string][] = [
    ['a poll of wrong types', (line) => changed(line, { state: 'fine' })],
    ['null in the place of a line', () => 'null'],
    ['a line of a kind that there is not', () => '{"other":{}}'],
    ['a report that is none', (line) => changed(line, { reportJson: '{}' })],
    ['a report that is no JSON', (line) => changed(line, { reportJson: '{' })],
    [
      'a report nested deeply',
      (line) =>
        changed(line, {
          reportJson: JSON.stringify({ ...empty, checks: [{ ...check, message: 0 }] }).replace(
            '"message":0',
            `"message":${deep}`,
          ),
        }),
    ],
    [
      'a time that no clock can show',
      (line) =>
        withReport(line, (report) => ({
          ...report,
          checks: report.checks.map((one) => ({ ...one, ...late })),
        })),
    ],
    [
      'a duration of 400,000 digits',
      (line) =>
        withReport(line, (report) => ({
          ...report,
          checks: report.checks.map((one) => ({ ...one, durationNs: '9'.repeat(400_000) })),
        })),
    ],
    [
      'a report with more checks than are read',
      (line) =>
        changed(line, {
          reportJson: JSON.stringify({
            ...empty,
            checks: Array.from({ length: 5_001 }, (_, n) => ({ name: `${n}`, ...check, ...noCounts })),
          }),
          runs: [],
        }),
    ],
    [
      'a report that has a check twice',
      (line) => withReport(line, (report) => ({ ...report, checks: [...report.checks, ...report.checks] })),
    ],
    ['a run without a state', (line) => changed(line, { runs: [{ check: 'D', ranAtMs: 1 }] })],
    [
      'a run whose count is none',
      (line) => {
        const run = { check: 'D', ranAtMs: 1, state: 'fail', ...noCounts, error: null };
        return changed(line, { runs: [{ ...run, contiguousFailures: 0.5 }] });
      },
    ],
    ['polls out of order', (line) => changed(line, { polledAtMs: startMs + 9 * periodMs })],
  ];
  it.each(pollChanges)('with %s is refused', async (_, change) => {
    const { service, lines, open } = await savedLines();
    const opened = await open(sealed(lines.with(pollAt, change(lines[pollAt] ?? ''))));
    const message = 'Couldn’t read the file. It’s damaged: a line isn’t valid.';
    expect(opened).toEqual({ ok: false, error: { code: 'bad-response', message, issues: [] } });
    expect(service.list()).toEqual([]);
  });

  it('with a poll after its span is refused', async () => {
    const { lines, open } = await savedLines();
    const lastAt = lines.findLastIndex((line) => line.startsWith('{"poll"'));
    const withLast = (polledAtMs: number) =>
      open(sealed(lines.with(lastAt, changed(lines[lastAt], { polledAtMs }))));
    unwrap(await withLast(startMs + 10 * periodMs));
    expect(await withLast(startMs + 10 * periodMs + 1)).toMatchObject({ error: { code: 'bad-response' } });
  });

  it.each<[string, Fields]>([
    ['a start that is no time', { startedAtMs: 1e300 }],
    ['failures that are no count', { failuresSeen: -1 }],
    ['an end of a kind that there is not', { endKnownFrom: 'guessed' }],
  ])('with an episode that has %s is refused', async (_, fields) => {
    const { lines, open } = await savedLines();
    const opened = await open(sealed(lines.with(episodeAt, changed(lines[episodeAt], fields))));
    expect(opened).toMatchObject({ error: { code: 'bad-response' } });
  });

  it('with ever new names of checks is refused when it has more than a node can have', async () => {
    const { service, lines, open } = await savedLines();
    const run = { ranAtMs: 1, state: 'pass', ...noCounts, error: null };
    const polls = Array.from({ length: 5 }, (_, poll) => {
      const runs = Array.from({ length: 5_000 }, (_value, n) => ({ check: `${poll}-${n}`, ...run }));
      return changed(lines[pollAt], { polledAtMs: startMs + poll, reportJson: null, runs });
    });
    const opened = await open(sealed([lines[0] ?? '', ...polls]));
    expect(opened).toMatchObject({
      error: {
        code: 'bad-response',
        message: expect.stringMatching(/too large to be a recording/) as string,
      },
    });
    expect(service.list()).toEqual([]);
  });

  it('with a message of ever so many small values is refused before it is read', async () => {
    const { service, lines, open } = await savedLines();
    const message = Array.from({ length: 300_000 }, () => []);
    const wide = withReport(lines[pollAt], (report) => ({
      ...report,
      checks: report.checks.map((one) => ({ ...one, message })),
    }));
    const opened = await open(sealed(lines.with(pollAt, wide)));
    expect(opened).toMatchObject({
      error: {
        code: 'bad-response',
        message: expect.stringMatching(/too large to be a recording/) as string,
      },
    });
    expect(service.list()).toEqual([]);
  });

  it('with a poll twice has its runs once', async () => {
    const { service, lines, open } = await savedLines();
    unwrap(await open(sealed(lines.toSpliced(pollAt, 0, lines[pollAt] ?? ''))));
    const [source = null] = service.sources();
    const polls = (await source?.store.scanPolls(source.id, 0, 1e14, 10)) ?? [];
    expect(polls.map(({ runs }) => runs.length)).toEqual([1, 0, 1, 1]);
  });
});

it('is not written where it has more bytes than are read, however few letters these are', async () => {
  const { node, service, files } = await createRecordingWorld();
  await node.repeat(20, () => ({ C: failing('区块处理时间过长') }));
  const span = { id: node.id, fromMs: startMs, toMs: startMs + 30 * periodMs };
  const { path } = unwrap(await service.save(span)) ?? { path: '' };
  const { textBytes } = recordingLimits;
  onTestFinished(() => void Object.assign(recordingLimits, { textBytes }));
  Object.assign(recordingLimits, { textBytes: files.text(path).length });
  expect(await service.save(span)).toMatchObject({ error: { code: 'invalid-params' } });
});

it('a stored report that can no longer be read is left out of a recording, which can be opened', async () => {
  const { store, node, service, files } = await createRecordingWorld();
  await node.repeat(2, () => ({ C: failing('x') }));
  const polledAtMs = startMs + 5 * periodMs;
  await store.recordPoll(samplePoll({ nodeId: node.id, polledAtMs, reportJson: '{', runs: [] }));
  const span = { id: node.id, fromMs: startMs, toMs: polledAtMs };
  const { path } = unwrap(await service.save(span)) ?? { path: '' };
  files.put('bad.jsonl.gz', files.text(path));
  expect(await service.open()).toMatchObject({ value: { reportCount: 2 } });
});

it.each([
  ['four reports that lie close to it', 60_000, 4],
  ['the last one alone, where they are days old', 2 * dayMs, 1],
])('a recording has of the time before its span %s', async (_, apartMs, count) => {
  const { store, node, service, files } = await createRecordingWorld();
  const fromMs = startMs + 30 * dayMs;
  const reportJson = JSON.stringify(empty);
  const atMs = [6, 5, 4, 3, 2, 1, -1].map((place) => fromMs - place * apartMs);
  for (const polledAtMs of atMs)
    await store.recordPoll(samplePoll({ nodeId: node.id, polledAtMs, reportJson, runs: [] }));
  const { path } = unwrap(await service.save({ id: node.id, fromMs, toMs: fromMs + apartMs })) ?? {
    path: '',
  };
  const polledAtMs = [...files.text(path).matchAll(/"poll":\{"polledAtMs":(\d+)/g)].map(([, ms]) =>
    Number(ms),
  );
  expect(polledAtMs.filter((ms) => ms < fromMs)).toHaveLength(count);
});
