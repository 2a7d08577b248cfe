// What is packed, and for whom. The runtime is the official one, or, where that cannot be downloaded, the copy for tests: then
// only the folder is packed, to be tried and thrown away (scripts/package.mjs, docs/adr/0003).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const testRuntime = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
/**
 * Where the packed app asks for newer versions: `github:OWNER/NAME`, or an address with the packages and the `latest*.yml` of a
 * release. Without it the app knows no place and asks nobody.
 */
const updatesFrom = process.env['WATCHKEEPER_UPDATES_FROM'] ?? '';
const [, owner = '', repo = ''] = /^github:([^/]+)\/([^/]+)$/.exec(updatesFrom) ?? [];

// Who the project is stands in package.json alone. The id is that of the forge's domain for the owner of the repository.
const { repository } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'));
const [, forgeOwner = '', forgeName = ''] = /([\w-]+)\/([\w-]+)\.git$/.exec(repository.url) ?? [];
export const appId = `io.github.${forgeOwner}.${forgeName}`;
const metainfo = {
  from: join(import.meta.dirname, 'resources', 'metainfo.xml'),
  to: `usr/share/metainfo/${appId}.metainfo.xml`,
};

/** Signing has its places: without their values in the environment packages are made without a certificate. */
const isGiven = (/** @type {string} */ name) => (process.env[name] ?? '') !== '';
const isSignedForMac = isGiven('CSC_LINK') || isGiven('CSC_NAME');
const azure = {
  publisherName: process.env['AZURE_PUBLISHER_NAME'] ?? '',
  endpoint: process.env['AZURE_SIGNING_ENDPOINT'] ?? '',
  certificateProfileName: process.env['AZURE_CERTIFICATE_PROFILE'] ?? '',
  codeSigningAccountName: process.env['AZURE_SIGNING_ACCOUNT'] ?? '',
};

/** @param {string[]} targets @returns {import('electron-builder').TargetConfiguration[]} of both processors */
const forBoth = (targets) => targets.map((target) => ({ target, arch: ['x64', 'arm64'] }));

/** The SQLite driver of the copy for tests, which has none built in, and what it loads. */
const driverOfTests = ['libsql', '@libsql/linux-x64-gnu', '@neon-rs/load', 'detect-libc'];

/** @type {import('electron-builder').Configuration} */
export default {
  appId,
  productName: 'Watchkeeper',
  copyright: 'MIT License',
  directories: { output: 'out/packages', buildResources: 'resources' },
  // What is built has all packages in it but the binding of the keychain, and of that only this system's.
  files: [
    ...['out/main/**', 'out/preload/**', 'out/renderer/**', 'out/sample-data/**', 'package.json', 'LICENSE'],
    ...[
      '!node_modules/**',
      'node_modules/keytar/{package.json,LICENSE*,lib/*.js,prebuilds/${platform}-*/**}',
    ],
    '!out/**/licences.json',
  ],
  extraFiles: [{ from: 'out/notices', to: 'notices' }],
  ...(testRuntime !== undefined && {
    extraResources: driverOfTests.map((name) => ({
      from: `node_modules/${name}`,
      to: `node_modules/${name}`,
    })),
  }),
  // Links that only go somewhere in the app (src/shared/app-link.ts).
  protocols: [{ name: 'Watchkeeper', schemes: ['watchkeeper'] }],
  asar: true,
  // The keychain's binding is loaded from its package as it was built for all versions of Node (docs/adr/0002).
  npmRebuild: false,
  ...(testRuntime !== undefined && {
    electronDist: testRuntime,
    electronVersion: readFileSync(join(testRuntime, 'version'), 'utf8').trim(),
  }),
  electronFuses: {
    // The app is no Node: whoever can start it shall not run scripts by its name and its rights in the keychain.
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    // There are no cookies. Their encryption would ask the system's keychain for a key before the first page is drawn, which
    // waits as long as that is locked.
    enableCookieEncryption: false,
    // Only the archive that was packed, unchanged (where the system can check it: macOS and Windows).
    onlyLoadAppFromAsar: true,
    enableEmbeddedAsarIntegrityValidation: true,
    // One snapshot serves both kinds of processes, and pages come by app://, never by file://.
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
    // Apple's processors run only what is signed, at least ad hoc; the fuses change the program after that.
    resetAdHocDarwinSignature: true,
  },
  // A runtime that needs no libfuse2, and a menu entry without --no-sandbox.
  toolsets: { appimage: '1.0.3' },
  // Without the version, because an update takes the place of the file.
  appImage: { artifactName: '${productName}-${os}-${arch}.${ext}' },
  linux: {
    target: forBoth(['AppImage', 'deb', 'rpm']),
    syncDesktopName: true,
    extraFiles: [metainfo],
    category: 'Office;Finance;Network;Monitor',
    executableName: 'watchkeeper',
    synopsis: 'Watch blockchain nodes and wallet addresses',
    description: 'Health of your nodes and activity of your addresses, kept on your own computer.',
    maintainer: `The Watchkeeper authors <${forgeOwner}@users.noreply.github.com>`,
    vendor: 'Watchkeeper',
  },
  deb: {
    // Since Ubuntu 24.04 and Debian 13 the first is what only older releases have.
    depends: [
      'libgtk-3-0 | libgtk-3-0t64',
      'libnss3',
      'libsecret-1-0',
      'libgbm1',
      'libasound2 | libasound2t64',
    ],
    recommends: ['xdg-utils'],
    fpm: [`${metainfo.from}=/${metainfo.to}`],
  },
  rpm: {
    // By the names of Fedora, and by those of openSUSE.
    depends: [
      ...['(gtk3 or libgtk-3-0)', '(nss or mozilla-nss)', '(libsecret or libsecret-1-0)'],
      ...['(mesa-libgbm or libgbm1)', '(alsa-lib or libasound2)'],
    ],
    fpm: [`${metainfo.from}=/${metainfo.to}`],
  },
  mac: {
    // The second is what an update is made of.
    target: ['dmg', 'zip'].map((target) => ({ target, arch: /** @type {const} */ ('universal') })),
    category: 'public.app-category.finance',
    // An app without a window would sleep, and poll late.
    extendInfo: { LSAppNapIsDisabled: true },
    // Both processors' bindings of the keychain are in both halves: nothing is to be merged there.
    x64ArchFiles: '**/node_modules/keytar/prebuilds/**',
    // Only with a certificate: under the hardened runtime an ad-hoc signed program may not load Electron's own libraries.
    ...(isSignedForMac ? { hardenedRuntime: true } : { identity: '-', hardenedRuntime: false }),
    notarize: isSignedForMac && isGiven('APPLE_API_KEY'),
  },
  // On Windows the app itself makes the entry for its links, and resources/installer.nsh takes it away.
  win: {
    target: forBoth(['nsis']),
    ...(isGiven('AZURE_SIGNING_ENDPOINT') && { azureSignOptions: azure }),
  },
  // An update is downloaded whole, so nothing is needed that tells its parts.
  nsis: {
    oneClick: false,
    perMachine: false,
    buildUniversalInstaller: false,
    allowToChangeInstallationDirectory: true,
    differentialPackage: false,
  },
  artifactName: '${productName}-${version}-${os}-${arch}.${ext}',
  publish:
    updatesFrom === ''
      ? null
      : repo !== ''
        ? { provider: 'github', owner, repo }
        : { provider: 'generic', url: updatesFrom },
};
