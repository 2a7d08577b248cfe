// Packages for other systems cannot be made here; what is said of them in the configuration is read back.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

const project = path.resolve(import.meta.dirname, '..');
const textOf = (name: string) => readFileSync(path.join(project, name), 'utf8');

/** What a module of the project has, in an environment of its own. */
function ask(module: string, expression: string, env: Record<string, string> = {}): unknown {
  const url = pathToFileURL(path.join(project, module)).href;
  const code = `const it = await import(${JSON.stringify(url)}); console.log(JSON.stringify(${expression}));`;
  const told = execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
    encoding: 'utf8',
    env,
  });
  return JSON.parse(told);
}

const configWith = (env: Record<string, string> = {}) =>
  ask('electron-builder.config.mjs', 'it.default', env);
const config = configWith();
const forBoth = (names: string[]) => names.map((target) => ({ target, arch: ['x64', 'arm64'] }));

it('the app tells Windows the id that its shortcuts have', () => {
  expect(ask('electron-builder.config.mjs', 'it.appId')).toBe(
    ask('src/main/shell/environment.ts', 'it.appUserModelId'),
  );
});

describe('packages of Linux', () => {
  it('are made for both processors; the AppImage needs no libfuse2 and does not give up the sandbox', () => {
    expect(config).toMatchObject({
      toolsets: { appimage: '1.0.3' },
      linux: { target: forBoth(['AppImage', 'deb', 'rpm']), syncDesktopName: true },
    });
    expect(JSON.stringify(config)).not.toContain('no-sandbox');
    expect(JSON.stringify(config)).not.toContain('executableArgs');
  });

  it('keep the name of an AppImage, which an update replaces', () => {
    expect(config).toMatchObject({ appImage: { artifactName: expect.not.stringContaining('version') } });
  });

  it('name libraries as Fedora and as openSUSE do', () => {
    expect(config).toMatchObject({
      rpm: { depends: expect.arrayContaining(['(nss or mozilla-nss)', '(alsa-lib or libasound2)']) },
    });
  });
});

it('cookies, of which there are none, are not encrypted, so that no keychain is asked before the first page', () => {
  expect(config).toMatchObject({ electronFuses: { enableCookieEncryption: false } });
});

it('macOS does not let the app sleep while it polls without a window', () => {
  expect(config).toMatchObject({ mac: { extendInfo: { LSAppNapIsDisabled: true } } });
});

describe('signatures', () => {
  it('are ad hoc on macOS without a certificate, after the fuses, without what forbids foreign libraries', () => {
    for (const env of [{}, { CSC_LINK: '', APPLE_API_KEY: '', AZURE_SIGNING_ENDPOINT: '' }]) {
      expect(configWith(env)).toMatchObject({
        electronFuses: { resetAdHocDarwinSignature: true },
        mac: { identity: '-', hardenedRuntime: false, notarize: false },
      });
      expect(configWith(env)).not.toHaveProperty('win.azureSignOptions');
    }
  });

  it('are those of a developer, notarised, where there is a certificate', () => {
    const signed = configWith({ CSC_LINK: 'a-certificate', APPLE_API_KEY: 'key.p8' });
    expect(signed).toMatchObject({ mac: { hardenedRuntime: true, notarize: true } });
    expect(signed).not.toHaveProperty('mac.identity');
    expect(configWith({ APPLE_API_KEY: 'key.p8' })).toMatchObject({ mac: { notarize: false } });
  });

  it('on Windows are those of Azure where its values are there', () => {
    const env = {
      AZURE_SIGNING_ENDPOINT: 'https://weu.codesigning.azure.net',
      AZURE_SIGNING_ACCOUNT: 'account',
      AZURE_CERTIFICATE_PROFILE: 'profile',
      AZURE_PUBLISHER_NAME: 'The Watchkeeper authors',
    };
    expect(configWith(env)).toMatchObject({
      win: {
        target: forBoth(['nsis']),
        azureSignOptions: {
          endpoint: env.AZURE_SIGNING_ENDPOINT,
          codeSigningAccountName: 'account',
          certificateProfileName: 'profile',
          publisherName: 'The Watchkeeper authors',
        },
      },
    });
  });
});

describe('what packages say of the project', () => {
  // The schema of package.json is npm's.
  const manifest = JSON.parse(textOf('package.json')) as Record<string, string> & {
    repository: { url: string };
  };
  const [, owner = '', name = ''] =
    /github\.com\/([\w-]+)\/([\w-]+)\.git$/.exec(manifest.repository.url) ?? [];
  const metainfo = textOf('resources/metainfo.xml');

  it('comes from package.json: the id is of the domain of the owner of the repository, and does not end in desktop', () => {
    expect(owner).not.toBe('');
    expect(manifest).toMatchObject({
      homepage: `https://github.com/${owner}/${name}`,
      author: expect.stringMatching(/./),
      desktopName: 'watchkeeper.desktop',
    });
    const appId = `io.github.${owner}.${name}`;
    expect(config).toMatchObject({ appId, linux: { maintainer: expect.stringContaining(owner) } });
    expect(appId).not.toMatch(/desktop$/i);
    expect(metainfo).toContain(`<id>${appId}</id>`);
    expect(metainfo).toContain(`<launchable type="desktop-id">${manifest['desktopName']}</launchable>`);
    expect([...metainfo.matchAll(/https:\/\/\S+?\/([\w-]+\/[\w-]+)/g)].map(([, of]) => of)).toEqual(
      Array.from({ length: 3 }, () => `${owner}/${name}`),
    );
  });

  it('has the newest release of the changelog', () => {
    const [, version = '', date = ''] = /^## (\d+\.\d+\.\d+) - (\S+)$/m.exec(textOf('CHANGELOG.md')) ?? [];
    expect(/<release version="(.*)" date="(.*)"/.exec(metainfo)?.slice(1)).toEqual([version, date]);
  });

  it.runIf(existsSync('/usr/bin/appstreamcli'))('is taken by the stores of Linux', () => {
    execFileSync('appstreamcli', ['validate', '--no-net', path.join(project, 'resources', 'metainfo.xml')]);
  });

  it('lists the fork of keytar by its name, and Electron with what it brings', () => {
    expect(ask('scripts/package-notices.mjs', "it.partIn('keytar')")).toMatchObject({
      name: '@github/keytar',
    });
    const versions = { electron: '45.3.2', chrome: '150.0.0.0', node: '24.20.0', sqlite: '3.53.0', v8: '15' };
    const components = ask(
      'scripts/package-notices.mjs',
      `it.runtimeComponents(${JSON.stringify(versions)})`,
    );
    expect(components).toMatchObject([
      { name: 'electron', version: '45.3.2' },
      { name: 'chromium', version: '150.0.0.0' },
      { name: 'node', version: '24.20.0' },
      { name: 'sqlite', version: '3.53.0' },
    ]);
  });
});
