import { canonicalHash } from '../../../../shared/activity/block-hash.ts';
import { parseInteger } from '../../../../shared/amounts.ts';
import type { AddressTransaction, TransactionDetail } from '../../../../shared/endpoints/records.ts';

type Transaction = AddressTransaction | TransactionDetail;

/** A part of a transaction, for comparison: its kind and its fields; null for a field that the service left out. */
interface Part {
  kind: 'transaction' | 'ERC-20 transfer' | 'ERC-721 transfer' | 'ERC-1155 transfer' | 'internal transaction';
  fields: readonly (string | null)[];
}

/**
 * The parts of an answer that another one about the transaction lacks. Of a list's element there should be none that its
 * detail lacks, since it only has the parts that concern the address. Parts differ if a field does: log index, sender,
 * receiver, token, token id, amount, revert. Where no equal part is found, fields that are missing in some part are
 * ignored. Two equal parts need two equal ones on the other side.
 */
export function missingParts(one: Transaction, other: Transaction): Part[] {
  const all = partsOf(other);
  const groups = Map.groupBy(partsOf(one), ({ kind }) => kind);
  return [...groups].flatMap(([kind, parts]) =>
    unmatched(
      parts,
      all.filter((part) => part.kind === kind),
    ),
  );
}

/** The notice for the user; null when nothing is missing. */
export function integrityNoteOf(missing: readonly Part[]): string | null {
  if (missing.length === 0) return null;
  const words = [...Map.groupBy(missing, ({ kind }) => kind)].map(([kind, { length }]) =>
    length === 1 ? `1 ${kind}` : `${length} ${kind}s`,
  );
  return `An earlier response included parts that are missing from this one: ${words.join(', ')}.`;
}

function partsOf(transaction: Transaction): Part[] {
  const { nativeTransaction: native } = transaction;
  return [
    {
      kind: 'transaction',
      fields: [
        canonicalHash(native.txHash),
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

const lower = (text: string | undefined): string | null => text?.toLowerCase() ?? null;

const amount = (digits: string | undefined): string | null =>
  digits === undefined ? null : (parseInteger(digits)?.toString() ?? digits);

/** The parts without an equal one on the other side: by all fields, then by those that all the rest have. */
function unmatched(parts: readonly Part[], others: readonly Part[]): Part[] {
  const exact = pairs(parts, others, ({ fields }) => JSON.stringify(fields));
  const both = [...exact.parts, ...exact.others];
  const known = both.reduce<readonly number[]>(
    (indexes, { fields }) => indexes.filter((i) => (fields[i] ?? null) !== null),
    [...(both[0]?.fields.keys() ?? [])],
  );
  return pairs(exact.parts, exact.others, ({ fields }) => JSON.stringify(known.map((i) => fields[i]))).parts;
}

/** What is left on both sides after pairing equal parts. */
function pairs(parts: readonly Part[], others: readonly Part[], keyOf: (part: Part) => string) {
  const waiting = Map.groupBy(others, keyOf);
  const left = parts.filter((part) => waiting.get(keyOf(part))?.pop() === undefined);
  return { parts: left, others: [...waiting.values()].flat() };
}
