import type { AppState } from '../../state/app.svelte.ts';
import type { Messages } from '../../state/messages.svelte.ts';
import type { Navigation } from '../../state/navigation.svelte.ts';
import type { ViewEntry } from './view-entry.ts';

export interface ShortcutContext {
  views: readonly ViewEntry[];
  app: AppState;
  navigation: Navigation;
  messages: Messages;
}

export interface Shortcut {
  /** As it is written for people. */
  keys: string;
  text: string;
  matches: (event: KeyboardEvent) => boolean;
  run: () => void;
}

const isMac = navigator.userAgent.includes('Mac');

export const paletteKeys = isMac ? '⌘K' : 'Ctrl K';

/** Switches the privacy eye; a failure to store it is told. */
export async function togglePrivacy(app: AppState, messages: Messages): Promise<void> {
  const result = await app.updateSettings({ privacy: !app.settings.privacy });
  if (!result.ok) messages.error(result.error);
}

const plainKey = (key: string) => (event: KeyboardEvent) =>
  event.key.toLowerCase() === key && !event.ctrlKey && !event.metaKey && !event.altKey;

/** Keys that work everywhere outside of text fields and dialogs. Lists and strips have their own, shown on the sheet. */
export function shortcutsOf({ views, app, navigation, messages }: ShortcutContext): Shortcut[] {
  return [
    {
      keys: paletteKeys,
      text: 'Search and commands',
      matches: (event) => event.key.toLowerCase() === 'k' && (isMac ? event.metaKey : event.ctrlKey),
      run: () => navigation.open({ kind: 'palette' }),
    },
    ...views.map((view) => ({
      keys: view.key,
      text: `Go to ${view.title}`,
      matches: plainKey(view.key),
      run: () => navigation.go(view.id),
    })),
    {
      keys: 'A',
      text: 'Watch an address',
      matches: plainKey('a'),
      run: () => navigation.open({ kind: 'add-address' }),
    },
    {
      keys: 'N',
      text: 'Add a node',
      matches: plainKey('n'),
      run: () => navigation.open({ kind: 'add-node' }),
    },
    {
      keys: 'P',
      text: 'Hide or show amounts and labels',
      matches: plainKey('p'),
      run: () => void togglePrivacy(app, messages),
    },
    {
      keys: '?',
      text: 'This sheet',
      matches: plainKey('?'),
      run: () => navigation.open({ kind: 'shortcuts' }),
    },
  ];
}

/** The shortcut that a key press means here, or null: letters typed into a field or over a dialog are not shortcuts. */
export function findShortcut(event: KeyboardEvent, context: ShortcutContext): Shortcut | null {
  if (event.defaultPrevented || event.repeat) return null;
  if (context.navigation.dialog !== null || context.navigation.lookups.length > 0) return null;
  const shortcut = shortcutsOf(context).find((candidate) => candidate.matches(event)) ?? null;
  const hasModifier = event.ctrlKey || event.metaKey;
  return shortcut !== null && !hasModifier && takesText(event.target) ? null : shortcut;
}

function takesText(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [role="menu"], dialog') !== null
  );
}
