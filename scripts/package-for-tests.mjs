// Packages of a folder with the test runtime, to be tried and thrown away.
import { build } from 'electron-builder';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import config, { appId } from '../electron-builder.config.mjs';
import { projectDir } from './setup/common.mjs';

const manifest = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8'));

/** The packages that a system installs, made with its own tools. @param {string} out */
export function packForSystems(out) {
  const root = join(out, 'root');
  layOut(out, root);
  packForFedora(out, root);
  packForDebian(out, root);
  rmSync(root, { recursive: true });
}

/** The files as they are installed. @param {string} out @param {string} root */
function layOut(out, root) {
  const app = join(root, 'opt', 'Watchkeeper');
  cpSync(join(out, 'linux-unpacked'), app, { recursive: true, verbatimSymlinks: true });
  write(
    root,
    'usr/share/applications/watchkeeper.desktop',
    `${[
      '[Desktop Entry]',
      'Type=Application',
      'Name=Watchkeeper',
      `Comment=${config.linux?.synopsis ?? ''}`,
      'Exec=watchkeeper %U',
      'Icon=watchkeeper',
      `Categories=${config.linux?.category ?? ''};`,
      'MimeType=x-scheme-handler/watchkeeper;',
      'StartupWMClass=watchkeeper',
    ].join('\n')}\n`,
  );
  write(
    root,
    `usr/share/metainfo/${appId}.metainfo.xml`,
    readFileSync(join(projectDir, 'resources', 'metainfo.xml'), 'utf8'),
  );
  const icons = join(root, 'usr/share/icons/hicolor/512x512/apps');
  mkdirSync(icons, { recursive: true });
  cpSync(join(projectDir, 'resources', 'icon.png'), join(icons, 'watchkeeper.png'));
  mkdirSync(join(root, 'usr/bin'), { recursive: true });
  symlinkSync('/opt/Watchkeeper/watchkeeper', join(root, 'usr/bin/watchkeeper'));
}

/** @param {string} root @param {string} path @param {string} text */
function write(root, path, text) {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** @param {string} out @param {string} root */
function packForDebian(out, root) {
  write(
    root,
    'DEBIAN/control',
    `${[
      `Package: ${manifest.name}`,
      `Version: ${manifest.version}`,
      'Architecture: amd64',
      'Section: net',
      'Priority: optional',
      `Maintainer: ${config.linux?.maintainer ?? ''}`,
      `Homepage: ${manifest.homepage}`,
      `Depends: ${config.deb?.depends?.join(', ') ?? ''}`,
      `Recommends: ${config.deb?.recommends?.join(', ') ?? ''}`,
      `Description: ${config.linux?.synopsis ?? ''}`,
      ` ${config.linux?.description ?? ''}`,
    ].join('\n')}\n`,
  );
  const file = join(out, `test-only-${manifest.name}_${manifest.version}_amd64.deb`);
  execFileSync('dpkg-deb', ['--build', '--root-owner-group', '-Znone', root, file], { stdio: 'inherit' });
}

/** Without Fedora's tool there is none. @param {string} out @param {string} root */
function packForFedora(out, root) {
  if (spawnSync('which', ['rpmbuild']).status !== 0) {
    console.log('No rpm, because rpmbuild is not there.');
    return;
  }
  const work = mkdtempSync(join(tmpdir(), 'watchkeeper-rpm-'));
  try {
    write(
      work,
      'watchkeeper.spec',
      `${[
        `Name: ${manifest.name}`,
        `Version: ${manifest.version}`,
        'Release: 1',
        `Summary: ${config.linux?.synopsis ?? ''}`,
        `License: ${manifest.license}`,
        `URL: ${manifest.homepage}`,
        ...(config.rpm?.depends ?? []).map((name) => `Requires: ${name}`),
        // The app brings its own libraries, which nobody else shall be given.
        'AutoReqProv: no',
        '%description',
        config.linux?.description ?? '',
        '%files',
        '/*',
      ].join('\n')}\n`,
    );
    const settings = {
      _topdir: join(work, 'top'),
      _rpmdir: out,
      _rpmfilename: `test-only-${manifest.name}-%{VERSION}.x86_64.rpm`,
      // As it is: neither stripped nor compressed.
      ...{ __os_install_post: '%{nil}', _build_id_links: 'none', _binary_payload: 'w0.gzdio' },
    };
    const defined = Object.entries(settings).flatMap(([name, value]) => ['--define', `${name} ${value}`]);
    // It empties the folder that it is given.
    cpSync(root, join(work, 'root'), { recursive: true, verbatimSymlinks: true });
    const spec = join(work, 'watchkeeper.spec');
    execFileSync(
      'rpmbuild',
      ['-bb', '--quiet', '--target', 'x86_64', '--buildroot', join(work, 'root'), ...defined, spec],
      { stdio: 'inherit' },
    );
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** The length of the runtime below, filled up with spaces. */
const runtimeBytes = 4096;

/** Does what a test needs of the runtime of an AppImage, which cannot be downloaded everywhere. */
const runtime = `#!/bin/sh
case "$1" in
  --appimage-offset) echo ${runtimeBytes}; exit;;
  --appimage-extract-and-run) shift;;
esac
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unsquashfs -quiet -no-progress -offset ${runtimeBytes} -dest "$dir/app" "$0" > /dev/null
APPIMAGE=$(readlink -f "$0") APPDIR="$dir/app" "$dir/app/AppRun" "$@"
exit $?
`;

/** Makes an AppImage as for users, but with the runtime above. Without Debian's tools for it there is none. @param {string} out */
export async function packAppImage(out) {
  const found = ['mksquashfs', 'desktop-file-validate'].map((name) => {
    const { stdout, status } = spawnSync('which', [name], { encoding: 'utf8' });
    return { name, path: status === 0 ? stdout.trim() : null };
  });
  const missing = found.filter(({ path }) => path === null);
  if (missing.length > 0) {
    console.log(`No AppImage, because ${missing.map(({ name }) => name).join(' and ')} are not there.`);
    return;
  }
  const tools = mkdtempSync(join(tmpdir(), 'watchkeeper-appimage-tools-'));
  try {
    for (const { name, path } of found) if (path !== null) symlinkSync(path, join(tools, name));
    for (const folder of ['runtimes', 'lib/x64']) mkdirSync(join(tools, folder), { recursive: true });
    writeFileSync(join(tools, 'runtimes', 'runtime-x64'), runtime.padEnd(runtimeBytes));
    process.env['APPIMAGE_TOOLS_PATH'] = tools;
    await build({
      config: {
        ...structuredClone(config),
        appImage: { artifactName: `test-only-${manifest.name}.AppImage` },
      },
      ...{ projectDir, publish: 'never', prepackaged: join(out, 'linux-unpacked') },
      ...{ linux: ['AppImage'], x64: true },
    });
  } finally {
    rmSync(tools, { recursive: true });
  }
}
