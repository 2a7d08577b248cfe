import { createHash } from 'node:crypto';

/** A folder for what one service has told: its host, so that a person knows it, and a digest, so that it is its own. */
export function serviceFolder(dataUrl: string): string {
  const { hostname } = new URL(dataUrl);
  const digest = createHash('sha256').update(dataUrl).digest('hex').slice(0, 12);
  return `${hostname.replace(/[^a-z0-9.-]/gi, '_')}-${digest}`;
}
