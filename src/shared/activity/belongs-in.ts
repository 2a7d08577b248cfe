import { parseInteger } from '../amounts.ts';
import type { AddressTransaction, TransactionDetail } from '../endpoints/records.ts';
import { isTopCall, sameAddress } from './legs.ts';

/** Calls that the list of internal transactions has if they have a value (specification, common record shapes). */
const calls: ReadonlySet<string> = new Set(['CALL', 'CALLCODE']);

const creations: ReadonlySet<string> = new Set(['CREATE', 'CREATE2', 'CREATE3']);

/**
 * Whether a transaction certainly has an element in an address's list of internal transactions (endpoint 6). False
 * where that is unsure: calls of unknown type or value, reverted ones, and the transaction's own call, which only some
 * services list.
 */
export function hasListedCall(
  { nativeTransaction, internalTransactions }: AddressTransaction | TransactionDetail,
  address: string,
): boolean {
  return (internalTransactions ?? []).some((call) => {
    if (!sameAddress(call.from?.address, address) && !sameAddress(call.to?.address, address)) return false;
    if (call.isReverted !== false || isTopCall(call, nativeTransaction)) return false;
    const type = call.internalTxType?.toUpperCase() ?? '';
    return creations.has(type) || (calls.has(type) && hasAmount(call.value));
  });
}

/**
 * Whether a transaction certainly has an element in an address's list of native transactions (endpoint 7): the address
 * sends or receives it, and it has a value. Without a value, only if the list is known to include such ones.
 */
export function isListedNative(
  { nativeTransaction: { from, to, value } }: AddressTransaction | TransactionDetail,
  address: string,
  holdsEmptyOnes: boolean,
): boolean {
  if (!sameAddress(from?.address, address) && !sameAddress(to?.address, address)) return false;
  return holdsEmptyOnes || hasAmount(value);
}

function hasAmount(value: string | undefined): boolean {
  const amount = value === undefined ? null : parseInteger(value);
  return amount !== null && amount > 0n;
}
