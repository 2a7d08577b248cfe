/** The page of a transaction in the explorer that the chain's record names; null unless that is an https address. */
export function explorerTransactionUrl(explorerUrl: string | null, txHash: string): string | null {
  if (explorerUrl === null || !URL.canParse(explorerUrl)) return null;
  const { protocol, username, password } = new URL(explorerUrl);
  if (protocol !== 'https:' || username !== '' || password !== '') return null;
  return `${explorerUrl.replace(/[?#].*$/, '').replace(/\/+$/, '')}/tx/${encodeURIComponent(txHash)}`;
}
