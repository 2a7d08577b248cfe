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
 * touches the address. A part is another one when a field differs: log index, sender, receiver, token, token id, amount,
 * revert. Of the parts that have no equal, fields that one of them lacks are left out. Two equal parts need two equal ones on
 * the other side.
 */
export function missingParts(partial: Transaction, complete: Transaction): Part[] {
  const all = partsOf(complete);
  const groups = new Map<string, Part[]>();
  for (const part of partsOf(partial)) {
    const group = groups.get(part.kind);
    if (group === undefined) groups.set(part.kind, [part]);
    else group.push(part);
  }
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

/**
 * The parts for which the other side has no equal one left: first those that are equal in every field, then, of what is left,
 * those that are equal in the fields that all of it has.
 */
function unmatched(parts: readonly Part[], others: readonly Part[]): Part[] {
  const exact = pairs(parts, others, ({ fields }) => JSON.stringify(fields));
  const both = [...exact.parts, ...exact.others];
  const known = both.reduce<readonly number[]>(
    (indexes, { fields }) => indexes.filter((i) => (fields[i] ?? null) !== null),
    [...(both[0]?.fields.keys() ?? [])],
  );
  return pairs(exact.parts, exact.others, ({ fields }) => JSON.stringify(known.map((i) => fields[i]))).parts;
}

/** What is left on both sides when equal parts have been put together. */
function pairs(parts: readonly Part[], others: readonly Part[], keyOf: (part: Part) => string) {
  const waiting = new Map<string, Part[]>();
  for (const other of others) {
    const same = waiting.get(keyOf(other));
    if (same === undefined) waiting.set(keyOf(other), [other]);
    else same.push(other);
  }
  const left = parts.filter((part) => waiting.get(keyOf(part))?.pop() === undefined);
  return { parts: left, others: [...waiting.values()].flat() };
}
