import { createContext } from 'svelte';
import type { AppState } from './app.svelte.ts';
import type { Explore } from './explore.svelte.ts';
import type { Messages } from './messages.svelte.ts';
import type { Navigation } from './navigation.svelte.ts';

/** The state that every component can reach through the context. */
export interface WindowState {
  app: AppState;
  navigation: Navigation;
  messages: Messages;
  explore: Explore;
}

export const [useWindow, provideWindow] = createContext<WindowState>();
