import { sameAddress, type Leg } from '../../../../../shared/activity/legs.ts';
import type {
  AddressTransaction,
  Erc1155Transfer,
  Erc20Transfer,
  Erc721Transfer,
  TransactionDetail,
} from '../../../../../shared/endpoints/records.ts';

/** What the service says about the token of a leg, beyond what the leg itself carries. */
export interface TokenRecord {
  standard: 'ERC-20' | 'ERC-721' | 'ERC-1155';
  price: Erc20Transfer['erc20Token']['price'];
  nft: Erc721Transfer['erc721Token'] | Erc1155Transfer['erc1155Token'] | null;
}

/** The transfer record behind a leg; null for native value. */
export function tokenRecordOf(
  leg: Leg,
  transaction: AddressTransaction | TransactionDetail,
): TokenRecord | null {
  const { kind, contract, tokenId } = leg.asset;
  const isSame = (logIndex: number | undefined, token: { address: string; tokenId?: string | undefined }) =>
    (logIndex ?? null) === leg.logIndex &&
    sameAddress(token.address, contract ?? undefined) &&
    (token.tokenId ?? null) === tokenId;
  if (kind === 'erc20') {
    const found = transaction.erc20Transfers?.find(({ logIndex, erc20Token: { address } }) =>
      isSame(logIndex, { address }),
    );
    return { standard: 'ERC-20', price: found?.erc20Token.price, nft: null };
  }
  if (kind === 'erc721') {
    const found = transaction.erc721Transfers?.find((one) => isSame(one.logIndex, one.erc721Token));
    return { standard: 'ERC-721', price: undefined, nft: found?.erc721Token ?? null };
  }
  if (kind === 'erc1155') {
    const found = transaction.erc1155Transfers?.find((one) => isSame(one.logIndex, one.erc1155Token));
    return { standard: 'ERC-1155', price: undefined, nft: found?.erc1155Token ?? null };
  }
  return null;
}
