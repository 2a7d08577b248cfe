import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from 'electron';
import { AppFailure } from '../../shared/errors.ts';
import type { Log, Timers } from '../core/ports.ts';
import { ownAppImage } from './environment.ts';

// Sample data is shown by an instance of its own: the same app, started with a switch, in a profile below the user's own
// that begins empty and ends with it. So it shares no setting, store, key, lock or link with the user's instance.

const sampleSwitch = 'sample-data';
const folderName = 'sample-data';
/** In each folder that was made for sample data. A folder without it may hold anything, and is neither used nor cleared. */
const marker = 'made-for-sample-data';
/** With these the instance holds its profile (Linux and macOS, Windows). */
const lockFile = /^(Singleton|lockfile$)/;

type SampleApp = Pick<
  App,
  | 'commandLine'
  | 'getAppMetrics'
  | 'getPath'
  | 'releaseSingleInstanceLock'
  | 'requestSingleInstanceLock'
  | 'setPath'
>;

/** In an instance for sample data: chooses its own profile. To be called before anything is read. */
export function enterSample(app: SampleApp): boolean {
  if (!app.commandLine.hasSwitch(sampleSwitch)) return false;
  const folder = ownFolder(app.getPath('userData'));
  app.setPath('userData', folder);
  // Chromium would have a key of its own in the system's keychain.
  app.commandLine.appendSwitch('password-store', 'basic');
  app.commandLine.appendSwitch('use-mock-keychain');
  // What a crash has left; not while another instance is using it.
  if (app.requestSingleInstanceLock()) clear(folder);
  return true;
}

/** The first folder below the user's profile that is ours, or that nobody uses. */
function ownFolder(userData: string): string {
  for (let count = 1; ; count += 1) {
    const folder = join(userData, count === 1 ? folderName : `${folderName}-${count}`);
    const found = statSync(folder, { throwIfNoEntry: false });
    if (found === undefined) mkdirSync(folder, { recursive: true });
    else if (!found.isDirectory()) continue;
    const names = readdirSync(folder);
    if (names.length > 0 && !names.includes(marker)) continue;
    writeFileSync(join(folder, marker), '');
    return folder;
  }
}

/**
 * Deletes the profile. Chromium would write to it again: its other processes when they are told to end, so they are
 * killed before, and this one while it shuts down, so it must end at once afterwards.
 */
export function leaveSample(app: SampleApp, log: Log, kill = killProcess): void {
  for (const { pid } of app.getAppMetrics()) {
    try {
      if (pid !== process.pid) kill(pid);
    } catch (cause) {
      // It has ended meanwhile.
      log.info('sample.process-gone', { cause: String(cause) });
    }
  }
  rmSync(app.getPath('userData'), { recursive: true, force: true, maxRetries: 5 });
  app.releaseSingleInstanceLock();
}

const killProcess = (pid: number): void => void process.kill(pid, 'SIGKILL');

function clear(folder: string): void {
  for (const name of readdirSync(folder))
    if (name !== marker && !lockFile.test(name)) rmSync(join(folder, name), { recursive: true, force: true });
}

/** The arguments of an instance for sample data: the switches of this one, which the system may need, but no link. */
export function sampleArguments(argv: readonly string[], appPath: string | null): string[] {
  const switches = argv.slice(1).filter((arg) => arg.startsWith('--'));
  return [...switches, `--${sampleSwitch}`, ...(appPath === null ? [] : [appPath])];
}

/** What is wrong with an installation shows within this time. */
const startMs = 2_000;

/**
 * Starts an instance for sample data; a second one brings the first to the front and ends. Rejects, with words for the
 * user, when it cannot start or ends with a failure at once.
 */
export async function startSampleInstance(
  app: Pick<App, 'getAppPath' | 'isPackaged'>,
  { timers, log }: { timers: Pick<Timers, 'after'>; log: Pick<Log, 'error'> },
): Promise<void> {
  // An AppImage is mounted for each run, so the mounted program is gone when this instance ends.
  const program = ownAppImage(process.env, process.execPath) ?? process.execPath;
  const args = sampleArguments(process.argv, app.isPackaged ? null : app.getAppPath());
  const child = spawn(program, args, { detached: true, stdio: 'ignore' });
  await once(child, 'spawn');
  child.unref();
  const code = await new Promise<number | null>((resolve) => {
    const cancel = timers.after(startMs, () => resolve(0));
    child.once('exit', (ended) => {
      cancel();
      resolve(ended);
    });
  });
  if (code === 0) return;
  const message = 'Couldn’t open the sample data: the sample program quit right after it started.';
  const ref = log.error('sample.ended-at-once', new Error(code === null ? 'killed' : `code ${code}`));
  throw new AppFailure({ code: 'internal', message, ref });
}
