import { appOrigin } from './app-file.ts';

/**
 * The only origin that the window may show and whose calls are accepted. In development it is the development server;
 * the condition is a constant of the build, so that a built app knows only its own scheme.
 */
export function trustedOrigin(): string {
  const developmentUrl = import.meta.env.DEV ? process.env['ELECTRON_RENDERER_URL'] : undefined;
  return developmentUrl === undefined ? appOrigin : new URL(developmentUrl).origin;
}

export function isTrustedUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { origin, protocol, host } = new URL(url);
  // Node's `URL` gives no origin for the app's own scheme, so it is built from parts.
  return (origin === 'null' ? `${protocol}//${host}` : origin) === trustedOrigin();
}
