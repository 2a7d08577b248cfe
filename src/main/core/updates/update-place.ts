import { AppFailure } from '../../../shared/errors.ts';
import { parseServiceUrl } from '../../../shared/settings.ts';
import type { UpdateFeed, UpdateObstacle } from '../../../shared/updates.ts';
import { remoteHost } from '../remote-host.ts';

export interface UpdatePlace {
  feed: UpdateFeed;
  host: string;
  /** All that may be asked. */
  origins: readonly string[];
}

/** GitHub answers a request for a file of a release with a redirect to one of the other two. */
const githubOrigins = [
  'https://github.com',
  'https://release-assets.githubusercontent.com',
  'https://objects.githubusercontent.com',
];

/**
 * The place in `app-update.yml`, which electron-builder writes: a line for each field. Null if there is none that the app
 * asks: `https:` anywhere, `http:` on this computer only.
 */
export function parseUpdatePlace(config: string): UpdatePlace | null {
  const lines = config.matchAll(/^(provider|url|owner|repo): *(['"]?)([^'"\r\n]+)\2\r?$/gm);
  const fields = new Map([...lines].map(([, name = '', , value = '']) => [name, value]));
  const [owner, repo] = [fields.get('owner') ?? '', fields.get('repo') ?? ''];
  if (fields.get('provider') === 'github' && /^[\w.-]+ [\w.-]+$/.test(`${owner} ${repo}`))
    return { feed: { provider: 'github', owner, repo }, host: 'github.com', origins: githubOrigins };
  const url = fields.get('provider') === 'generic' ? parseServiceUrl(fields.get('url') ?? '') : null;
  if (url === null || (!url.href.startsWith('https:') && remoteHost(url.href) !== null)) return null;
  const { host, origin } = new URL(url.href);
  return { feed: { provider: 'generic', url: url.href }, host, origins: [origin] };
}

export interface Installation {
  /** The path of the running AppImage. */
  appImage: string | null;
  /** What electron-builder writes into packages of Linux. */
  packageType: string | null;
  /** By somebody whom macOS knows. */
  isSigned: boolean;
}

export function updateObstacle(
  platform: string,
  { appImage, packageType, isSigned }: Installation,
): UpdateObstacle | null {
  if (platform === 'darwin') return isSigned ? null : 'unsigned';
  if (platform === 'win32' || appImage !== null) return null;
  return packageType === null ? 'folder' : 'packages';
}

/** The offered version if it is a release above the running one, else null; throws if it is no version. */
export function newerVersion(offered: unknown, running: string): string | null {
  if (offered === null) return null;
  const version = typeof offered === 'string' ? offered : '';
  const [there, here] = [partsOf(version), partsOf(running)];
  if (there === null || here === null) {
    const message = 'The response doesn’t name a version.';
    throw new AppFailure({ code: 'bad-response', message, issues: [] });
  }
  if (there.isEarly) return null;
  const differing = there.numbers.findIndex((number, index) => number !== here.numbers[index]);
  const isNewer =
    differing < 0 ? here.isEarly : (there.numbers[differing] ?? 0) > (here.numbers[differing] ?? 0);
  return isNewer ? version : null;
}

/** `isEarly`: a version such as 1.0.0-beta.1, which comes before 1.0.0. */
function partsOf(version: string): { numbers: number[]; isEarly: boolean } | null {
  const found = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(-[\w.-]{1,50})?$/.exec(version);
  return found && { numbers: found.slice(1, 4).map(Number), isEarly: found[4] !== undefined };
}
