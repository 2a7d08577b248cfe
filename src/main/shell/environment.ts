import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';

/** Windows finds the program of a notification by it; the package gives its shortcuts the same (`appId`). */
export const appUserModelId = 'io.github.watchkeeper.watchkeeper';

/** Removes the variable by which Node accepts any certificate. What to tell the user; null if unset. */
export function requireCertificates(environment: NodeJS.ProcessEnv): string | null {
  if (environment['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0') return null;
  delete environment['NODE_TLS_REJECT_UNAUTHORIZED'];
  return 'Watchkeeper was started with NODE_TLS_REJECT_UNAUTHORIZED=0, which would let any server pose as your service or node. Watchkeeper ignores this variable and still checks certificates.';
}

/** What to tell the user of an installed app that was started without Chromium's sandbox; null when it has it. */
export function sandboxNotice(app: { isPackaged: boolean }, hasSandbox: boolean): string | null {
  if (!app.isPackaged || hasSandbox) return null;
  return 'Watchkeeper is running without its sandbox, so a flaw in page rendering could expose your files. Start Watchkeeper without --no-sandbox, and not as root. An AppImage runs without the sandbox on systems that don’t allow user namespaces: use the deb or rpm package there.';
}

/** Has Node look up the computer's time zone again, which it keeps from its start: a laptop travels. One that was given stays. */
export function lookUpTimeZone(environment: NodeJS.ProcessEnv): void {
  if (environment['TZ'] !== undefined) return;
  // Any change of the variable does it.
  environment['TZ'] = '';
  delete environment['TZ'];
}

/** The file of the running AppImage, which an update replaces; null where the variables are of one that started this program. */
export function ownAppImage(
  { APPIMAGE, APPDIR }: Readonly<Record<string, string | undefined>>,
  program: string,
): string | null {
  if (!APPIMAGE || !APPDIR || !existsSync(APPDIR)) return null;
  const inside = relative(realpathSync(APPDIR), program);
  return inside.startsWith('..') || isAbsolute(inside) ? null : APPIMAGE;
}
