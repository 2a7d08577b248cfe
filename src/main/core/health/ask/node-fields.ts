import { refuse } from '../../../../shared/errors.ts';
import { headerNameProblem } from '../../../../shared/header-name.ts';
import { nodeLimits } from '../../../../shared/limits.ts';
import { cleanText } from '../../../../shared/text.ts';
import { certificatePrint } from '../../../../shared/health/certificate.ts';
import { parseNodeUrl } from '../../../../shared/health/node-url.ts';
import type { NodeConfig } from '../../../../shared/health/types.ts';
import type { NodeFields } from '../../../../shared/ipc/contract.ts';

/** Extra request headers as the user entered them; null as a value means "keep the stored one". */
export type HeaderFields = NodeFields['headers'];

/**
 * Validates what the user entered for a node and returns it in canonical form: URL without trailing slash, header
 * names in lower case, tags trimmed and without duplicates. Throws a refusal that names the field.
 */
export function checkNodeFields(
  fields: NodeFields,
  ownId: string | null,
  others: Iterable<Pick<NodeConfig, 'id' | 'name' | 'url'>>,
): NodeFields {
  const url = parseNodeUrl(fields.url);
  if (url.problem !== null) refuse(url.problem, 'url');
  for (const other of others) {
    if (other.url === url.url && other.id !== ownId)
      refuse(`You’re already watching this address as “${other.name}”.`, 'url');
  }
  const name = fields.name.trim();
  return {
    ...fields,
    name: cleanText(name === '' ? url.url.replace(/^https?:\/\//, '') : name, nodeLimits.name),
    url: url.url,
    tags: checkTags(fields.tags),
    headers: checkHeaders(fields.headers),
    certificate: checkCertificate(fields.certificate, url.url),
  };
}

/** Returns its SHA-256. */
export function checkCertificate(given: string | null, url: string): string | null {
  if (given === null || given.trim() === '') return null;
  const print = certificatePrint(given);
  if (print === null)
    refuse('Enter a certificate (PEM) or its SHA-256 fingerprint: 64 hexadecimal digits.', 'certificate');
  if (!url.startsWith('https:')) refuse('Only an https:// address has a certificate.', 'certificate');
  return print;
}

function checkTags(given: readonly string[]): string[] {
  const tags = [...new Set(given.map((tag) => tag.trim()).filter((tag) => tag !== ''))];
  const odd = tags.find((tag) => !/^[\x21-\x7e]+$/.test(tag));
  if (odd === undefined) return tags;
  refuse('A subnet ID can contain only letters and digits.', 'tags');
}

/** Names must be token characters and unique, values visible ASCII without line breaks. */
export function checkHeaders(given: HeaderFields): HeaderFields {
  const headers: HeaderFields = [];
  for (const { name: givenName, value: givenValue } of given) {
    const name = givenName.trim().toLowerCase();
    const problem = headerNameProblem(name);
    if (problem === 'malformed')
      refuse('A header name can contain letters, digits and hyphens, but no spaces.', 'headers');
    if (problem === 'own') refuse(`Remove the header “${name}”: the app sets it itself.`, 'headers');
    if (headers.some((header) => header.name === name))
      refuse(`The header “${name}” is listed twice.`, 'headers');
    const value = givenValue === null ? null : givenValue.replace(/^[ \t]+|[ \t]+$/g, '');
    if (value === '') refuse(`The header “${name}” has no value.`, 'headers');
    // Anything else could inject a second header.
    if (value !== null && !/^[\x20-\x7e\t]{1,8192}$/.test(value)) {
      refuse(
        `The value of the header “${name}” can contain only ASCII characters and no line breaks.`,
        'headers',
      );
    }
    headers.push({ name, value });
  }
  return headers;
}
