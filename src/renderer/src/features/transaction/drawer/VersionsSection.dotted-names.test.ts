import { screen, within } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { ok } from '../../../../../shared/errors.ts';
import { openDrawer, partialRow } from '../../../testing/transaction-drawer.ts';

it('two fields of an older version that are written alike are both listed', async () => {
  const row = partialRow(2);
  const odd = (value: number) => ({ ...row.transaction, 'odd.name': value, odd: { name: value } });
  const transactionJson = JSON.stringify(odd(1));
  const version = { transactionJson, why: 'integrity', fetchedAtMs: 1, replacedAtMs: 2 } as const;
  const { user } = await openDrawer(
    { ...row, transaction: odd(2), marks: { ...row.marks, versionCount: 1 } },
    (bridge) => {
      bridge.answer('activity.versions', () => ok([version]));
    },
  );
  const versions = await screen.findByRole('region', { name: /^Older versions/ });
  await user.click(await within(versions).findByText('What differs'));
  expect(within(versions).getAllByRole('row', { name: /odd\.name/ })).toHaveLength(2);
});
