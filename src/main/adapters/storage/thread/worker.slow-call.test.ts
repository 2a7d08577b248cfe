import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { sampleAddress, samplePage, sampleRow } from '../testing/sample-data.ts';
import type { WorkerReply } from './protocol.ts';
import { workerUrl } from '../testing/worker-url.ts';

it('a slow call is not taken for a write because of others that were executed meanwhile', async () => {
  const worker = new Worker(workerUrl, {
    workerData: { role: 'memory', drivers: ['node:sqlite'] },
  });
  const written = new Map<number, boolean>();
  const all = new Promise<void>((resolve) => {
    worker.on('message', (reply: WorkerReply) => {
      if (reply.kind === 'value') written.set(reply.id, reply.hasWritten);
      if (written.size === 4) resolve();
    });
  });
  await once(worker, 'message');
  const answer = { key: 'k', endpointId: 'e', paramsJson: '{}', bodyText: 'b', fetchedAtMs: 1 };
  const calls = [
    { store: 'watchlist', method: 'put', args: [sampleAddress()] },
    { store: 'activity', method: 'savePage', args: [samplePage({ rows: [sampleRow()] })] },
    { store: 'activity', method: 'prepare', args: [] },
    { store: 'answers', method: 'write', args: [answer] },
  ];
  for (const [id, call] of calls.entries()) worker.postMessage({ id, ...call });
  await all;
  expect([...written].sort()).toEqual([true, true, false, true].map((hasWritten, id) => [id, hasWritten]));
  await worker.terminate();
});
