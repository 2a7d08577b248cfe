import { checkAddress, type AddressCheck } from '../../../../shared/activity/address.ts';
import { refuse } from '../../../../shared/errors.ts';

/** The checksummed spelling of what the user has entered as an address; refuses anything else, in words. */
export function checkedAddress(text: string): string {
  const check = checkAddress(text);
  return check.ok ? check.address : refuse(addressProblem(check));
}

/** Why a text is not taken as an address, in words; with the right spelling where only the checksum is wrong. */
function addressProblem(check: Exclude<AddressCheck, { ok: true }>): string {
  switch (check.reason) {
    case 'empty':
      return 'Enter an address.';
    case 'not-an-address':
      return 'This is not an address: 0x and 40 hexadecimal digits.';
    case 'wrong-checksum':
      return `A character is wrong: upper and lower case do not match. If all digits are right, the address is ${check.checksummed}.`;
  }
}
