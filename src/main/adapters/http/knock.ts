import { connect } from 'node:net';
import type { HttpFailure, Knock } from '../../core/ports.ts';
import { failureOfCode } from './failures.ts';

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** The `Knock` port on TCP. */
export const knock: Knock = (url, timeoutMs, signal) =>
  new Promise((resolve) => {
    const { hostname, port, protocol } = new URL(url);
    // A socket wants an IPv6 address without the brackets that a URL needs.
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ host, port: port === '' ? (defaultPorts[protocol] ?? 80) : Number(port) });
    const end = (failure: HttpFailure | null): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      resolve(failure);
    };
    const onAbort = (): void => end('cancelled');
    const timer = setTimeout(() => end('timeout'), timeoutMs);
    socket.once('connect', () => end(null));
    // Stays, because a socket that is destroyed may still report an error, which would end the process.
    socket.on('error', (cause: NodeJS.ErrnoException) => end(failureOfCode(cause.code)));
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  });
