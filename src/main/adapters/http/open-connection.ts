import { request, type IncomingMessage } from 'node:http';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectSecurely, type SecureContext } from 'node:tls';
import type { Proxy } from '../../core/ports.ts';
import { ProxyProblem, Untrusted } from './failures.ts';
import { createLookup } from './lookup.ts';

interface Terms {
  /** What the authorities vouch for is trusted. */
  trusted: () => SecureContext;
  signal: AbortSignal;
}

/** How a host is reached, and what proves that it is that host. */
export interface Opening extends Terms {
  target: URL;
  /** Null: directly. */
  proxy: Proxy | null;
  /** SHA-256 of the only certificate that is trusted; null: what the authorities vouch for. */
  certificate: string | null;
  /** The host, or its proxy, has accepted the connection. */
  onReached?: () => void;
}

/** Opens a connection for requests. Nothing is sent to a host before its certificate was found to be right. */
export async function openConnection(opening: Opening): Promise<Socket> {
  const { target, proxy, certificate } = opening;
  const isSecure = target.protocol === 'https:';
  const socket = proxy !== null && !isSecure ? await dialProxy(proxy, opening) : await dialThrough(opening);
  opening.onReached?.();
  return isSecure ? await secure(socket, target, certificate, opening) : socket;
}

/**
 * Throws where no connection to the host can be made. A proxy has to make it: that it is reached itself proves nothing.
 * `isProven`: the certificate of a host with TLS has to be right as well.
 */
export async function tryConnection(opening: Opening, isProven: boolean): Promise<void> {
  const isSecured = isProven && opening.target.protocol === 'https:';
  const socket = await (isSecured ? openConnection(opening) : dialThrough(opening));
  socket.destroy();
}

/** A connection to the host itself, which a proxy passes on unread. */
function dialThrough({ target, proxy, ...terms }: Opening): Promise<Socket> {
  return proxy === null ? dial(target, terms.signal) : openTunnel(target, proxy, terms);
}

const lookup = createLookup();

/**
 * How long one of several addresses of a host is tried before the next. Node's 250 ms give a host far away up for its other
 * address, which may lead nowhere. The first packet is sent again after a second.
 */
const eachAddressMs = 1_500;

function dial(target: URL, signal: AbortSignal): Promise<Socket> {
  const where = { host: hostOf(target), port: Number(portOf(target)) };
  const socket = connectPlain({ ...where, lookup, autoSelectFamilyAttemptTimeout: eachAddressMs });
  return established(socket, 'connect', signal);
}

/** After this, the next one is tried: a proxy is near, and a node is given 3.5 s. */
const proxyAnswersWithinMs = 2_500;

async function dialProxy(proxy: Proxy, terms: Terms): Promise<Socket> {
  const url = new URL(proxy.url);
  const signal = AbortSignal.any([terms.signal, AbortSignal.timeout(proxyAnswersWithinMs)]);
  try {
    const socket = await dial(url, signal);
    return url.protocol === 'https:' ? await secure(socket, url, null, { ...terms, signal }) : socket;
  } catch (cause) {
    const why = cause instanceof Untrusted ? ` ${cause.message}` : '';
    throw new ProxyProblem(`The proxy ${url.host} can’t be reached.${why}`, 'unreachable', cause);
  }
}

/** A connection to the host that its proxy passes on unread. */
async function openTunnel(target: URL, proxy: Proxy, terms: Terms): Promise<Socket> {
  const socket = await dialProxy(proxy, terms);
  const path = `${target.hostname}:${portOf(target)}`;
  const headers = { host: path, ...loginFor(proxy) };
  return await new Promise((resolve, reject) => {
    const { signal } = terms;
    const asked = request({ method: 'CONNECT', path, headers, createConnection: () => socket, signal });
    asked.once('connect', (answer, _, first) => {
      const { statusCode: status = 0 } = answer;
      if (status >= 200 && status <= 299) {
        if (first.length > 0) socket.unshift(first);
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(refusalBy(proxy, answer, target));
    });
    asked.on('error', (cause) => {
      socket.destroy();
      reject(new ProxyProblem(`The proxy ${new URL(proxy.url).host} dropped the connection.`, null, cause));
    });
    asked.end();
  });
}

export function loginFor({ authorization }: Proxy): Record<string, string> {
  return authorization === null ? {} : { 'proxy-authorization': authorization };
}

/** What an answer means that the proxy gave in the place of the host. */
export function refusalBy(
  { url, authorization, isLocked }: Proxy,
  answer: IncomingMessage,
  target: URL,
): ProxyProblem {
  const { statusCode: status = 0, headers } = answer;
  const proxy = `The proxy ${new URL(url).host}`;
  if (status === 407) {
    // Several kinds of login are one text; each begins with its name.
    const kinds = headers['proxy-authenticate'] ?? '';
    return new ProxyProblem(
      kinds !== '' && !/\bbasic\b/i.test(kinds)
        ? `${proxy} needs a login method that Watchkeeper doesn’t support (407, ${/^[\w-]*/.exec(kinds)?.[0]}).`
        : authorization === null
          ? `${proxy} requires a user name and password (407). ${isLocked ? 'This computer’s keychain is locked: unlock it, or enter' : 'Enter'} them in Settings, Network.`
          : `${proxy} doesn’t accept the user name and password (407). Enter others in Settings, Network.`,
    );
  }
  return isGatewayError(status)
    ? new ProxyProblem(`${proxy} couldn’t reach ${target.host} (${status}).`, 'of-host')
    : new ProxyProblem(`${proxy} doesn’t let ${target.host} through (${status}).`);
}

/** The proxy tried, and the host did not answer it. */
export function isGatewayError(status: number): boolean {
  return status >= 502 && status <= 504;
}

async function secure(
  socket: Socket,
  target: URL,
  certificate: string | null,
  { trusted, signal }: Terms,
): Promise<Socket> {
  const host = hostOf(target);
  const secured = connectSecurely({
    socket,
    host,
    servername: isIP(host) === 0 ? host : '',
    secureContext: trusted(),
    ALPNProtocols: ['http/1.1'],
    // Decided below, where the certificate can be told.
    rejectUnauthorized: false,
  });
  await established(secured, 'secureConnect', signal);
  const shown = secured.getPeerX509Certificate()?.fingerprint256 ?? null;
  if (certificate === null ? secured.authorized : shown === certificate) return secured;
  secured.destroy();
  throw new Untrusted(target.host, shown, certificate === null ? codeOf(secured.authorizationError) : null);
}

function established<S extends Socket>(
  socket: S,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<S> {
  return new Promise((resolve, reject) => {
    const stop = (): void => void socket.destroy(new Error('The request was cancelled.'));
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    const settle = (): void => signal.removeEventListener('abort', stop);
    socket.once(event, () => {
      settle();
      resolve(socket);
    });
    // Stays attached, because a destroyed socket may still emit an error, which would end the process.
    socket.on('error', (error) => {
      settle();
      reject(error);
    });
  });
}

/** Sockets need IPv6 addresses without the brackets of URLs. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

export function portOf({ port, protocol }: URL): string {
  return port !== '' ? port : protocol === 'https:' ? '443' : '80';
}

/** Node has a code here, whatever its types say. */
function codeOf(error: unknown): string {
  return error instanceof Error ? ('code' in error ? String(error.code) : error.name) : String(error);
}
