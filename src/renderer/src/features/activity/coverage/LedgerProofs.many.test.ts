import { screen, within } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { ok } from '../../../../../shared/errors.ts';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import { neverSynced, sampleAddresses } from '../../../testing/sample-world.ts';
import LedgerProofs from './LedgerProofs.svelte';

it('of thousands of proofs the newest are shown, and older ones when asked', async () => {
  const proofs = Array.from({ length: 1_200 }, (_, place) => ({
    fromBlock: String(place * 10),
    toBlock: String(place * 10 + 10),
    runId: `run-${place}`,
    provenAtMs: testNowMs,
  }));
  const { user } = await renderInApp(
    LedgerProofs,
    { address: sampleAddresses.treasury, chainId: '43114' },
    {
      prepare: (fake) =>
        fake.answer('activity.ledger', () => ok([{ list: 'transactions', sync: neverSynced, proofs }])),
    },
  );
  const list = within(await screen.findByRole('list', { name: 'Verified ranges for Transactions' }));
  expect(list.getAllByRole('listitem')).toHaveLength(100);
  expect(list.getByText('run-1199')).toBeTruthy();
  expect(screen.getByText('100 of 1,200')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Show older ranges for Transactions' }));
  expect(list.getAllByRole('listitem')).toHaveLength(400);
});
