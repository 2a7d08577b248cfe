import { svelte } from '@sveltejs/vite-plugin-svelte';
import { resolve } from 'node:path';
import { defineConfig } from 'electron-vite';
import { build, type Plugin } from 'vite';

const at = (path: string) => resolve(import.meta.dirname, path);

// The oldest runtime that has to run the build is the one of the tests: Electron 33 (Chromium 130, Node 20.18).
const nodeTarget = 'node20.18';

/** Builds the program of the sample data, with all its packages in one file. Apart, so that the app's own files share none with it. */
const sampleData: Plugin = {
  name: 'sample-data',
  closeBundle: async () => {
    await build({
      configFile: false,
      logLevel: 'warn',
      ssr: { noExternal: true },
      build: {
        ssr: at('sample-data/main.ts'),
        outDir: at('out/sample-data'),
        target: nodeTarget,
        minify: true,
        chunkSizeWarningLimit: 2_000,
        license: { fileName: 'licences.json' },
        rolldownOptions: {
          external: ['electron'],
          output: { codeSplitting: false, entryFileNames: 'index.js' },
        },
      },
    });
  },
};

export default defineConfig({
  main: {
    plugins: [sampleData],
    build: {
      target: nodeTarget,
      license: { fileName: 'licences.json' },
      // One file starts sooner than the hundred that these packages are made of. keytar finds its binding beside itself.
      externalizeDeps: {
        exclude: ['zod', '@noble/hashes', 'electron-store', 'electron-log', 'electron-updater'],
      },
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
      // The window is there only when its program has been read: without names and spaces it is less than half as large.
      minify: true,
      license: { fileName: 'licences.json' },
      // Inlined assets would be data: URLs, which the content security policy does not allow.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: { index: at('src/renderer/index.html') } },
    },
  },
});
