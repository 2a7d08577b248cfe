import { defineConfig } from 'playwright/test';

const reportFile = process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'];
// The stored pictures are those of one Chromium: another one draws scroll bars and form fields in its own way.
const drawsAsStored = (process.env['WATCHKEEPER_RUNTIME_LABEL'] ?? '').startsWith('test runtime');

export default defineConfig({
  testDir: 'e2e/specs',
  ...(drawsAsStored ? {} : { testIgnore: '**/pictures.spec.ts' }),
  outputDir: 'out/e2e',
  workers: 2,
  fullyParallel: true,
  // A test that has to be tried again cannot be relied on.
  retries: 0,
  // A picture that is not stored is red, and not taken instead.
  updateSnapshots: 'none',
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
