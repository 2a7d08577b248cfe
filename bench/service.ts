import { Agent, request } from 'node:http';
import { report, spawnSampleService } from './bench-harness.ts';
import type { ReadyLine } from '../sample-service/options.ts';

/**
 * How many list pages the sample service serves in a second, from its own process: to one walk through the list of
 * the busiest address (20,000 transactions), whose pages are not cached yet, and then to walks on concurrent
 * kept connections. One process sends all requests, so on two cores each side has one.
 */

const connections = 8;
const measuredMs = 4000;
const token = /"nextPageToken":"([^"]*)"/;

/** Reads one page without parsing it, except for the next token at its beginning. */
function readPage(agent: Agent, url: string, key: string): Promise<{ bytes: number; next: string | null }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { 'x-service-api-key': key } }, (response) => {
      let bytes = 0;
      let next: string | null = null;
      response.on('data', (chunk: Buffer) => {
        if (bytes === 0) next = token.exec(chunk.toString('latin1', 0, 100))?.[1] ?? null;
        bytes += chunk.length;
      });
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve({ bytes, next });
        else reject(new Error(`${url}: ${response.statusCode}`));
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

interface Load {
  pageSize: number;
  connections: number;
  /** For how long the list is walked repeatedly; 0 walks it once. */
  forMs: number;
}

/** Returns pages and megabytes a second. */
async function walk(ready: ReadyLine, load: Load): Promise<{ pages: number; megabytes: number }> {
  const { chainId, addresses } = ready.examples;
  const list = `${ready.dataUrl}/v1/chains/${chainId}/addresses/${addresses.busy}/transactions`;
  const agent = new Agent({ keepAlive: true, maxSockets: load.connections });
  const startedMs = performance.now();
  const elapsedMs = () => performance.now() - startedMs;
  let pages = 0;
  let bytes = 0;
  await Promise.all(
    Array.from({ length: load.connections }, async () => {
      let next: string | null = null;
      do {
        const rest: string = next === null ? '' : `&pageToken=${next}`;
        const url = `${list}?sortOrder=desc&pageSize=${load.pageSize}${rest}`;
        const page = await readPage(agent, url, ready.apiKey);
        pages += 1;
        bytes += page.bytes;
        next = page.next;
      } while (load.forMs === 0 ? next !== null : elapsedMs() < load.forMs);
    }),
  );
  const seconds = elapsedMs() / 1000;
  agent.destroy();
  return { pages: pages / seconds, megabytes: bytes / 1e6 / seconds };
}

const { ready, stop } = await spawnSampleService();
for (const pageSize of [10, 100]) {
  const first = await walk(ready, { pageSize, connections: 1, forMs: 0 });
  console.log(
    `       pages of ${pageSize}, asked for the first time, one after the other: ${first.pages.toFixed(0)}/s`,
  );
  const { pages, megabytes } = await walk(ready, { pageSize, connections, forMs: measuredMs });
  report(
    `pages of ${pageSize}, ${connections} connections, ${megabytes.toFixed(0)} MB/s`,
    pages,
    { atLeast: 2000 },
    '/s',
  );
}
stop();
