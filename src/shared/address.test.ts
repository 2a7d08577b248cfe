import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkAddress, toChecksumAddress } from './address.ts';

/** The examples of EIP-55. */
const checksummed = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];

describe('checkAddress', () => {
  it.each(checksummed)('accepts %s in its own, lower and upper case', (address) => {
    for (const text of [
      address,
      address.toLowerCase(),
      `0x${address.slice(2).toUpperCase()}`,
      ` ${address}\n`,
    ]) {
      expect(checkAddress(text)).toEqual({ ok: true, address });
    }
  });

  it('finds every single digit whose case is wrong, and offers the right spelling', () => {
    const [, , , , address = ''] = checksummed;
    for (let i = 2; i < address.length; i += 1) {
      const digit = address.charAt(i);
      const other = digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase();
      if (other === digit) continue;
      const wrong = address.slice(0, i) + other + address.slice(i + 1);
      expect(checkAddress(wrong)).toEqual({ ok: false, reason: 'wrong-checksum', checksummed: address });
    }
  });

  it.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['0x', 'not-an-address'],
    ['52908400098527886E0F7030069857D2E4169EE7', 'not-an-address'],
    ['0x52908400098527886E0F7030069857D2E4169EE', 'not-an-address'],
    ['0x52908400098527886E0F7030069857D2E4169EE70', 'not-an-address'],
    ['0x5290840009852788 E0F7030069857D2E4169EE7', 'not-an-address'],
    ['0xg2908400098527886E0F7030069857D2E4169EE7', 'not-an-address'],
    ['alice.eth', 'not-an-address'],
  ])('refuses %j', (text, reason) => {
    expect(checkAddress(text)).toEqual({ ok: false, reason });
  });

  it('accepts its own spelling of any address', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9a-f]{40}$/), (digits) => {
        const address = toChecksumAddress(`0x${digits}`);
        expect(checkAddress(address)).toEqual({ ok: true, address });
      }),
    );
  });
});
