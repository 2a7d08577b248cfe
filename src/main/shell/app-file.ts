import { extname, isAbsolute, join, relative, resolve } from 'node:path';

/** The window's own scheme, which avoids file: and http:, and its only host. */
export const appScheme = 'app';
const appHost = 'watchkeeper';
export const appOrigin = `${appScheme}://${appHost}`;

/** Types of the files that may be served. */
export const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/**
 * The file below `rootDir` that an app: URL refers to; null for another host, a path outside the folder, or a spelling
 * that might lead there (encoded separators, NUL).
 */
export function resolveAppFile(rootDir: string, url: string): string | null {
  const parsed = new URL(url);
  if (parsed.protocol !== `${appScheme}:` || parsed.host !== appHost) return null;
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
