import type { LucideIcon } from '@lucide/svelte';
import Compass from '@lucide/svelte/icons/compass';
import Eye from '@lucide/svelte/icons/eye';
import FolderOpen from '@lucide/svelte/icons/folder-open';
import Keyboard from '@lucide/svelte/icons/keyboard';
import Monitor from '@lucide/svelte/icons/monitor';
import Moon from '@lucide/svelte/icons/moon';
import History from '@lucide/svelte/icons/history';
import Plus from '@lucide/svelte/icons/plus';
import Search from '@lucide/svelte/icons/search';
import Server from '@lucide/svelte/icons/server';
import Sun from '@lucide/svelte/icons/sun';
import TriangleAlert from '@lucide/svelte/icons/triangle-alert';
import Wallet from '@lucide/svelte/icons/wallet';
import type { Settings } from '../../../../shared/settings.ts';
import type { AppState } from '../../state/app.svelte.ts';
import type { Messages } from '../../state/messages.svelte.ts';
import { useWindow } from '../../state/window.ts';
import { goToNamed } from '../../state/follow-links.ts';
import { subjectsNamed, type LookupSubject } from '../../state/lookup-subject.ts';
import { filterFor } from '../../state/filter-choice.ts';
import { shortHash } from '../../ui/text/format.ts';
import { catalogue } from '../../state/catalogue.ts';
import { openRecording } from '../nodes/recordings/open-recording.ts';
import type { ViewEntry } from './view-entry.ts';

/** What can be done from anywhere: the palette lists it, a key may do it, the sheet of shortcuts shows the keys. */
export interface Command {
  /** Also words to find it by. */
  id: string;
  title: string;
  /** Further words to find it by, shown beside the title. */
  note?: string;
  /** Marked private: a label or an address. */
  isPrivate?: boolean;
  icon: LucideIcon;
  /** As it is written for people: one letter or sign, or the palette's. */
  keys?: string;
  run: () => void;
}

/** What commands act on. */
export function useCommandContext(views: readonly ViewEntry[]) {
  const { app, navigation, messages } = useWindow();
  return { views, app, navigation, messages };
}
type CommandContext = ReturnType<typeof useCommandContext>;

const isMac = navigator.userAgent.includes('Mac');

export const paletteKeys = isMac ? '⌘K' : 'Ctrl K';

/** Switches the privacy eye; a failure to store it is told. */
export async function togglePrivacy(app: AppState, messages: Messages): Promise<void> {
  await messages.report(app.updateSettings({ privacy: !app.settings.privacy }));
}

/** Every command, in the order in which it is shown when nothing is typed. */
export function commandsOf({ views, app, navigation, messages }: CommandContext): Command[] {
  const lookUp = (subject: LookupSubject) => navigation.open({ kind: 'lookup', subject });
  const themes: readonly [Settings['theme'], string, LucideIcon][] = [
    ['light', 'Light theme', Sun],
    ['dark', 'Dark theme', Moon],
    ['system', 'Theme of the system', Monitor],
  ];
  return [
    {
      id: 'palette',
      title: 'Search and commands',
      icon: Search,
      keys: paletteKeys,
      run: () => navigation.open({ kind: 'palette' }),
    },
    ...views.map(({ id, title, icon, key }) => ({
      id: `view ${id}`,
      title: `Go to ${title}`,
      icon,
      keys: key,
      run: () => navigation.go(id),
    })),
    ...app.watchlist.map(({ address, label }) => ({
      id: `address ${address}`,
      title: label ?? shortHash(address),
      note: label === null ? 'address' : shortHash(address),
      isPrivate: true,
      icon: Wallet,
      run: () => navigation.goToActivity(filterFor({ address, chainId: null })),
    })),
    ...app.nodes.map(({ node }) => ({
      id: `node ${node.id}`,
      title: node.name,
      note: node.url,
      icon: Server,
      run: () => navigation.goToNode(node.id),
    })),
    {
      id: 'add address',
      title: 'Watch an address',
      note: 'add wallet',
      icon: Plus,
      keys: 'A',
      run: () => navigation.open({ kind: 'add-address' }),
    },
    {
      id: 'add node',
      title: 'Add a node',
      icon: Plus,
      keys: 'N',
      run: () => navigation.open({ kind: 'add-node' }),
    },
    {
      id: 'incidents',
      title: 'All incidents',
      note: 'of all nodes',
      icon: TriangleAlert,
      run: () => navigation.goToIncidents(null),
    },
    {
      id: 'replay',
      title: 'Open a recording…',
      note: 'of a node',
      icon: FolderOpen,
      run: () => {
        navigation.go('nodes');
        void openRecording(app, navigation, messages);
      },
    },
    {
      id: 'contract deployment token',
      title: 'Look up an address, block or transaction…',
      icon: Search,
      run: () => lookUp({ kind: 'form', text: '', chainId: null }),
    },
    {
      id: 'latest',
      title: 'Latest transactions',
      note: 'of all chains',
      icon: History,
      run: () => lookUp({ kind: 'latest', chainId: null }),
    },
    ...[...app.chainNames].map(([chainId, name]) => ({
      id: `latest ${chainId}`,
      title: `Latest transactions of ${name}`,
      note: chainId,
      icon: History,
      run: () => lookUp({ kind: 'latest', chainId }),
    })),
    ...catalogue.map(({ id, title, group }) => ({
      id: `explore ${id}`,
      title: `Explore: ${title}`,
      note: group,
      icon: Compass,
      run: () => navigation.goToExplore({ id, values: {} }),
    })),
    {
      id: 'privacy',
      title: app.settings.privacy ? 'Show amounts and labels' : 'Hide amounts and labels',
      note: 'privacy',
      icon: Eye,
      keys: 'P',
      run: () => void togglePrivacy(app, messages),
    },
    ...themes.map(([theme, title, icon]) => ({
      id: `theme ${theme}`,
      title,
      icon,
      run: () => void messages.report(app.updateSettings({ theme })),
    })),
    {
      id: 'shortcuts',
      title: 'Keyboard shortcuts',
      icon: Keyboard,
      keys: '?',
      run: () => navigation.open({ kind: 'shortcuts' }),
    },
  ];
}

/** What a key press means here, or null: letters typed into a field or over a dialog mean nothing. */
export function commandOfKey(event: KeyboardEvent, context: CommandContext): Command | null {
  if (event.defaultPrevented || event.repeat || event.altKey) return null;
  if (isCovered(context)) return null;
  const key = event.key.toUpperCase();
  const opensPalette = key === 'K' && (isMac ? event.metaKey : event.ctrlKey);
  if (!opensPalette && (event.ctrlKey || event.metaKey || takesText(event.target))) return null;
  const keys = opensPalette ? paletteKeys : key;
  return commandsOf(context).find((command) => command.keys === keys) ?? null;
}

/**
 * What is pasted outside of a field, or dropped: an address, a hash or a list of addresses goes where the user can decide what
 * becomes of it. Returns whether it is one of these. Nothing is added or asked for by itself.
 */
export function takeHandedIn(event: ClipboardEvent | DragEvent, context: CommandContext): boolean {
  const data = 'clipboardData' in event ? event.clipboardData : event.dataTransfer;
  if (event.defaultPrevented || data === null || isCovered(context) || takesText(event.target)) return false;
  // What is dragged can be read only when it is dropped, and only where it was said before that it may be.
  if (event.type === 'dragover') return true;
  const { app, navigation } = context;
  const [file] = data.files;
  const text = data.getData('text/plain').trim();
  if (file !== undefined) navigation.open({ kind: 'add-addresses', from: file });
  else if (/^0x[\da-f]+$/i.test(text)) goToNamed(subjectsNamed(text).value, null, app, navigation);
  else if (/\b0x[\da-f]{40}\b/i.test(text)) navigation.open({ kind: 'add-addresses', from: text });
  else return false;
  return true;
}

/** Something lies over the view that has the keyboard. */
function isCovered({ navigation }: CommandContext): boolean {
  return navigation.dialog !== null || navigation.lookups.length > 0;
}

function takesText(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [role="menu"], dialog') !== null
  );
}

/** Commands that contain every typed word, titles that begin with the text first. */
export function searchCommands(commands: readonly Command[], query: string): Command[] {
  const text = query.trim().toLowerCase();
  const offered = commands.filter(({ keys }) => keys !== paletteKeys);
  if (text === '') return offered;
  const words = text.split(/\s+/);
  const found = offered.filter((command) => {
    // The id holds the whole address, so that a pasted one is found.
    const haystack = `${command.title} ${command.note ?? ''} ${command.id}`.toLowerCase();
    return words.every((word) => haystack.includes(word));
  });
  const rank = (command: Command) => (command.title.toLowerCase().startsWith(text) ? 0 : 1);
  return found.sort((a, b) => rank(a) - rank(b));
}
