import { copyFileSync, existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import Store from 'electron-store';
import * as z from 'zod/mini';
import { diskProblemOf, diskProblemWords } from '../../../shared/disk-errors.ts';
import { AppFailure, messageOf } from '../../../shared/errors.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { Clock, SettingsStore } from '../../core/ports.ts';
import { readSettings, replacements, withUnknown, type ReadSettings } from './read-settings.ts';

const requestsAreOff = 'requests are off until you allow them in Settings, Privacy.';
const meanwhile = `the defaults apply, but all of the node history is kept, and ${requestsAreOff}`;

/**
 * Settings in the profile's `settings.json`, written atomically. Fields of another version are kept there and ignored.
 * A file that cannot be read, or has values that cannot be used, is kept under another name.
 */
export function openSettingsStore(profileDir: string, clock: Clock): SettingsStore {
  const path = join(profileDir, 'settings.json');
  // With it, as in a terminal that is a snap, electron-store writes into the file itself: a full disk would leave nothing of it.
  delete process.env['SNAP'];
  const open = () =>
    new Store<Record<string, unknown>>({
      cwd: profileDir,
      name: 'settings',
      // It would empty the file, which is the only copy of the user's settings.
      clearInvalidConfig: false,
      deserialize: (text) => z.parse(z.record(z.string(), z.unknown()), JSON.parse(text)),
    });

  /** Keeps the file under a free name; returns a notice for the user. */
  const keep = (setAside: (aside: string) => void): string => {
    const aside = freeName(path, clock.nowMs());
    try {
      setAside(aside);
      return `The file is kept as ${aside}.`;
    } catch (cause) {
      return `It couldn’t be set aside either: ${reasonOf(cause)}.`;
    }
  };

  /** Without the file the next start would take the defaults, which keep less history: a damaged one stays until others are there. */
  const replaceDamaged = (settings: Settings, aside = freeName(path, clock.nowMs())) => {
    renameSync(path, aside);
    try {
      open().store = { ...settings };
    } catch (cause) {
      renameSync(aside, path);
      throw cause;
    }
  };

  /** What another version has in the file; null where it was damaged since the start. */
  const unknownFields = () => {
    try {
      return readSettings(open().store).unknown;
    } catch (cause) {
      if (isOfSystem(cause)) throw cause;
      return null;
    }
  };

  /** They could not be read for a moment, and are in the file as they were. */
  let isUnread = false;
  return {
    read() {
      let stored: ReadSettings;
      try {
        stored = readSettings(open().store);
      } catch (cause) {
        const why = `The settings in ${path} couldn’t be read (${reasonOf(cause)}).`;
        isUnread = isOfSystem(cause);
        if (isUnread) {
          const notice = `${why} They are unchanged. Until the next start of the app, ${meanwhile}`;
          return { settings: replacements, notice };
        }
        const kept = keep((aside) => replaceDamaged(replacements, aside));
        return { settings: replacements, notice: `${why} ${kept} Now ${meanwhile}` };
      }
      const { settings, wrong, unknown } = stored;
      if (wrong.length === 0) return { settings, notice: null };
      const why = `Settings in ${path} that can’t be used were replaced or left out: ${wrong.join('; ')}.`;
      const kept = keep((aside) => {
        copyFileSync(path, aside);
        open().store = withUnknown(settings, unknown);
      });
      // Its elements are left out one by one: those that are off stay off.
      const areOff = wrong.some((words) => words.startsWith('requestsOff ('));
      return { settings, notice: `${why} ${kept}${areOff ? ` Now ${requestsAreOff}` : ''}` };
    },
    write(settings) {
      try {
        const unknown = unknownFields();
        // What cannot be kept is not replaced.
        if (isUnread) copyFileSync(path, freeName(path, clock.nowMs()));
        isUnread = false;
        if (unknown === null) replaceDamaged(settings);
        else open().store = withUnknown(settings, unknown);
      } catch (cause) {
        const problem = diskProblemOf(cause);
        const why = problem === null ? reasonOf(cause) : diskProblemWords[problem];
        throw new AppFailure({
          code: 'storage',
          message: `The settings couldn’t be saved, so nothing has changed. ${why}`,
        });
      }
    },
  };
}

function freeName(path: string, nowMs: number): string {
  const time = new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', '-');
  for (let attempt = 1; ; attempt += 1) {
    const number = attempt === 1 ? '' : `-${attempt}`;
    const name = path.replace(/\.json$/, `.corrupt-${time}Z${number}.json`);
    if (!existsSync(name)) return name;
  }
}

/** The system refused to read the file, which says nothing about what is in it. */
function isOfSystem(cause: unknown): boolean {
  return cause instanceof Error && 'syscall' in cause;
}

/** One line; for errors of a schema, the path and the problem. */
function reasonOf(cause: unknown): string {
  if (cause instanceof z.core.$ZodError) {
    return cause.issues.map(({ path, message }) => [...path.map(String), message].join(' ')).join('; ');
  }
  return messageOf(cause);
}
