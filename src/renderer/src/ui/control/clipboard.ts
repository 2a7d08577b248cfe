import { createContext } from 'svelte';

/**
 * Copies text to the clipboard and returns whether that succeeded. Set by the app: the page has no permission for
 * the clipboard, and this folder does not know the bridge.
 */
export type CopyText = (text: string) => Promise<boolean>;

export const [useClipboard, provideClipboard] = createContext<CopyText>();
