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

/** The SQLite driver of the copy for tests, which has none built in, and what it loads. */
const driverOfTests = ['libsql', '@libsql/linux-x64-gnu', '@neon-rs/load', 'detect-libc'];

/** @type {import('electron-builder').Configuration} */
export default {
  appId: 'org.watchkeeper.desktop',
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
    // There are no cookies to be read: what is stored in the profile is encrypted all the same.
    enableCookieEncryption: true,
    // Only the archive that was packed, unchanged (where the system can check it: macOS and Windows).
    onlyLoadAppFromAsar: true,
    enableEmbeddedAsarIntegrityValidation: true,
    // One snapshot serves both kinds of processes, and pages come by app://, never by file://.
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
  },
  linux: {
    target: ['AppImage', 'deb', 'rpm'],
    category: 'Office;Finance;Network;Monitor',
    executableName: 'watchkeeper',
    synopsis: 'Watch blockchain nodes and wallet addresses',
    description: 'Health of your nodes and activity of your addresses, kept on your own computer.',
    maintainer: 'Watchkeeper',
    vendor: 'Watchkeeper',
  },
  deb: {
    depends: ['libgtk-3-0', 'libnss3', 'libsecret-1-0', 'libgbm1', 'libasound2'],
    recommends: ['xdg-utils'],
  },
  rpm: { depends: ['gtk3', 'nss', 'libsecret', 'mesa-libgbm', 'alsa-lib'] },
  mac: {
    target: [{ target: 'dmg', arch: 'universal' }],
    category: 'public.app-category.finance',
    // Both processors' bindings of the keychain are in both halves: nothing is to be merged there.
    x64ArchFiles: '**/node_modules/keytar/prebuilds/**',
    hardenedRuntime: true,
  },
  // On Windows the app itself makes the entry for its links, and resources/installer.nsh takes it away.
  win: { target: ['nsis'] },
  // An update is downloaded whole, so nothing is needed that tells its parts.
  nsis: {
    oneClick: false,
    perMachine: false,
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
