import { outsideLink } from '../../../../../shared/outside-link.ts';

/** The page of a transaction in the explorer that the chain's record names; null unless that is an https address. */
export function explorerTransactionUrl(explorerUrl: string | null, txHash: string): string | null {
  if (explorerUrl === null || outsideLink(explorerUrl) === null) return null;
  return `${explorerUrl.replace(/[?#].*$/, '').replace(/\/+$/, '')}/tx/${encodeURIComponent(txHash)}`;
}
