import { isLoopback } from '../../shared/loopback.ts';
import type { HttpClient } from './ports.ts';

/** Host of a URL; null for this computer and for anything that is not a URL. */
export function remoteHost(url: string): string | null {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return host === '' || isLoopback(host) ? null : host;
}

/** Wraps a client to report every response from another computer. */
export function tellingAnswers(http: HttpClient, onAnswer: () => void): HttpClient {
  return {
    async send(request) {
      const outcome = await http.send(request);
      if (outcome.kind === 'response' && remoteHost(request.url) !== null) onAnswer();
      return outcome;
    },
  };
}
