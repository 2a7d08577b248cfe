/** The states that are known; the set is open, and an unknown one is shown as it came. */
const words: Readonly<Record<string, string>> = {
  INDEXED: 'Metadata indexed',
  UNINDEXED: 'Metadata not indexed yet',
  UNKNOWN: 'Metadata state unknown',
  MISSING_TOKEN: 'The contract knows no such token',
  INVALID_TOKEN_URI: 'The token’s URI is not valid',
  INVALID_TOKEN_URI_SCHEME: 'The token’s URI has a scheme that is not read',
  UNREACHABLE_TOKEN_URI: 'The token’s metadata could not be reached',
  THROTTLED_TOKEN_URI: 'The host of the metadata asked to wait',
  METADATA_CONTENT_TOO_LARGE: 'The metadata is too large',
  INVALID_METADATA: 'The metadata is not valid',
  INVALID_METADATA_JSON: 'The metadata is not valid JSON',
};

/** How far the service has read the metadata of a token, in words. Spelled in any case (facts §2). */
export function indexStatusWords(status: string | undefined): string {
  if (status === undefined) return 'No word about its metadata';
  return words[status.toUpperCase()] ?? `Metadata: ${status}`;
}
