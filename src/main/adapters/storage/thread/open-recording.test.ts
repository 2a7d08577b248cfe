import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppFailure } from '../../../../shared/errors.ts';
import { runOf } from '../../../../shared/health/check-run.ts';
import { recordingLimits, RecordingWriter } from '../../../../shared/health/recording-lines.ts';
import type { Json } from '../../../../shared/json.ts';
import type { OpenedRecording } from '../../../core/health-ports.ts';
import type { DriverName } from '../sqlite/driver.ts';
import { createRecordingOpener } from './open-recording.ts';
import { createErrorLog } from '../testing/ports.ts';
import { storageMessage } from '../testing/sample-data.ts';
import { workerUrl } from '../testing/worker-url.ts';

const periodMs = 30_000;
const hourMs = 3_600_000;
const driverNames: DriverName[] = ['node:sqlite', 'libsql'];

/** A recording of polls of one check, which fails in the first hour. */
function* linesOf(polls: number, message: Json = { peers: 3 }): Generator<string> {
  const writer = new RecordingWriter();
  yield writer.head({ nodeName: 'A node', fromMs: 0, toMs: polls * periodMs, chainChecks: ['C'] });
  yield writer.line({
    episode: {
      id: 'e1',
      check: 'C',
      startedAtMs: 0,
      startKnownFrom: 'seen',
      endedAtMs: hourMs,
      endKnownFrom: 'seen',
      failuresSeen: 120,
      failuresReported: 120,
      firstError: 'down',
      lastError: 'down',
      passes: 20,
    },
  });
  yield writer.line({ mark: { episodeId: 'e1', note: 'a note' } });
  for (let n = 0; n < polls; n += 1) {
    const atMs = n * periodMs;
    const state = atMs < hourMs ? ('fail' as const) : ('pass' as const);
    const error = state === 'fail' ? 'down' : null;
    const check = {
      name: 'C',
      state,
      error,
      message,
      ranAtMs: atMs,
      durationNs: '5',
      contiguousFailures: null,
      firstFailureAtMs: null,
    };
    const healthy = state === 'pass';
    yield writer.line({
      poll: {
        polledAtMs: atMs,
        state: healthy ? 'healthy' : 'unhealthy',
        reason: '',
        reportedNodeId: 'NodeID-1',
        reportJson: JSON.stringify({ healthy, checks: [check], notes: [] }),
        runs: [runOf(check, atMs)],
      },
    });
  }
  yield writer.end();
}

describe.each(driverNames)('a recording in its thread, with %s', (name) => {
  let folder: string;
  const opened: OpenedRecording[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'watchkeeper-recording-'));
  });
  afterEach(() => {
    for (const recording of opened.splice(0)) recording.close();
    rmSync(folder, { recursive: true });
  });

  const open = async (
    text: string | Uint8Array,
    { signal = new AbortController().signal, textBytes = 1e9, onStep = () => {} } = {},
  ) => {
    const path = join(folder, 'a.jsonl.gz');
    writeFileSync(path, typeof text === 'string' ? gzipSync(text) : text);
    const { log, events } = createErrorLog();
    const opener = createRecordingOpener({
      workerUrl,
      log,
      drivers: [name],
    });
    const recording = await opener({ path, id: 'r1', textBytes, signal, onStep });
    opened.push(recording);
    return { recording, events };
  };

  it('has the past of the file until it is closed', async () => {
    const text = [...linesOf(360)].join('');
    const { recording, events } = await open(text);
    const { store, close, ...facts } = recording;
    expect(facts).toEqual({
      nodeName: 'A node',
      fromMs: 0,
      toMs: 360 * periodMs,
      chainChecks: ['C'],
      reportCount: 360,
      textBytes: text.length,
    });
    expect(await store.readEpisodes('r1', null, 10)).toMatchObject([{ id: 'e1', endedAtMs: hourMs }]);
    expect(await store.readIncidentMarks('r1')).toMatchObject([{ note: 'a note' }]);
    expect(await store.readUptime('r1', 0, 3 * hourMs)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ check: 'C', runs: 360, failedRuns: 120, downMs: hourMs }),
      ]),
    );
    expect((await store.scanPolls('r1', 0, hourMs, 1_000)).length).toBe(120);
    // Packed as a past is, each hour on its own.
    expect((await store.historyUse())[0]?.bytes).toBeLessThan(text.length / 5);
    close();
    expect(await storageMessage(store.listNodes())).toMatch(/closed/);
    expect(events).toEqual([]);
  });

  // Alike for both drivers.
  if (name === 'node:sqlite') return;

  it.each<[string, () => string | Uint8Array, RegExp]>([
    ['not a recording', () => 'hello', /isn’t a recording/],
    ['cut', () => gzipSync([...linesOf(100)].join('')).subarray(0, 300), /incomplete/],
    [
      'one long line',
      () => gzipSync('x'.repeat(2 * recordingLimits.lineBytes), { level: 1 }),
      /too large to be a recording/,
    ],
    [
      'longer than there is room for',
      () => `${[...linesOf(1)].join('')}${' '.repeat(30_000_000)}`,
      /too large to be a recording/,
    ],
  ])('is refused in words for a file that is %s', async (_, text, words) => {
    await expect(open(text(), { textBytes: 20_000_000 })).rejects.toMatchObject({
      error: { code: 'bad-response', message: expect.stringMatching(words) as string },
    });
  });

  it('is no longer read from the moment on at which it is called off', async () => {
    const called = new AbortController();
    const reason = new AppFailure({ code: 'cancelled', message: 'called off' });
    const reading = open([...linesOf(20_000)].join(''), {
      signal: called.signal,
      onStep: () => called.abort(reason),
    });
    await expect(reading).rejects.toBe(reason);
    await expect(open('', { signal: called.signal })).rejects.toBe(reason);
  });
});
