import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

export interface RunningProcess {
  /** Writes a line to its standard input. */
  say(line: string): void;
  /** Ends it with SIGKILL. */
  kill(): void;
}

export interface KilledProcessOptions {
  /** An ES module and its arguments. */
  script: string;
  args: readonly string[];
  /** Called with each line of its standard output. */
  onLine: (line: string, child: RunningProcess) => void;
}

/** Runs a program until it is killed or ends. Rejects when it fails or writes to its standard error. */
export function runUntilKilled({ script, args, onLine }: KilledProcessOptions): Promise<'killed' | 'ended'> {
  return new Promise((resolve, reject) => {
    const child: ChildProcessByStdio<Writable, Readable, Readable> = spawn(
      process.execPath,
      [script, ...args],
      { stdio: ['pipe', 'pipe', 'pipe'] },
    );
    let complaints = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (complaints += chunk));
    // The process may be gone before it has read its input.
    child.stdin.on('error', () => undefined);
    const running: RunningProcess = {
      say: (line) => void child.stdin.write(`${line}\n`),
      kill: () => void child.kill('SIGKILL'),
    };
    createInterface(child.stdout).on('line', (line) => onLine(line, running));
    child.on('close', (code, signal) => {
      if (complaints === '' && signal === 'SIGKILL') resolve('killed');
      else if (complaints === '' && code === 0) resolve('ended');
      else reject(new Error(`The program ended by itself (${code ?? signal}): ${complaints}`));
    });
  });
}
