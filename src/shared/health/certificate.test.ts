import { expect, it } from 'vitest';
import { authority, companyCertificate } from '../../main/adapters/http/testing/certificates.ts';
import { certificatePrint } from './certificate.ts';

// As `openssl x509 -noout -fingerprint -sha256` says it.
const print =
  '19:39:F2:C0:4D:76:16:5A:ED:01:6A:2D:71:06:4A:ED:26:21:B4:FE:33:DE:81:92:99:B0:92:DE:DE:66:F6:21';

it.each([
  ['PEM', companyCertificate.cert],
  ['PEM in one line, as a field of one line makes it', companyCertificate.cert.replaceAll('\n', '')],
  ['a chain, whose first it is', `Subject: x\n${companyCertificate.cert}\n${authority}`],
  ['its SHA-256', print],
  ['the line that openssl prints', `sha256 Fingerprint=${print}\n`],
  ['lower case without colons', print.replaceAll(':', '').toLowerCase()],
])('a certificate is known from %s', (_what, text) => {
  expect(certificatePrint(text)).toBe(print);
});

it.each([
  ['nothing', ''],
  ['a key', companyCertificate.key],
  ['a print by SHA-1', print.slice(0, 59)],
  ['letters', print.replace('19', 'XY')],
  ['PEM that is cut', companyCertificate.cert.replace(/\S\s*-----END/, '-----END')],
])('nothing is made of %s', (_what, text) => {
  expect(certificatePrint(text)).toBeNull();
});
