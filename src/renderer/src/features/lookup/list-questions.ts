import type { NativeTransaction } from '../../../../shared/endpoints/records.ts';
import type { ParamsById, ResponseById } from '../../../../shared/endpoints/registry.ts';
import type { ListQuestion } from '../../state/lookup-list.ts';

type TransactionListId = 'block-transactions' | 'chain-transactions' | 'latest-transactions';

/** A list of native transactions: of a block, of a chain, or of all chains (endpoints 8, 9, 12). */
export function transactionList<Id extends TransactionListId>(
  endpointId: Id,
  params: ParamsById[Id],
): ListQuestion<Id, NativeTransaction> {
  return {
    endpointId,
    params,
    itemsOf: ({ transactions }: ResponseById[TransactionListId]) => transactions,
    keyOf: ({ chainId, txHash }) => `${chainId ?? ''} ${txHash}`,
  };
}

type Contract = ResponseById['deployed-contracts']['contracts'][number];

/** What an address deployed (endpoint 10). */
export function contractList(chainId: string, address: string): ListQuestion<'deployed-contracts', Contract> {
  return {
    endpointId: 'deployed-contracts',
    params: { chainId, address, pageSize: '25' },
    itemsOf: ({ contracts }) => contracts,
    keyOf: (contract) => contract.address.toLowerCase(),
  };
}

type Transfer = ResponseById['token-transfers']['transfers'][number];

/** The transfers of a token contract (endpoint 5). */
export function transferList(chainId: string, address: string): ListQuestion<'token-transfers', Transfer> {
  return {
    endpointId: 'token-transfers',
    params: { chainId, address, pageSize: '50' },
    itemsOf: ({ transfers }) => transfers,
    // One log can move several tokens of a kind (a batch), so what moved is part of what it is called.
    keyOf: ({ txHash, logIndex, from, to, value, erc721Token, erc1155Token }) =>
      [
        txHash,
        logIndex,
        from?.address,
        to?.address,
        value,
        erc721Token?.tokenId ?? erc1155Token?.tokenId,
      ].join(' '),
  };
}
