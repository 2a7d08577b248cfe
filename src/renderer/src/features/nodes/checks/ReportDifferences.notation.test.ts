import { screen } from '@testing-library/svelte';
import { expect, it, onTestFinished } from 'vitest';
import { reportDifferences } from '../../../../../shared/health/differences.ts';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import { sampleNodes } from '../../../testing/sample-health.ts';
import { setNotation } from '../../../ui/text/notation.svelte.ts';
import { differenceWords } from '../words/past-words.ts';
import ReportDifferences from './ReportDifferences.svelte';

it('changes of a message have their figures in the user’s notation, and its other texts as they are', async () => {
  setNotation('de-DE');
  onTestFinished(() => setNotation(null));
  const report = sampleNodes(testNowMs)[0]?.report;
  const check = report?.checks[0];
  if (report == null || check === undefined) throw new Error('the sample has a report');
  const saying = (message: NonNullable<typeof check.message>) => ({
    ...report,
    checks: [{ ...check, message }],
  });
  const differences = reportDifferences(
    saying({ lastAcceptedHeight: 1_204, freeBytes: '1293942784000', longest: '293.098ms', version: '1.5' }),
    saying({ lastAcceptedHeight: 1_207, freeBytes: '993942784000', longest: '1h2m', version: '1.6' }),
  );
  expect(differences.map(differenceWords)).toEqual([
    'lastAcceptedHeight 1.204 → 1.207',
    'freeBytes 1,1 TiB → 925,6 GiB',
    'longest 293,098 ms → 1 h 2 min',
    'version 1.5 → 1.6',
  ]);
  await renderInApp(ReportDifferences, { report: { differences, previousAtMs: testNowMs } });
  expect(screen.getByRole('cell', { name: '1.204' })).toBeTruthy();
  expect(screen.getByRole('cell', { name: '293,098 ms' })).toBeTruthy();
  expect(screen.getByRole('cell', { name: '1.5' })).toBeTruthy();
});
