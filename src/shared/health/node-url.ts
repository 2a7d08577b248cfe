import { parseServiceUrl } from '../settings.ts';

/**
 * Normalises a node's URL as typed or pasted: http or https, with or without port and path, without trailing slash and
 * without the path of the health interface. Or says what is wrong with it.
 */
export function parseNodeUrl(input: string): { url: string; problem: null } | { url: null; problem: string } {
  const text = input.trim().replace(/\/ext\/health(\/(health|readiness|liveness))?\/*$/, '');
  const problem = problemOf(text);
  const url = problem === null ? parseServiceUrl(text) : null;
  if (url !== null) return { url: url.href, problem: null };
  return { url: null, problem: problem ?? 'Enter a valid URL.' };
}

function problemOf(text: string): string | null {
  if (text === '') return 'Enter the node’s URL.';
  if (!/^https?:\/\//i.test(text)) return 'Start the URL with http:// or https://.';
  if (/^[^/]*\/\/[^/]*@/.test(text)) {
    return 'Leave out the user name and password: they would be stored and sent unencrypted.';
  }
  if (/[?#]/.test(text)) return 'Leave out “?” or “#” and everything after it.';
  return /\/ext\/health/i.test(text) ? 'Leave out /ext/health: the app adds it.' : null;
}
