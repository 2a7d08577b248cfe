import type { TransactionDetail } from '../endpoints/records.ts';

/** One side of a cross-chain message, from its transaction. */
export interface CrosschainMessage {
  messageId: string | undefined;
  direction: string | undefined;
  sourceChainId: string | undefined;
  destinationChainId: string | undefined;
}

/** The message of a transaction, from either spelling of its fields; null when there is none. */
export function crosschainMessageOf(
  detail: Pick<TransactionDetail, 'crosschainMessageInfo' | 'teleporterMessageInfo'>,
): CrosschainMessage | null {
  const infos = [detail.crosschainMessageInfo, detail.teleporterMessageInfo].filter(
    (info) => info !== undefined,
  );
  if (infos.length === 0) return null;
  const first = (ids: (string | undefined)[]) => ids.find((id) => id !== undefined);
  return {
    messageId: first(infos.flatMap((info) => [info.crosschainMessageId, info.teleporterMessageId])),
    direction: first(infos.map(({ direction }) => direction)),
    sourceChainId: first(infos.map(({ sourceChainId }) => sourceChainId)),
    destinationChainId: first(infos.map(({ destinationChainId }) => destinationChainId)),
  };
}
