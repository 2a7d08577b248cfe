import type { SampleService } from './sample-service.ts';

/** A hand-made history of one address with a row for each spam rule and each column. */

export const me = '0x52908400098527886E0F7030069857D2E4169EE7';
/** Watched as well, so that others can be look-alikes of it. */
export const friend = '0xabcd00000000000000000000000000000000e234';
const imitation = '0xabcd00000000000000000000000000000fffe234';
const stranger = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const contract = '0x27b1Fdb04752bbc536007A920D24ACB045561c26';

interface Made {
  /** Counted from 1, newest first; also the number of its hash. */
  place: number;
  from?: string;
  to?: string;
  value?: string;
  callType?: string;
  methodName?: string;
  txStatus?: string;
  parts?: object;
}

const hashOf = (place: number) => `0x${place.toString(16).padStart(64, '0')}`;

function elementOf({ place, from = stranger, to = contract, value = '0', parts = {}, ...rest }: Made) {
  return {
    nativeTransaction: {
      blockNumber: String(1_000 - place),
      blockTimestamp: 1_750_000_000 - place * 86_400,
      blockHash: hashOf(1_000 - place),
      blockIndex: 0,
      txHash: hashOf(place),
      txStatus: rest.txStatus ?? '1',
      gasUsed: '21000',
      gasPrice: '25000000000',
      value,
      from: { address: from },
      to: { address: to },
      method: {
        callType: rest.callType ?? 'CONTRACT_CALL',
        methodHash: '0xa9059cbb',
        methodName: rest.methodName ?? 'transfer(address,uint256)',
      },
    },
    ...parts,
  };
}

const erc20 = (from: string, to: string, value: string, token: object = {}) => ({
  from: { address: from },
  to: { address: to },
  value,
  logIndex: 1,
  erc20Token: { address: contract, name: 'Gold', symbol: 'GOLD', decimals: 6, ...token },
});

const many = { symbol: 'MANY', address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' };

const crowd = Array.from({ length: 20 }, (_value, n) =>
  erc20(stranger, `0x${(n + 1).toString(16).padStart(40, '0')}`, '1000000', many),
);

const native = { callType: 'NATIVE_TRANSFER', methodName: 'Native Transfer' };

const history: Made[] = [
  // Sent to a look-alike of the friend.
  { place: 1, from: me, parts: { erc20Transfers: [erc20(me, imitation, '10000000000')] } },
  { place: 2, parts: { erc20Transfers: [erc20(me, stranger, '0')] } },
  { place: 3, ...native, from: imitation, to: me, value: '1' },
  { place: 4, parts: { erc20Transfers: [erc20(stranger, me, '5', { symbol: 'Visit claim.example' })] } },
  {
    place: 5,
    parts: {
      erc721Transfers: [
        {
          from: { address: stranger },
          to: { address: me },
          logIndex: 1,
          erc721Token: {
            address: contract,
            tokenId: '7',
            name: 'Cat',
            metadata: { imageUri: 'https://cats.invalid/7.png' },
          },
        },
      ],
    },
  },
  { place: 6, parts: { erc20Transfers: [erc20(stranger, me, '1000000', many)] } },
  // The second transfer does not name its token.
  {
    place: 7,
    parts: {
      erc20Transfers: [
        erc20(stranger, me, '2000000'),
        { from: { address: me }, to: { address: stranger }, value: '9', logIndex: 2 },
      ],
    },
  },
  { place: 8, ...native, from: stranger, to: me, value: '2000000000000000000' },
  { place: 9, from: me, methodName: 'approve(address,uint256)', txStatus: '0' },
];

/** Makes the service answer with these histories, and nothing else for these addresses. */
export async function serveMadeHistory(service: SampleService): Promise<void> {
  const { indexedChains } = (await service.answerTo(
    `/v1/address/${service.ready.examples.address}/chains`,
  )) as { indexedChains: { chainId: string }[] };
  const [chain] = indexedChains;
  if (chain === undefined) throw new Error('The sample service knows no chain.');
  service.answerInstead(`/v1/address/${me}/chains`, { indexedChains: [chain], unindexedChains: [] });
  const of = `/v1/chains/${chain.chainId}`;
  const transactions = history.map(elementOf);
  service.answerInstead(`${of}/addresses/${me}/transactions`, { transactions, nextPageToken: '' });
  for (const list of ['listErc20', 'listErc1155', 'listInternals', 'listNative']) {
    const path = `${of}/addresses/${me}/transactions:${list}`;
    service.answerInstead(path, { transactions: [], nextPageToken: '' });
  }
  for (const made of history) {
    const element = elementOf(made);
    service.answerInstead(`${of}/transactions/${hashOf(made.place)}`, {
      ...element,
      ...(made.place === 6 ? { erc20Transfers: [...crowd, erc20(stranger, me, '1000000', many)] } : {}),
      networkTokenDetails: {
        networkToken: { name: 'Coin', symbol: 'COIN', decimals: 18 },
        currentPrice: { currencyCode: 'eur', value: '9' },
        historicalPrice: { currencyCode: 'eur', value: '3' },
      },
    });
  }
}
