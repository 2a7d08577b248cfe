import { describe, expect, it } from 'vitest';
import { chainTransactions } from '../../../shared/endpoints/data/chain-transactions.ts';
import { decodeAnswer } from '../../../shared/endpoints/decode-answer.ts';
import { unwrap } from '../../../shared/errors.ts';
import { createErrorLog } from '../storage/testing/ports.ts';
import { DecodeThread } from './decode-thread.ts';

const workerUrl = new URL('./worker.ts', import.meta.url);

const body = (count: number) =>
  JSON.stringify({
    transactions: Array.from({ length: count }, (_, i) => ({
      txHash: `0x${i}`,
      blockNumber: String(i),
      blockTimestamp: 1,
      value: '1',
    })),
  }).replace('"value":"1"', '"value":123456789012345678901234567890');

describe('the decoding thread', () => {
  it('reads as the app itself does, exact numbers and errors included', async () => {
    const { log } = createErrorLog();
    const thread = new DecodeThread({ workerUrl, log, fromLength: 0 });
    for (const text of [body(3), '<html>', '{"transactions":[{"odd":true}]}', '']) {
      expect(await thread.decode(chainTransactions, text)).toEqual(decodeAnswer(chainTransactions, text));
    }
  });

  it('is not started for small answers', async () => {
    const { log, events } = createErrorLog();
    const nowhere = new URL('./no-such-file.ts', import.meta.url);
    const thread = new DecodeThread({ workerUrl: nowhere, log });
    expect(unwrap(await thread.decode(chainTransactions, body(3))).notes).toEqual([]);
    expect(events).toEqual([]);
  });

  it('tells a clear error when it breaks, and the log', async () => {
    const { log, events } = createErrorLog();
    const nowhere = new URL('./no-such-file.ts', import.meta.url);
    const thread = new DecodeThread({ workerUrl: nowhere, log, fromLength: 0 });
    const both = await Promise.all([1, 2].map(() => thread.decode(chainTransactions, body(1))));
    for (const result of both) expect(result).toMatchObject({ error: { code: 'bad-response' } });
    expect(events).toContain('decode.thread');
  });

  it('leaves the app free while it reads', async () => {
    const { log } = createErrorLog();
    const thread = new DecodeThread({ workerUrl, log });
    let turns = 0;
    let isDone = false;
    const turn = (): void => {
      turns += 1;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    const read = unwrap(await thread.decode(chainTransactions, body(5_000)));
    isDone = true;
    expect(read.notes).toEqual([]);
    // Read in place the app would not have come to anything else meanwhile.
    expect(turns).toBeGreaterThan(0);
  });
});
