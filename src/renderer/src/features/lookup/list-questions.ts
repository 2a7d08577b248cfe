import type { NativeTransaction } from '../../../../shared/endpoints/records.ts';
import type { ParamsById, ResponseById } from '../../../../shared/endpoints/registry.ts';
import type { ListQuestion } from '../../state/lookup-list.svelte.ts';

/** The native transactions of a block (endpoint 8). */
export function blockList(
  params: ParamsById['block-transactions'],
): ListQuestion<'block-transactions', NativeTransaction> {
  return {
    endpointId: 'block-transactions',
    params,
    itemsOf: ({ transactions }) => transactions,
    keyOf: ({ txHash }) => txHash,
  };
}

type Transfer = ResponseById['token-transfers']['transfers'][number];

/** The transfers of a token contract (endpoint 5). One log can move several tokens (a batch), some of them equally. */
export function transferList(
  params: ParamsById['token-transfers'],
): ListQuestion<'token-transfers', { transfer: Transfer; key: string }> {
  return {
    endpointId: 'token-transfers',
    params,
    itemsOf: ({ transfers }) => {
      const counts = new Map<string, number>();
      return transfers.map((transfer) => {
        const { txHash, logIndex, from, to, value, erc721Token, erc1155Token } = transfer;
        const tokenId = erc721Token?.tokenId ?? erc1155Token?.tokenId;
        const content = [txHash, logIndex, from?.address, to?.address, value, tokenId].join(' ');
        const number = (counts.get(content) ?? 0) + 1;
        counts.set(content, number);
        return { transfer, key: `${content} ${number}` };
      });
    },
    keyOf: ({ key }) => key,
  };
}
