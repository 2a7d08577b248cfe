import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { BrowserWindow } from 'electron';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultSettings } from '../../shared/settings.ts';
import { SettingsService } from '../core/settings/settings-service.ts';
import { askToDiscard, askWhenClosed, followStartAtLogin, loginEntry, type LoginItem } from './background.ts';

describe('start at login', () => {
  let folder: string;
  const log = { info: () => undefined, warn: () => undefined, error: () => '' };
  /** As at a start of the app; what it returns switches it. */
  function start(item: LoginItem, startAtLogin = false): (isOn: boolean) => void {
    const store = {
      read: () => ({ settings: { ...defaultSettings, startAtLogin }, notice: null }),
      write: () => undefined,
    };
    const settings = new SettingsService(store, log);
    followStartAtLogin(settings, item);
    return (isOn) => void settings.update({ startAtLogin: isOn });
  }

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'watchkeeper-login-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is an autostart entry on Linux, which follows a program that has moved and goes when it is switched off', () => {
    const file = join(folder, 'autostart', 'watchkeeper.desktop');
    const item = (program: string): LoginItem => ({
      app: { getLoginItemSettings: () => expect.fail(), setLoginItemSettings: () => expect.fail() },
      platform: 'linux',
      file,
      command: [program, '--background'],
      log,
    });
    start(item('/opt/a'));
    expect(existsSync(file)).toBe(false);
    start(item('/opt/a "b" $c 100%.AppImage'))(true);
    expect(readFileSync(file, 'utf8')).toContain(
      String.raw`Exec="/opt/a \\"b\\" \\$c 100%%.AppImage" "--background"`,
    );
    const turn = start(item('/opt/moved'), true);
    expect(readFileSync(file, 'utf8')).toContain('Exec="/opt/moved" "--background"');
    turn(false);
    expect(existsSync(file)).toBe(false);
  });

  it.each(['Hidden=true', 'X-GNOME-Autostart-enabled=false'])(
    'is off once the desktop has switched it off: %s',
    (line) => {
      const file = join(folder, 'watchkeeper.desktop');
      const item: LoginItem = {
        app: { getLoginItemSettings: () => expect.fail(), setLoginItemSettings: () => expect.fail() },
        ...{ platform: 'linux', file, command: ['/opt/a'], log },
      };
      const own = `[Desktop Entry]\nExec=/opt/a\n${line}\n`;
      writeFileSync(file, own);
      const turn = start(item, true);
      expect(readFileSync(file, 'utf8')).toBe(own);
      turn(true);
      expect(readFileSync(file, 'utf8')).not.toContain(line);
    },
  );

  it.each(['linux', 'win32'])(
    'is left as the user has made it outside of the app where it is off (%s)',
    (platform) => {
      const file = join(folder, 'watchkeeper.desktop');
      // As GNOME Tweaks copies it from the menu.
      const own = '[Desktop Entry]\nExec=/opt/Watchkeeper/watchkeeper %U\n';
      writeFileSync(file, own);
      start({
        // Only this field is looked at.
        app: {
          getLoginItemSettings: () => ({ openAtLogin: true }) as never,
          setLoginItemSettings: () => expect.fail(),
        },
        ...{ platform, file, command: ['/opt/a'], log },
      });
      expect(readFileSync(file, 'utf8')).toBe(own);
    },
  );

  it('is switched back where it cannot be written, and whoever switched it learns that', () => {
    const store = { read: () => ({ settings: defaultSettings, notice: null }), write: () => undefined };
    const settings = new SettingsService(store, log);
    const parent = join(folder, 'autostart');
    const file = join(parent, 'watchkeeper.desktop');
    writeFileSync(parent, 'a file where the folder is to be');
    followStartAtLogin(settings, {
      app: { getLoginItemSettings: () => expect.fail(), setLoginItemSettings: () => expect.fail() },
      ...{ platform: 'linux', file, command: ['/opt/a'], log },
    });
    expect(() => settings.update({ startAtLogin: true })).toThrow(
      'Couldn’t change whether Watchkeeper starts at login.',
    );
    expect(settings.current().startAtLogin).toBe(false);
    rmSync(parent);
    settings.update({ startAtLogin: true });
    expect(settings.current().startAtLogin).toBe(true);
    expect(existsSync(file)).toBe(true);
  });

  it('is an entry for each profile, which finds it from any folder, and none takes that of another away', () => {
    const turn = (profile: string, isOn: boolean) =>
      start(
        {
          app: { getLoginItemSettings: () => expect.fail(), setLoginItemSettings: () => expect.fail() },
          ...{ platform: 'linux', log },
          ...loginEntry(folder, ['/opt/a'], profile),
        },
        !isOn,
      )(isOn);
    const entries = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    turn('', true);
    turn('other', false);
    expect(entries()).toMatchObject([expect.stringContaining('Exec="/opt/a" "--background"')]);
    turn('other', true);
    expect(entries().join()).toContain(`"--user-data-dir=${resolve('other')}" "--background"`);
    turn('', false);
    expect(entries()).toHaveLength(1);
    turn(resolve('other'), false);
    expect(entries()).toEqual([]);
  });

  it('is a login item elsewhere, touched only where it differs', () => {
    const set: unknown[] = [];
    let openAtLogin = false;
    const item: LoginItem = {
      app: {
        // Only this field is looked at.
        getLoginItemSettings: () => ({ openAtLogin }) as never,
        setLoginItemSettings: (settings) => {
          openAtLogin = settings.openAtLogin ?? false;
          set.push(settings);
        },
      },
      ...{ platform: 'win32', file: '', command: [], log },
    };
    const turn = start(item);
    turn(true);
    // At the next start.
    start(item, true);
    turn(false);
    expect(set).toEqual([true, false].map((isOn) => ({ openAtLogin: isOn, args: ['--background'] })));
  });
});

it.each([
  [0, false],
  [1, true],
])('the question about what is typed: button %s discards: %s', async (response, discards) => {
  const dialog = { showMessageBox: async () => ({ response, checkboxChecked: false }) };
  // It is only passed on.
  expect(await askToDiscard(dialog, {} as BrowserWindow)).toBe(discards);
});

it.each([
  [0, 'keep'],
  [1, 'quit'],
  [2, null],
])('the question at the first close: button %s is %s', async (response, choice) => {
  const dialog = { showMessageBox: async () => ({ response, checkboxChecked: false }) };
  // It is only passed on.
  expect(await askWhenClosed(dialog, {} as BrowserWindow)).toBe(choice);
});
