import { AppFailure, errorOf, type AppError } from '../../../shared/errors.ts';
import type { Log } from '../ports.ts';

const noList = (host: string): string => `The response from ${host} doesn’t describe a version of the app.`;

/** Signs in an error of electron-updater, of Chromium's network (`net::ERR_…`) or of the disk, and what each means. */
const meanings: readonly (readonly [sign: RegExp, code: SimpleCode, message: (host: string) => string])[] = [
  [
    /ERR_BLOCKED_BY_CLIENT/,
    'not-allowed',
    (host) => `${host} redirected to another server, or updates are switched off.`,
  ],
  [
    /CHECKSUM|sha512/i,
    'bad-response',
    () => 'The download didn’t match its published checksum, so the app deleted it.',
  ],
  [/YAMLException/, 'bad-response', noList],
  [/ERR_PROXY|ERR_TUNNEL/, 'proxy', () => 'The proxy didn’t forward the request. See Settings, Network.'],
  [/TIMED_OUT|timed out/, 'timeout', (host) => `${host} didn’t respond in time.`],
  [/ENOSPC|EACCES|EROFS|EPERM|ENOENT|EDQUOT/, 'storage', () => 'The app couldn’t save the download.'],
  [/ERR_NAME_NOT_RESOLVED/, 'unreachable', (host) => `The app couldn’t resolve the host name ${host}.`],
  [/ERR_CERT|ERR_SSL/, 'unreachable', (host) => `The secure connection to ${host} failed.`],
  [/net::|aborted/, 'unreachable', (host) => `The app couldn’t reach ${host}.`],
  // After these, which it may wrap; its parser of XML says where it stopped.
  [/ERR_UPDATER_|ERR_XML_|\nLine: \d+\nColumn: /, 'bad-response', noList],
];

type SimpleCode = 'not-allowed' | 'timeout' | 'storage' | 'unreachable' | 'proxy' | 'bad-response';

/** Converts what the updater threw. Its own text is never passed on: it may quote what a stranger wrote. */
export function updateError(cause: unknown, host: string, log: Log): AppError {
  if (cause instanceof AppFailure || !(cause instanceof Error)) return defect(cause, log);
  const whole = `${'code' in cause ? String(cause.code) : ''} ${cause.name} ${cause.message}`;
  const text = whole.replace(/,\s(?:rawData|XML):.*/s, '');
  const status = /HTTP_ERROR_(\d{3})\b|HttpError: (\d{3})\b|, status (\d{3})\b/.exec(text);
  if (status !== null) {
    const message = `${host} doesn’t have the file or refused to send it.`;
    return { code: 'upstream', message, status: Number(status[1] ?? status[2] ?? status[3]) };
  }
  const meaning = meanings.find(([sign]) => sign.test(text));
  if (meaning === undefined) return defect(cause, log);
  const [, code, words] = meaning;
  const message = words(host);
  return code === 'bad-response' ? { code, message, issues: [] } : { code, message };
}

const defect = (cause: unknown, log: Log): AppError =>
  errorOf(cause, log, 'updates.failed', 'The update failed.');
