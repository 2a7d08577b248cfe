import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { blockTransactions } from '../../../../shared/endpoints/data.ts';
import { decodeAnswer } from '../../../../shared/endpoints/decode-answer.ts';
import { ok } from '../../../../shared/errors.ts';
import { renderInApp, testNowMs } from '../../testing/render.ts';
import Dialogs from '../../views/Dialogs.svelte';

/** What the window shows of a block whose list is this, on each of its pages. */
async function lookUp(transactions: readonly unknown[], nextPageToken?: string) {
  const rawText = JSON.stringify({ transactions, nextPageToken });
  const read = decodeAnswer(blockTransactions, rawText);
  if (!read.ok) throw new Error('it can be read but for its elements');
  const { data, notes } = read.value;
  const answer = { data, notes, rawText, fetchedAtMs: testNowMs, stale: false, source: 'network' } as const;
  const { navigation, user } = await renderInApp(
    Dialogs,
    { views: [] },
    { prepare: (bridge) => bridge.answer('endpoint.query', () => ok(answer)) },
  );
  navigation.lookUp({ kind: 'block', chainId: '43114', blockId: '1' });
  return user;
}

const good = { txHash: `0x${'a'.repeat(64)}`, blockNumber: '1', blockTimestamp: 1 };

it('a list of which nothing could be read is not called empty', async () => {
  await lookUp([{ value: '1' }]);
  expect(await screen.findByRole('heading', { name: 'Couldn’t load any results' })).toBeTruthy();
  expect(screen.queryByRole('heading', { name: 'No results' })).toBeNull();
});

it('a list of which an element could not be read is not called whole', async () => {
  await lookUp([good, { value: '1' }]);
  expect(await screen.findByText(/1 shown, the rest unreadable, fetched/)).toBeTruthy();
  expect(screen.queryByText(/\(complete\)/)).toBeNull();
});

it('a list whose pages lead to each other is not called whole', async () => {
  const user = await lookUp([good], 'again');
  await user.click(await screen.findByRole('button', { name: 'Fetch more' }));
  expect(await screen.findByText(/1 so far, fetched/)).toBeTruthy();
  expect(screen.getByText(/The service repeated pages/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Fetch more' })).toBeNull();
});
