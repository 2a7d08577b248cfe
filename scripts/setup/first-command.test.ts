import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { haveOfficialRuntime, isLinux, makeProject, removeProjects } from './testing/made-project.ts';

afterEach(removeProjects);

describe.runIf(isLinux)('the first command', () => {
  it('with a display the demo is the app with sample data: no keyring, no other session, the sandbox as it is', () => {
    const project = makeProject();
    project.command('dpkg-query', 'printf "libgtk-3-0 installed\\n"; exit 1');
    project.command('npm', 'true');
    // The Node of the scripts writes down how it was started.
    const node = path.join(project.dir, 'node_modules', 'node', 'bin');
    mkdirSync(node, { recursive: true });
    writeFileSync(
      path.join(node, 'node'),
      '#!/bin/sh\ncase "$1" in --version) echo v24;; *) echo "RUN $*"; echo "XDG $XDG_RUNTIME_DIR";; esac\n',
    );
    chmodSync(path.join(node, 'node'), 0o755);
    const electron = path.join(project.dir, 'node_modules', 'electron');
    mkdirSync(electron);
    writeFileSync(path.join(electron, 'package.json'), '{"version":"45.0.0"}');
    haveOfficialRuntime(electron);
    writeFileSync(path.join(project.dir, 'package-lock.json'), '{"packages":{}}');
    writeFileSync(path.join(project.dir, 'node_modules', '.package-lock.json'), '{"packages":{}}');
    const start = (env: Record<string, string>, ...args: string[]) =>
      spawnSync(process.execPath, ['scripts/run.mjs', 'demo', '--no-sandbox', ...args], {
        cwd: project.dir,
        encoding: 'utf8',
        env: { PATH: `${project.bin}:${process.env['PATH'] ?? ''}`, HOME: project.dir, ...env },
      });
    project.command('apt-get', 'true');
    project.command('sudo', 'exit 1');
    const { stdout } = start({ WAYLAND_DISPLAY: 'wayland-0', XDG_RUNTIME_DIR: '/run/user/1000', CI: '1' });
    expect(stdout).toMatch(/RUN \S*scripts\/start\.mjs --sample-data/);
    expect(stdout).toContain('XDG /run/user/1000');
    expect(project.calls().join('\n')).not.toMatch(/apt-get.*(xvfb|gnome-keyring)/);
  });

  it('without a display, or for pictures, the demo has a session of its own', () => {
    const project = makeProject();
    const task = (args: string[], env: Record<string, string>, platform = 'linux') =>
      project.ask(
        'tasks.mjs',
        `set.taskOf('demo', ${JSON.stringify(args)}, ${JSON.stringify(env)}, '${platform}')`,
      );
    expect(task([], { DISPLAY: ':0' })).toMatchObject({ script: 'start.mjs', opens: true });
    expect(task([], {}, 'darwin')).toMatchObject({ args: ['--sample-data'] });
    const alone = { script: 'demo.mjs', harness: true, substitute: true };
    expect(task([], {})).toEqual(alone);
    expect(task([], { DISPLAY: '' })).toEqual(alone);
    expect(task(['--pictures'], { WAYLAND_DISPLAY: 'wayland-0' })).toEqual(alone);
  });

  it('a part of the session that is not installed is named', () => {
    const project = makeProject();
    project.command('Xvfb', 'echo 7; exec /bin/sleep 60');
    project.command('dbus-daemon', 'echo unix:path=/nowhere; exec /bin/sleep 60');
    project.command('rm', 'true');
    const { output } = project.run(
      `process.env.PATH = ${JSON.stringify(project.bin)} ; const { runInSession } = await import('./scripts/session.mjs'); process.exit(await runInSession('true', []));`,
      { env: {} },
    );
    expect(output).toContain('"gnome-keyring-daemon" could not be started.\nIt is not installed');
    expect(output).not.toContain('ENOENT');
  });

  it('a session that is interrupted while it begins leaves nothing behind', () => {
    const project = makeProject();
    const noted = path.join(project.dir, 'display.pid');
    project.command('Xvfb', `echo $$ > ${noted}; echo 7; exec /bin/sleep 60`);
    project.command('dbus-daemon', 'kill -INT $PPID; exec /bin/sleep 60');
    const { code } = project.run(
      `const { runInSession } = await import('./scripts/session.mjs'); process.exit(await runInSession('true', []));`,
      { env: { TMPDIR: project.dir } },
    );
    const display = Number(readFileSync(noted, 'utf8'));
    try {
      expect(code).toBe(130);
      expect(() => process.kill(display, 0)).toThrow('ESRCH');
      expect(readdirSync(project.dir).filter((name) => name.startsWith('watchkeeper-session'))).toEqual([]);
    } finally {
      if (code !== 130) process.kill(display);
    }
  });

  it('what a computer lacks is said in words', () => {
    const project = makeProject();
    const ask = (expression: string) => project.ask('system.mjs', expression);
    expect(ask('set.ensureSystem()')).toBeNull();
    expect(ask("set.ensureSystem('linux', () => false)")).toMatch(/musl in Alpine/);
    expect(ask("set.ensureSystem('darwin', () => false)")).toBeNull();
    const sandbox = (uid: number, hasNamespaces: boolean) =>
      ask(`set.ensureSandbox('/nowhere', () => (${JSON.stringify({ uid, hasNamespaces })}))`);
    expect(sandbox(1000, true)).toBeNull();
    expect(sandbox(0, true)).toMatch(/not start as root/);
    expect(sandbox(1000, false)).toMatch(/no user namespaces/);
  });
});
