import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Log, Timers } from '../core/ports.ts';
import { enterSample, leaveSample, sampleArguments, startSampleInstance } from './sample-instance.ts';

let profile: string;
const folder = () => join(profile, 'sample-data');
const marker = 'made-for-sample-data';
const silent: Log = { info: () => undefined, warn: () => undefined, error: () => '' };

beforeEach(() => {
  profile = mkdtempSync(join(tmpdir(), 'watchkeeper-sample-'));
  writeFileSync(join(profile, 'settings.json'), 'of the user');
});
afterEach(() => rmSync(profile, { recursive: true }));

/** What is used of Electron's app. */
function fakeApp(args: readonly string[], isFirst = true) {
  const switches = new Set(args);
  const releaseSingleInstanceLock = vi.fn<() => void>();
  let userData = profile;
  return {
    switches,
    releaseSingleInstanceLock,
    commandLine: {
      hasSwitch: (name: string) => switches.has(name),
      appendSwitch: (name: string, value?: string) =>
        void switches.add(value === undefined ? name : `${name}=${value}`),
    },
    getAppMetrics: () => [{ pid: process.pid }, { pid: 4_711 }, { pid: 4_712 }],
    getPath: () => userData,
    setPath: (_name: string, path: string) => {
      userData = path;
    },
    requestSingleInstanceLock: () => isFirst,
    // Of the command line only these are used.
  } as unknown as Parameters<typeof enterSample>[0] & { switches: Set<string> };
}

describe('an instance for sample data', () => {
  it('is one only with its switch', () => {
    const app = fakeApp([]);
    expect(enterSample(app)).toBe(false);
    expect(app.getPath('userData')).toBe(profile);
    expect([...app.switches]).toEqual([]);
    expect(readdirSync(profile)).toEqual(['settings.json']);
  });

  it('has a profile of its own, and no key in the system’s keychain', () => {
    const app = fakeApp(['sample-data']);
    expect(enterSample(app)).toBe(true);
    expect(app.getPath('userData')).toBe(folder());
    expect(readdirSync(folder())).toEqual([marker]);
    expect([...app.switches]).toEqual(['sample-data', 'password-store=basic', 'use-mock-keychain']);
  });

  it('begins without what a crash has left, but holds its lock', () => {
    enterSample(fakeApp(['sample-data']));
    mkdirSync(join(folder(), 'services', 'one'), { recursive: true });
    for (const name of ['store.sqlite', 'SingletonLock', 'lockfile']) writeFileSync(join(folder(), name), '');
    enterSample(fakeApp(['sample-data']));
    expect(readdirSync(folder())).toEqual(['SingletonLock', 'lockfile', marker]);
    expect(readdirSync(profile)).toEqual(['sample-data', 'settings.json']);
  });

  it('leaves the profile of another one alone', () => {
    enterSample(fakeApp(['sample-data']));
    writeFileSync(join(folder(), 'store.sqlite'), 'in use');
    enterSample(fakeApp(['sample-data'], false));
    expect(readdirSync(folder())).toEqual([marker, 'store.sqlite']);
  });

  it('neither uses nor clears a folder that it has not made', () => {
    mkdirSync(folder());
    writeFileSync(join(folder(), 'precious.txt'), 'of the user');
    writeFileSync(`${folder()}-2`, 'a file of the user');
    const app = fakeApp(['sample-data']);
    enterSample(app);
    expect(app.getPath('userData')).toBe(`${folder()}-3`);
    leaveSample(app, silent, () => undefined);
    expect(readdirSync(folder())).toEqual(['precious.txt']);
    expect(readdirSync(profile)).toEqual(['sample-data', 'sample-data-2', 'settings.json']);
  });

  it('takes its profile with it, and nothing else', () => {
    const app = fakeApp(['sample-data']);
    enterSample(app);
    writeFileSync(join(folder(), 'store.sqlite'), '');
    const killed: number[] = [];
    leaveSample(app, silent, (pid) => {
      expect(existsSync(folder())).toBe(true);
      killed.push(pid);
      if (pid === 4_711) throw new Error('ESRCH');
    });
    expect(killed).toEqual([4_711, 4_712]);
    expect(existsSync(folder())).toBe(false);
    expect(readdirSync(profile)).toEqual(['settings.json']);
    expect(app.releaseSingleInstanceLock).toHaveBeenCalledOnce();
  });
});

describe('how it is started', () => {
  /** Starts a script in place of the app. */
  function start(script: string, after: Timers['after'] = () => () => undefined) {
    const program = join(profile, 'program');
    writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
    vi.stubEnv('APPIMAGE', program);
    vi.stubEnv('APPDIR', '/');
    const error = vi.fn<Log['error']>(() => 'ref-1');
    const app = { isPackaged: true, getAppPath: () => '' };
    return { error, started: startSampleInstance(app, { timers: { after }, log: { error } }) };
  }
  afterEach(() => vi.unstubAllEnvs());

  it('is said to have failed when it ends at once, except when it only brought another to the front', async () => {
    const { started, error } = start('exit 3');
    await expect(started).rejects.toMatchObject({
      error: {
        message: 'Couldn’t open the sample data: the sample program quit right after it started.',
        ref: 'ref-1',
      },
    });
    expect(error).toHaveBeenCalledWith('sample.ended-at-once', new Error('code 3'));
    await start('exit 0').started;
  });

  it('is waited for two seconds and no longer', async () => {
    const waits: number[] = [];
    const { started } = start('exit 3', (delayMs, then) => {
      waits.push(delayMs);
      then();
      return () => undefined;
    });
    await started;
    expect(waits).toEqual([2_000]);
  });

  it.each([
    [['/opt/watchkeeper'], null, ['--sample-data']],
    [
      ['/opt/watchkeeper', '--ozone-platform=wayland', 'watchkeeper://nodes', '--user-data-dir=/p'],
      null,
      ['--ozone-platform=wayland', '--user-data-dir=/p', '--sample-data'],
    ],
    [['electron', '-r', 'hook.js', '--no-sandbox', '.'], '/app', ['--no-sandbox', '--sample-data', '/app']],
  ])('of %j with the app in %j: %j', (argv, appPath, expected) => {
    expect(sampleArguments(argv, appPath)).toEqual(expected);
  });
});
