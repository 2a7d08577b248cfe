import { historyLimits } from '../../../shared/limits.ts';
import { switchedKind } from '../../../shared/outbound.ts';
import { defaultSettings, settingsSchema, type Settings } from '../../../shared/settings.ts';

/** A field that this version does not know, and where it is. */
interface UnknownField {
  path: readonly PropertyKey[];
  name: string;
  value: unknown;
}

export interface ReadSettings {
  settings: Settings;
  /** What cannot be used, and why: each is replaced, or left out where it is one of several. */
  wrong: string[];
  unknown: UnknownField[];
}

/**
 * In the place of what cannot be used: the defaults, but the longest history, since a shorter one deletes what nobody said is to
 * go, and no requests that can be switched off, since an address that was sent cannot be taken back.
 */
export const replacements: Settings = {
  ...defaultSettings,
  requestsOff: switchedKind.options,
  health: {
    ...defaultSettings.health,
    keepDays: historyLimits.keepDays.max,
    keepMegabytesPerNode: historyLimits.keepMegabytesPerNode.max,
  },
};

/** A part of these means something else without its other parts, so they are used as a whole or not at all. */
const indivisible: ReadonlySet<PropertyKey> = new Set(['service', 'completing'] satisfies (keyof Settings)[]);

/** Reads settings that any version may have written. Fields that are missing have their defaults. */
export function readSettings(stored: Readonly<Record<string, unknown>>): ReadSettings {
  const wrong = new Map<string, string>();
  const unknown: UnknownField[] = [];
  const read = withDefaults(stored);
  for (;;) {
    const parsed = settingsSchema.safeParse(read);
    if (parsed.success) return { settings: parsed.data, wrong: [...wrong.values()].reverse(), unknown };
    // The last first, so that those of a list keep their places until it is their turn.
    for (const issue of parsed.error.issues.toReversed()) {
      const { path } = issue;
      if (issue.code === 'unrecognized_keys') {
        for (const name of issue.keys) {
          const home = containerAt(read, path);
          unknown.push({ path, name, value: home?.[name] });
          Reflect.deleteProperty(home ?? {}, name);
        }
        continue;
      }
      const culprit = culpritOf(path);
      const name = culprit.map(String).join(' ');
      if (wrong.has(name)) continue;
      const list = containerAt(read, culprit);
      if (issue.code === 'too_big' && Array.isArray(list) && culprit.length === path.length) {
        wrong.set(name, `${name} (the last ${issue.maximum} of ${list.length} are used)`);
        // What was added last is at the end.
        list.splice(0, list.length - Number(issue.maximum));
        continue;
      }
      wrong.set(name, `${name} (${[...path.slice(culprit.length).map(String), issue.message].join(' ')})`);
      replace(read, culprit);
    }
  }
}

/** The settings, with fields of another version at their places, except in lists, whose elements may have moved. */
export function withUnknown(settings: Settings, unknown: readonly UnknownField[]): Record<string, unknown> {
  const whole: Record<string, unknown> = structuredClone(settings);
  for (const { path, name, value } of unknown) {
    if (path.some((step) => typeof step === 'number')) continue;
    Object.assign(containerAt(whole, path) ?? {}, { [name]: value });
  }
  return whole;
}

/** A copy in which missing settings, also those within others, have their defaults. */
function withDefaults(stored: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const whole: Record<string, unknown> = structuredClone({ ...defaultSettings, ...stored });
  for (const [name, value] of Object.entries(defaultSettings)) {
    const own = whole[name];
    if (!indivisible.has(name) && isContainer(value) && isContainer(own) && !Array.isArray(own))
      whole[name] = { ...value, ...own };
  }
  return whole;
}

/** The least that can be replaced, or left out of its list, to be rid of what is wrong at `path`. */
function culpritOf(path: readonly PropertyKey[]): readonly PropertyKey[] {
  if (indivisible.has(path[0] ?? '')) return path.slice(0, 1);
  let usual: unknown = defaultSettings;
  for (const [depth, step] of path.entries()) {
    if (Array.isArray(usual)) return path.slice(0, depth + 1);
    if (!isContainer(usual)) return path.slice(0, depth);
    usual = ownOf(usual, step);
  }
  return path;
}

function replace(settings: Record<string, unknown>, path: readonly PropertyKey[]): void {
  const last = String(path.at(-1));
  const home = containerAt(settings, path.slice(0, -1)) ?? settings;
  const usual = ownOf(containerAt({ ...replacements }, path.slice(0, -1)) ?? {}, last);
  if (Array.isArray(home)) home.splice(Number(last), 1);
  else if (usual === undefined) Reflect.deleteProperty(home, last);
  else home[last] = structuredClone(usual);
}

function containerAt(
  settings: Record<string, unknown>,
  path: readonly PropertyKey[],
): Record<string, unknown> | null {
  let at: unknown = settings;
  for (const step of path) at = isContainer(at) ? ownOf(at, step) : undefined;
  return isContainer(at) ? at : null;
}

/** Not what every object has, such as `constructor`. */
function ownOf(container: Record<string, unknown>, name: PropertyKey): unknown {
  return Object.hasOwn(container, name) ? container[String(name)] : undefined;
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
