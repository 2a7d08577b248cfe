import { checkAddress } from '../../../shared/address.ts';

/** What can be looked up at the service without being watched. */
export type LookupSubject =
  /** The lookup form, with the text in its field. */
  | { kind: 'form'; text: string; chainId: string | null }
  | { kind: 'address'; chainId: string; address: string }
  /** `blockId` is a number or a hash. */
  | { kind: 'block'; chainId: string; blockId: string }
  | { kind: 'transaction'; chainId: string; txHash: string };

export type NamedSubject = 'address' | 'block' | 'transaction';

/** What a text can identify: for 32 bytes two subjects, because blocks and transactions both have such hashes. */
export function subjectsNamed(text: string): {
  kinds: NamedSubject[];
  value: string;
  problem: string | null;
} {
  const value = text.trim();
  const digits = ungrouped(value);
  if (/^\d{1,18}$/.test(digits)) {
    return { kinds: ['block'], value: BigInt(digits).toString(), problem: null };
  }
  if (/^0x[0-9a-fA-F]{64}$/.test(value)) {
    return { kinds: ['transaction', 'block'], value: value.toLowerCase(), problem: null };
  }
  const check = checkAddress(value);
  if (check.ok) return { kinds: ['address'], value: check.address, problem: null };
  if (check.reason === 'wrong-checksum') {
    const problem = `Wrong checksum: a character may be mistyped. If only the capitalisation is wrong, the correct address is ${check.checksummed}.`;
    return { kinds: [], value, problem };
  }
  return {
    kinds: [],
    value,
    problem:
      value === ''
        ? null
        : 'An address has 40 digits after 0x, a hash has 64, and a block number is all digits.',
  };
}

/** Without the marks between groups of digits, in any notation in which the window may have written them. */
export function ungrouped(text: string): string {
  return text.replaceAll(/^\d{1,3}(?:[.'’\s]\d{3})+$/.test(text) ? /\D/g : ',', '');
}
