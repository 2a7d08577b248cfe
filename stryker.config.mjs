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
  // Decides only when a change that lets a test hang is given up: on a busy machine a test takes many times as long as alone.
  timeoutMS: 60_000,
  reporters: [process.stdout.isTTY ? 'progress' : 'progress-append-only', 'clear-text'],
  clearTextReporter: { logTests: false, reportTests: false },
  // The share of changes that have to be noticed, in percent; below it the run is red.
  thresholds: { high: 95, low: 85, break: 85 },
  logLevel: 'warn',
  warnings: false,
};
