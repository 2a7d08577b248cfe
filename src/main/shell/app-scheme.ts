import { readFile } from 'node:fs/promises';
import { extname, isAbsolute, join, relative, resolve } from 'node:path';
import { protocol, type Session } from 'electron';
import { contentSecurityPolicy } from './content-security-policy.ts';

/** The window's own origin: files of the build under a scheme of our own, so that neither file: nor http: is needed. */
export const appScheme = 'app';
export const appOrigin = 'app://watchkeeper';

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Must run before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    // `standard` gives the scheme an origin; `secure` the platform features that need one.
    { scheme: appScheme, privileges: { standard: true, secure: true, supportFetchAPI: false } },
  ]);
}

/**
 * The file below `rootDir` that an app: URL names, or null when it names another host, leaves the folder, or is
 * spelled so that it could (encoded separators, NUL).
 */
export function resolveAppFile(rootDir: string, url: string): string | null {
  const parsed = new URL(url);
  if (parsed.protocol !== `${appScheme}:` || parsed.host !== 'watchkeeper') return null;
  let path: string;
  try {
    path = decodeURIComponent(parsed.pathname);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
  if (path.includes('\0') || path.includes('\\') || path.split('/').includes('..')) return null;
  const file = resolve(join(rootDir, path === '/' ? 'index.html' : path));
  const inside = relative(rootDir, file);
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) return null;
  return extname(file) in contentTypes ? file : null;
}

/** Serves the build to the session. Every answer carries the content security policy as a header. */
export function serveAppScheme(session: Session, rootDir: string): void {
  session.protocol.handle(appScheme, async (request) => {
    const file = request.method === 'GET' ? resolveAppFile(rootDir, request.url) : null;
    if (file === null) return new Response('Not found', { status: 404 });
    let body: Buffer<ArrayBuffer>;
    try {
      body = await readFile(file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        return new Response('Not found', { status: 404 });
      throw error;
    }
    return new Response(body, {
      headers: {
        'content-type': contentTypes[extname(file)] ?? 'application/octet-stream',
        'content-security-policy': contentSecurityPolicy,
        'x-content-type-options': 'nosniff',
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-cache',
      },
    });
  });
}
