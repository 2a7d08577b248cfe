import type { App, BrowserWindow, Dialog } from 'electron';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import { AppFailure } from '../../shared/errors.ts';
import type { Settings } from '../../shared/settings.ts';
import type { Log } from '../core/ports.ts';
import { backgroundSwitch, type WhenClosed } from './lifecycle.ts';

/** Asked when the window is closed for the first time; null: it stays open. */
export async function askWhenClosed(
  dialog: Pick<Dialog, 'showMessageBox'>,
  window: BrowserWindow,
): Promise<WhenClosed | null> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    buttons: ['Keep watching', 'Quit', 'Cancel'],
    defaultId: 0,
    cancelId: 2,
    message: 'Keep watching in the background?',
    detail:
      'Watchkeeper can keep polling your nodes without the window and alert you when something is wrong. To reopen the window, start Watchkeeper again. To quit, press Ctrl Q. You can change this in Settings, Background.',
  });
  return (['keep', 'quit'] as const)[response] ?? null;
}

/** Asked when the window is closed while a form of its page has something typed. */
export async function askToDiscard(
  dialog: Pick<Dialog, 'showMessageBox'>,
  window: BrowserWindow,
): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    buttons: ['Keep editing', 'Discard'],
    defaultId: 0,
    cancelId: 0,
    message: 'Discard unsaved changes?',
    detail: 'You’ll lose what you typed.',
  });
  return response === 1;
}

export interface LoginItem {
  app: Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>;
  platform: string;
  /** On Linux: the autostart entry. */
  file: string;
  /** The program with its arguments. */
  command: readonly string[];
  log: Log;
}

/**
 * The autostart entry of a profile, and how that is started. Each has its own, so that none takes that of another away; the usual
 * profile is the empty text. At login the app is started in another folder, so paths are absolute.
 */
export function loginEntry(
  folder: string,
  program: readonly string[],
  profile: string,
): Pick<LoginItem, 'file' | 'command'> {
  const background = `--${backgroundSwitch}`;
  if (profile === '') return { file: join(folder, 'watchkeeper.desktop'), command: [...program, background] };
  const path = resolve(profile);
  const name = createHash('sha256').update(path).digest('hex').slice(0, 8);
  return {
    file: join(folder, `watchkeeper-${name}.desktop`),
    command: [...program, `--user-data-dir=${path}`, background],
  };
}

/** Has the app started at login, or not. Null, or why it was not done, which is in the log. */
function setStartAtLogin(isOn: boolean, { app, platform, file, command, log }: LoginItem): AppFailure | null {
  try {
    if (platform === 'linux') setAutostart(isOn, file, command);
    else if (app.getLoginItemSettings({ args: [`--${backgroundSwitch}`] }).openAtLogin !== isOn)
      app.setLoginItemSettings({ openAtLogin: isOn, args: [`--${backgroundSwitch}`] });
    return null;
  } catch (cause) {
    const ref = log.error('background.start-at-login', cause);
    const message = `Couldn’t change whether Watchkeeper starts at login. Search logs/main.log in the data folder for “${ref}”.`;
    return new AppFailure({ code: 'storage', message });
  }
}

interface StartSettings {
  current(): Pick<Settings, 'startAtLogin'>;
  update(patch: Pick<Settings, 'startAtLogin'>): unknown;
  tryUpdate(patch: Pick<Settings, 'startAtLogin'>): unknown;
  onChange(listener: (change: Record<'settings' | 'previous', Settings>) => void): unknown;
}

/**
 * Checks it where it is on, because a program may have moved since its last start: where it is off, an entry is one that the
 * user has made, and one that the desktop has switched off switches the setting off. Then does what the user changes; what cannot be done is changed back, and thrown to whoever has changed it.
 */
export function followStartAtLogin(settings: StartSettings, item: LoginItem): void {
  let isChangedBack = false;
  if (settings.current().startAtLogin) {
    if (isSwitchedOff(item)) settings.tryUpdate({ startAtLogin: false });
    else setStartAtLogin(true, item);
  }
  settings.onChange(({ settings: { startAtLogin }, previous }) => {
    if (isChangedBack || startAtLogin === previous.startAtLogin) return;
    const failure = setStartAtLogin(startAtLogin, item);
    if (failure === null) return;
    isChangedBack = true;
    try {
      settings.update({ startAtLogin: previous.startAtLogin });
    } finally {
      isChangedBack = false;
    }
    throw failure;
  });
}

function isSwitchedOff({ platform, file }: LoginItem): boolean {
  if (platform !== 'linux' || !existsSync(file)) return false;
  return /^(Hidden=true|X-GNOME-Autostart-enabled=false)\s*$/m.test(readFileSync(file, 'utf8'));
}

function setAutostart(isOn: boolean, file: string, command: readonly string[]): void {
  if (!isOn) return rmSync(file, { force: true });
  const entry = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Watchkeeper',
    `Exec=${command.map(quoted).join(' ')}`,
    'Icon=watchkeeper',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
  if (existsSync(file) && readFileSync(file, 'utf8') === entry) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, entry);
}

/** An argument by the rules of the Desktop Entry Specification for `Exec`. */
const quoted = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\\\\\').replace(/["`$]/g, '\\\\$&').replaceAll('%', '%%')}"`;
