import { isLoopback } from '../../shared/loopback.ts';

/** Host of a URL; null for this computer and for anything that is not a URL. */
export function remoteHost(url: string): string | null {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return host === '' || isLoopback(host) ? null : host;
}
