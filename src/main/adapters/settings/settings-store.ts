import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import Store from 'electron-store';
import * as z from 'zod/mini';
import { AppFailure } from '../../../shared/errors.ts';
import { defaultSettings, settingsSchema, type Settings } from '../../../shared/settings.ts';
import type { Clock, SettingsStore } from '../../core/ports.ts';

/**
 * Settings in the profile's `settings.json`, written atomically. A file that cannot be read, or is not valid, is kept
 * under another name; missing settings have their defaults.
 */
export function openSettingsStore(profileDir: string, clock: Clock): SettingsStore {
  const path = join(profileDir, 'settings.json');
  const open = () =>
    new Store<Settings>({
      cwd: profileDir,
      name: 'settings',
      // It would empty the file, which is the only copy of the user's settings.
      clearInvalidConfig: false,
      deserialize: parseSettings,
    });

  return {
    read() {
      try {
        return { settings: { ...defaultSettings, ...open().store }, notice: null };
      } catch (cause) {
        return { settings: defaultSettings, notice: `${setAside(path, cause, clock)} The defaults apply.` };
      }
    },
    write(settings) {
      try {
        open().store = settings;
      } catch (cause) {
        throw new AppFailure({
          code: 'storage',
          message: `The settings could not be saved: ${messageOf(cause)}`,
        });
      }
    },
  };
}

function parseSettings(text: string): Settings {
  const stored = z.parse(z.record(z.string(), z.unknown()), JSON.parse(text));
  return z.parse(settingsSchema, { ...defaultSettings, ...stored });
}

/** Renames the file; returns a notice for the user. */
function setAside(path: string, cause: unknown, clock: Clock): string {
  const why = `The settings in ${path} could not be read (${messageOf(cause)}).`;
  try {
    const aside = freeName(path, clock.nowMs());
    renameSync(path, aside);
    return `${why} The file is kept as ${aside}.`;
  } catch (renaming) {
    return `${why} It could not be set aside either: ${messageOf(renaming)}.`;
  }
}

function freeName(path: string, nowMs: number): string {
  const time = new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', '-');
  for (let attempt = 1; ; attempt += 1) {
    const number = attempt === 1 ? '' : `-${attempt}`;
    const name = path.replace(/\.json$/, `.corrupt-${time}Z${number}.json`);
    if (!existsSync(name)) return name;
  }
}

/** One line; for errors of a schema, the path and the problem. */
function messageOf(cause: unknown): string {
  if (cause instanceof z.core.$ZodError) {
    return cause.issues.map(({ path, message }) => [...path.map(String), message].join(' ')).join('; ');
  }
  return cause instanceof Error ? cause.message : String(cause);
}
