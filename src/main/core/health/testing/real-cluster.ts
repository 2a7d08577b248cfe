import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { jsonAnswer, type FakeServer } from './fake-ports.ts';
import type { ServiceWorld } from './service-world.ts';

/**
 * Recorded responses of five real nodes over ten minutes (release 1.14.2, each with a fifth of the stake), a line per
 * event or response. Node 1 runs its checks every 10 s, the others every 30 s; each was asked every 10 s, but none from
 * 430 to 450, as the recorder waited for node 3. Seconds from the start: 0 all start · 100 node 5 killed · 170 node 4
 * killed · 290 and 310 they start again · 400 to 460 node 3 hangs · 510 node 2 told to end · 530 it starts, warns of a
 * disk below 50 % (has 29 %).
 */
const file = join(import.meta.dirname, 'real-cluster.jsonl.gz');

interface Line {
  atMs: number;
  node: number;
  event?: string;
  request?: string;
  status?: number;
  nodeId?: string;
  body?: string;
}

export const clusterNodes = [1, 2, 3, 4, 5] as const;
export const urlOfNode = (node: number): string => `http://127.0.0.1:${9648 + 2 * node}`;

/** Sets up the recorded nodes in a world, with its clock at their start. They replay as time advances. */
export function playCluster({ time, http }: ServiceWorld): { startMs: number } {
  const lines = gunzipSync(readFileSync(file))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  const [first] = lines;
  if (first === undefined) throw new Error('an empty recording');
  const startMs = first.atMs;
  time.stepClock(startMs - time.clock.nowMs());
  for (const node of clusterNodes) {
    const own = lines.filter((line) => line.node === node);
    http.serve(
      urlOfNode(node),
      serverOf(own, () => time.clock.nowMs()),
    );
    for (const { event, atMs } of own) {
      if (event === undefined) continue;
      time.timers.after(atMs - startMs, () => {
        if (event === 'killed' || event === 'told to end') http.bar(urlOfNode(node), 'refused');
        else if (event.startsWith('stopped')) http.bar(urlOfNode(node), 'hang');
        else http.bar(urlOfNode(node), null);
        if (event === 'continued') http.wake(urlOfNode(node));
      });
    }
  }
  return { startMs };
}

/** Answers as the node last did; after a start, refuses connections until the first recorded answer. */
function serverOf(lines: readonly Line[], nowMs: () => number): FakeServer {
  return ({ url, method }) => {
    const path = method === 'POST' ? 'rpc:health.health' : new URL(url).pathname;
    // The answer after the hang was recorded shortly after the hang ended.
    const past = lines.filter(({ atMs }) => atMs <= nowMs() + 200);
    const started = past.findLast(({ event }) => event?.startsWith('started'))?.atMs ?? Infinity;
    const wanted = path === '/ext/health/liveness' ? '/ext/health' : path;
    const known = past.findLast(
      (line) => line.request === wanted && line.status !== undefined && line.atMs >= started,
    );
    const isUp = past.some(({ status, atMs }) => status !== undefined && atMs >= started);
    if (!isUp) return { kind: 'failure', reason: 'refused', detail: '' };
    const headers = { 'node-id': known?.nodeId ?? '' };
    if (path === '/ext/health/liveness') return jsonAnswer(200, { checks: {}, healthy: true }, headers);
    return known === undefined
      ? jsonAnswer(503, { checks: {}, healthy: false })
      : jsonAnswer(known.status ?? 0, known.body ?? '', headers);
  };
}
