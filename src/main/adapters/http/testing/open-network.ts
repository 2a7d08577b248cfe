import { createSecureContext } from 'node:tls';
import type { Network } from '../transport.ts';

/** Allows all requests, without proxies, for tests and benchmarks of other things. */
export const openNetwork: Network = {
  gate: { refusal: () => null },
  proxies: { proxiesFor: async () => [null], missed: () => undefined },
  trusted: () => createSecureContext(),
};
