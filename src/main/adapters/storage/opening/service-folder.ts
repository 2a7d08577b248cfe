import { createHash } from 'node:crypto';

/** Name of a service's folder: its host, so that people recognise it, and a digest that makes it unique. */
export function serviceFolder(dataUrl: string): string {
  const { hostname } = new URL(dataUrl);
  const digest = createHash('sha256').update(dataUrl).digest('hex').slice(0, 12);
  return `${hostname.replace(/[^a-z0-9.-]/gi, '_')}-${digest}`;
}
