import { createContext } from 'svelte';

/**
 * Puts text on the clipboard and says whether that went well. Given by the app: the page itself has no permission for
 * the clipboard, and what is in this folder knows no bridge.
 */
export type CopyText = (text: string) => Promise<boolean>;

export const [useClipboard, provideClipboard] = createContext<CopyText>();
