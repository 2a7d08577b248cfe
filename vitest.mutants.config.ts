import { svelte } from '@sveltejs/vite-plugin-svelte';
import { ThreadsPoolWorker, type PoolOptions, type PoolWorker, type WorkerRequest } from 'vitest/node';
import { defineConfig } from 'vitest/config';

// Tests as `npm run test:mutants` runs them: some thousand times, a few tests each time. Starting a thread for each time would
// take three times as long as the tests, so one is kept; it reads the modules anew each time.

const name = 'kept-thread';

/** A thread gathers listeners of runs that are over, so now and then there is a new one. */
const runsOfThread = 200;

let parked: { thread: ThreadsPoolWorker; runs: number } | undefined;

class KeptThread implements PoolWorker {
  readonly name = name;
  readonly #listeners: Parameters<PoolWorker['on']>[] = [];
  readonly #thread: ThreadsPoolWorker;
  readonly #runs: number;

  constructor(options: PoolOptions) {
    this.#thread = parked?.thread ?? new ThreadsPoolWorker(options);
    this.#runs = (parked?.runs ?? 0) + 1;
    parked = undefined;
  }

  async start(): Promise<void> {
    if (this.#runs === 1) await this.#thread.start();
  }

  on(...listener: Parameters<PoolWorker['on']>): void {
    this.#listeners.push(listener);
    this.#thread.on(...listener);
  }

  off(...listener: Parameters<PoolWorker['off']>): void {
    this.#thread.off(...listener);
  }

  /** A thread that is told to stop hears nothing any more; this one is not told, and its answer is given for it. */
  send(message: WorkerRequest): void {
    if ('type' in message && message.type === 'stop') {
      const stopped = { type: 'stopped', __vitest_worker_response__: true };
      for (const [event, callback] of this.#listeners) if (event === 'message') callback(stopped);
    } else this.#thread.send(message);
  }

  async stop(): Promise<void> {
    if (parked !== undefined || this.#runs >= runsOfThread) {
      await this.#thread.stop();
      return;
    }
    for (const listener of this.#listeners) this.#thread.off(...listener);
    parked = { thread: this.#thread, runs: this.#runs };
  }

  deserialize(data: unknown): unknown {
    return this.#thread.deserialize(data);
  }
}

const tests = process.env['WATCHKEEPER_TESTS']?.split(',') ?? [];
const isOfWindow = tests.some((file) => file.startsWith('src/renderer/'));

export default defineConfig({
  plugins: [
    ...(isOfWindow ? [svelte()] : []),
    {
      name,
      configureVitest({ project }) {
        project.config.pool = name;
        project.config.poolRunner = {
          name,
          createPoolWorker: (options: PoolOptions) => new KeptThread(options),
        };
      },
    },
  ],
  // Svelte as it runs in a page. The library of its tests keeps the first page that it sees, so it is read anew for each, which
  // takes its module: what Node requires is read once for the thread.
  ...(isOfWindow
    ? {
        resolve: {
          conditions: ['browser'],
          alias: { '@testing-library/dom': '@testing-library/dom/dist/@testing-library/dom.esm.js' },
        },
      }
    : {}),
  test: {
    environment: isOfWindow ? 'happy-dom' : 'node',
    include: tests,
    server: { deps: { inline: [/@testing-library/] } },
    testTimeout: 120_000,
    // Stryker looks at what failed; nobody reads why, and finding its line takes as long as the test.
    reporters: [{}],
    setupFiles: ['scripts/start-mutant.ts', ...(isOfWindow ? ['src/renderer/src/testing/set-up.ts'] : [])],
  },
});
