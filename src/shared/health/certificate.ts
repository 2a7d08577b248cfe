import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

// Exists in all runtimes that use this folder, but in none of the type libraries it may include.
declare const atob: (base64: string) => string;

/**
 * The SHA-256 of a certificate, as `AB:CD:…`: of one in PEM, of which the first counts, or as it is written itself, with or
 * without colons. Null if it is neither.
 */
export function certificatePrint(text: string): string | null {
  const [, pem] = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/.exec(text) ?? [];
  if (pem !== undefined) return printOf(pem.replace(/\s/g, ''));
  const digits = text
    .trim()
    .replace(/^sha-?256( fingerprint)?[=:\s]+/i, '')
    .replace(/[:\s]/g, '');
  return /^[0-9a-f]{64}$/i.test(digits) ? withColons(digits) : null;
}

function printOf(base64: string): string | null {
  // As `atob` wants it; otherwise it throws.
  if (!/^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(base64)) return null;
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return withColons(bytesToHex(sha256(bytes)));
}

const withColons = (digits: string): string => digits.toUpperCase().match(/../g)?.join(':') ?? '';
