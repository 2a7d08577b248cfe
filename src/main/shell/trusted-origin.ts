import { appOrigin } from './app-file.ts';

/**
 * The only origin that the window may show and whose calls are accepted. In development it is the development server;
 * the condition is a constant of the build, so that a built app knows only its own scheme.
 */
export function trustedOrigin(): string {
  const developmentUrl = import.meta.env.DEV ? process.env['ELECTRON_RENDERER_URL'] : undefined;
  return developmentUrl === undefined ? appOrigin : new URL(developmentUrl).origin;
}

/** Origin of a URL. Node's `URL` gives none for the app's own scheme, so it is built from parts. */
function originOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const parsed = new URL(url);
  return parsed.origin === 'null' ? `${parsed.protocol}//${parsed.host}` : parsed.origin;
}

export const isTrustedUrl = (url: string): boolean => originOf(url) === trustedOrigin();
