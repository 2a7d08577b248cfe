import { expect, it } from 'vitest';
import { backends } from '../testing/backends.ts';
import { alice, sampleAddress, samplePage, sampleRow, sampleSync } from '../testing/sample-data.ts';

it.each(backends)('an audit over $name finds gaps of every part of a long list', async ({ open }) => {
  const stores = open();
  await stores.watchlist.put(sampleAddress());
  const sync = sampleSync({ covered: [{ fromBlock: '0', toBlock: '10000' }] });
  const blocks = Array.from({ length: 5_000 }, (_value, block) => block);
  // Two transactions a block, so that parts end within one; of every thousandth block the list lacks one.
  const transactions = blocks.flatMap((block) => [
    { txHash: `0xa${block}`, blockNumber: BigInt(block) },
    { txHash: `0xb${block}`, blockNumber: BigInt(block) },
  ]);
  const isLacking = (txHash: string) => /^0xb\d*(?:000|999)$/.test(txHash);
  await stores.activity.savePage(
    samplePage({
      sync,
      rows: transactions.filter(({ txHash }) => !isLacking(txHash)).map((fields) => sampleRow(fields)),
    }),
  );
  const records = transactions.map((fields) => ({
    ...fields,
    timestampMs: 1,
    recordJson: '{}',
    number: 0,
    fetchedAtMs: 1,
  }));
  await stores.activity.savePage(samplePage({ list: 'native', sync, rows: [], records }));

  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  }, 0);
  const report = await stores.activity.audit(alice, '43114', 100);
  clearInterval(counting);
  const lacking = ['4999', '4000', '3999', '3000', '2999', '2000', '1999', '1000', '999'];
  expect(report.gaps.map(({ txHash }) => txHash)).toEqual(lacking.map((block) => `0xb${block}`));
  expect(report).toMatchObject({ isCut: false, transactionCount: 10_000 - lacking.length });
  expect((await stores.activity.audit(alice, '43114', 4)).gaps).toEqual(report.gaps.slice(0, 4));
  // The thread of the store serves others meanwhile.
  expect(turns).toBeGreaterThan(0);
});
