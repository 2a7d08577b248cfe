import type { AddressTransaction, TransactionDetail } from '../endpoints/records.ts';
import type { DescribedLeg, DescribedRow, MovementDescription } from './describe.ts';
import { nftKey, sameAddress } from './legs.ts';
import type { SpamRule } from './spam-types.ts';

/** From this many receivers of one token in a transaction, it is a hand-out and not a payment. */
const manyReceivers = 20;

/**
 * Whether the address sent the transaction (or may have), or something left it: rules never hide what the user did or
 * lost. A zero-value transfer in the name of the address counts as neither.
 */
export function isOwnDoing({ address, transaction }: DescribedRow, { legs }: MovementDescription): boolean {
  const sender = transaction.nativeTransaction.from?.address;
  if (sender === undefined || sameAddress(sender, address)) return true;
  return legs.some(({ direction, amount }) => direction === 'out' && amount !== '0');
}

/**
 * The rules that apply to a row and depend on the row alone, in order. They never apply to what the user did
 * (`isOwnDoing`), nor to a transaction that also moved something harmless. A rule only marks a suspicion and never
 * deletes a row; `look-alike` is judged elsewhere, with the user's names.
 */
export function spamRulesOf(row: DescribedRow, described: MovementDescription): SpamRule[] {
  if (isOwnDoing(row, described)) return [];
  const own = described.legs.filter(({ direction }) => direction !== 'none');
  if (own.length === 0 || own.some(({ asset }) => asset.kind === 'native')) return [];
  const rules: SpamRule[] = [];
  if (own.every(({ amount }) => amount === '0')) rules.push('zero-value');
  // Tokens can only leave the address with its earlier approval.
  if (own.some(({ direction }) => direction !== 'in')) return rules;
  const contracts = [...new Set(own.map(({ asset }) => asset.contract))];
  if (contracts.every((contract) => isHandOut(row, described.legs, contract))) rules.push('fan-out');
  if (own.some(({ asset }) => hasLure(asset.name) || hasLure(asset.symbol))) rules.push('lure-text');
  const media = remoteMediaOf(row.transaction);
  if (own.every(({ asset }) => media.has(asset.key))) rules.push('remote-media');
  return rules;
}

/** Only a complete transaction shows the other receivers. */
function isHandOut(
  { completeness, transaction }: DescribedRow,
  legs: readonly DescribedLeg[],
  contract: string | null,
): boolean {
  if (completeness !== 'complete' || contract === null) return false;
  // NFTs have no price.
  const hasPrice = (transaction.erc20Transfers ?? []).some(
    ({ erc20Token: { address, price } }) => sameAddress(address, contract) && price?.value !== undefined,
  );
  if (hasPrice) return false;
  const receivers = new Set<string>();
  for (const { asset, to } of legs) {
    if (to !== null && sameAddress(asset.contract ?? undefined, contract)) {
      receivers.add(to.address.toLowerCase());
    }
  }
  return receivers.size >= manyReceivers;
}

/** Invisible characters, which are put between letters to evade rules like these. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu;

/** A web address, with or without scheme; endings that legitimate tokens use (`.e`, `.finance`) do not count. */
const link =
  /https?:|www\.|\bt\.me\b|[a-z0-9-]\s?\.\s?(?:com|net|org|info|io|xyz|site|online|top|app|live|club|vip|pro|link|cc|ly|ru|cn|gift|claims?|events?|promo|cash|shop|website|space|fun|lat|cfd|ink)\b/u;

/** Words that ask people to act, which no token needs. */
const lure =
  /\b(?:claim|visit|redeem|voucher|airdrop|bonus|reward|giveaway|eligible|free mint|get your|you won|winner)/u;

function hasLure(text: string | null): boolean {
  if (text === null) return false;
  const plain = text.normalize('NFKC').replace(invisible, '').toLowerCase();
  return link.test(plain) || lure.test(plain);
}

/** Keys (`Asset.key`) of the NFTs whose media are on a web server. */
function remoteMediaOf(transaction: AddressTransaction | TransactionDetail): Set<string> {
  const nfts = [
    ...(transaction.erc721Transfers ?? []).map(({ erc721Token: nft }) => ['erc721', nft] as const),
    ...(transaction.erc1155Transfers ?? []).map(({ erc1155Token: nft }) => ['erc1155', nft] as const),
  ];
  const remote = nfts.filter(([, { metadata }]) =>
    [metadata?.imageUri, metadata?.animationUri].some((uri) => /^\s*(?:https?:|\/\/)/i.test(uri ?? '')),
  );
  return new Set(remote.map(([kind, nft]) => nftKey(kind, nft)));
}
