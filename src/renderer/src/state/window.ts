// What the window knows and where the user is in it, as far as it outlives a view: each class here is made once, by
// `App.svelte`, or for one list or drawer. It follows the main process by calls and events of `bridge.ts`, and knows no
// component: components read it, and call its methods.
import { createContext } from 'svelte';
import type { AppState } from './app.svelte.ts';
import type { Explore } from './explore.svelte.ts';
import type { Messages } from './messages.svelte.ts';
import type { Navigation } from './navigation.svelte.ts';

/** What every component can reach. */
export interface WindowState {
  app: AppState;
  navigation: Navigation;
  messages: Messages;
  explore: Explore;
}

export const [useWindow, provideWindow] = createContext<WindowState>();
