import { expect, it } from 'vitest';
import { transaction } from '../../../../shared/endpoints/data.ts';
import { decodeAnswer } from '../../../../shared/endpoints/decode-answer.ts';
import { unwrap } from '../../../../shared/errors.ts';
import { blockHashOf, hashOf } from '../testing/paging-service.ts';
import { watchedAddress } from '../testing/test-stores.ts';
import { buildWatchHarness } from '../testing/watch-harness.ts';

const address = '0x52908400098527886E0F7030069857D2E4169EE7';
const chainId = '43114';
const txHash = hashOf({ block: 1_000, index: 0 });
const transfer = (value: string) =>
  `{"from":{"address":"0xff"},"to":{"address":"${address}"},"value":"${value}","logIndex":3,"erc20Token":{"address":"0xee"}}`;

/** The only row, after the transaction's own answers with these ERC-20 transfers and prices. */
async function afterAnswers(...answers: { transfers: string[]; price: string }[]) {
  const { stores, paging, sync, rest, rows } = buildWatchHarness();
  void stores.watchlist.put(watchedAddress(address));
  paging.transactions.push({ block: 1_000, index: 0 });
  sync.start({ address, chainId, list: 'transactions' }, 'user');
  await rest();
  for (const [at, { transfers, price }] of answers.entries()) {
    const bodyText = `{"nativeTransaction":{"blockNumber":"1000","blockHash":"${blockHashOf({ block: 1_000, index: 0 })}","blockTimestamp":1600001000,"txHash":"${txHash}","value":"1"},
      "erc20Transfers":[${transfers.join()}],"networkTokenDetails":{"currentPrice":{"value":${price},"currencyCode":"usd"}}}`;
    const { data, notes } = unwrap(decodeAnswer(transaction, bodyText));
    const answer = { endpointId: 'transaction', params: { chainId, txHash }, data, notes, bodyText };
    await rows.takeAnswer({ ...answer, fetchedAtMs: 1_700_000_000_000 + at });
  }
  const filter = { pills: [], text: '', showHidden: true };
  const [row] = (await stores.activity.readRows({ filter, offset: 0, anchor: null, limit: 1 })).rows;
  const versions = await stores.activity.versions(row?.id ?? 0);
  return {
    note: row?.marks.integrityNote,
    versions: versions.map(({ why, transactionJson }) => [
      why,
      /"value":"(\d+)","logIndex"/.exec(transactionJson)?.[1],
    ]),
  };
}

it.each([
  [['6'], 'An earlier response included parts that are missing from this one: 1 ERC-20 transfer.'],
  [[], 'An earlier response included parts that are missing from this one: 1 ERC-20 transfer.'],
  [['5', '6'], null],
])(
  'a complete row that is fetched again and now has transfers of %j keeps the answer before',
  async (now, note) => {
    const answers = [['5'], now].map((values) => ({ transfers: values.map(transfer), price: '20' }));
    expect(await afterAnswers(...answers)).toEqual({ note, versions: [['integrity', '5']] });
  },
);

it('an answer with another price alone does not', async () => {
  const answers = ['20', '21'].map((price) => ({ transfers: [transfer('5')], price }));
  expect(await afterAnswers(...answers)).toEqual({ note: null, versions: [] });
});
