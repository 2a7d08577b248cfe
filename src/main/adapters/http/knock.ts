import { validateHeaderName, validateHeaderValue } from 'node:http';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Knock } from '../../core/ports.ts';

/** Of an answer no more is read than its status, `HTTP/1.1 200`. */
const statusLength = 12;
/** What a proxy says when it does not get through. */
const proxyStatus = /^HTTP\/1\.[01] 50[234]/;

/**
 * The `Knock` port. The request is written by hand, because the clients of Node take two to five times as long for it, and
 * two hundred nodes are knocked at twenty times a second.
 */
export const knock: Knock = ({ url, headers, timeoutMs, signal }) =>
  new Promise((resolve) => {
    const text = requestOf(new URL(url), headers);
    if (text === null || signal.aborted) {
      resolve(false);
      return;
    }
    const socket = open(new URL(url));
    let answer = '';
    const end = (isThere: boolean): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      resolve(isThere);
    };
    const onAbort = (): void => end(false);
    const timer = setTimeout(onAbort, timeoutMs);
    signal.addEventListener('abort', onAbort);
    socket.setEncoding('latin1');
    socket.on('data', (piece: string) => {
      answer += piece;
      // Whoever says something else than HTTP is there as well; what it is, a poll tells.
      if (answer.length >= statusLength) end(!proxyStatus.test(answer));
    });
    socket.once('end', () => end(answer !== '' && !proxyStatus.test(answer)));
    // Stays, because a socket that is destroyed may still report an error, which would end the process.
    socket.on('error', () => end(false));
    socket.write(text);
  });

function open({ hostname, port, protocol }: URL): Socket {
  // A socket wants an IPv6 address without the brackets that a URL needs.
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol !== 'https:') return connectPlain({ host, port: port === '' ? 80 : Number(port) });
  return connectTls({
    host,
    port: port === '' ? 443 : Number(port),
    // An IP address may not stand there.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ['http/1.1'],
  });
}

/** The request as it is sent; null when a header could mean another one. */
function requestOf(
  { host, pathname, search }: URL,
  headers: Readonly<Record<string, string>>,
): string | null {
  const lines = [`GET ${pathname}${search} HTTP/1.1`, `host: ${host}`, 'connection: close'];
  try {
    for (const [name, value] of Object.entries(headers)) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
      lines.push(`${name}: ${value}`);
    }
  } catch {
    return null;
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}
