import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { protocol, type Session } from 'electron';
import { appScheme, contentTypes, resolveAppFile } from './app-file.ts';
import { contentSecurityPolicy } from './content-security-policy.ts';

/** Must run before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    // `standard` gives the scheme an origin; `secure` the platform features that need one; `codeCache` keeps the compiled
    // script for the next start.
    {
      scheme: appScheme,
      privileges: { standard: true, secure: true, supportFetchAPI: false, codeCache: true },
    },
  ]);
}

/** Serves the build's files to the session, with the content security policy as a header. */
export function serveAppScheme(session: Session, rootDir: string): void {
  session.protocol.handle(appScheme, async (request) => {
    const file = request.method === 'GET' ? resolveAppFile(rootDir, request.url) : null;
    if (file === null) return new Response('Not found', { status: 404 });
    let body: Buffer<ArrayBuffer>;
    try {
      body = await readFile(file);
    } catch (error) {
      // Node's file functions reject with this type.
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
