import { createContext } from 'svelte';

/** The context of shown addresses, for their menus. */
export interface References {
  /** Null where several chains, or none, are shown. */
  chainId: () => string | null;
}

export const [useReferences, provideReferences] = createContext<References>();
