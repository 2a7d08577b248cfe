import type { TransactionDetail } from '../endpoints/records.ts';

/** One half of a cross-chain message, as its transaction tells it. */
export interface CrosschainMessage {
  messageId: string | undefined;
  direction: string | undefined;
  sourceChainId: string | undefined;
  destinationChainId: string | undefined;
}

/** The message of a transaction, in whichever of the two spellings a field came; null when it has none. */
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
