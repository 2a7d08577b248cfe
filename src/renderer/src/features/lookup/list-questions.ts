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
