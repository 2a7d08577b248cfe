import type { AddressTransaction, TransactionDetail } from '../endpoints/records.ts';
import type { DescribedLeg, DescribedRow, MovementDescription } from './describe.ts';
import { sameAddress } from './legs.ts';
import type { SpamRule } from './spam-types.ts';

/** As many receivers of one token in one transaction are a hand-out, not a payment. */
const manyReceivers = 20;

/**
 * Whether the address sent the transaction, as far as that is known, or something left it: no rule hides what the user did
 * or lost. A transfer of nothing in the name of the address is neither.
 */
export function isOwnDoing({ address, transaction }: DescribedRow, { legs }: MovementDescription): boolean {
  const sender = transaction.nativeTransaction.from?.address;
  if (sender === undefined || sameAddress(sender, address)) return true;
  return legs.some(({ direction, amount }) => direction === 'out' && amount !== '0');
}

/**
 * The rules that need nothing but the row itself, in the order in which they are named. They speak only of what others did
 * (`isOwnDoing`), and not of a transaction that also moved something that is no spam. A rule names a suspicion and never
 * drops a row; `look-alike` is judged where the names of the user are known.
 */
export function spamRulesOf(row: DescribedRow, described: MovementDescription): SpamRule[] {
  if (isOwnDoing(row, described)) return [];
  const own = described.legs.filter(({ direction }) => direction !== 'none');
  if (own.length === 0 || own.some(({ asset }) => asset.kind === 'native')) return [];
  const rules: SpamRule[] = [];
  if (own.every(({ amount }) => amount === '0')) rules.push('zero-value');
  // What only went out of the address was allowed by it before.
  if (own.some(({ direction }) => direction !== 'in')) return rules;
  if (own.every((leg) => isHandOut(row, described.legs, leg))) rules.push('fan-out');
  if (own.some(({ asset }) => hasLure(asset.name) || hasLure(asset.symbol))) rules.push('lure-text');
  const media = remoteMediaOf(row.transaction);
  if (own.every(({ asset }) => media.has(asset.key))) rules.push('remote-media');
  return rules;
}

/** Only the complete transaction shows who else received the token. */
function isHandOut(
  { completeness, transaction }: DescribedRow,
  legs: readonly DescribedLeg[],
  { asset: { contract } }: DescribedLeg,
): boolean {
  if (completeness !== 'complete' || contract === null) return false;
  // No NFT has a price.
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

/** Characters that show nothing: they are put between letters to hide a word from rules like these. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu;

/** An address of the web, with or without its scheme; endings that names of honest tokens have (`.e`, `.finance`) are no link. */
const link =
  /https?:|www\.|\bt\.me\b|[a-z0-9-]\s?\.\s?(?:com|net|org|info|io|xyz|site|online|top|app|live|club|vip|pro|link|cc|ly|ru|cn|gift|claims?|events?|promo|cash|shop|website|space|fun|lat|cfd|ink)\b/u;

/** Words that ask a person to do something; a token has no reason to. */
const lure =
  /\b(?:claim|visit|redeem|voucher|airdrop|bonus|reward|giveaway|eligible|free mint|get your|you won|winner)/u;

function hasLure(text: string | null): boolean {
  if (text === null) return false;
  const plain = text.normalize('NFKC').replace(invisible, '').toLowerCase();
  return link.test(plain) || lure.test(plain);
}

/** Keys of the NFTs (`Asset.key`) whose picture or film lies on a server of the web. */
function remoteMediaOf(transaction: AddressTransaction | TransactionDetail): Set<string> {
  const keys = new Set<string>();
  const add = (
    kind: 'erc721' | 'erc1155',
    token: {
      address: string;
      tokenId?: string | undefined;
      metadata?: { imageUri?: string | undefined; animationUri?: string | undefined } | undefined;
    },
  ): void => {
    const isRemote = [token.metadata?.imageUri, token.metadata?.animationUri].some(
      (uri) => uri !== undefined && /^\s*(?:https?:|\/\/)/i.test(uri),
    );
    if (isRemote) keys.add(`${kind} ${token.address.toLowerCase()} ${token.tokenId ?? '?'}`);
  };
  for (const { erc721Token } of transaction.erc721Transfers ?? []) add('erc721', erc721Token);
  for (const { erc1155Token } of transaction.erc1155Transfers ?? []) add('erc1155', erc1155Token);
  return keys;
}
