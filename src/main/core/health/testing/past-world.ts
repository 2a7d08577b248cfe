import { gunzipSync, gzipSync } from 'node:zlib';
import type { Json } from '../../../../shared/json.ts';
import type { HealthStore, StoredPoll } from '../../health-ports.ts';
import type { FileOpener, FileSaver } from '../../ports.ts';
import { foldAnswer, restoreHistory, type CheckHistory } from '../episodes/check-history.ts';
import { readReport } from '../ask/report.ts';
import { asOurs } from './clocks.ts';

export const periodMs = 30_000;
export const startMs = 1_700_000_000_000;

/** The result of one check in one run. */
export type Answer = { error?: string; message?: Json } | null;

/** A node whose polls a test makes one by one, stored like real ones; one run every 30 s. */
export interface RecordedNode {
  id: string;
  /** Number of the next run. */
  run(): number;
  /** Stores a report with these checks; null: the node was unreachable. */
  poll(checks: Record<string, Answer> | null): Promise<StoredPoll>;
  /** Does that several times. */
  repeat(times: number, checks: (index: number) => Record<string, Answer> | null): Promise<void>;
  /** Lets so many runs pass without a poll. */
  skip(runs: number): void;
  /** Drops what is in memory, as a restart of the app does. */
  restart(): Promise<void>;
}

export async function recordNode(store: HealthStore, id = 'node-1', name = 'My node'): Promise<RecordedNode> {
  let run = 0;
  let episodes = 0;
  let history: CheckHistory = restoreHistory(null, 0, []);
  const failingSince = new Map<string, number>();
  await store.putNode({
    id,
    name,
    url: 'https://secret-host.example:9650',
    intervalMs: null,
    tags: [],
    headerNames: ['x-secret'],
    certificate: null,
    paused: false,
    addedAtMs: startMs,
    previousNodeId: null,
    tagChecks: [],
  });
  const node: RecordedNode = {
    id,
    run: () => run,
    async poll(checks) {
      const ranAtMs = startMs + run * periodMs;
      run += 1;
      const results: Record<string, unknown> = {};
      for (const [check, answer] of Object.entries(checks ?? {})) {
        // After a restart the node counts from zero.
        if (answer?.error === undefined || answer.error === notYetRun) failingSince.delete(check);
        else if (!failingSince.has(check)) failingSince.set(check, ranAtMs);
        const sinceMs = failingSince.get(check);
        const failure =
          sinceMs === undefined
            ? {}
            : {
                contiguousFailures: 1 + (ranAtMs - sinceMs) / periodMs,
                timeOfFirstFailure: new Date(sinceMs).toISOString(),
              };
        results[check] = {
          timestamp: new Date(ranAtMs).toISOString(),
          duration: 1_000 + (ranAtMs % 1_009),
          ...failure,
          ...answer,
        };
      }
      const healthy = !Object.values(checks ?? {}).some((answer) => answer?.error !== undefined);
      const body = JSON.stringify({ checks: results, healthy });
      const reading =
        checks === null
          ? ({
              kind: 'no-report',
              state: 'unreachable',
              reason: 'The node didn’t respond in time.',
              error: { code: 'timeout', message: '' },
              failure: 'timeout',
            } as const)
          : asOurs(readReport(healthy ? 200 : 503, body));
      const answer = { targetId: id, polledAtMs: ranAtMs + 1_000, reportedNodeId: 'NodeID-1', reading };
      const step = foldAnswer(id, history, answer, () => {
        episodes += 1;
        return `${id}-e${episodes}`;
      });
      history = step.history;
      await store.recordPoll(step.poll);
      return step.poll;
    },
    skip: (runs) => void (run += runs),
    async repeat(times, checks) {
      for (let index = 0; index < times; index += 1) await node.poll(checks(index));
    },
    async restart() {
      const { lastReport } = await store.latest(id);
      const reading = history.lastReport;
      history = restoreHistory(reading, lastReport?.polledAtMs ?? 0, await store.currentEpisodes(id));
    },
  };
  return node;
}

const notYetRun = 'not yet run';
export const pending: Answer = { error: notYetRun };
export const failing = (error: string, message: Json = null): Answer => ({ error, message });
export const passing = (message: Json = null): Answer => ({ message });

/** Files in memory; compressed ones are compressed. */
export interface FakeFiles {
  saver: FileSaver;
  opener: FileOpener;
  files: Map<string, Uint8Array>;
  /** Names that were suggested. */
  suggested: string[];
  /** From now on the user cancels the save dialog. */
  refuse(): void;
  text(path: string): string;
  /** Sets the file that is opened next. */
  put(path: string, lines: string): void;
}

export function createFakeFiles(): FakeFiles {
  const files = new Map<string, Uint8Array>();
  const suggested: string[] = [];
  let isRefused = false;
  let last: string | null = null;
  return {
    files,
    suggested,
    refuse: () => {
      isRefused = true;
    },
    text: (path) => {
      const bytes = files.get(path) ?? new Uint8Array();
      return new TextDecoder().decode(path.endsWith('.gz') ? gunzipSync(bytes) : bytes);
    },
    put: (path, lines) => {
      files.set(path, gzipSync(lines));
      last = path;
    },
    saver: {
      choose: async (name) => {
        suggested.push(name);
        return isRefused ? null : name;
      },
      write: async (path, pieces, compression) => {
        let text = '';
        for await (const piece of pieces) text += piece;
        files.set(path, compression === 'gzip' ? gzipSync(text) : new TextEncoder().encode(text));
        last = path;
      },
    },
    opener: {
      choose: async () => (isRefused ? null : last),
    },
  };
}
