import { err, ok, type Result } from '../../../shared/errors.ts';
import { parseServiceUrl } from '../../../shared/settings.ts';

/**
 * Base URL of a node as it is stored, without trailing slash, from what a person typed or pasted: http or https, with or
 * without port and path. The path of the health interface itself is taken off.
 */
export function parseNodeUrl(input: string): Result<string> {
  const text = input.trim();
  if (text === '') return refused('The address of the node is missing.');
  const url = parseServiceUrl(text.replace(/\/ext\/health(\/(health|readiness|liveness)?)?$/, ''));
  if (url !== null) return ok(url.href);
  if (!/^https?:\/\//i.test(text)) {
    return refused('The address must begin with http:// or https://, for example http://127.0.0.1:9650.');
  }
  if (/[?#]/.test(text)) return refused('The address must not have a query (?) or a fragment (#).');
  if (/^[^/]*\/\/[^/]*@/.test(text)) return refused('The address must not hold a user name or password.');
  return refused('This is not an address of a server. An example is http://127.0.0.1:9650.');
}

function refused(message: string): Result<never> {
  return err({ code: 'invalid-params', message, issues: ['url'] });
}
