import { appOrigin } from './app-file.ts';

/**
 * The one origin that the window may show and that may call us. In development it is the server that rebuilds the
 * window as its sources change; the condition is a constant of the build, so a built app knows only its own scheme.
 */
export function trustedOrigin(): string {
  const developmentUrl = import.meta.env.DEV ? process.env['ELECTRON_RENDERER_URL'] : undefined;
  return developmentUrl === undefined ? appOrigin : new URL(developmentUrl).origin;
}

/** Origin of a URL; schemes of our own have none for Node's `URL`, so it is put together. */
function originOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const parsed = new URL(url);
  return parsed.origin === 'null' ? `${parsed.protocol}//${parsed.host}` : parsed.origin;
}

export function isTrustedUrl(url: string): boolean {
  return originOf(url) === trustedOrigin();
}
