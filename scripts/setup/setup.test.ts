import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isLinux, makeProject, removeProjects } from './testing/made-project.ts';

afterEach(removeProjects);

describe.runIf(isLinux && existsSync('/usr/bin/dpkg-query'))('system packages', () => {
  const ensure = `const { ensureSystemPackages } = await import('./scripts/setup/system-packages.mjs'); await ensureSystemPackages({ harness: true });`;
  const all = [
    'libgtk-3-0',
    'libnss3',
    'libasound2t64',
    'libgbm1',
    'libxss1',
    'libatk-bridge2.0-0t64',
    'libxtst6',
  ];
  all.push('libnotify4', 'libsecret-1-0', 'fonts-dejavu-core', 'xvfb', 'dbus', 'gnome-keyring');
  const list = (names: readonly string[]) =>
    `printf '${names.map((name) => `${name} installed\\n`).join('')}'`;
  const installed = `${list(all.filter((name) => name !== 'gnome-keyring'))}; exit 1`;

  it('installs as root without a terminal only what is missing, under either name', () => {
    const project = makeProject();
    project.command('dpkg-query', installed);
    project.command('apt-get', 'true');
    // Where the tests do not run as root, sudo stands in.
    project.command('sudo', 'while [ "$1" = -n ]; do shift; done; exec "$@"');
    // Where the tests do not run as root.
    expect(project.run(ensure, { env: { CI: '1' } })).toMatchObject({ code: 0 });
    const apt = project.calls().filter((call) => call.startsWith('apt-get'));
    expect(apt).toHaveLength(2);
    expect(apt[0]).toMatch(/update$/);
    expect(apt[1]).toMatch(/install -y --no-install-recommends gnome-keyring$/);
  });

  it('installs a package by the name under which apt has it', () => {
    const project = makeProject();
    project.command('dpkg-query', `${list(all.filter((name) => !/^lib(asound|nss)/.test(name)))}; exit 1`);
    project.command('apt-get', 'true');
    project.command('apt-cache', String.raw`printf 'libasound2t64:\n  Installed: (none)\n'`);
    project.command('sudo', 'while [ "$1" = -n ]; do shift; done; exec "$@"');
    expect(project.run(ensure, { env: { CI: '1' } })).toMatchObject({ code: 0 });
    const apt = project.calls().filter((call) => call.startsWith('apt-get'));
    expect(apt[1]).toMatch(/--no-install-recommends libnss3 libasound2t64$/);
  });

  it('does nothing when nothing is missing', () => {
    const project = makeProject();
    project.command('dpkg-query', list(all));
    project.command('apt-get', 'true');
    expect(project.run(ensure)).toMatchObject({ code: 0 });
    expect(project.calls().some((call) => call.startsWith('apt-get'))).toBe(false);
  });

  it('says the exact command to somebody who may not install, and stops', () => {
    const project = makeProject();
    project.command('dpkg-query', installed);
    project.command('apt-get', 'true');
    project.command('sudo', 'exit 1');
    const nobody = 65_534;
    const { code, output } = project.run(ensure, process.getuid?.() === 0 ? { uid: nobody } : {});
    expect(code).toBe(1);
    expect(output).toContain('MESSAGE These system packages are missing: gnome-keyring');
    expect(output).toContain(
      "sudo sh -c 'apt-get update && apt-get install -y --no-install-recommends gnome-keyring'",
    );
    expect(project.calls().some((call) => call.startsWith('apt-get'))).toBe(false);
  });

  it('installs without root and without a terminal only on a CI machine', () => {
    for (const [env, calls] of [
      [{ CI: 'true' }, 2],
      [{}, 0],
    ] as const) {
      const project = makeProject();
      project.command('dpkg-query', installed);
      project.command('apt-get', 'true');
      project.command('sudo', 'while [ "$1" = -n ]; do shift; done; exec "$@"');
      project.run(ensure, { env, ...(process.getuid?.() === 0 && { uid: 65_534 }) });
      expect(project.calls().filter((call) => call.startsWith('apt-get'))).toHaveLength(calls);
    }
  });

  it.runIf(existsSync('/usr/bin/script'))(
    'asks on a terminal, also as root, and installs only after a yes',
    () => {
      for (const [answer, calls] of [
        ['y\n', 2],
        ['\n', 0],
        ['', 0],
      ] as const) {
        const project = makeProject();
        project.command('dpkg-query', installed);
        project.command('apt-get', 'true');
        project.command('sudo', 'while [ "$1" = -V ]; do exit 0; done; exec "$@"');
        const output = project.onTerminal(ensure, answer);
        expect(output).toMatch(/missing: gnome-keyring[^]*KWallet[^]*Install them now\? \[y\/N\]/);
        if (calls === 0) expect(output).toContain("sudo sh -c 'apt-get update &&");
        expect(project.calls().filter((call) => call.startsWith('apt-get'))).toHaveLength(calls);
      }
    },
  );

  it('says what apt could not do', () => {
    const project = makeProject();
    project.command('dpkg-query', installed);
    project.command('apt-get', 'exit 100');
    project.command('sudo', 'while [ "$1" = -n ]; do shift; done; exec "$@"');
    const { code, output } = project.run(ensure, { env: { CI: '1' } });
    expect(code).toBe(1);
    expect(output).toMatch(/MESSAGE .*update" ended with code 100/);
  });
});

describe.runIf(isLinux)('dependencies', () => {
  const ensure = `const { ensureDependencies } = await import('./scripts/setup/dependencies.mjs'); console.log('NODE ' + await ensureDependencies());`;
  const lock = (integrity: string) =>
    JSON.stringify({
      packages: {
        '': {},
        'node_modules/one': { integrity },
        'node_modules/other-platform': { optional: true },
      },
    });

  function withLockfile(project: ReturnType<typeof makeProject>, installed: string | null) {
    writeFileSync(path.join(project.dir, 'package-lock.json'), lock('sha-a'));
    const modules = path.join(project.dir, 'node_modules');
    mkdirSync(path.join(modules, 'node', 'bin'), { recursive: true });
    if (installed !== null) writeFileSync(path.join(modules, '.package-lock.json'), installed);
    writeFileSync(path.join(modules, 'node', 'bin', 'node'), '#!/bin/sh\necho v24.0.0\n');
    chmodSync(path.join(modules, 'node', 'bin', 'node'), 0o755);
  }

  it.each([
    ['missing', null],
    ['not what the lockfile says', lock('sha-b')],
    ['half written', '{"packages": {'],
    ['of an older npm', '{"lockfileVersion": 1, "dependencies": {}}'],
    ['nothing', 'null'],
    [
      'more than the lockfile has',
      JSON.stringify({ packages: { 'node_modules/one': { integrity: 'sha-a' }, 'node_modules/two': {} } }),
    ],
  ])('are installed when they are %s', (_what, installed) => {
    const project = makeProject();
    withLockfile(project, installed);
    project.command('npm', 'true');
    expect(project.run(ensure)).toMatchObject({ code: 0 });
    expect(project.calls()).toEqual([expect.stringMatching(/^npm ci /)]);
  });

  it('are left alone when they are in place', () => {
    const project = makeProject();
    withLockfile(project, lock('sha-a'));
    project.command('npm', 'true');
    const { output } = project.run(ensure);
    expect(output).toContain(`NODE ${path.join(project.dir, 'node_modules', 'node', 'bin', 'node')}`);
    expect(project.calls()).toEqual([]);
  });

  it('need no Node of their own, nor its install script, where this one has the wanted version', () => {
    const project = makeProject();
    const packages = { '': {}, 'node_modules/node': { version: process.versions.node, integrity: 'sha-a' } };
    mkdirSync(path.join(project.dir, 'node_modules'));
    for (const file of ['package-lock.json', 'node_modules/.package-lock.json']) {
      writeFileSync(path.join(project.dir, file), JSON.stringify({ packages }));
    }
    project.command('npm', 'true');
    expect(project.run(ensure).output).toContain(`NODE ${process.execPath}`);
    expect(project.calls()).toEqual([]);
  });

  it('say what to type when npm fails, and when the Node of the scripts is not there', () => {
    const failing = makeProject();
    withLockfile(failing, null);
    failing.command('npm', 'exit 7');
    expect(failing.run(ensure).output).toMatch(/MESSAGE npm ci ended with code 7\. REMEDY .*npm ci/);

    const without = makeProject();
    withLockfile(without, lock('sha-a'));
    rmSync(path.join(without.dir, 'node_modules', 'node', 'bin', 'node'));
    expect(without.run(ensure).output).toMatch(/MESSAGE The Node .* REMEDY .*npm ci --ignore-scripts=false/);
  });
});
