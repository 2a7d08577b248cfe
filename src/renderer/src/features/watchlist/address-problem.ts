import type { AddressCheck } from '../../../../shared/activity/address.ts';

/**
 * What to say about a typed address, or null. While it is still being typed an unfinished address is no problem, so
 * those words wait until the field was left or the form was sent.
 */
export function addressProblem(
  check: AddressCheck,
  text: string,
  watched: ReadonlyMap<string, string | null>,
  left: boolean,
): string | null {
  if (check.ok) {
    const label = watched.get(check.address);
    if (label === undefined) return null;
    return label === null
      ? 'This address is already watched.'
      : `This address is already watched, as “${label}”.`;
  }
  switch (check.reason) {
    case 'empty':
      return left ? 'Enter an address.' : null;
    case 'not-an-address':
      return left || text.trim().length >= 42
        ? 'This is not an address: it takes 0x and 40 digits 0–9, a–f.'
        : null;
    case 'wrong-checksum':
      return 'The capital letters do not fit the digits: one of them may be mistyped. Compare it with this:';
  }
}
