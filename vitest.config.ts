import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Decides only when a test that hangs is reported: on a busy machine a test may take many times as long as alone.
const testTimeout = 120_000;

const common = {
  // By default one core is left to the user, which on two cores is half of them.
  maxWorkers: availableParallelism(),
  testTimeout,
  hookTimeout: testTimeout,
  // A look costs less than a millisecond, waiting for the next one a test its time.
  expect: { poll: { timeout: testTimeout / 2, interval: 5 } },
  setupFiles: ['scripts/seed-properties.ts'],
  // Files share a process, so that each module is read once and not once for each of more than 300 files. What a test changes outside
  // of itself it puts back; `npm run test:repeat` proves that by running the files in other orders.
  isolate: false,
  // Threads that tests start read TypeScript by Node's own WebAssembly. Optimizing it in the background now and then crashes
  // the process when such a thread ends meanwhile (V8, ThreadIsolation::UnregisterWasmAllocation).
  execArgv: ['--no-wasm-tier-up'],
};

export default defineConfig({
  test: {
    globalSetup: 'scripts/build-threads.mjs',
    projects: [
      {
        test: {
          ...common,
          name: 'node',
          environment: 'node',
          include: [
            'src/{shared,main,preload}/**/*.test.ts',
            'sample-{service,data}/**/*.test.ts',
            'scripts/**/*.test.ts',
            'world/**/*.test.ts',
            'e2e/**/*.test.ts',
          ],
        },
      },
      {
        plugins: [svelte({ configFile: join(import.meta.dirname, 'svelte.config.js') }), svelteTesting()],
        test: {
          ...common,
          name: 'renderer',
          setupFiles: [...common.setupFiles, 'src/renderer/src/testing/set-up.ts'],
          environment: 'happy-dom',
          include: ['src/renderer/**/*.test.ts'],
        },
      },
    ],
  },
});
