import { parseInteger } from '../../../../shared/amounts.ts';
import type { AddressTransaction, TransactionDetail } from '../../../../shared/endpoints/records.ts';

type Transaction = AddressTransaction | TransactionDetail;

/** A part of a transaction as it is compared: what it is, and its fields; null for one that the service left out. */
interface Part {
  kind: 'transaction' | 'ERC-20 transfer' | 'ERC-721 transfer' | 'ERC-1155 transfer' | 'internal transaction';
  fields: readonly (string | null)[];
}

/**
 * The parts of a list's element that the transaction's detail does not have: none, as the element shows only what
 * touches the address. A part is another one when a field differs that both have: log index, sender, receiver, token,
 * token id, amount, revert. Two equal parts need two equal ones on the other side.
 */
export function missingParts(partial: Transaction, complete: Transaction): Part[] {
  const all = partsOf(complete);
  const groups = new Map<string, Part[]>();
  for (const part of partsOf(partial)) groups.set(part.kind, [...(groups.get(part.kind) ?? []), part]);
  return [...groups].flatMap(([kind, parts]) =>
    unmatched(
      parts,
      all.filter((part) => part.kind === kind),
    ),
  );
}

/** What the person is told; null when nothing is missing. */
export function integrityNoteOf(missing: readonly Part[]): string | null {
  if (missing.length === 0) return null;
  const counts = new Map<string, number>();
  for (const { kind } of missing) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const words = [...counts].map(([kind, count]) => (count === 1 ? `1 ${kind}` : `${count} ${kind}s`));
  return `The list of the address shows what the transaction itself does not: ${words.join(', ')}.`;
}

function partsOf(transaction: Transaction): Part[] {
  const { nativeTransaction: native } = transaction;
  return [
    {
      kind: 'transaction',
      fields: [
        lower(native.txHash),
        lower(native.from?.address),
        lower(native.to?.address),
        amount(native.value),
        native.txStatus ?? null,
        amount(native.nonce),
      ],
    },
    ...(transaction.erc20Transfers ?? []).map((transfer): Part => ({
      kind: 'ERC-20 transfer',
      fields: [...sides(transfer), lower(transfer.erc20Token.address), amount(transfer.value)],
    })),
    ...(transaction.erc721Transfers ?? []).map((transfer): Part => ({
      kind: 'ERC-721 transfer',
      fields: [...sides(transfer), lower(transfer.erc721Token.address), amount(transfer.erc721Token.tokenId)],
    })),
    ...(transaction.erc1155Transfers ?? []).map((transfer): Part => ({
      kind: 'ERC-1155 transfer',
      fields: [
        ...sides(transfer),
        lower(transfer.erc1155Token.address),
        amount(transfer.erc1155Token.tokenId),
        amount(transfer.value),
      ],
    })),
    ...(transaction.internalTransactions ?? []).map((call): Part => ({
      kind: 'internal transaction',
      fields: [
        lower(call.from?.address),
        lower(call.to?.address),
        lower(call.internalTxType),
        amount(call.value),
        call.isReverted === undefined ? null : String(call.isReverted),
      ],
    })),
  ];
}

interface Sides {
  logIndex?: number | undefined;
  from?: { address: string } | undefined;
  to?: { address: string } | undefined;
}

function sides({ logIndex, from, to }: Sides): (string | null)[] {
  return [logIndex === undefined ? null : String(logIndex), lower(from?.address), lower(to?.address)];
}

function lower(text: string | undefined): string | null {
  return text?.toLowerCase() ?? null;
}

function amount(digits: string | undefined): string | null {
  return digits === undefined ? null : (parseInteger(digits)?.toString() ?? digits);
}

function canBeSame(a: Part, b: Part): boolean {
  return a.fields.every((field, i) => {
    const other = b.fields[i] ?? null;
    return field === null || other === null || field === other;
  });
}

/** More parts than this that have no equal partner are not tried one by one: no honest answer has them. */
const maxTried = 500;

/**
 * The parts that find no partner of their own. Equal parts are partners at first sight. Fields that are left out fit
 * anything, so a part may have to give its partner to another one and take another (a matching by augmenting paths).
 */
function unmatched(parts: readonly Part[], partners: readonly Part[]): Part[] {
  const takenBy = matchEqual(parts, partners);
  const matched = new Set(takenBy.values());
  const single = parts.flatMap((_part, i) => (matched.has(i) ? [] : [i]));
  const rest = single.slice(0, maxTried).filter((i) => !findPartner(i, parts, partners, takenBy));
  return [...rest, ...single.slice(maxTried)].flatMap((i) => parts[i] ?? []);
}

/** Which part has which partner, by place, where all fields are equal that any part on both sides has. */
function matchEqual(parts: readonly Part[], partners: readonly Part[]): Map<number, number> {
  const fieldCount = parts[0]?.fields.length ?? 0;
  const shared = Array.from({ length: fieldCount }, (_nothing, i) => i).filter((i) =>
    [parts, partners].every((side) => side.some(({ fields }) => (fields[i] ?? null) !== null)),
  );
  const keyOf = ({ fields }: Part) => JSON.stringify(shared.map((i) => fields[i]));
  const free = new Map<string, number[]>();
  partners.forEach((partner, place) => {
    const places = free.get(keyOf(partner));
    if (places === undefined) free.set(keyOf(partner), [place]);
    else places.push(place);
  });
  const takenBy = new Map<number, number>();
  parts.forEach((part, i) => {
    const place = free.get(keyOf(part))?.pop();
    if (place !== undefined) takenBy.set(place, i);
  });
  return takenBy;
}

/** Searches, in breadth, a chain of parts that each take the partner of the next, the last one a free one. */
function findPartner(
  first: number,
  parts: readonly Part[],
  partners: readonly Part[],
  takenBy: Map<number, number>,
): boolean {
  const cameFrom = new Map<number, number>();
  const queue = [first];
  for (const i of queue) {
    const part = parts[i];
    if (part === undefined) continue;
    for (const [place, partner] of partners.entries()) {
      if (cameFrom.has(place) || !canBeSame(part, partner)) continue;
      cameFrom.set(place, i);
      const holder = takenBy.get(place);
      if (holder !== undefined) {
        queue.push(holder);
        continue;
      }
      passOn(place, first, cameFrom, takenBy);
      return true;
    }
  }
  return false;
}

/** Gives each part of the chain its new partner, from the free one back to the first part. */
function passOn(
  freePlace: number,
  first: number,
  cameFrom: ReadonlyMap<number, number>,
  takenBy: Map<number, number>,
): void {
  let place = freePlace;
  for (;;) {
    const part = cameFrom.get(place);
    if (part === undefined) return;
    const before = [...takenBy].find(([, holder]) => holder === part)?.[0];
    takenBy.set(place, part);
    if (part === first || before === undefined) return;
    place = before;
  }
}
