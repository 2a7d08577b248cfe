import { expect, it } from 'vitest';
import { AppFailure } from '../../../shared/errors.ts';
import { updateError } from './update-error.ts';

const log = { info: () => undefined, warn: () => undefined, error: () => 'a-ref' };
const coded = (code: string, message: string) => Object.assign(new Error(message), { code });

it.each([
  [new Error('net::ERR_BLOCKED_BY_CLIENT'), 'not-allowed'],
  [coded('ERR_CHECKSUM_MISMATCH', 'sha512 checksum mismatch, expected a, got b'), 'bad-response'],
  [coded('ERR_UPDATER_INVALID_VERSION', 'no valid semver'), 'bad-response'],
  [coded('ERR_UPDATER_INVALID_UPDATE_INFO', 'Cannot parse: YAMLException, rawData: <html>'), 'bad-response'],
  [new Error('net::ERR_CONNECTION_TIMED_OUT'), 'timeout'],
  [new Error('net::ERR_PROXY_CONNECTION_FAILED'), 'proxy'],
  [new Error('net::ERR_TUNNEL_CONNECTION_FAILED'), 'proxy'],
  [coded('ENOSPC', 'ENOSPC: no space left on device, write'), 'storage'],
  [new Error('net::ERR_NAME_NOT_RESOLVED'), 'unreachable'],
  [new Error('net::ERR_CERT_AUTHORITY_INVALID'), 'unreachable'],
  [new Error('net::ERR_CONNECTION_REFUSED'), 'unreachable'],
  [new Error('Request has been aborted by the server'), 'unreachable'],
  [coded('HTTP_ERROR_503', '503 Service unavailable'), 'upstream'],
  [coded('ERR_UPDATER_CHANNEL_FILE_NOT_FOUND', 'Cannot find latest.yml: HttpError: 404 \n'), 'upstream'],
  [new Error('Cannot download "https://h/x", status 404: Not Found'), 'upstream'],
  // Of GitHub, before the first release, and where a company's proxy answers with a page of its own.
  [coded('ERR_XML_MISSED_ELEMENT', 'No published versions on GitHub'), 'bad-response'],
  [new Error('Unquoted attribute value\nLine: 0\nColumn: 42\nChar: u'), 'bad-response'],
  [
    coded(
      'ERR_UPDATER_INVALID_RELEASE_FEED',
      'Cannot parse releases feed: Error: Unable to find latest version: Error: net::ERR_TIMED_OUT,\nXML:\n<p>sha512, status 404</p>',
    ),
    'timeout',
  ],
  [coded('ERR_UPDATER_INVALID_UPDATE_INFO', 'Cannot parse: YAMLException, rawData: ENOSPC'), 'bad-response'],
  [new TypeError('undefined is not a function'), 'internal'],
  ['a text', 'internal'],
  [new AppFailure({ code: 'bad-response', message: 'No version.', issues: [] }), 'bad-response'],
])('%s is %s, in words of our own', (cause, code) => {
  const error = updateError(cause, 'updates.example', log);
  expect(error.code).toBe(code);
  expect(error.message).not.toMatch(/ERR_|HttpError|rawData|undefined|mismatch/);
});

it('keeps the status', () => {
  const cause = coded('ERR_UPDATER_CHANNEL_FILE_NOT_FOUND', 'Cannot find it: HttpError: 404 \n');
  expect(updateError(cause, 'updates.example', log)).toMatchObject({ code: 'upstream', status: 404 });
});
