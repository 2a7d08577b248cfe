import { createContext, onMount } from 'svelte';
import { reportFailure } from '../bridge.ts';
import { Clock, provideClock } from '../ui/text/clock.svelte.ts';
import { provideFailureReport } from '../ui/text/failure-report.ts';
import { ActivityList } from './activity-list.ts';
import { AppState } from './app.svelte.ts';
import { Explore } from './explore.svelte.ts';
import { followActivity } from './follow-activity.svelte.ts';
import { KeptAnswers } from './kept-answers.ts';
import type { ListOptions } from './long-list.svelte.ts';
import { Messages } from './messages.svelte.ts';
import { Navigation } from './navigation.svelte.ts';

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

const [useWindow, provideWindow] = createContext<WindowState>();
export { useWindow };

interface Times extends Pick<ListOptions, 'settle' | 'rest'> {
  nowMs: () => number;
}

/** Creates the state of the window, which follows the main process. To be called in the set-up of its root. */
export function createWindow({ nowMs, settle, rest }: Times): WindowState {
  const explore = new Explore(settle);
  const state = {
    app: new AppState(settle),
    navigation: new Navigation(explore),
    messages: new Messages(),
    activity: new ActivityList({ settle, rest }),
    explore,
    kept: new KeptAnswers(),
    clock: new Clock(nowMs),
  };
  provideWindow(state);
  // For what does not know the window.
  provideClock(state.clock);
  provideFailureReport(reportFailure);
  onMount(() => state.app.start());
  onMount(() => explore.start());
  followActivity(state.activity, state.navigation);
  return state;
}
