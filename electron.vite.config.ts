import { svelte } from '@sveltejs/vite-plugin-svelte';
import { resolve } from 'node:path';
import { defineConfig } from 'electron-vite';

const at = (path: string) => resolve(import.meta.dirname, path);

// The oldest runtime that has to run the build is the one of the tests: Electron 33 (Chromium 130, Node 20.18).
const nodeTarget = 'node20.18';

export default defineConfig({
  main: {
    build: {
      target: nodeTarget,
      license: { fileName: 'licences.json' },
      // One file starts sooner than the hundred that these packages are made of. keytar finds its binding beside itself.
      externalizeDeps: { exclude: ['zod', '@noble/hashes', 'electron-store', 'electron-log'] },
      rolldownOptions: {
        input: {
          index: at('src/main/index.ts'),
          'decode-worker': at('src/main/decode-worker.ts'),
          'storage-worker': at('src/main/adapters/storage/thread/worker.ts'),
        },
      },
    },
  },
  preload: {
    build: {
      target: nodeTarget,
      // A sandboxed preload script is one CommonJS file that requires nothing but Electron.
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: at('src/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: at('src/renderer'),
    plugins: [svelte({ configFile: at('svelte.config.js') })],
    build: {
      target: 'chrome130',
      license: { fileName: 'licences.json' },
      // Inlined assets would be data: URLs, which the content security policy does not allow.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: { index: at('src/renderer/index.html') } },
    },
  },
});
