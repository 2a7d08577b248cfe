import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import type { CheckState } from '../../../../../shared/health/types.ts';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import { sampleNodes } from '../../../testing/sample-health.ts';
import ChecksTable from './ChecksTable.svelte';

it.each<[CheckState, string]>([
  ['fail', 'unknown'],
  ['unknown', 'unknown'],
  ['pass', 'none'],
  ['pending', 'none'],
])(
  'a check with the state %s whose failures the node does not count has %s in a row',
  async (state, words) => {
    const report = sampleNodes(testNowMs)[0]?.report;
    const check = report?.checks[0];
    if (report == null || check === undefined) throw new Error('the sample has a report');
    const checks = [{ ...check, state, contiguousFailures: null }];
    await renderInApp(ChecksTable, {
      report: { ...report, checks },
      chosen: null,
      onchoose: () => undefined,
    });
    expect(screen.getAllByRole('cell').at(-1)?.textContent.trim()).toBe(words);
  },
);
