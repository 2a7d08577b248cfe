import { createContext } from 'svelte';

/** Where addresses are shown: what the menu of an address needs to know. */
export interface References {
  /** Null where several chains, or none, are shown. */
  chainId: () => string | null;
  /** Closes what covers the view, so that the view can be gone to. */
  leave: () => void;
}

export const [useReferences, provideReferences] = createContext<References>();
