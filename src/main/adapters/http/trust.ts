import { readFileSync, statSync } from 'node:fs';
import * as tls from 'node:tls';
import type { Log } from '../../core/ports.ts';

export interface TrustOptions {
  environment: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  log: Log;
}

/** Where distributions of Linux keep the authorities that the system trusts, as one file. */
const linuxBundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/**
 * The authorities whose certificates are accepted: those that come with the app, those of the system, and those of the
 * file that NODE_EXTRA_CA_CERTS names, which Node itself does not read in a packed app. Read with the first need, and
 * again when one of the files has changed.
 */
export function createTrust({ environment, platform, log }: TrustOptions): () => tls.SecureContext {
  const { SSL_CERT_FILE, NODE_EXTRA_CA_CERTS } = environment;
  const bundles = [...(SSL_CERT_FILE ? [SSL_CERT_FILE] : []), ...linuxBundles];
  const system = platform === 'linux' ? bundles : [];
  const extra = NODE_EXTRA_CA_CERTS ? [NODE_EXTRA_CA_CERTS] : [];
  let known: { state: string; context: tls.SecureContext } | null = null;
  return () => {
    const state = [...system, ...extra].map(stateOf).join(' ');
    if (known?.state !== state)
      known = { state, context: tls.createSecureContext({ ca: authorities(system, extra, log) }) };
    return known.context;
  };
}

function stateOf(path: string): string {
  try {
    const { mtimeMs, size } = statSync(path);
    return `${mtimeMs} ${size}`;
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause)) throw cause;
    return '';
  }
}

function authorities(system: readonly string[], extra: readonly string[], log: Log): string[] {
  const ofSystem = firstOf(system);
  const added = firstOf(extra);
  if (extra.length > 0 && added === null) log.warn('trust.extra-unreadable', {});
  const found = [
    ...(ofSystem === null ? systemStore() : certificatesIn(ofSystem)),
    ...certificatesIn(added ?? ''),
  ];
  log.info('trust.read', { found: found.length });
  // Those that cannot be read are passed over.
  return [...new Set([...tls.rootCertificates, ...found])];
}

/** The stores of macOS and Windows. Runtimes before Node 22.15 cannot read them. */
function systemStore(): string[] {
  // A cast, because the types are those of the newest runtime only.
  const { getCACertificates } = tls as Partial<Pick<typeof tls, 'getCACertificates'>>;
  return getCACertificates?.('system') ?? [];
}

/** The first file that can be read. */
function firstOf(paths: readonly string[]): string | null {
  for (const path of paths) {
    try {
      return readFileSync(path, 'utf8');
    } catch (cause) {
      if (!(cause instanceof Error && 'code' in cause)) throw cause;
    }
  }
  return null;
}

function certificatesIn(bundle: string): string[] {
  return bundle.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
}
