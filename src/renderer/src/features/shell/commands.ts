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
import type { LookupSubject } from '../../state/lookup-subject.ts';
import { filterFor } from '../../state/filter-choice.ts';
import { shortHash } from '../../ui/text/format.ts';
import { catalogue } from '../../state/catalogue.ts';
import { openRecording } from '../nodes/recordings/open-recording.ts';
import { togglePrivacy, type ShortcutContext } from './shortcuts.ts';

export interface Command {
  id: string;
  title: string;
  /** Further words to find it by, shown beside the title. */
  note: string;
  /** Marked private: a label or an address. */
  isPrivate: boolean;
  icon: LucideIcon;
  keys?: string;
  run: () => void;
}

/** Everything the palette offers, in the order in which it is shown when nothing is typed. */
export function commandsOf(context: ShortcutContext): Command[] {
  const { views, app, navigation, messages } = context;
  const setTheme = async (theme: Settings['theme']) => {
    const result = await app.updateSettings({ theme });
    if (!result.ok) messages.error(result.error);
  };
  const lookUp = (subject: LookupSubject) => navigation.open({ kind: 'lookup', subject });
  const plain = { note: '', isPrivate: false };
  return [
    ...views.map((view) => ({
      ...plain,
      id: `view ${view.id}`,
      title: `Go to ${view.title}`,
      icon: view.icon,
      keys: view.key,
      run: () => navigation.go(view.id),
    })),
    ...app.watchlist.map((entry) => ({
      id: `address ${entry.address}`,
      title: entry.label ?? shortHash(entry.address),
      note: entry.label === null ? 'address' : shortHash(entry.address),
      isPrivate: true,
      icon: Wallet,
      run: () => navigation.goToActivity(filterFor({ address: entry.address, chainId: null })),
    })),
    ...app.nodes.map(({ node }) => ({
      id: `node ${node.id}`,
      title: node.name,
      note: node.url,
      isPrivate: false,
      icon: Server,
      run: () => navigation.goToNode(node.id),
    })),
    {
      ...plain,
      id: 'add address',
      title: 'Watch an address',
      note: 'add wallet',
      icon: Plus,
      keys: 'A',
      run: () => navigation.open({ kind: 'add-address' }),
    },
    {
      ...plain,
      id: 'add node',
      title: 'Add a node',
      icon: Plus,
      keys: 'N',
      run: () => navigation.open({ kind: 'add-node' }),
    },
    {
      ...plain,
      id: 'incidents of all nodes',
      title: 'All incidents',
      note: 'of all nodes',
      icon: TriangleAlert,
      run: () => navigation.goToIncidents(null),
    },
    {
      ...plain,
      id: 'open recording replay',
      title: 'Open a recording…',
      note: 'of a node',
      icon: FolderOpen,
      run: () => {
        navigation.go('nodes');
        void openRecording(app, navigation, messages);
      },
    },
    {
      ...plain,
      id: 'look up contract deployment token',
      title: 'Look up an address, block or transaction…',
      icon: Search,
      run: () => lookUp({ kind: 'form', text: '', chainId: null }),
    },
    {
      ...plain,
      id: 'latest transactions of all chains',
      title: 'Latest transactions',
      note: 'of all chains',
      icon: History,
      run: () => lookUp({ kind: 'latest', chainId: null }),
    },
    ...[...app.chainNames].map(([chainId, name]) => ({
      ...plain,
      id: `latest transactions ${chainId}`,
      title: `Latest transactions of ${name}`,
      note: chainId,
      icon: History,
      run: () => lookUp({ kind: 'latest', chainId }),
    })),
    ...catalogue.map(({ id, title, group }) => ({
      id: `explore ${id}`,
      title: `Explore: ${title}`,
      note: group,
      isPrivate: false,
      icon: Compass,
      run: () => navigation.goToExplore({ id, values: {} }),
    })),
    {
      ...plain,
      id: 'privacy',
      title: app.settings.privacy ? 'Show amounts and labels' : 'Hide amounts and labels',
      note: 'privacy',
      icon: Eye,
      keys: 'P',
      run: () => void togglePrivacy(app, messages),
    },
    { ...plain, id: 'theme light', title: 'Light theme', icon: Sun, run: () => void setTheme('light') },
    { ...plain, id: 'theme dark', title: 'Dark theme', icon: Moon, run: () => void setTheme('dark') },
    {
      ...plain,
      id: 'theme system',
      title: 'Theme of the system',
      icon: Monitor,
      run: () => void setTheme('system'),
    },
    {
      ...plain,
      id: 'shortcuts',
      title: 'Keyboard shortcuts',
      icon: Keyboard,
      keys: '?',
      run: () => navigation.open({ kind: 'shortcuts' }),
    },
  ];
}

/** Commands that contain every typed word, titles that begin with the text first. */
export function searchCommands(commands: readonly Command[], query: string): Command[] {
  const text = query.trim().toLowerCase();
  if (text === '') return [...commands];
  const words = text.split(/\s+/);
  const found = commands.filter((command) => {
    // The id holds the whole address, so that a pasted one is found.
    const haystack = `${command.title} ${command.note} ${command.id}`.toLowerCase();
    return words.every((word) => haystack.includes(word));
  });
  const rank = (command: Command) => (command.title.toLowerCase().startsWith(text) ? 0 : 1);
  return found.sort((a, b) => rank(a) - rank(b));
}
