import { describe, expect, it } from 'vitest';
import { unwrap } from '../../../shared/errors.ts';
import { failing, periodMs, startMs } from './testing/past-world.ts';
import { createRecordingWorld } from './testing/recording-world.ts';

describe('a file that is no whole recording', () => {
  async function savedLines() {
    const world = await createRecordingWorld();
    await world.node.repeat(3, () => ({ C: failing('x') }));
    unwrap(await world.service.save({ id: world.node.id, fromMs: startMs, toMs: startMs + 10 * periodMs }));
    return { ...world, lines: world.files.text('my-node-2023-11-14.jsonl.gz').trim().split('\n') };
  }
  const changed = (line: string | undefined, fields: object): string =>
    JSON.stringify({ ...(JSON.parse(line ?? '{}') as object), ...fields });
  const deepReport = JSON.stringify({
    healthy: true,
    notes: [],
    checks: [
      {
        name: 'a',
        state: 'pass',
        error: null,
        message: 0,
        ranAtMs: 1,
        durationNs: null,
        contiguousFailures: null,
        firstFailureAtMs: null,
      },
    ],
  }).replace('"message":0', `"message":${'['.repeat(100_000)}${']'.repeat(100_000)}`);

  it.each<[string, (lines: string[]) => string[], RegExp]>([
    ['empty', () => [], /cut off/],
    ['something else', () => ['{"a":1}'], /no recording/],
    ['no JSON', () => ['hello'], /no recording/],
    ['of a later version', ([head]) => [changed(head, { version: 2 })], /another version/],
    ['with a head of wrong types', ([head]) => [changed(head, { fromMs: 'x' })], /damaged/],
    ['with a span that ends before it begins', ([head]) => [changed(head, { toMs: 0 })], /damaged/],
    ['cut after the head', ([head]) => [head ?? ''], /cut off/],
    ['cut before its end', (lines) => lines.slice(0, -1), /cut off/],
    ['cut in a line', (lines) => [...lines.slice(0, 2), lines[2]?.slice(0, 50) ?? ''], /damaged/],
    ['without a poll', (lines) => lines.toSpliced(2, 1), /digest/],
    ['with a poll twice', (lines) => lines.toSpliced(2, 0, lines[2] ?? ''), /digest/],
    ['with a changed poll', (lines) => lines.with(2, changed(lines[2], { reason: 'all is well' })), /digest/],
    ['with a poll of wrong types', (lines) => lines.with(2, changed(lines[2], { state: 'fine' })), /damaged/],
    [
      'with a report that is none',
      (lines) => lines.with(2, changed(lines[2], { reportJson: '{}' })),
      /damaged/,
    ],
    [
      'with a report that is no JSON',
      (lines) => lines.with(2, changed(lines[2], { reportJson: '{' })),
      /damaged/,
    ],
    [
      'with a report nested deeply',
      (lines) => lines.with(2, changed(lines[2], { reportJson: deepReport })),
      /damaged/,
    ],
    ['with lines after its end', (lines) => [...lines, 'more'], /follows its end/],
    ['with null in the place of a line', (lines) => lines.with(2, 'null'), /damaged/],
  ])('%s is refused in words', async (_, change, words) => {
    const { service, files, lines, log } = await savedLines();
    files.put(
      'bad.jsonl.gz',
      change(lines)
        .map((line) => `${line}\n`)
        .join(''),
    );
    const opened = await service.open();
    expect(opened).toMatchObject({ ok: false, error: { code: 'bad-response' } });
    if (!opened.ok) expect(opened.error.message).toMatch(words);
    expect(service.list()).toEqual([]);
    expect(log.entries).toEqual([]);
  });

  it('of reports with times that no clock can show is refused', async () => {
    const { service, files, lines } = await savedLines();
    const { reportJson = '' } = JSON.parse(lines[2] ?? '{}') as { reportJson?: string };
    const late = reportJson.replace(/"ranAtMs":\d+/, '"ranAtMs":1e300');
    files.put('bad.jsonl.gz', lines.with(2, changed(lines[2], { reportJson: late })).join('\n'));
    expect(await service.open()).toMatchObject({ error: { code: 'bad-response' } });
  });
});
