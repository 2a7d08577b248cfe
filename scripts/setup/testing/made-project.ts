// A project folder in which the set-up scripts run with stand-ins for the commands that they start.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const scriptsDir = path.join(import.meta.dirname, '..', '..');
const madeDirs: string[] = [];

export const isLinux = process.platform === 'linux';

export function removeProjects(): void {
  for (const dir of madeDirs.splice(0)) rmSync(dir, { recursive: true, force: true });
}

/** A project folder with a copy of the set-up scripts, and stand-ins for the commands that they start. */
export function makeProject() {
  const dir = mkdtempSync(path.join(tmpdir(), 'watchkeeper-setup-'));
  madeDirs.push(dir);
  // So that a process of another user may read it.
  chmodSync(dir, 0o755);
  cpSync(path.join(scriptsDir, 'setup'), path.join(dir, 'scripts', 'setup'), { recursive: true });
  cpSync(path.join(scriptsDir, 'session.mjs'), path.join(dir, 'scripts', 'session.mjs'));
  cpSync(path.join(scriptsDir, 'run.mjs'), path.join(dir, 'scripts', 'run.mjs'));
  writeFileSync(path.join(dir, 'package.json'), '{"type":"module"}');
  const bin = path.join(dir, 'bin');
  mkdirSync(bin);
  const calls = path.join(dir, 'calls.txt');
  writeFileSync(calls, '');
  chmodSync(calls, 0o666);
  return {
    dir,
    bin,
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
    /** What an expression of a module of the set-up answers, or the message of what it throws. */
    ask: (module: string, expression: string): unknown => {
      const code = `const set = await import('./scripts/setup/${module}'); let answer; try { answer = ${expression}; } catch (error) { answer = error.message; } console.log(JSON.stringify(answer ?? null));`;
      const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
        cwd: dir,
        encoding: 'utf8',
      });
      return JSON.parse(stdout);
    },
    /** As `run`, while a server of the test answers; answers with the output. */
    runBeside: async (code: string, env: Record<string, string>) => {
      const guarded = `try { ${code} } catch (error) { console.log(error.message, error.remedy); }`;
      const child = spawn(process.execPath, ['--input-type=module', '--eval', guarded], {
        cwd: dir,
        env: { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: dir, ...env },
      });
      const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
      return output + errors;
    },
    /** As `run`, but as if on a terminal, on which `typed` is typed. */
    onTerminal: (code: string, typed: string) => {
      const terminal = 'process.stdin.isTTY = process.stdout.isTTY = true;';
      const guarded = `${terminal} try { ${code} } catch (error) { console.log(error.message, error.remedy); }`;
      return spawnSync(process.execPath, ['--input-type=module', '--eval', guarded], {
        cwd: dir,
        encoding: 'utf8',
        input: typed,
        env: { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: dir },
      }).stdout;
    },
  };
}

export function haveOfficialRuntime(electronDir: string) {
  mkdirSync(path.join(electronDir, 'dist'));
  writeFileSync(path.join(electronDir, 'dist', 'version'), 'v45.0.0');
  writeFileSync(path.join(electronDir, 'dist', 'electron'), '');
  writeFileSync(path.join(electronDir, 'path.txt'), 'electron');
}
