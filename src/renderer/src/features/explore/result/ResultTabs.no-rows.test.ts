import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { addressErc20Transfers } from '../../../../../shared/endpoints/data.ts';
import { decodeAnswer } from '../../../../../shared/endpoints/decode-answer.ts';
import { ok } from '../../../../../shared/errors.ts';
import type { RunState } from '../../../../../shared/explore/types.ts';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import { SampleRuns } from '../../../testing/sample-runs.ts';
import ResultTabs from './ResultTabs.svelte';

const target = { kind: 'endpoint', endpointId: 'address-erc20-transfers', params: {} } as const;

/** Notes about their parts come first, and all that there is room for. */
const manyOdd = JSON.stringify({ transactions: Array.from({ length: 60 }, () => ({ erc20Token: {} })) });

function shown(state: RunState, body: string) {
  const runs = new SampleRuns(testNowMs, () => undefined);
  const run = { ...runs.start(target, 'one'), state };
  const page = runs.page(run.id, 0);
  const read = decodeAnswer(addressErc20Transfers, body);
  if (!page.ok || !read.ok) throw new Error('there is a page');
  const { data, notes } = read.value;
  return renderInApp(
    ResultTabs,
    { run, pages: [{ ...page.value, data, notes }] },
    { prepare: (bridge) => bridge.answer('runs.text', () => ok(body)) },
  );
}

it.each([
  ['there are none', 'complete', '{"transactions":[]}', /^No rows$/],
  [
    'more pages follow an empty one',
    'partial',
    '{"transactions":[],"nextPageToken":"b"}',
    /^No rows so far$/,
  ],
  ['none of them has a token', 'complete', '{"transactions":[{"value":"1"}]}', /^Couldn’t read any rows$/],
  ['none of many has a token', 'complete', manyOdd, /^Couldn’t read any rows$/],
] as const)('a result without rows says that %s', async (_, state, body, title) => {
  const { user } = await shown(state, body);
  for (const tab of ['Table', 'Record']) {
    await user.click(screen.getByRole('radio', { name: tab }));
    expect(screen.getByRole('heading', { name: title })).toBeTruthy();
  }
  await user.click(screen.getByRole('radio', { name: 'JSON' }));
  expect(screen.queryByRole('heading', { name: title })).toBeNull();
  await expect
    .poll(() => screen.getByLabelText('Response as received').textContent)
    .toContain('transactions');
});
