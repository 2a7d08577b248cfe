import { createContext } from 'svelte';
import type { Clock } from '../ui/text/clock.svelte.ts';
import type { ActivityList } from './activity-list.ts';
import type { AppState } from './app.svelte.ts';
import type { Explore } from './explore.svelte.ts';
import type { KeptAnswers } from './kept-answers.ts';
import type { Messages } from './messages.svelte.ts';
import type { Navigation } from './navigation.svelte.ts';

/** The state that every component can reach through the context. */
export interface WindowState {
  app: AppState;
  navigation: Navigation;
  messages: Messages;
  /** The rows of the Activity view, which are kept while another view is shown. */
  activity: ActivityList;
  explore: Explore;
  kept: KeptAnswers;
  clock: Clock;
}

export const [useWindow, provideWindow] = createContext<WindowState>();
