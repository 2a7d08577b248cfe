import { defineConfig } from 'playwright/test';

const reportFile = process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'];

export default defineConfig({
  testDir: 'e2e/specs',
  outputDir: 'out/e2e',
  workers: 2,
  fullyParallel: true,
  // A test that has to be tried again cannot be relied on.
  retries: 0,
  forbidOnly: true,
  // These only decide when something that hangs is reported: what is waited for is always a state.
  timeout: 240_000,
  expect: {
    timeout: 60_000,
    // Of squares of the window: what letters and digits differ by is less.
    toMatchSnapshot: { threshold: 0.03, maxDiffPixels: 15 },
  },
  snapshotPathTemplate: 'e2e/pictures/{arg}{ext}',
  reporter: reportFile === undefined ? [['list']] : [['list'], ['json', { outputFile: reportFile }]],
});
