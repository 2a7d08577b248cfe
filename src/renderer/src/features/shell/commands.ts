import type { LucideIcon } from '@lucide/svelte';
import ArrowLeft from '@lucide/svelte/icons/arrow-left';
import ArrowRight from '@lucide/svelte/icons/arrow-right';
import BookUser from '@lucide/svelte/icons/book-user';
import Columns from '@lucide/svelte/icons/columns-3';
import Compass from '@lucide/svelte/icons/compass';
import Eye from '@lucide/svelte/icons/eye';
import FlaskConical from '@lucide/svelte/icons/flask-conical';
import FolderOpen from '@lucide/svelte/icons/folder-open';
import ListPlus from '@lucide/svelte/icons/list-plus';
import LinkIcon from '@lucide/svelte/icons/link';
import Keyboard from '@lucide/svelte/icons/keyboard';
import Monitor from '@lucide/svelte/icons/monitor';
import Moon from '@lucide/svelte/icons/moon';
import Power from '@lucide/svelte/icons/power';
import Plus from '@lucide/svelte/icons/plus';
import Search from '@lucide/svelte/icons/search';
import Server from '@lucide/svelte/icons/server';
import Sun from '@lucide/svelte/icons/sun';
import TriangleAlert from '@lucide/svelte/icons/triangle-alert';
import Undo from '@lucide/svelte/icons/undo-2';
import Wallet from '@lucide/svelte/icons/wallet';
import { parseAppLink, writeAppLink, type AppLink } from '../../../../shared/app-link.ts';
import type { AppError } from '../../../../shared/errors.ts';
import type { Settings } from '../../../../shared/settings.ts';
import { call } from '../../bridge.ts';
import type { AppState } from '../../state/app.svelte.ts';
import type { Messages } from '../../state/messages.svelte.ts';
import { openSample } from '../../state/open-sample.ts';
import type { DialogRequest } from '../../state/navigation.svelte.ts';
import { useWindow } from '../../state/window.ts';
import { goToNamed } from '../../state/follow-links.ts';
import { subjectsNamed } from '../../state/lookup-subject.ts';
import { backKeys, isMac, keyOf } from '../../ui/control/keys.ts';
import { isIn, takesText } from '../../ui/control/takes-text.ts';
import { shortHash } from '../../../../shared/text.ts';
import { catalogue } from '../../state/catalogue.ts';
import { openRecording } from '../nodes/recordings/open-recording.ts';
import type { ViewEntry } from './view-entry.ts';

/** An action that is available everywhere: in the palette, by its key if it has one, and in the list of shortcuts. */
export interface Command {
  /** Also searched. */
  id: string;
  title: string;
  /** Also searched, and shown beside the title. */
  note?: string;
  /** Contains a label or an address, so it is marked private. */
  isPrivate?: boolean;
  icon: LucideIcon;
  /** As shown to the user. */
  keys?: string;
  /** Where its keys work, besides in a view: `drawer`, over drawers and in fields; `dialog`, over everything but in fields. */
  over?: 'drawer' | 'dialog';
  /** It cannot do anything now. */
  isOff?: boolean;
  run: () => void;
}

/** What commands act on. */
export function useCommandContext(views: readonly ViewEntry[]) {
  const { app, navigation, messages } = useWindow();
  return { views, app, navigation, messages };
}
type CommandContext = ReturnType<typeof useCommandContext>;

const mainModifier = isMac() ? '⌘' : 'Ctrl ';
export const paletteKeys = `${mainModifier}K`;
export const undoKeys = `${mainModifier}Z`;

const tooLong: AppError = {
  code: 'invalid-params',
  message: 'This filter or form is too long for a link.',
  issues: [],
};

/** Switches the privacy eye; a failure to store it is shown. */
export async function togglePrivacy(app: AppState, messages: Messages): Promise<void> {
  await messages.report(app.updateSettings({ privacy: !app.settings.privacy }));
}

/** Every command, in the order that the palette has before anything is typed. */
export function commandsOf({ views, app, navigation, messages }: CommandContext): Command[] {
  const themes: readonly [Settings['theme'], string, LucideIcon][] = [
    ['light', 'Light theme', Sun],
    ['dark', 'Dark theme', Moon],
    ['system', 'System theme', Monitor],
  ];
  const opening = (
    id: string,
    title: string,
    icon: LucideIcon,
    dialog: DialogRequest,
    more: Partial<Command> = {},
  ): Command => ({
    id,
    title,
    icon,
    run: () => navigation.open(dialog),
    ...more,
  });
  const { undoable } = messages;
  const here = navigation.link;
  // A recording, or a node that is gone, could not be found by it.
  const isGone = here?.view === 'node' && app.node(here.nodeId) === null;
  const link: AppLink | null = isGone ? { view: 'nodes' } : here;
  return [
    opening('palette', 'Search and commands', Search, { kind: 'palette' }, { keys: paletteKeys }),
    {
      id: 'back',
      title: 'Back',
      note: 'to the previous view',
      icon: ArrowLeft,
      keys: backKeys(),
      over: 'drawer',
      isOff: !navigation.canGoBack,
      run: () => navigation.back(),
    },
    {
      id: 'forward',
      title: 'Forward',
      note: 'to the next view',
      icon: ArrowRight,
      keys: isMac() ? '⌘]' : 'Alt →',
      over: 'drawer',
      isOff: !navigation.canGoForward,
      run: () => navigation.forward(),
    },
    {
      id: 'undo put back removed',
      title: 'Undo the last removal',
      ...(undoable === null ? {} : { note: undoable.text }),
      icon: Undo,
      keys: undoKeys,
      over: 'dialog',
      isOff: undoable === null,
      run: () => void (undoable === null ? null : messages.undo(undoable.id)),
    },
    {
      id: 'copy link',
      title: link?.view === 'incident' ? 'Copy a link to this incident' : 'Copy a link to this view',
      note: 'to paste into a note or wiki',
      icon: LinkIcon,
      isOff: link === null,
      run: () => {
        const text = link === null ? '' : writeAppLink(link);
        // Nobody could follow it.
        if (parseAppLink(text) === null) messages.error(tooLong);
        else void messages.copy(text, 'Link copied.');
      },
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
      run: () => navigation.goToAddress(address),
    })),
    ...app.nodes.map(({ node }) => ({
      id: `node ${node.id}`,
      title: node.name,
      note: node.url,
      icon: Server,
      run: () => navigation.goToNode(node.id),
    })),
    ...app.book
      .filter(({ address }) => app.watched(address) === null)
      .map(({ address, name }) => ({
        id: `name ${address}`,
        title: name,
        note: `address book: ${shortHash(address)}`,
        isPrivate: true,
        icon: BookUser,
        run: () => navigation.goToValue('counterparty', address),
      })),
    opening(
      'add address',
      'Watch an address',
      Plus,
      { kind: 'add-address' },
      { note: 'add a wallet', keys: 'A' },
    ),
    opening(
      'add many wallets file',
      'Watch several addresses…',
      ListPlus,
      { kind: 'add-addresses' },
      { note: 'from a list or a file' },
    ),
    opening('names of addresses contacts labels', 'Address book', BookUser, { kind: 'names' }),
    opening('add node', 'Add a node', Plus, { kind: 'add-node' }, { keys: 'N' }),
    {
      id: 'incidents',
      title: 'All incidents',
      note: 'for all nodes',
      icon: TriangleAlert,
      run: () => navigation.goToIncidents(null),
    },
    {
      id: 'replay',
      title: 'Open a recording…',
      note: 'from a file',
      icon: FolderOpen,
      run: () => {
        navigation.go('nodes');
        void openRecording({ app, navigation, messages });
      },
    },
    {
      id: 'contract deployment token',
      title: 'Look up an address, block or transaction…',
      icon: Search,
      run: () => navigation.lookUp({ kind: 'form', text: '', chainId: null }),
    },
    ...catalogue.map(({ id, title, group }) => ({
      id: `explore ${id}`,
      title: `Explore: ${title}`,
      note: group,
      icon: Compass,
      run: () => navigation.goToExplore(id),
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
      id: 'sample demo try',
      title: 'Open sample data',
      note: 'in a separate window',
      icon: FlaskConical,
      isOff: app.isSample,
      run: () => void openSample(messages),
    },
    {
      id: 'columns widths',
      title: 'Reset column widths',
      note: 'in the timeline and in Explore',
      icon: Columns,
      isOff: Object.keys(app.settings.columnWidths).length === 0,
      run: () => void messages.report(app.updateSettings({ columnWidths: {} })),
    },
    {
      id: 'quit exit',
      title: app.isSample ? 'Close sample data' : 'Quit',
      icon: Power,
      keys: `${mainModifier}Q`,
      over: 'drawer',
      run: () => void messages.report(call('app.quit')),
    },
    opening('shortcuts', 'Keyboard shortcuts', Keyboard, { kind: 'shortcuts' }, { keys: '?' }),
  ];
}

/** The command of a key press, or null: letters typed into a field or over a dialog have none, and in a field undo is its own. */
export function commandOfKey(event: KeyboardEvent, context: CommandContext): Command | null {
  if (event.defaultPrevented || event.repeat) return null;
  const keys = keysOf(event);
  const command = commandsOf(context).find((one) => one.keys === keys && one.isOff !== true);
  if (command?.over === 'dialog') return takesText(event.target) ? null : command;
  if (command === undefined || context.navigation.dialog !== null) return null;
  if (command.over === 'drawer') return command;
  const isTyped = keys?.length === 1 && (hasLetters(event.target) || !context.app.settings.letterKeys);
  return isTyped || isCovered(context) ? null : command;
}

/** The name of a key press with the modifiers that commands use; null for others. */
function keysOf(event: KeyboardEvent): string | null {
  const signs: Record<string, string> = { ArrowLeft: '←', ArrowRight: '→' };
  const key = signs[event.key] ?? keyOf(event).toUpperCase();
  const [main, other] = isMac() ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey];
  if (other || (main && event.altKey)) return null;
  if (main) return event.shiftKey ? null : `${mainModifier}${key}`;
  return event.altKey ? `Alt ${key}` : key;
}

/** Back and forward by the buttons that some mice have for this. */
export function stepOfButton({ button }: MouseEvent, { navigation }: CommandContext): void {
  if (navigation.dialog !== null) return;
  if (button === 3) navigation.back();
  if (button === 4) navigation.forward();
}

/**
 * Handles text pasted outside of a field, or dropped: an address, a hash or a list of addresses opens the form for it.
 * Returns whether it is one of these. Nothing is added or requested without the user.
 */
export function takeHandedIn(event: ClipboardEvent | DragEvent, context: CommandContext): boolean {
  const data = 'clipboardData' in event ? event.clipboardData : event.dataTransfer;
  if (event.defaultPrevented || data === null || isCovered(context) || hasLetters(event.target)) return false;
  // Dragged data can be read only on drop, and a drop happens only where `dragover` has allowed it.
  if (event.type === 'dragover') return true;
  const { navigation } = context;
  const [file] = data.files;
  const text = data.getData('text/plain').trim();
  if (file !== undefined) navigation.open({ kind: 'add-addresses', from: file });
  else if (/^0x[\da-f]+$/i.test(text)) goToNamed(subjectsNamed(text).value, null, context);
  else if (/\b0x[\da-f]{40}\b/i.test(text)) navigation.open({ kind: 'add-addresses', from: text });
  else return false;
  return true;
}

/** Something over the view has the keyboard. */
function isCovered({ navigation }: CommandContext): boolean {
  return navigation.dialog !== null || navigation.lookups.length > 0;
}

function hasLetters(target: EventTarget | null): boolean {
  return takesText(target) || isIn(target, '[role="menu"], dialog');
}

/** Commands that contain every typed word; those whose title begins with the text come first. */
export function searchCommands(commands: readonly Command[], query: string): Command[] {
  const text = query.trim().toLowerCase();
  const offered = commands.filter(({ keys, isOff }) => keys !== paletteKeys && isOff !== true);
  if (text === '') return offered;
  const words = text.split(/\s+/);
  const found = offered.filter((command) => {
    // The id contains the whole address, so that a pasted one is found.
    const haystack = `${command.title} ${command.note ?? ''} ${command.id}`.toLowerCase();
    return words.every((word) => haystack.includes(word));
  });
  const rank = (command: Command) => (command.title.toLowerCase().startsWith(text) ? 0 : 1);
  return found.sort((a, b) => rank(a) - rank(b));
}
