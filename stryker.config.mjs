// How `npm run test:mutants` changes the rules and runs their tests; scripts/test-mutants.mjs says which.
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.mutants.config.ts', related: false },
  // What is not copied; the copy is changed, never the original.
  ignorePatterns: ['/.cache', '/bench', '/docs', '/e2e', '/out', '/resources'],
  tempDirName: '.cache/mutants/copies',
  incremental: true,
  concurrency: 2,
  reporters: [process.stdout.isTTY ? 'progress' : 'progress-append-only'],
  logLevel: 'warn',
  warnings: false,
};
