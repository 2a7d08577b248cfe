import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Many processes share few cores while the tests run; a test that hangs hangs longer than this.
const testTimeout = 60_000;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          testTimeout,
          environment: 'node',
          // Threads that tests start read TypeScript by Node's own WebAssembly. Optimizing it in the background now and then
          // crashes the process when such a thread ends meanwhile (V8, ThreadIsolation::UnregisterWasmAllocation).
          execArgv: ['--no-wasm-tier-up'],
          include: [
            'src/{shared,main,preload}/**/*.test.ts',
            'sample-service/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
        },
      },
      {
        plugins: [svelte({ configFile: join(import.meta.dirname, 'svelte.config.js') }), svelteTesting()],
        test: {
          name: 'renderer',
          testTimeout,
          environment: 'happy-dom',
          include: ['src/renderer/**/*.test.ts'],
        },
      },
    ],
  },
});
