import { createContext } from 'svelte';

/** Where addresses are shown: what the menu of an address needs to know. */
export interface References {
  /** Null where several chains, or none, are shown. */
  chainId: () => string | null;
}

export const [useReferences, provideReferences] = createContext<References>();
