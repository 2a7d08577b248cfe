import { describe, expect, it } from 'vitest';
import { chainTransactions } from '../../../shared/endpoints/data.ts';
import { decodeAnswer } from '../../../shared/endpoints/decode-answer.ts';
import { unwrap } from '../../../shared/errors.ts';
import { createErrorLog } from '../storage/testing/ports.ts';
import { createFakeTime } from '../../core/health/testing/fake-ports.ts';
import { readReport } from '../../core/health/ask/report.ts';
import { exportText } from '../../core/activity/export/export-text.ts';
import { answersBy, exportTextBy, readers, reportsBy, type ReadingThread } from '../../readers.ts';
import { DecodeThread } from './decode-thread.ts';

// Built before the tests (scripts/build-threads.mjs).
const workerUrl = new URL('../../../../.cache/threads/decode-worker.js', import.meta.url);
const start = (options: Partial<ConstructorParameters<typeof DecodeThread<typeof readers>>[0]> = {}) => {
  const { log, events } = createErrorLog();
  const timers = { after: () => () => undefined };
  const thread: ReadingThread = new DecodeThread({ workerUrl, log, timers, functions: readers, ...options });
  return { thread, events, decode: answersBy(thread), reports: reportsBy(thread) };
};

const body = (count: number) =>
  JSON.stringify({
    transactions: Array.from({ length: count }, (_, i) => ({
      txHash: `0x${i}`,
      blockNumber: String(i),
      blockTimestamp: 1,
      value: '1',
    })),
  }).replace('"value":"1"', '"value":123456789012345678901234567890');

const largeReport = (length: number) =>
  JSON.stringify({ healthy: false, checks: { C: { error: 'e'.repeat(length) } } });

describe('the decoding thread', () => {
  it('reads as the app itself does, exact numbers and errors included', async () => {
    const { decode } = start({ fromLength: 0 });
    for (const text of [body(3), '<html>', '{"transactions":[{"odd":true}]}', '']) {
      expect(await decode(chainTransactions, text)).toEqual(decodeAnswer(chainTransactions, text));
    }
  });

  it('is not started for small answers', async () => {
    const { decode, events } = start({ workerUrl: new URL('./no-such-file.ts', import.meta.url) });
    expect(unwrap(await decode(chainTransactions, body(3))).notes).toEqual([]);
    expect(events).toEqual([]);
  });

  it('ends when it has had nothing to do for a while, and is started again when needed', async () => {
    const { log, events } = createErrorLog();
    const time = createFakeTime();
    let starts = 0;
    const thread: ReadingThread = new DecodeThread({
      get workerUrl() {
        starts += 1;
        return workerUrl;
      },
      ...{ log, timers: time.timers, functions: readers },
    });
    for (const afterMs of [29_000, 29_000, 31_000, 0]) {
      expect(await thread.inThread('body', '{"a":1}')).toEqual(await thread.call('body', '{"a":1}'));
      await time.advance(afterMs);
    }
    expect([starts, events]).toEqual([2, []]);
  });

  it('does not keep the process alive', async () => {
    const ports = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
    const before = ports();
    await start().thread.inThread('body', '{}');
    expect(ports()).toBe(before);
  });

  it('tells a clear error when it breaks, and the log', async () => {
    const nowhere = new URL('./no-such-file.ts', import.meta.url);
    const { decode, events } = start({ workerUrl: nowhere, fromLength: 0 });
    const both = await Promise.all([1, 2].map(() => decode(chainTransactions, body(1))));
    for (const result of both) expect(result).toMatchObject({ error: { code: 'bad-response' } });
    expect(events).toContain('decode.thread');
  });

  it('writes pages of an export as the app itself would, and fails where they cannot', async () => {
    const scanned = {
      ...{ completeness: 'partial', timestampMs: 1, fetchedAtMs: 2 },
      chainId: '1',
      address: '0x2',
    };
    const names = JSON.stringify({ names: [], known: [], chains: [['1', { name: 'One', native: {} }]] });
    const page = [JSON.stringify([scanned, scanned]), ['=1', '{}'], 'csv', names] as const;
    const writeText = exportTextBy(start().thread);
    for (let times = 0; times < 3; times += 1) expect(await writeText(...page)).toBe(exportText(...page));
    const broken = start({ workerUrl: new URL('./no-such-file.ts', import.meta.url) });
    await expect(exportTextBy(broken.thread)(...page)).rejects.toThrow('could not be written');
  });

  it('takes no more than it can hold, and tells that too', async () => {
    const { reports, events } = start({ fromLength: 0, mostLength: 1_000 });
    const large = largeReport(600);
    const both = await Promise.all([1, 2].map(() => reports.report(503, large)));
    expect(both).toMatchObject([
      { kind: 'report', state: 'unhealthy' },
      { kind: 'no-report', state: 'unknown', error: { code: 'bad-response' } },
    ]);
    expect(events).toEqual([]);
    expect(await reports.rpcReport(200, '{"id":7,"result":{"healthy":true,"checks":null}}', 7)).toMatchObject(
      {
        state: 'healthy',
      },
    );
    expect(await reports.body('{"a":1.0000000000000000001}')).toEqual({ a: '1.0000000000000000001' });
  });

  it('leaves the app free while it reads: nothing large is read in place', async () => {
    let inPlace = 0;
    const report: typeof readReport = (...answer) => {
      inPlace += 1;
      return readReport(...answer);
    };
    const answer: typeof readers.answer = (...given) => {
      inPlace += 1;
      return readers.answer(...given);
    };
    // The app's own functions, counted; the thread has others of the same names.
    const { decode, reports } = start({ functions: { ...readers, report, answer } });
    const read = unwrap(await decode(chainTransactions, body(5_000)));
    const reading = await reports.report(503, largeReport(700_000));
    expect(read.notes).toEqual([]);
    expect(reading).toEqual(readReport(503, largeReport(700_000)));
    expect(inPlace).toBe(0);
    await reports.report(200, '{"healthy":true,"checks":{}}');
    expect(inPlace).toBe(1);
  });
});
