// Packages of a folder with the test runtime, to be tried and thrown away.
import { build } from 'electron-builder';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import config, { appId } from '../electron-builder.config.mjs';
import { isOnPath, projectDir, read } from './setup/common.mjs';

const manifest = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8'));

const { linux, deb, rpm } = config;

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
  const files = { recursive: true, verbatimSymlinks: true };
  cpSync(join(out, 'linux-unpacked'), join(root, 'opt', 'Watchkeeper'), files);
  write(
    join(root, 'usr/share/applications/watchkeeper.desktop'),
    `[Desktop Entry]
Type=Application
Name=Watchkeeper
Comment=${linux?.synopsis}
Exec=watchkeeper %U
Icon=watchkeeper
Categories=${linux?.category};
MimeType=x-scheme-handler/watchkeeper;
StartupWMClass=watchkeeper
`,
  );
  const resources = join(projectDir, 'resources');
  cpSync(join(resources, 'metainfo.xml'), join(root, `usr/share/metainfo/${appId}.metainfo.xml`));
  cpSync(join(resources, 'icon.png'), join(root, 'usr/share/icons/hicolor/512x512/apps/watchkeeper.png'));
  mkdirSync(join(root, 'usr/bin'), { recursive: true });
  symlinkSync('/opt/Watchkeeper/watchkeeper', join(root, 'usr/bin/watchkeeper'));
}

/** @param {string} path @param {string} text */
function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** @param {string} out @param {string} root */
function packForDebian(out, root) {
  write(
    join(root, 'DEBIAN/control'),
    `Package: ${manifest.name}
Version: ${manifest.version}
Architecture: amd64
Section: net
Priority: optional
Maintainer: ${linux?.maintainer}
Homepage: ${manifest.homepage}
Depends: ${deb?.depends?.join(', ')}
Recommends: ${deb?.recommends?.join(', ')}
Description: ${linux?.synopsis}
 ${linux?.description}
`,
  );
  const file = join(out, `test-only-${manifest.name}_${manifest.version}_amd64.deb`);
  execFileSync('dpkg-deb', ['--build', '--root-owner-group', '-Znone', root, file], { stdio: 'inherit' });
}

/** Without Fedora's tool there is none. @param {string} out @param {string} root */
function packForFedora(out, root) {
  if (!isOnPath('rpmbuild')) {
    console.log('No rpm, because rpmbuild is not there.');
    return;
  }
  const work = mkdtempSync(join(tmpdir(), 'watchkeeper-rpm-'));
  try {
    const spec = join(work, 'watchkeeper.spec');
    write(
      spec,
      `Name: ${manifest.name}
Version: ${manifest.version}
Release: 1
Summary: ${linux?.synopsis}
License: ${manifest.license}
URL: ${manifest.homepage}
${rpm?.depends?.map((name) => `Requires: ${name}`).join('\n')}
# The app brings its own libraries, which nobody else shall be given.
AutoReqProv: no
%description
${linux?.description}
%files
/*
`,
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
  const found = ['mksquashfs', 'desktop-file-validate'].map((name) => ({
    name,
    path: read('which', [name]),
  }));
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
