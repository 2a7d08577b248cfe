import { readFileSync } from 'node:fs';
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
 * file that NODE_EXTRA_CA_CERTS names, which Node itself does not read in a packed app. Read once, with the first need.
 */
export function createTrust(options: TrustOptions): () => tls.SecureContext {
  let context: tls.SecureContext | null = null;
  return () => (context ??= tls.createSecureContext({ ca: authorities(options) }));
}

function authorities({ environment, platform, log }: TrustOptions): string[] {
  const { SSL_CERT_FILE, NODE_EXTRA_CA_CERTS } = environment;
  const system =
    platform === 'linux' ? firstOf([...(SSL_CERT_FILE ? [SSL_CERT_FILE] : []), ...linuxBundles]) : null;
  const extra = NODE_EXTRA_CA_CERTS ? firstOf([NODE_EXTRA_CA_CERTS]) : '';
  if (extra === null) log.warn('trust.extra-unreadable', {});
  const found = [
    ...(system === null ? systemStore() : certificatesIn(system)),
    ...certificatesIn(extra ?? ''),
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
